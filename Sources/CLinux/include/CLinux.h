// The kernel's and the C library's calls as Swift can use them. Bytes are
// counted and never kept, so Swift passes spans and needs no `unsafe`.
//
// A call that fails returns -1 and leaves its reason in `linux_errno`. A path
// is bytes without a terminating zero, at most LINUX_PATH_MAX of them.
#pragma once
#include <lifetimebound.h>
#include <ptrcheck.h>
#include <stddef.h>
#include <stdint.h>

#define LINUX_PATH_MAX 511

/// `count` bytes that a call only reads.
#define LINUX_BYTES(name) const uint8_t *__counted_by(count) name __noescape
/// Room for `count` bytes that a call writes.
#define LINUX_ROOM(name) uint8_t *__counted_by(count) name __noescape

// process.c: the process and its time.

int linux_errno(void);
int64_t linux_milliseconds(void);
/// Since 1970; jumps when the date is set.
int64_t linux_wall_microseconds(void);
_Noreturn void linux_exit(int status);
int linux_argument_count(void);
/// Copies the argument and returns its whole length, which may be more than was copied.
ptrdiff_t linux_argument(int index, LINUX_ROOM(bytes), size_t count);
/// Whether standard output is a terminal.
int linux_prints_to_terminal(void);
/// How many lines the terminal on standard output shows; 0 if it does not say.
int linux_terminal_rows(void);
int linux_terminal_columns(void);
int linux_process_id(void);
/// Copies the variable's value and returns its whole length, as `linux_argument` does; -1 if it is not set.
ptrdiff_t linux_environment(const uint8_t *__counted_by(name_count) name __noescape,
                            size_t name_count, LINUX_ROOM(bytes), size_t count);
/// Ignores SIGPIPE and turns SIGTERM and SIGINT into something to read.
int linux_open_stop_signals(void);
int linux_take_signal(int descriptor);

/// `struct pollfd`, without its header.
struct linux_poll_entry {
  int descriptor;
  short interest;
  short ready;
};
enum { LINUX_POLL_READ = 0x1, LINUX_POLL_WRITE = 0x4 };
int linux_poll(struct linux_poll_entry *__counted_by(count) entries __noescape, size_t count,
               int milliseconds);

// files.c: descriptors, files and folders.

void linux_close(int descriptor);
ptrdiff_t linux_read(int descriptor, LINUX_ROOM(bytes), size_t count);
ptrdiff_t linux_write(int descriptor, LINUX_BYTES(bytes), size_t count);
int linux_open_for_reading(LINUX_BYTES(path), size_t count);
/// Creates or empties a file for appending; never waits for a fifo's reader.
int linux_create(LINUX_BYTES(path), size_t count);
/// Creates a file for appending, or opens it as it is.
int linux_open_for_appending(LINUX_BYTES(path), size_t count);
/// Creates a file, or opens it as it is, to be written anywhere in it.
int linux_open_in_place(LINUX_BYTES(path), size_t count);
/// Makes the fifo if it is missing and opens it so that it never ends; EEXIST for another kind of file.
int linux_open_fifo(LINUX_BYTES(path), size_t count);
/// 0 if there is surely nothing at the path.
int linux_is_there(LINUX_BYTES(path), size_t count);
int linux_remove(LINUX_BYTES(path), size_t count);
int linux_make_folder(LINUX_BYTES(path), size_t count, uint32_t mode);
int linux_open_folder(LINUX_BYTES(path), size_t count);
/// Fills `bytes` with whole `struct linux_dirent64` records; 0 at the end.
ptrdiff_t linux_read_folder(int folder, LINUX_ROOM(bytes), size_t count);
/// The group that may read and write what the path names, LINUX_NO_GROUP if none may; -1 if there is nothing.
int64_t linux_group_with_access(LINUX_BYTES(path), size_t count);
#define LINUX_NO_GROUP (-2)
int linux_rewind_folder(int folder);
int linux_create_in(int folder, LINUX_BYTES(name), size_t count);
int linux_remove_in(int folder, LINUX_BYTES(name), size_t count);
int linux_rename_in(int folder, LINUX_BYTES(from), size_t count,
                    const uint8_t *__counted_by(to_count) to __noescape, size_t to_count);

// bond.c: a small file or block device that must survive power cuts.

/// For reading and writing; ELOOP for a symbolic link. A new file is for its owner alone.
int linux_open_bond_in(int folder, LINUX_BYTES(name), size_t count, int may_create);
/// A block device for us alone; EBUSY if it is mounted.
int linux_claim_device_in(int folder, LINUX_BYTES(name), size_t count);
struct linux_file_status {
  /// 0, or -1 and the reason; EEXIST for neither a file nor a block device.
  int result;
  int is_device;
  int is_deleted;
  int is_open_to_others;
  int64_t size;
};
struct linux_file_status linux_status(int descriptor);
int linux_make_private(int descriptor);
/// EAGAIN if another process has the lock.
int linux_lock(int descriptor);
int linux_sync(int descriptor);
int linux_sync_data(int descriptor);
/// Lets the next read come from the disk.
int linux_drop_cached(int descriptor);
ptrdiff_t linux_read_at(int descriptor, size_t offset, LINUX_ROOM(bytes), size_t count);
ptrdiff_t linux_write_at(int descriptor, size_t offset, LINUX_BYTES(bytes), size_t count);

// streams.c: byte streams to a controller; none of these calls waits.

/// A stream socket that is connecting. IPv4, IPv6 or `localhost`; else EINVAL.
int linux_connect_tcp(LINUX_BYTES(host), size_t count, uint16_t port);
int linux_connect_unix(LINUX_BYTES(path), size_t count);
/// A raw serial port, 8N1 with RTS/CTS; EINVAL for a rate below 9600 or without a name.
int linux_open_serial(LINUX_BYTES(path), size_t count, uint32_t baud);
/// What became of a connection: 0, or -1 and its reason.
int linux_connection_result(int descriptor);
ptrdiff_t linux_send(int descriptor, LINUX_BYTES(bytes), size_t count);
/// One message; its whole length even if that is more than `count`.
ptrdiff_t linux_receive_message(int descriptor, LINUX_ROOM(bytes), size_t count);

/// Drops what a serial port has not sent: else `close` waits for a device that takes nothing.
void linux_drop_output(int descriptor);

/// Sends one datagram to a unix socket, whose name is abstract if it begins with @; EAGAIN if its
/// queue is full.
int linux_send_datagram(const uint8_t *__counted_by(path_count) path __noescape, size_t path_count,
                        LINUX_BYTES(bytes), size_t count);

// listening.c: a socket that other programs connect to; none of these calls waits.

struct linux_listener {
  /// -1, and errno, if there is none.
  int descriptor;
  /// Which file is its own.
  uint64_t device, inode;
};
/// A listening stream socket, instead of one that no program listens at; EADDRINUSE where one does,
/// EEXIST for another kind of file.
struct linux_listener linux_listen_unix(LINUX_BYTES(path), size_t count);
/// Closes it, and removes its file if that is still its own.
void linux_end_listening(struct linux_listener listener, LINUX_BYTES(path), size_t count);
int linux_accept(int descriptor);

// hci.c and i2c.c: the radio and the panel.

/// EBUSY where another program has the controller, EINPROGRESS where its driver has not set it up.
int linux_open_hci_user_channel(uint16_t device);

int linux_open_i2c(LINUX_BYTES(path), size_t count, uint8_t address);
/// 1 if the adapter takes plain I2C messages, 0 if only SMBus block writes.
int linux_i2c_takes_messages(int descriptor);
/// Whether another process has the bus open by `linux_open_i2c` too.
int linux_i2c_is_shared(int descriptor);
/// How long a call may take before the adapter gives up; it counts in 10 ms, and keeps it.
int linux_i2c_set_timeout(int descriptor, uint32_t milliseconds);
/// Writes messages that lie one after the other in `bytes`, in one call, at most LINUX_I2C_MESSAGES.
int linux_i2c_write(int descriptor, uint8_t address, LINUX_BYTES(bytes), size_t count,
                    const uint16_t *__counted_by(messages) lengths __noescape, size_t messages);
/// Writes a command byte and 1 to 32 more.
int linux_smbus_write_block(int descriptor, uint8_t command, LINUX_BYTES(bytes), size_t count);
/// Writes the number of a register and reads `wanted` bytes from there on, without a stop in between.
int linux_i2c_read(int descriptor, uint8_t address, uint8_t number, size_t wanted,
                   LINUX_ROOM(bytes), size_t count);
/// The same where the adapter has SMBus blocks only; all else goes to `usual` afterwards.
int linux_smbus_read_block(int descriptor, uint8_t usual, uint8_t address, uint8_t number,
                           size_t wanted, LINUX_ROOM(bytes), size_t count);
#define LINUX_I2C_MESSAGES 42

// scan.c: which devices are on an I2C bus.

enum { LINUX_I2C_SILENT = 0, LINUX_I2C_ANSWERS = 1, LINUX_I2C_DRIVEN = 2 };
/// Whether an address answers, asked without writing data; -1 if the bus itself fails, with EOPNOTSUPP
/// if the adapter cannot ask.
int linux_i2c_probe(int descriptor, uint8_t address);

// gpio.c: the buttons and the alert line, by libgpiod 1.6 or 2.x.

/// One line that we hold; to be closed once.
struct linux_gpio_line {
  /// What to poll, readable after an edge; -1 for an output.
  int descriptor;
  uint32_t offset;
  /// The number of its chip, if that was found by its label and is not the one that was named; else 0.
  uint32_t chip;
  /// libgpiod's own; no line is open if `owner` is 0.
  uintptr_t owner;
  uintptr_t part;
};
struct linux_gpio_edge {
  /// 1 for an edge, 0 if there is none now, -1 if the line failed.
  int result;
  int is_active;
  /// When the kernel saw it, by CLOCK_MONOTONIC.
  int64_t nanoseconds;
};
/// A button that pulls its line to ground, both edges. EBUSY: taken. EINVAL: no such line.
/// ENOTTY: not a GPIO chip.
struct linux_gpio_line linux_gpio_open_button(LINUX_BYTES(path), size_t count, uint32_t offset);
/// An output, low from the start on.
struct linux_gpio_line linux_gpio_open_output(LINUX_BYTES(path), size_t count, uint32_t offset);
struct linux_gpio_edge linux_gpio_read(struct linux_gpio_line line);
/// 1 while a button is pressed or an output is high, 0 else, -1 if the line failed.
int linux_gpio_level(struct linux_gpio_line line);
int linux_gpio_set(struct linux_gpio_line line, int level);
void linux_gpio_close(struct linux_gpio_line line);
