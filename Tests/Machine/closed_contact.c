// A button that is held already when the firmware takes its line.
//
// The simulated chip opens the contact of a line that is taken with its pull-up. This library is loaded before the C
// library, and closes the contact CLOSED_CONTACT again before the firmware can look at it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  int result = real(descriptor, request, argument);
  if (result >= 0 && (request == GPIO_GET_LINEEVENT_IOCTL || request == GPIO_V2_GET_LINE_IOCTL)) {
    int contact = open(getenv("CLOSED_CONTACT"), O_WRONLY | O_CLOEXEC);
    if (contact < 0 || write(contact, "pull-down", 9) != 9) abort();
    close(contact);
  }
  return result;
}
