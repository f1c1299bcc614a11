#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

#include "CLinux.h"

// The kernel drops events without a word once this is full.
enum { RECEIVE_BUFFER = 1 << 20 };

int linux_open_hci_user_channel(uint16_t device) {
  struct sockaddr_hci address = {
      .hci_family = AF_BLUETOOTH, .hci_dev = device, .hci_channel = HCI_CHANNEL_USER};
  int size = RECEIVE_BUFFER;
  int descriptor =
      socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
  if (descriptor < 0) return -1;
  // The user channel takes only a controller that is down. Whether that
  // worked, bind says: EBUSY while it is up, ENODEV where there is none.
  // For one that its driver is still setting up, HCIDEVDOWN would wait.
  struct hci_dev_info info = {.dev_id = device};
  if (ioctl(descriptor, HCIGETDEVINFO, &info) == 0 && (info.flags & 1u << HCI_UP) != 0)
    ioctl(descriptor, HCIDEVDOWN, (int)device);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    int reason = errno;
    // Busy and not up: no program has it, but its set-up has not ended, or has failed.
    if (reason == EBUSY && ioctl(descriptor, HCIGETDEVINFO, &info) == 0 &&
        (info.flags & 1u << HCI_UP) == 0)
      reason = EINPROGRESS;
    close(descriptor);
    errno = reason;
    return -1;
  }
  // Beyond the system's limit only the administrator may go; else up to it.
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  return descriptor;
}
