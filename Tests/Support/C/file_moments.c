// Ends a program at each moment at which it replaces a file, to show what is left there.
//
// Loaded before the C library. When the program creates a file in a folder, it is forked again and again: the first
// copy is killed before the file is created, the next one behind that, others before, in the midst of and behind each
// write, and so on, until one lives to its end; then the program itself goes on. The copies do all that in folders of
// their own, FILE_MOMENTS/1, FILE_MOMENTS/2 and so on, which are there before.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int file = -1;
static int folder = -1;
/// Which copy this is, and how many moments it still lives; none is the program itself.
static int copy;
static int left;

static void pass_moment(void) {
  if (copy > 0 && --left == 0) raise(SIGKILL);
}

/// Makes a copy of the program that does the same in the folder of its number; returns whether this is the copy.
static int become_copy(int number) {
  pid_t child = fork();
  if (child < 0) abort();
  if (child > 0) return 0;
  copy = left = number;
  char path[4096];
  snprintf(path, sizeof path, "%s/%d", getenv("FILE_MOMENTS"), number);
  int own = open(path, O_RDONLY | O_DIRECTORY);
  if (own < 0 || dup2(own, folder) < 0) abort();
  return 1;
}

static void make_copies(void) {
  for (int number = 1;; number++) {
    if (become_copy(number)) return;
    int status;
    if (wait(&status) < 0) abort();
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) return;
  }
}

int openat(int where, const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  if ((flags & O_CREAT) == 0 || folder >= 0) return REAL(openat)(where, name, flags, mode);
  folder = where;
  make_copies();
  pass_moment();
  file = REAL(openat)(where, name, flags, mode);
  pass_moment();
  return file;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (descriptor != file || copy == 0) return REAL(write)(descriptor, bytes, count);
  pass_moment();
  // The kernel may take a part at any time.
  ssize_t half = REAL(write)(descriptor, bytes, count / 2);
  pass_moment();
  ssize_t rest = REAL(write)(descriptor, (const char *)bytes + count / 2, count - count / 2);
  pass_moment();
  return half < 0 || rest < 0 ? -1 : half + rest;
}

int fsync(int descriptor) {
  if (descriptor == file || descriptor == folder) pass_moment();
  int status = REAL(fsync)(descriptor);
  if (descriptor == file || descriptor == folder) pass_moment();
  return status;
}

int renameat(int from, const char *old, int to, const char *new) {
  pass_moment();
  int status = REAL(renameat)(from, old, to, new);
  pass_moment();
  return status;
}
