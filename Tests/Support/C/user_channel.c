// The kernel's HCI user channel, for a program on a machine without Bluetooth.
//
// Loaded before the C library, it makes a socket of AF_BLUETOOTH a unix socket of whole packets to USER_CHANNEL, where a
// test plays the kernel. What the program asked for is sent first: F0 device channel is-down, F1 receive-buffer. A
// message F2 ERRNO CALL from the test is what every receive ('r') or send ('s') gives from then on, as the kernel does
// once the controller is gone. net/bluetooth/hci_sock.c.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

static int channel = -1;
static int receive_failure;
static int send_failure;
static uint8_t is_down;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int socket(int domain, int type, int protocol) {
  if (domain != AF_BLUETOOTH) return REAL(socket)(domain, type, protocol);
  int flags = type & (SOCK_CLOEXEC | SOCK_NONBLOCK);
  receive_failure = send_failure = 0;
  is_down = 0;
  return channel = REAL(socket)(AF_UNIX, SOCK_SEQPACKET | flags, 0);
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (descriptor != channel || (request != HCIDEVDOWN && request != HCIGETDEVINFO))
    return REAL(ioctl)(descriptor, request, argument);
  if (request == HCIDEVDOWN) is_down = 1;
  else ((struct hci_dev_info *)argument)->flags = is_down ? 0 : 1 << HCI_UP;
  return 0;
}

int bind(int descriptor, const struct sockaddr *address, socklen_t size) {
  if (descriptor != channel) return REAL(bind)(descriptor, address, size);
  const struct sockaddr_hci *hci = (const struct sockaddr_hci *)address;
  struct sockaddr_un peer = {.sun_family = AF_UNIX};
  strncpy(peer.sun_path, getenv("USER_CHANNEL"), sizeof peer.sun_path - 1);
  if (connect(descriptor, (struct sockaddr *)&peer, sizeof peer) < 0) {
    errno = ENODEV;
    return -1;
  }
  uint8_t hello[] = {0xF0, (uint8_t)hci->hci_dev, (uint8_t)hci->hci_channel, is_down};
  return REAL(send)(descriptor, hello, sizeof hello, 0) < 0 ? -1 : 0;
}

int setsockopt(int descriptor, int level, int name, const void *value, socklen_t size) {
  int result = REAL(setsockopt)(descriptor, level, name, value, size);
  if (descriptor == channel && (name == SO_RCVBUFFORCE || name == SO_RCVBUF)) {
    uint8_t message[5] = {0xF1};
    memcpy(message + 1, value, 4);
    REAL(send)(descriptor, message, sizeof message, 0);
  }
  return result;
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  if (descriptor != channel) return REAL(recv)(descriptor, bytes, count, flags);
  while (!receive_failure) {
    ssize_t length = REAL(recv)(descriptor, bytes, count, flags);
    const uint8_t *message = bytes;
    if (length != 3 || message[0] != 0xF2) return length;
    *(message[2] == 'r' ? &receive_failure : &send_failure) = message[1];
  }
  errno = receive_failure;
  return -1;
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  if (descriptor != channel || !send_failure) return REAL(send)(descriptor, bytes, count, flags);
  errno = send_failure;
  return -1;
}
