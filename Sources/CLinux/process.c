#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "path.h"

int linux_errno(void) { return errno; }

// CLOCK_MONOTONIC, because it is the clock that poll waits by and that the
// kernel stamps GPIO edges with, and the boards never sleep.
int64_t linux_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int64_t linux_wall_microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

_Noreturn void linux_exit(int status) { exit(status); }

// Embedded Swift has no CommandLine. glibc passes main's arguments to every
// constructor, in static programs as well.
static int argument_count;
static char **arguments;

__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int linux_process_id(void) { return getpid(); }

int linux_argument_count(void) { return argument_count; }

static ptrdiff_t copy_text(const char *text, uint8_t *bytes, size_t count) {
  size_t length = strlen(text);
  memcpy(bytes, text, length < count ? length : count);
  return (ptrdiff_t)length;
}

ptrdiff_t linux_argument(int index, uint8_t *bytes, size_t count) {
  if (index < 0 || index >= argument_count) { errno = EINVAL; return -1; }
  return copy_text(arguments[index], bytes, count);
}

ptrdiff_t linux_environment(const uint8_t *name, size_t name_count, uint8_t *bytes, size_t count) {
  struct path variable;
  if (path_set(&variable, name, name_count) < 0) return -1;
  const char *value = getenv(variable.text);
  if (value == NULL) { errno = ENOENT; return -1; }
  return copy_text(value, bytes, count);
}

int linux_prints_to_terminal(void) { return isatty(STDOUT_FILENO); }

int linux_terminal_rows(void) {
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_row;
}

int linux_terminal_columns(void) {
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

int linux_open_stop_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) return -1;
  if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int linux_take_signal(int descriptor) {
  struct signalfd_siginfo info;
  if (read(descriptor, &info, sizeof info) != sizeof info) return -1;
  return (int)info.ssi_signo;
}

_Static_assert(sizeof(struct linux_poll_entry) == sizeof(struct pollfd), "struct pollfd");
_Static_assert(offsetof(struct linux_poll_entry, ready) == offsetof(struct pollfd, revents),
               "struct pollfd");
_Static_assert(LINUX_POLL_READ == POLLIN && LINUX_POLL_WRITE == POLLOUT, "poll events");

int linux_poll(struct linux_poll_entry *entries, size_t count, int milliseconds) {
  return poll((struct pollfd *)entries, count, milliseconds);
}
