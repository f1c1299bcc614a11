#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/i2c-dev.h>
#include <linux/i2c.h>

#include <i2c/smbus.h>

#include "address.h"

_Static_assert(LINUX_I2C_MESSAGES == I2C_RDWR_IOCTL_MAX_MSGS, "the kernel's limit");

int linux_open_i2c(const uint8_t *bytes, size_t count, uint8_t address) {
  struct path path;
  if (path_set(&path, bytes, count) < 0) return -1;
  int descriptor = open(path.text, O_RDWR | O_CLOEXEC);
  // I2C_RDWR does not need the address, but only I2C_SLAVE says that a
  // driver of the kernel has it already. After a lost arbitration the kernel
  // would send all messages of a call again, though the device has taken some
  // of their bytes. Without I2C_RETRIES the caller decides.
  if (descriptor >= 0 && (ioctl(descriptor, I2C_SLAVE, (unsigned long)address) < 0 ||
                          ioctl(descriptor, I2C_RETRIES, 0UL) < 0))
    return close_failed(descriptor);
  // Tells others that a panel is in use; see linux_i2c_is_shared. A check
  // has the lock for a moment, which must not keep us from the panel.
  if (descriptor >= 0) (void)flock(descriptor, LOCK_SH | LOCK_NB);
  return descriptor;
}

int linux_i2c_is_shared(int descriptor) {
  return flock(descriptor, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

int linux_i2c_takes_messages(int descriptor) {
  unsigned long functions = 0;
  if (ioctl(descriptor, I2C_FUNCS, &functions) < 0) return -1;
  if (functions & I2C_FUNC_I2C) return 1;
  if (functions & I2C_FUNC_SMBUS_WRITE_I2C_BLOCK) return 0;
  errno = EOPNOTSUPP;
  return -1;
}

int linux_i2c_set_timeout(int descriptor, uint32_t milliseconds) {
  return ioctl(descriptor, I2C_TIMEOUT, (unsigned long)(milliseconds + 9) / 10) < 0 ? -1 : 0;
}

int linux_i2c_write(int descriptor, uint8_t address, const uint8_t *bytes, size_t count,
                    const uint16_t *lengths, size_t messages) {
  struct i2c_msg list[LINUX_I2C_MESSAGES];
  struct i2c_rdwr_ioctl_data data = {.msgs = list, .nmsgs = (uint32_t)messages};
  size_t start = 0;
  if (messages > LINUX_I2C_MESSAGES) { errno = EINVAL; return -1; }
  for (size_t index = 0; index < messages; index++) {
    if (lengths[index] > count - start) { errno = EINVAL; return -1; }
    // The kernel reads the bytes of a write and never changes them.
    list[index] = (struct i2c_msg){
        .addr = address, .len = lengths[index], .buf = (uint8_t *)bytes + start};
    start += lengths[index];
  }
  return ioctl(descriptor, I2C_RDWR, &data) < 0 ? -1 : 0;
}

int linux_smbus_write_block(int descriptor, uint8_t command, const uint8_t *bytes,
                            size_t count) {
  if (count < 1 || count > I2C_SMBUS_BLOCK_MAX) { errno = EINVAL; return -1; }
  // libi2c returns what the kernel does, and leaves errno as it is.
  return i2c_smbus_write_i2c_block_data(descriptor, command, (uint8_t)count, bytes) < 0 ? -1 : 0;
}

int linux_i2c_read(int descriptor, uint8_t address, uint8_t number, size_t wanted,
                   uint8_t *bytes, size_t count) {
  struct i2c_msg list[2] = {
      {.addr = address, .len = 1, .buf = &number},
      {.addr = address, .flags = I2C_M_RD, .len = (uint16_t)wanted, .buf = bytes},
  };
  struct i2c_rdwr_ioctl_data data = {.msgs = list, .nmsgs = 2};
  if (wanted < 1 || wanted > count || wanted > UINT16_MAX) { errno = EINVAL; return -1; }
  return ioctl(descriptor, I2C_RDWR, &data) < 0 ? -1 : 0;
}

int linux_smbus_read_block(int descriptor, uint8_t usual, uint8_t address, uint8_t number,
                           size_t wanted, uint8_t *bytes, size_t count) {
  uint8_t block[I2C_SMBUS_BLOCK_MAX] = {0};
  unsigned long functions = 0;
  int result, reason;
  if (wanted < 1 || wanted > count || wanted > sizeof block) { errno = EINVAL; return -1; }
  if (ioctl(descriptor, I2C_FUNCS, &functions) < 0) return -1;
  if (!(functions & I2C_FUNC_SMBUS_READ_I2C_BLOCK)) { errno = EOPNOTSUPP; return -1; }
  if (ioctl(descriptor, I2C_SLAVE, (unsigned long)address) < 0) return -1;
  result = i2c_smbus_read_i2c_block_data(descriptor, number, (uint8_t)wanted, block);
  reason = errno;
  if (ioctl(descriptor, I2C_SLAVE, (unsigned long)usual) < 0) return -1;
  if (result >= 0 && (size_t)result != wanted) { result = -1; reason = EIO; }
  if (result >= 0) memcpy(bytes, block, wanted);
  errno = reason;
  return result < 0 ? -1 : 0;
}
