#define _GNU_SOURCE
#ifndef __LP64__
#define _FILE_OFFSET_BITS 64  // a device may be larger than 2 GiB
#endif
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"

static int open_in(int folder, const uint8_t *bytes, size_t count, int how) {
  struct path name;
  if (path_set(&name, bytes, count) < 0) return -1;
  return openat(folder, name.text, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | how, 0600);
}

int linux_open_bond_in(int folder, const uint8_t *bytes, size_t count, int may_create) {
  return open_in(folder, bytes, count, may_create ? O_CREAT : 0);
}

int linux_claim_device_in(int folder, const uint8_t *bytes, size_t count) {
  return open_in(folder, bytes, count, O_EXCL);
}

struct linux_file_status linux_status(int descriptor) {
  struct linux_file_status result = {.result = -1};
  struct stat status;
  if (fstat(descriptor, &status) < 0) return result;
  result.is_device = S_ISBLK(status.st_mode);
  result.is_deleted = status.st_nlink == 0;
  result.is_open_to_others = (status.st_mode & 077) != 0;
  if (!S_ISREG(status.st_mode) && !result.is_device) { errno = EEXIST; return result; }
  // A device has no size in its status.
  result.size = lseek(descriptor, 0, SEEK_END);
  result.result = result.size < 0 ? -1 : 0;
  return result;
}

int linux_make_private(int descriptor) { return fchmod(descriptor, 0600); }

int linux_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int linux_sync(int descriptor) { return fsync(descriptor); }

int linux_sync_data(int descriptor) { return fdatasync(descriptor); }

int linux_drop_cached(int descriptor) {
  errno = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  return errno == 0 ? 0 : -1;
}

ptrdiff_t linux_read_at(int descriptor, size_t offset, uint8_t *bytes, size_t count) {
  return pread(descriptor, bytes, count, (off_t)offset);
}

ptrdiff_t linux_write_at(int descriptor, size_t offset, const uint8_t *bytes, size_t count) {
  return pwrite(descriptor, bytes, count, (off_t)offset);
}
