// SPDX-License-Identifier: GPL-2.0-only
// An I2C adapter of the test machine, /dev/i2c-1, with something at 0x3c that takes all that is written to it.
// Others can be asked for, too. There is a gauge at 0x36, from which registers can be read.
//
// It remembers which bytes arrived and fails as it is told, by its parameters in /sys/module/panel_bus/parameters:
//
//   fault     the errno that a call ends with; 0 for none. After ETIMEDOUT's the adapter's own time
//   messages  so many messages of a call arrive before that; a call of no more is not touched
//   bytes     and so many bytes of the next one
//   times     so many calls fail and the others do not; negative: all
//   failures  how many have failed
//   present   0: the adapter is pulled out, 1: put in again
//   registers the first bytes that the gauge holds, with commas
//
// /sys/kernel/debug/panel-bus has a line for each message: the number of its call, its own in the call, the adapter's
// timeout in milliseconds, and the bytes that arrived in hex.
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/i2c.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

enum { BUS = 1, PANEL = 0x3c, GAUGE = 0x36, RECORD_SIZE = 1 << 20, LINE_SIZE = 64 };

static int fault;
module_param(fault, int, 0644);
static int messages;
module_param(messages, int, 0644);
static int bytes;
module_param(bytes, int, 0644);
static int times = -1;
module_param(times, int, 0644);
static int failures;
module_param(failures, int, 0444);

static unsigned char registers[16];
module_param_array(registers, byte, NULL, 0644);

static DEFINE_MUTEX(lock);  // of what is remembered
static char *record;
static size_t record_length;
static unsigned int calls;
static bool is_present;

static void remember(struct i2c_adapter *adapter, int number, const u8 *data, size_t count) {
  mutex_lock(&lock);
  if (!WARN_ON(record_length + LINE_SIZE + 2 * count > RECORD_SIZE)) {
    record_length += scnprintf(record + record_length, LINE_SIZE, "%u %d %u ", calls, number,
                               jiffies_to_msecs(adapter->timeout));
    record_length = bin2hex(record + record_length, data, count) - record;
    record[record_length++] = '\n';
  }
  mutex_unlock(&lock);
}

static int fail(struct i2c_adapter *adapter, int error) {
  failures++;
  if (times > 0) times--;
  if (error == ETIMEDOUT) schedule_timeout_uninterruptible(adapter->timeout);
  return -error;
}

/// One message; the bytes that arrive, and what becomes of it.
static int take(struct i2c_adapter *adapter, u16 address, int number, const u8 *data, size_t count) {
  int error = READ_ONCE(fault);  // the bus may be healed while this call still waits
  if (!is_present) return -ENODEV;
  if (address != PANEL) return -ENXIO;
  if (error != 0 && times != 0 && number == messages) {
    if (bytes > 0) remember(adapter, number, data, min_t(size_t, bytes, count));
    return fail(adapter, error);
  }
  remember(adapter, number, data, count);
  return 0;
}

/// The number of a register is written, then its bytes are read.
static int read_gauge(struct i2c_msg *list, int count) {
  size_t index, first;
  if (!is_present) return -ENODEV;
  if (count != 2 || list[0].flags & I2C_M_RD || list[0].len != 1 || !(list[1].flags & I2C_M_RD)) return -EOPNOTSUPP;
  first = list[0].buf[0];
  for (index = 0; index < list[1].len; index++)
    list[1].buf[index] = first + index < sizeof registers ? registers[first + index] : 0xff;
  return count;
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *list, int count) {
  int index, result;
  if (list[0].addr == GAUGE && registers[9] != 0) return read_gauge(list, count);
  calls++;
  for (index = 0; index < count; index++) {
    if (list[index].flags & I2C_M_RD) return -EOPNOTSUPP;
    result = take(adapter, list[index].addr, index, list[index].buf, list[index].len);
    if (result < 0) return result;
  }
  return count;
}

static u32 message_functions(struct i2c_adapter *adapter) { return I2C_FUNC_I2C | I2C_FUNC_SMBUS_QUICK; }

static const struct i2c_algorithm message_algorithm = {.master_xfer = transfer, .functionality = message_functions};
static struct i2c_adapter adapter = {
  .owner = THIS_MODULE, .name = "panel bus", .nr = BUS, .algo = &message_algorithm,
};

/// Whoever has the bus open keeps it until he closes it, and this with it.
static void remove_adapter(struct work_struct *work) { i2c_del_adapter(&adapter); }
static DECLARE_WORK(removal, remove_adapter);

static int add_adapter(void) {
  adapter.timeout = HZ;
  adapter.retries = 3;  // as many adapters have it
  is_present = true;
  return i2c_add_numbered_adapter(&adapter);
}

static int set_present(const char *text, const struct kernel_param *parameter) {
  bool wanted;
  int result = kstrtobool(text, &wanted);
  // The parameters of a module that is being loaded are set before it is there.
  if (result < 0 || record == NULL || wanted == is_present) return result;
  flush_work(&removal);
  if (wanted) return add_adapter();
  is_present = false;
  schedule_work(&removal);
  return 0;
}

static const struct kernel_param_ops present_operations = {.set = set_present, .get = param_get_bool};
module_param_cb(present, &present_operations, &is_present, 0644);

static ssize_t read_record(struct file *file, char __user *buffer, size_t count, loff_t *position) {
  ssize_t result;
  mutex_lock(&lock);
  result = simple_read_from_buffer(buffer, count, position, record, record_length);
  mutex_unlock(&lock);
  return result;
}

static const struct file_operations record_operations = {.owner = THIS_MODULE, .read = read_record};
static struct dentry *record_file;

static int __init load(void) {
  int result;
  record = vmalloc(RECORD_SIZE);
  if (record == NULL) return -ENOMEM;
  result = add_adapter();
  if (result < 0) {
    vfree(record);
    return result;
  }
  record_file = debugfs_create_file("panel-bus", 0444, NULL, NULL, &record_operations);
  return 0;
}

static void __exit unload(void) {
  flush_work(&removal);
  if (is_present) i2c_del_adapter(&adapter);
  debugfs_remove(record_file);
  vfree(record);
}

module_init(load);
module_exit(unload);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An I2C adapter that fails as it is told");
