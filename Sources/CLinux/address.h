// What streams, listening sockets and buses share.
#pragma once
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "path.h"

/// 0, or -1 for a path that is no address: unix(7).
static inline int unix_address_set(struct sockaddr_un *address, const uint8_t *bytes, size_t count) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (count == 0 || memchr(bytes, 0, count) != NULL) { errno = ENOENT; return -1; }
  if (count >= sizeof address->sun_path) { errno = ENAMETOOLONG; return -1; }
  memcpy(address->sun_path, bytes, count);
  return 0;
}

/// Closes and returns -1, with the errno from before.
static inline int close_failed(int descriptor) {
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}
