// A clock that a test sets the pace of, for a program that reads its time here and waits by poll.
//
// Loaded before the C library. From when the file CLOCK_SWITCH exists, CLOCK_MONOTONIC runs CLOCK_PACE times as fast, and
// poll waits so much shorter; until then it is as always. So a ride can be played fast and still last its own time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static double pace = 1;
static double switched;  // in seconds, when the pace began

static double seconds(const struct timespec *time) { return time->tv_sec + time->tv_nsec / 1e9; }

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = REAL(clock_gettime)(clock, time);
  if (clock != CLOCK_MONOTONIC || result < 0) return result;
  if (switched == 0) {
    if (access(getenv("CLOCK_SWITCH"), F_OK) < 0) return 0;
    switched = seconds(time);
    pace = atof(getenv("CLOCK_PACE"));
  }
  double now = switched + (seconds(time) - switched) * pace;
  time->tv_sec = (time_t)now;
  time->tv_nsec = (long)((now - floor(now)) * 1e9);
  return 0;
}

int poll(struct pollfd *entries, nfds_t count, int milliseconds) {
  if (milliseconds > 0) milliseconds = (int)ceil(milliseconds / pace);
  return REAL(poll)(entries, count, milliseconds);
}
