// An I2C bus at /dev/i2c-9 on which everybody answers, for a program on a machine without one.
//
// Loaded before the C library, it writes to the file I2C_LOG what becomes of the bus, a line each: `send ADDRESS BYTES` in
// hexadecimal digits, and `wait MILLISECONDS` for each time that the program then waits for nothing else, which ends at
// once. linux/i2c-dev.h.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/types.h>

#include <linux/i2c-dev.h>
#include <linux/i2c.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int bus = -1;

static FILE *open_log(void) {
  FILE *log = fopen(getenv("I2C_LOG"), "ae");
  if (log == NULL) abort();
  return log;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  if (strcmp(path, "/dev/i2c-9") != 0) return REAL(open)(path, flags, mode);
  // A file of its own, as the program locks it.
  return bus = memfd_create("i2c-9", MFD_CLOEXEC);
}

static void send_messages(const struct i2c_rdwr_ioctl_data *data) {
  FILE *log = open_log();
  for (unsigned i = 0; i < data->nmsgs; i++) {
    const struct i2c_msg *message = &data->msgs[i];
    fprintf(log, "send %02x ", message->addr);
    for (unsigned j = 0; j < message->len; j++) fprintf(log, "%02x", message->buf[j]);
    fputc('\n', log);
  }
  fclose(log);
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (descriptor < 0 || descriptor != bus) return REAL(ioctl)(descriptor, request, argument);
  if (request == I2C_FUNCS) *(unsigned long *)argument = I2C_FUNC_I2C;
  if (request == I2C_RDWR) send_messages(argument);
  return 0;
}

// Under a name of its own, as the header says that poll reads nothing of the entries.
int wait_for_entries(struct pollfd *entries, nfds_t count, int milliseconds) __asm__("poll");
int wait_for_entries(struct pollfd *entries, nfds_t count, int milliseconds) {
  int is_only_time = bus >= 0;
  for (nfds_t i = 0; i < count; i++) is_only_time = is_only_time && entries[i].fd < 0;
  if (!is_only_time) return REAL(poll)(entries, count, milliseconds);
  FILE *log = open_log();
  fprintf(log, "wait %d\n", milliseconds);
  fclose(log);
  return 0;
}
