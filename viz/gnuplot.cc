#include "wick/viz/gnuplot.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "wick/framework/core/error.h"
#include "wick/viz/utf8.h"

extern char** environ;

namespace wick::viz {
namespace {

// The full path of a program, empty if there is none. An empty entry of PATH (the current folder) is passed over: a chart must not run
// whatever lies where the data are.
std::string find_program(const std::string& name) {
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string program = std::string(path.substr(0, end)) + "/" + name;
    if (end > 0 && access(program.c_str(), X_OK) == 0) return program;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

// An unnamed file in memory. As standard input and standard error of the child it needs no reading and writing in turns, as pipes do.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) { check(fd_ >= 0); }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }

  void fill(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(fd_, text.data(), text.size());
      check(written > 0);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    check(lseek(fd_, 0, SEEK_SET) == 0);
  }

  // The first 1,000 bytes without the blanks around them.
  std::string excerpt() const {
    char buffer[1000];
    const ssize_t size = pread(fd_, buffer, sizeof(buffer), 0);
    const std::string_view text(buffer, size > 0 ? static_cast<std::size_t>(size) : 0);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return clean_text(text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first), /*keep_newlines=*/true);
  }

 private:
  static void check(bool ok) { WICK_CHECK(ok, "cannot pass text to a program: ", std::generic_category().message(errno)); }

  int fd_;
};

// Starts the program with the three descriptors as its standard streams and waits for its end. Returns its wait status.
int spawn_and_wait(const std::string& program, std::vector<std::string> arguments, int input_fd, int output_fd, int error_fd) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input_fd, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output_fd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error_fd, STDERR_FILENO);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  WICK_CHECK(error == 0, "cannot start ", program, ": ", std::generic_category().message(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    WICK_CHECK(errno == EINTR, "cannot wait for ", program, ": ", std::generic_category().message(errno));
  }
  return status;
}

std::string quote(std::string_view text, bool percent_is_special) {
  std::string out = "\"";
  for (const char c : clean_text(text, /*keep_newlines=*/true)) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '`': out += "\\140"; break;
      case '%': out += percent_is_special ? "%%" : "%"; break;
      default: out += c;
    }
  }
  return out + '"';
}

}  // namespace

bool gnuplot_available() { return detail::program_available("gnuplot"); }

namespace detail {

std::string gnuplot_quote(std::string_view text) { return quote(text, /*percent_is_special=*/false); }
std::string gnuplot_quote_tick(std::string_view text) { return quote(text, /*percent_is_special=*/true); }

void check_font_for(std::string_view text) {
  bool needed = false;
  for (std::size_t i = 0; i < text.size() && !needed;) {
    const char32_t c = next_code_point(text, i);
    needed = (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7AF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFFEF);
  }
  if (!needed) return;
  // fontconfig's own list; a machine without the program is given the benefit of the doubt.
  std::FILE* list = popen("fc-list :lang=zh family 2>/dev/null", "r");
  if (list == nullptr) return;
  const bool found = std::fgetc(list) != EOF;
  const int status = pclose(list);
  WICK_CHECK(found || !WIFEXITED(status) || WEXITSTATUS(status) == 127,
             "no font with Chinese characters is installed (Debian: apt install fonts-noto-cjk); an .svg keeps the text without one");
}

bool program_available(const std::string& name) { return !find_program(name).empty(); }

void run_program(const std::string& name, const std::vector<std::string>& arguments, std::string_view input, int output_fd,
                 const std::string& hint) {
  const std::string program = find_program(name);
  WICK_CHECK(!program.empty(), hint);
  MemoryFile text("program-input");
  MemoryFile messages("program-messages");
  text.fill(input);
  std::vector<std::string> all{name};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const int status = spawn_and_wait(program, std::move(all), text.fd(), output_fd, messages.fd());
  WICK_CHECK(!WIFSIGNALED(status), name, " was ended by signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  WICK_CHECK(WEXITSTATUS(status) == 0, name, " failed with exit status ", WEXITSTATUS(status), ":\n", messages.excerpt());
}

void run_gnuplot(std::string_view script, int output_fd) {
  // -d: the user's own settings in ~/.gnuplot do not change the picture. -: the script is the standard input.
  run_program("gnuplot", {"-d", "-"}, script, output_fd,
              "gnuplot is not installed or not in PATH; charts need it (Debian: apt install gnuplot-nox)");
}

}  // namespace detail
}  // namespace wick::viz
