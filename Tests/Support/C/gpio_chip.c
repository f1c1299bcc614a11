// A GPIO chip of 54 lines at /dev/gpiochip9, for a program on a machine without one.
//
// Loaded before the C library, it answers what libgpiod 1.6 asks of the kernel. GPIO_FOLDER/log gets a line for each thing
// that becomes of the lines: `output OFFSET LEVEL`, `input OFFSET`, `level OFFSET LEVEL`, `release OFFSET`.
// GPIO_FOLDER/pressed holds the offset of a button that is. GPIO_LABEL is what the chip's driver calls it. linux/gpio.h, the first version.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char device[] = "/dev/gpiochip9";
static const char number[] = "/sys/bus/gpio/devices/gpiochip9/dev";
enum { LINES = 54, NOTHING = 0, CHIP = 1, LINE = 2, DESCRIPTORS = 1024 };

// What each descriptor is: LINE + its offset for a line.
static int kinds[DESCRIPTORS];

static int keep(int descriptor, int kind) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS) abort();
  return kinds[descriptor] = kind, descriptor;
}

static int kind_of(int descriptor) {
  return descriptor < 0 || descriptor >= DESCRIPTORS ? NOTHING : kinds[descriptor];
}

static FILE *file(const char *name, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("GPIO_FOLDER"), name);
  return fopen(path, mode);
}

static void tell(const char *format, ...) {
  FILE *log = file("log", "ae");
  if (log == NULL) abort();
  va_list rest;
  va_start(rest, format);
  vfprintf(log, format, rest);
  va_end(rest);
  fclose(log);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  if (strcmp(path, device) == 0) return keep(eventfd(0, EFD_CLOEXEC), CHIP);
  if (strcmp(path, number) != 0) return REAL(open)(path, flags, mode);
  int descriptor = memfd_create("dev", MFD_CLOEXEC);
  if (write(descriptor, "254:9\n", 6) != 6 || lseek(descriptor, 0, SEEK_SET) < 0) abort();
  return descriptor;
}

static struct stat chip_status(void) {
  return (struct stat){.st_mode = S_IFCHR | 0600, .st_rdev = makedev(254, 9)};
}

int lstat(const char *path, struct stat *status) {
  if (strcmp(path, device) != 0) return REAL(lstat)(path, status);
  return *status = chip_status(), 0;
}

int stat(const char *path, struct stat *status) {
  if (strcmp(path, device) != 0) return REAL(stat)(path, status);
  return *status = chip_status(), 0;
}

int access(const char *path, int mode) {
  return strcmp(path, number) == 0 ? 0 : REAL(access)(path, mode);
}

static int take(unsigned offset) {
  errno = EINVAL;
  if (offset >= LINES) return -1;
  errno = EBUSY;
  for (int i = 0; i < DESCRIPTORS; i++)
    if (kinds[i] == LINE + (int)offset) return -1;
  return keep(eventfd(0, EFD_CLOEXEC), LINE + (int)offset);
}

static int ask_chip(unsigned long request, void *argument) {
  if (request == GPIO_GET_CHIPINFO_IOCTL) {
    struct gpiochip_info info = {.name = "gpiochip9", .lines = LINES};
    const char *label = getenv("GPIO_LABEL");
    if (label != NULL) strncpy(info.label, label, sizeof info.label - 1);
    *(struct gpiochip_info *)argument = info;
    return 0;
  }
  if (request == GPIO_GET_LINEINFO_IOCTL) {
    struct gpioline_info *info = argument;
    *info = (struct gpioline_info){.line_offset = info->line_offset};
    errno = EINVAL;
    return info->line_offset < LINES ? 0 : -1;
  }
  if (request == GPIO_GET_LINEHANDLE_IOCTL) {
    struct gpiohandle_request *line = argument;
    line->fd = take(line->lineoffsets[0]);
    if (line->fd < 0) return -1;
    tell("output %u %u\n", line->lineoffsets[0], line->default_values[0]);
    return 0;
  }
  if (request == GPIO_GET_LINEEVENT_IOCTL) {
    struct gpioevent_request *line = argument;
    line->fd = take(line->lineoffset);
    if (line->fd < 0) return -1;
    tell("input %u\n", line->lineoffset);
    return 0;
  }
  errno = ENOTTY;
  return -1;
}

static int is_pressed(int offset) {
  int pressed = -1;
  FILE *button = file("pressed", "re");
  if (button == NULL) return 0;
  if (fscanf(button, "%d", &pressed) != 1) abort();
  fclose(button);
  return pressed == offset;
}

static int ask_line(int offset, unsigned long request, void *argument) {
  struct gpiohandle_data *data = argument;
  if (request == GPIOHANDLE_SET_LINE_VALUES_IOCTL) tell("level %d %u\n", offset, data->values[0]);
  if (request == GPIOHANDLE_GET_LINE_VALUES_IOCTL) data->values[0] = (uint8_t)is_pressed(offset);
  return 0;
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int kind = kind_of(descriptor);
  if (kind == CHIP) return ask_chip(request, argument);
  if (kind >= LINE) return ask_line(kind - LINE, request, argument);
  return REAL(ioctl)(descriptor, request, argument);
}

int close(int descriptor) {
  int kind = kind_of(descriptor);
  if (kind != NOTHING) kinds[descriptor] = NOTHING;
  if (kind >= LINE) tell("release %d\n", kind - LINE);
  return REAL(close)(descriptor);
}
