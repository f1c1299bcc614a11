#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "address.h"

static int connect_stream(const void *address, socklen_t size) {
  int family = ((const struct sockaddr *)address)->sa_family;
  int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  // A packet is small and waited for: never hold it back to fill a segment.
  int on = 1;
  if (family != AF_UNIX) setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(descriptor, address, size) < 0 && errno != EINPROGRESS)
    return close_failed(descriptor);
  return descriptor;
}

int linux_connect_tcp(const uint8_t *bytes, size_t count, uint16_t port) {
  struct path host;
  struct sockaddr_in ip4 = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 ip6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  if (path_set(&host, bytes, count) < 0) return -1;
  const char *text = strcmp(host.text, "localhost") == 0 ? "127.0.0.1" : host.text;
  if (inet_pton(AF_INET, text, &ip4.sin_addr) == 1) return connect_stream(&ip4, sizeof ip4);
  if (inet_pton(AF_INET6, text, &ip6.sin6_addr) == 1) return connect_stream(&ip6, sizeof ip6);
  errno = EINVAL;
  return -1;
}

int linux_connect_unix(const uint8_t *path, size_t count) {
  struct sockaddr_un address;
  if (unix_address_set(&address, path, count) < 0) return -1;
  return connect_stream(&address, sizeof address);
}

void linux_drop_output(int descriptor) { tcflush(descriptor, TCOFLUSH); }

int linux_send_datagram(const uint8_t *path, size_t path_count, const uint8_t *bytes,
                        size_t count) {
  struct sockaddr_un address;
  if (unix_address_set(&address, path, path_count) < 0) return -1;
  if (path[0] == '@') address.sun_path[0] = 0;
  // An abstract name ends with the address, and has no zero at its end: unix(7).
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + path_count);
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  ptrdiff_t sent = sendto(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT,
                          (struct sockaddr *)&address, size);
  if (sent < 0) return close_failed(descriptor);
  close(descriptor);
  return 0;
}

int linux_open_serial(const uint8_t *bytes, size_t count, uint32_t baud) {
  struct path path;
  struct termios port;
  // glibc takes a rate by its number as well as by its constant, and the constants are all below.
  if (baud < 9600) { errno = EINVAL; return -1; }
  if (path_set(&path, bytes, count) < 0) return -1;
  int descriptor = open(path.text, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return -1;
  if (tcgetattr(descriptor, &port) < 0) return close_failed(descriptor);
  cfmakeraw(&port);
  port.c_cflag &= ~(tcflag_t)(CSTOPB | PARENB);
  port.c_cflag |= CLOCAL | CREAD | CRTSCTS;
  if (cfsetspeed(&port, baud) < 0 || tcsetattr(descriptor, TCSANOW, &port) < 0 ||
      tcflush(descriptor, TCIOFLUSH) < 0)
    return close_failed(descriptor);
  return descriptor;
}

int linux_connection_result(int descriptor) {
  int reason = 0;
  socklen_t size = sizeof reason;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &reason, &size) < 0) return -1;
  errno = reason;
  return reason == 0 ? 0 : -1;
}

ptrdiff_t linux_send(int descriptor, const uint8_t *bytes, size_t count) {
  return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ptrdiff_t linux_receive_message(int descriptor, uint8_t *bytes, size_t count) {
  return recv(descriptor, bytes, count, MSG_TRUNC | MSG_DONTWAIT);
}
