// What the tests do inside the virtual machine and no shell can: one program, one word for each thing.
//
//   guest attach TTY       gives the serial port to the kernel as an H4 controller; ends when it is set up
//   guest detach TTY       takes it away again; ends when it is gone
//   guest hold NUMBER      takes the user channel of hciNUMBER and keeps it; prints the process's number
//   guest up NUMBER        switches hciNUMBER on, as bluetoothd does
//   guest as UID PROGRAM…  runs a program as another user, without any capability
//   guest terminal PROGRAM…  runs a program on a terminal, and passes on what it says and what it is told
//   guest line CHIP OFFSET says who has a line of a GPIO chip, and as what
//   guest play FILE        writes levels to files at given times: lines of `microseconds file text`
//   guest bridge PORT      carries packets between a virtio port and the kernel's own Bluetooth: a letter, `m` for
//                          its management, `a` for the attribute channel of a link to it or `h` for commands to
//                          hci1, two bytes of length, the packet; `A` and no packet says that there is a new link
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/gpio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
  BTPROTO_HCI = 1,
  CHANNEL_RAW = 0,
  CHANNEL_USER = 1,
  CHANNEL_CONTROL = 3,
  NO_DEVICE = 0xFFFF,
  INDEX_ADDED = 0x0004,  // Linux, include/net/bluetooth/mgmt.h
  LINE_DISCIPLINE_HCI = 15,
  PROTOCOL_H4 = 0,
  PATIENCE = 20000,  // milliseconds
};
#define SET_PROTOCOL _IOW('U', 200, int)  // HCIUARTSETPROTO of drivers/bluetooth/hci_uart.h
#define DEVICE_UP _IOW('H', 201, int)     // HCIDEVUP
#define DEVICE_DOWN _IOW('H', 202, int)   // HCIDEVDOWN

struct address { unsigned short family, device, channel; };

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int channel(unsigned short device, unsigned short number) {
  struct address address = {AF_BLUETOOTH, device, number};
  int file = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
  if (file < 0) fail("socket");
  if (number == CHANNEL_USER) ioctl(file, DEVICE_DOWN, (int)device);
  if (bind(file, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
  return file;
}

/// Waits until the kernel says that a controller is set up.
static void wait_for_controller(int control) {
  struct { unsigned short event, device, length; char rest[1024]; } message;
  struct pollfd waiting = {control, POLLIN, 0};
  do {
    if (poll(&waiting, 1, PATIENCE) != 1) {
      fprintf(stderr, "guest: the controller was not set up in %d ms\n", PATIENCE);
      exit(1);
    }
    if (read(control, &message, sizeof message) < 0) fail("read");
  } while (message.event != INDEX_ADDED);
  printf("hci%d\n", message.device);
}

static int serial_port(const char *path) {
  int file = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (file < 0) fail(path);
  return file;
}

static void set_discipline(int port, int discipline) {
  if (ioctl(port, TIOCSETD, &discipline) < 0) fail("TIOCSETD");
}

static void attach(const char *path) {
  struct termios settings;
  int control = channel(NO_DEVICE, CHANNEL_CONTROL);
  int port = serial_port(path);
  if (tcgetattr(port, &settings) < 0) fail(path);
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL;
  cfsetspeed(&settings, B115200);
  if (tcsetattr(port, TCSANOW, &settings) < 0) fail(path);
  set_discipline(port, LINE_DISCIPLINE_HCI);
  if (ioctl(port, SET_PROTOCOL, PROTOCOL_H4) < 0) fail("HCIUARTSETPROTO");
  wait_for_controller(control);
}

static void hold(unsigned short device) {
  int file = channel(device, CHANNEL_USER);
  pid_t holder = fork();
  if (holder < 0) fail("fork");
  if (holder > 0) {
    printf("%d\n", holder);
    return;
  }
  setsid();
  close(0), close(1), close(2);
  // Ended by its own exit: a signal that kills cuts the kernel's last Reset short, in the middle of
  // its bytes, and a controller at a serial port then waits for the rest of them.
  sigset_t end;
  int number;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  sigprocmask(SIG_BLOCK, &end, NULL);
  while (file >= 0 && sigwait(&end, &number) != 0) {
  }
  exit(0);
}

static void switch_on(int device) {
  int file = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
  if (file < 0 || ioctl(file, DEVICE_UP, device) < 0) fail("HCIDEVUP");
}

static void run_as(int user, char **arguments) {
  if (setgroups(0, NULL) < 0 || setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0)
    fail("setresuid");
  execvp(arguments[0], arguments);
  fail(arguments[0]);
}

static void run_on_terminal(char **arguments) {
  char text[1024];
  int status, terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) fail("terminal");
  int end = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  struct winsize size = {.ws_row = 45, .ws_col = 140};
  ioctl(terminal, TIOCSWINSZ, &size);
  pid_t program = fork();
  if (program < 0 || end < 0) fail("terminal");
  if (program == 0) {
    // Its own, so that Ctrl-C is a signal.
    setsid();
    ioctl(end, TIOCSCTTY, 0);
    dup2(end, 0);
    dup2(end, 1);
    execvp(arguments[0], arguments);
    fail(arguments[0]);
  }
  close(end);
  struct pollfd waiting[] = {{terminal, POLLIN, 0}, {0, POLLIN, 0}};
  while (poll(waiting, 2, -1) > 0) {
    ssize_t count;
    if (waiting[1].revents && ((count = read(0, text, sizeof text)) <= 0 || write(terminal, text, (size_t)count) < 0))
      waiting[1].fd = -1;
    if (!waiting[0].revents) continue;
    // The last read fails: nobody has the other end open any more.
    if ((count = read(terminal, text, sizeof text)) <= 0) break;
    if (write(1, text, (size_t)count) < 0) fail("write");
  }
  if (waitpid(program, &status, 0) < 0) fail("waitpid");
  exit(WEXITSTATUS(status));
}

static void tell_line(const char *path, unsigned offset) {
  static const struct { unsigned long long flag; const char *name; } flags[] = {
      {GPIO_V2_LINE_FLAG_INPUT, "input"},          {GPIO_V2_LINE_FLAG_OUTPUT, "output"},
      {GPIO_V2_LINE_FLAG_ACTIVE_LOW, "active-low"}, {GPIO_V2_LINE_FLAG_BIAS_PULL_UP, "pull-up"},
      {GPIO_V2_LINE_FLAG_EDGE_RISING, "rising"},   {GPIO_V2_LINE_FLAG_EDGE_FALLING, "falling"},
  };
  struct gpio_v2_line_info line = {.offset = offset};
  int chip = open(path, O_RDWR | O_CLOEXEC);
  if (chip < 0 || ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &line) < 0) fail(path);
  printf("%s", line.flags & GPIO_V2_LINE_FLAG_USED ? line.consumer : "nobody");
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (line.flags & flags[i].flag) printf(" %s", flags[i].name);
  printf("\n");
}

/// Writes to a file; the one that was written last stays open for the next time.
static void put(const char *path, const char *text) {
  static char last[200];
  static int file = -1;
  if (strcmp(path, last) != 0) {
    close(file);
    file = open(path, O_WRONLY | O_CLOEXEC);
    strncpy(last, path, sizeof last - 1);
  }
  if (file < 0 || pwrite(file, text, strlen(text), 0) < 0) fail(path);
}

static void play(const char *path) {
  struct timespec start, due;
  long long microseconds;
  char file[200], text[40];
  FILE *script = fopen(path, "r");
  if (script == NULL) fail(path);
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (fscanf(script, "%lld %199s %39s", &microseconds, file, text) == 3) {
    long long nanoseconds = start.tv_nsec + microseconds * 1000;
    due.tv_sec = start.tv_sec + nanoseconds / 1000000000;
    due.tv_nsec = nanoseconds % 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    put(file, text);
  }
}

static void carry_out(int port, char kind, int file) {
  unsigned char packet[3 + 2048];
  ssize_t size = read(file, packet + 3, 2048);
  if (size < 0) size = 0;  // the link was lost
  packet[0] = (unsigned char)kind, packet[1] = (unsigned char)size, packet[2] = (unsigned char)(size >> 8);
  if (write(port, packet, 3 + (size_t)size) < 0) fail("write");
}

static void take(int port, void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(port, (char *)bytes + done, size - done);
    if (count <= 0) exit(0);
    done += (size_t)count;
  }
}

static void carry_in(int port, int management, int link) {
  unsigned char head[3], packet[2048];
  take(port, head, sizeof head);
  size_t size = (head[1] | head[2] << 8) % sizeof packet;
  take(port, packet, size);
  static int controller = -1;
  if (head[0] == 'h' && controller < 0) controller = channel(1, CHANNEL_RAW);
  int file = head[0] == 'm' ? management : head[0] == 'h' ? controller : link;
  // A link that was just lost is no failure.
  if (write(file, packet, size) < 0 && file != link) fail("write");
}

/// Where links to the kernel's attribute channel arrive.
static int attribute_listener(void) {
  struct { unsigned short family, service; unsigned char address[6]; unsigned short channel; unsigned char type; }
      address = {.family = AF_BLUETOOTH, .channel = 4, .type = 1};
  int file = socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (file < 0 || bind(file, (struct sockaddr *)&address, sizeof address) < 0 || listen(file, 1) < 0)
    fail("attribute channel");
  return file;
}

static void bridge(const char *path) {
  int management = channel(NO_DEVICE, CHANNEL_CONTROL), listener = attribute_listener(), link = -1;
  int port = open(path, O_RDWR | O_CLOEXEC);
  if (port < 0) fail(path);
  for (;;) {
    struct pollfd waiting[] = {
        {port, POLLIN, 0}, {management, POLLIN, 0}, {listener, POLLIN, 0}, {link, POLLIN, 0}};
    if (poll(waiting, 4, -1) < 0) fail("poll");
    if (waiting[0].revents) carry_in(port, management, link);
    if (waiting[1].revents) carry_out(port, 'm', management);
    if (waiting[3].revents) {
      carry_out(port, 'a', link);
      // It stays open: Linux 6.1 may crash where such a socket is closed after its link.
      if (waiting[3].revents & (POLLHUP | POLLERR)) link = -1;
    }
    if (waiting[2].revents) {
      link = accept(listener, NULL, NULL);
      if (write(port, "A\0\0", 3) < 0) fail("write");
    }
  }
}

int main(int count, char **arguments) {
  const char *what = count > 2 ? arguments[1] : "";
  if (strcmp(what, "attach") == 0) attach(arguments[2]);
  else if (strcmp(what, "detach") == 0) set_discipline(serial_port(arguments[2]), 0);
  else if (strcmp(what, "hold") == 0) hold((unsigned short)atoi(arguments[2]));
  else if (strcmp(what, "up") == 0) switch_on(atoi(arguments[2]));
  else if (strcmp(what, "as") == 0 && count > 3) run_as(atoi(arguments[2]), arguments + 3);
  else if (strcmp(what, "terminal") == 0) run_on_terminal(arguments + 2);
  else if (strcmp(what, "line") == 0 && count > 3) tell_line(arguments[2], (unsigned)atoi(arguments[3]));
  else if (strcmp(what, "play") == 0) play(arguments[2]);
  else if (strcmp(what, "bridge") == 0) bridge(arguments[2]);
  else return 64;
}
