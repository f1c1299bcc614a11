#define _GNU_SOURCE
#ifndef __LP64__
#define _FILE_OFFSET_BITS 64  // else a file with a large number cannot be told from others
#endif
#include <sys/stat.h>

#include "address.h"

/// How many may wait until they are accepted.
enum { BACKLOG = 4 };

static int open_stream(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

/// 1 for a socket that no program listens at; else 0 and why its place is taken.
static int is_left_behind(const struct sockaddr_un *address) {
  struct stat status;
  if (lstat(address->sun_path, &status) < 0) return 0;
  if (!S_ISSOCK(status.st_mode)) { errno = EEXIST; return 0; }
  int descriptor = open_stream();
  if (descriptor < 0) return 0;
  int result = connect(descriptor, (const struct sockaddr *)address, sizeof *address);
  int reason = result < 0 ? errno : EADDRINUSE;
  close(descriptor);
  // Whose queue is full listens as well, and so does a socket of another type.
  errno = reason == EAGAIN || reason == EPROTOTYPE ? EADDRINUSE : reason;
  return reason == ECONNREFUSED;
}

static int bind_replacing(int descriptor, const struct sockaddr_un *address) {
  const struct sockaddr *any = (const struct sockaddr *)address;
  if (bind(descriptor, any, sizeof *address) == 0) return 0;
  if (errno != EADDRINUSE || !is_left_behind(address) || unlink(address->sun_path) < 0) return -1;
  return bind(descriptor, any, sizeof *address);
}

struct linux_listener linux_listen_unix(const uint8_t *path, size_t count) {
  struct linux_listener listener = {.descriptor = -1};
  struct sockaddr_un address;
  struct stat status;
  if (unix_address_set(&address, path, count) < 0) return listener;
  int descriptor = open_stream();
  if (descriptor < 0) return listener;
  // The file gets the socket's mode, as far as the umask lets it: net/unix/af_unix.c, unix_bind_bsd.
  if (fchmod(descriptor, 0660) < 0 || bind_replacing(descriptor, &address) < 0) {
    close_failed(descriptor);
    return listener;
  }
  if (lstat(address.sun_path, &status) < 0 || listen(descriptor, BACKLOG) < 0) {
    int reason = errno;
    unlink(address.sun_path);
    close(descriptor);
    errno = reason;
    return listener;
  }
  listener.descriptor = descriptor;
  listener.device = status.st_dev;
  listener.inode = status.st_ino;
  return listener;
}

void linux_end_listening(struct linux_listener listener, const uint8_t *path, size_t count) {
  struct sockaddr_un address;
  struct stat status;
  if (listener.descriptor < 0) return;
  // Another program may listen there by now, which thought it left behind.
  if (unix_address_set(&address, path, count) == 0 && lstat(address.sun_path, &status) == 0 &&
      status.st_dev == listener.device && status.st_ino == listener.inode)
    unlink(address.sun_path);
  close(listener.descriptor);
}

int linux_accept(int descriptor) {
  return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
