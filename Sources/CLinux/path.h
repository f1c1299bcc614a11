// Paths from Swift are counted; the kernel's end with a zero.
#pragma once
#include <errno.h>
#include <string.h>

#include "CLinux.h"

struct path { char text[LINUX_PATH_MAX + 1]; };

/// 0, or -1 for a path that the kernel could only misunderstand.
static inline int path_set(struct path *path, const uint8_t *bytes, size_t count) {
  if (count == 0 || memchr(bytes, 0, count) != NULL) { errno = ENOENT; return -1; }
  if (count > LINUX_PATH_MAX) { errno = ENAMETOOLONG; return -1; }
  memcpy(path->text, bytes, count);
  path->text[count] = 0;
  return 0;
}
