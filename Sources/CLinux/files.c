#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"

void linux_close(int descriptor) { close(descriptor); }

ptrdiff_t linux_read(int descriptor, uint8_t *bytes, size_t count) {
  return read(descriptor, bytes, count);
}

ptrdiff_t linux_write(int descriptor, const uint8_t *bytes, size_t count) {
  return write(descriptor, bytes, count);
}

static int open_path(const uint8_t *bytes, size_t count, int flags) {
  struct path path;
  if (path_set(&path, bytes, count) < 0) return -1;
  return open(path.text, flags | O_CLOEXEC | O_NOCTTY, 0644);
}

int linux_open_for_reading(const uint8_t *path, size_t count) {
  return open_path(path, count, O_RDONLY);
}

int linux_create(const uint8_t *path, size_t count) {
  return open_path(path, count, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NONBLOCK);
}

int linux_open_for_appending(const uint8_t *path, size_t count) {
  return open_path(path, count, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK);
}

int linux_open_in_place(const uint8_t *path, size_t count) {
  return open_path(path, count, O_WRONLY | O_CREAT | O_NONBLOCK);
}

int linux_open_fifo(const uint8_t *bytes, size_t count) {
  struct path path;
  struct stat status;
  if (path_set(&path, bytes, count) < 0) return -1;
  if (mkfifo(path.text, 0660) < 0 && errno != EEXIST) return -1;
  if (stat(path.text, &status) < 0) return -1;
  if (!S_ISFIFO(status.st_mode)) { errno = EEXIST; return -1; }
  // For writing too: so there is always a writer, and the others may come and go.
  return open(path.text, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

int linux_is_there(const uint8_t *bytes, size_t count) {
  struct path path;
  struct stat status;
  if (path_set(&path, bytes, count) < 0) return 1;
  // A link that leads nowhere is there, and so is what cannot be looked for.
  return lstat(path.text, &status) == 0 || errno != ENOENT;
}

int linux_remove(const uint8_t *bytes, size_t count) {
  struct path path;
  return path_set(&path, bytes, count) < 0 ? -1 : remove(path.text);
}

int linux_make_folder(const uint8_t *bytes, size_t count, uint32_t mode) {
  struct path path;
  return path_set(&path, bytes, count) < 0 ? -1 : mkdir(path.text, mode);
}

int linux_open_folder(const uint8_t *path, size_t count) {
  return open_path(path, count, O_RDONLY | O_DIRECTORY);
}

ptrdiff_t linux_read_folder(int folder, uint8_t *bytes, size_t count) {
  return getdents64(folder, bytes, count);
}

int64_t linux_group_with_access(const uint8_t *bytes, size_t count) {
  struct path path;
  struct stat status;
  if (path_set(&path, bytes, count) < 0 || stat(path.text, &status) < 0) return -1;
  return (status.st_mode & 060) == 060 && status.st_gid != 0 ? (int64_t)status.st_gid : LINUX_NO_GROUP;
}

int linux_rewind_folder(int folder) { return lseek(folder, 0, SEEK_SET) < 0 ? -1 : 0; }

int linux_create_in(int folder, const uint8_t *bytes, size_t count) {
  struct path name;
  if (path_set(&name, bytes, count) < 0) return -1;
  return openat(folder, name.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

int linux_remove_in(int folder, const uint8_t *bytes, size_t count) {
  struct path name;
  if (path_set(&name, bytes, count) < 0) return -1;
  return unlinkat(folder, name.text, 0);
}

int linux_rename_in(int folder, const uint8_t *from, size_t count, const uint8_t *to,
                    size_t to_count) {
  struct path old, new;
  if (path_set(&old, from, count) < 0 || path_set(&new, to, to_count) < 0) return -1;
  return renameat(folder, old.text, folder, new.text);
}
