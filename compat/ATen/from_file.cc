#include <ATen/from_file.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace at {
namespace {

struct File {
  explicit File(int fd) : fd(fd) {}
  File(const File&) = delete;
  ~File() { if (fd >= 0) close(fd); }
  int fd;
};

}  // namespace

Tensor from_file(std::string_view filename, std::optional<bool> shared, std::optional<int64_t> size, const TensorOptions& options) {
  TORCH_CHECK(!options.has_device() || options.device().is_cpu(), "from_file: the tensor is on the CPU, but device is ",
              options.device());
  const std::string path(filename);
  const bool writes = shared.value_or(false);
  const int64_t count = size.value_or(0), each = wick::element_size(options.dtype());
  int64_t bytes = 0;
  TORCH_CHECK(count >= 0 && !__builtin_mul_overflow(count, each, &bytes), "from_file: size must be a number of elements, got ", count);
  const File file(open(path.c_str(), (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0600));
  TORCH_CHECK(file.fd >= 0, "unable to open file <", path, "> in ", writes ? "read-write" : "read-only", " mode: ", std::strerror(errno),
              " (", errno, ")");
  struct stat status {};
  TORCH_CHECK(fstat(file.fd, &status) == 0, "unable to stat the file <", path, ">: ", std::strerror(errno), " (", errno, ")");
  if (count == 0) return wick::empty({0}, options);
  TORCH_CHECK(writes || status.st_size >= bytes, "file <", path, "> size <", status.st_size,
              "> is smaller than the required mapping size <", bytes, ">");
  TORCH_CHECK(status.st_size >= bytes || ftruncate(file.fd, bytes) == 0, "unable to resize file <", path, "> to the right size: ",
              std::strerror(errno), " (", errno, ")");
  const size_t length = static_cast<size_t>(bytes);
  void* data = mmap(nullptr, length, PROT_READ | PROT_WRITE, writes ? MAP_SHARED : MAP_PRIVATE, file.fd, 0);
  TORCH_CHECK(data != MAP_FAILED, "unable to mmap ", bytes, " bytes from file <", path, ">: ", std::strerror(errno), " (", errno, ")");
  return wick::from_blob(data, {count}, [length](void* memory) { munmap(memory, length); }, options);
}

}  // namespace at
