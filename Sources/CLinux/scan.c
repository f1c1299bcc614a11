#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <sys/ioctl.h>

#include <linux/i2c-dev.h>
#include <linux/i2c.h>

#include <i2c/smbus.h>

#include "CLinux.h"

/// Where a write without data could do harm: it moves the pointer of an EEPROM, and some lock
/// themselves. Elsewhere a read could: some chips take it for a command, and hang. i2cdetect(8).
static bool is_read(uint8_t address) {
  return (address >= 0x30 && address <= 0x37) || (address >= 0x50 && address <= 0x5f);
}

int linux_i2c_probe(int descriptor, uint8_t address) {
  unsigned long functions = 0;
  if (ioctl(descriptor, I2C_FUNCS, &functions) < 0) return -1;
  if (ioctl(descriptor, I2C_SLAVE, (unsigned long)address) < 0)
    return errno == EBUSY ? LINUX_I2C_DRIVEN : -1;
  bool reads = is_read(address) || !(functions & I2C_FUNC_SMBUS_QUICK);
  int result = reads ? i2c_smbus_read_byte(descriptor)
                     : i2c_smbus_write_quick(descriptor, I2C_SMBUS_WRITE);
  if (result >= 0) return LINUX_I2C_ANSWERS;
  // Adapters have different words for a byte without acknowledgement.
  switch (errno) {
    case ENXIO: case EREMOTEIO: case ENODEV: case EIO: return LINUX_I2C_SILENT;
    default: return -1;
  }
}
