// Gives a program its time, and makes copies of it, for a test that tries very many things.
//
// Loaded before the C library. The program's clock stands still until the program waits and nothing has come. Then it
// writes its time to the descriptor GIVEN_TIME, in milliseconds as eight bytes, and reads until when it may wait. -1:
// a copy of the program goes on from here, and the program waits for the copy's end. -2: the copy ends. What a copy
// that has crashed leaves is -1 instead of the time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int64_t now = 1000000;

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_MONOTONIC) return REAL(clock_gettime)(clock, time);
  *time = (struct timespec){.tv_sec = now / 1000, .tv_nsec = now % 1000 * 1000000};
  return 0;
}

/// Says that the program waits, and returns until when it may.
static int64_t ask(void) {
  static int test;
  if (test == 0) test = atoi(getenv("GIVEN_TIME"));
  int64_t said = now, answer;
  for (;;) {
    if (write(test, &said, sizeof said) != sizeof said) _exit(1);
    if (read(test, &answer, sizeof answer) != sizeof answer) _exit(1);
    if (answer == -2) _exit(0);
    if (answer != -1) return answer;
    said = now;
    pid_t copy = fork();
    if (copy < 0) abort();
    int status;
    if (copy > 0 && (waitpid(copy, &status, 0) < 0 || status != 0)) said = -1;
  }
}

// Under a name of its own, as the header says that poll reads nothing of the entries.
int wait_for_entries(struct pollfd *entries, nfds_t count, int milliseconds) __asm__("poll");
int wait_for_entries(struct pollfd *entries, nfds_t count, int milliseconds) {
  int64_t end = milliseconds < 0 ? INT64_MAX : now + milliseconds;
  for (;;) {
    int ready = REAL(poll)(entries, count, 0);
    if (ready != 0 || end <= now) return ready;
    int64_t until = ask();
    if (until > now) now = until < end ? until : end;
  }
}
