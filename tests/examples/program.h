// A program run as a user runs it: arguments, a folder, an environment, what it prints, Ctrl-C.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wick::examples {

using Strings = std::vector<std::string>;

struct Outcome {
  int status = -1;               // as a shell shows it: the exit status, or 128 + the signal that ended the program
  double processor_seconds = 0;  // time of the processor, which other work on the machine hardly changes
  std::string out, err;
};

// Standard output and standard error are pipes. The program may write at most 64 KiB to standard error.
class Program {
 public:
  // argv[0] is the path of the program. The environment is the test's own with `variables`, each "NAME=value", in front of it;
  // `err_fd`, if not -1, takes the place of standard error's pipe.
  Program(Strings argv, const std::string& folder, Strings variables = {}, int err_fd = -1) {
    out_ = make_pipe(1);
    if (err_fd < 0) err_ = make_pipe(2);
    else posix_spawn_file_actions_adddup2(&actions_, err_fd, 2);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    start(argv, with_own_environment(std::move(variables)));
  }
  ~Program() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      finish();
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Reads standard output until it has the text; false if the program ends before.
  bool wait_for(std::string_view text) {
    while (outcome_.out.find(text) == std::string::npos) {
      if (!read_some(out_, outcome_.out)) return false;
    }
    return true;
  }

  void interrupt() { kill(pid_, SIGINT); }

  // What the program did, once it has ended.
  Outcome finish() {
    read_to_end(out_, outcome_.out);
    read_to_end(err_, outcome_.err);
    if (pid_ > 0) {
      int status = 0;
      rusage usage{};
      wait4(pid_, &status, 0, &usage);
      outcome_.processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
      outcome_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      pid_ = -1;
    }
    return outcome_;
  }

 private:
  int make_pipe(int child_fd) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) ADD_FAILURE() << "no pipe: " << std::strerror(errno);
    posix_spawn_file_actions_adddup2(&actions_, ends[1], child_fd);
    write_ends_.push_back(ends[1]);
    return ends[0];
  }

  static Strings with_own_environment(Strings variables) {
    const Strings added = variables;
    for (char** own = environ; *own != nullptr; ++own) {
      const std::string_view line = *own;
      const auto replaces = [&](const std::string& other) { return line.starts_with(other.substr(0, other.find('=') + 1)); };
      if (std::none_of(added.begin(), added.end(), replaces)) variables.emplace_back(line);
    }
    return variables;
  }

  static std::vector<char*> pointers(Strings& strings) {
    std::vector<char*> out;
    for (std::string& string : strings) out.push_back(string.data());
    out.push_back(nullptr);
    return out;
  }

  void start(Strings& argv, Strings variables) {
    const int error = posix_spawn(&pid_, argv[0].c_str(), &actions_, nullptr, pointers(argv).data(), pointers(variables).data());
    if (error != 0) {
      pid_ = -1;
      ADD_FAILURE() << "cannot run " << argv[0] << ": " << std::strerror(error);
    }
    posix_spawn_file_actions_destroy(&actions_);
    for (const int fd : write_ends_) close(fd);
  }

  static bool read_some(int fd, std::string& to) {
    char buffer[4096];
    const ssize_t got = read(fd, buffer, sizeof(buffer));
    if (got > 0) to.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }

  static void read_to_end(int& fd, std::string& to) {
    if (fd < 0) return;
    while (read_some(fd, to)) continue;
    close(fd);
    fd = -1;
  }

  static double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

  struct Actions : posix_spawn_file_actions_t {
    Actions() { posix_spawn_file_actions_init(this); }
  };

  Actions actions_;
  std::vector<int> write_ends_;
  int out_ = -1, err_ = -1;
  pid_t pid_ = -1;
  Outcome outcome_;
};

inline Outcome run(Strings argv, const std::string& folder, Strings variables = {}) {
  return Program(std::move(argv), folder, std::move(variables)).finish();
}

// The path of the program under test: the first argument of the test itself, made absolute.
inline std::string& program_path() {
  static std::string path;
  return path;
}

// main() of a test of a program.
inline int run_program_tests(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
    return 2;
  }
  program_path() = std::filesystem::absolute(argv[1]).string();
  return RUN_ALL_TESTS();
}

}  // namespace wick::examples
