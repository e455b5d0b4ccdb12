// What a program costs: usage: measure RUNS PROGRAM ARGUMENT...
// Runs it several times, its output thrown away, and prints the shortest time, the shortest time of the processor, both in seconds, and
// the largest resident memory in KiB; the processes that it waited for are included. Exit status 1 if the program fails.
//
// A process's peak counts what was resident when it was forked, so the one that forks must be small: nothing but C's library here.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

static double seconds_of(timeval time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

static double smaller(double a, double b) { return a < b ? a : b; }

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  double seconds = 1e30, processor = 1e30;
  long kibibytes = 0;
  for (int i = 0; i < atoi(argv[1]); ++i) {
    const double start = now();
    const pid_t child = fork();
    if (child == 0) {
      dup2(open("/dev/null", O_WRONLY), 1);
      execvp(argv[2], argv + 2);
      _exit(127);
    }
    int status;
    rusage usage;
    if (wait4(child, &status, 0, &usage) < 0 || status != 0) return 1;
    seconds = smaller(seconds, now() - start);
    processor = smaller(processor, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
    if (usage.ru_maxrss > kibibytes) kibibytes = usage.ru_maxrss;
  }
  printf("%.6f %.6f %ld\n", seconds, processor, kibibytes);
}
