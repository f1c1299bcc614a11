// The second half of /init: starts lenker, again should it ever end, and feeds the watchdog while its loop turns.
//
// lenker's loop says that it is alive as systemd wants to hear it (sd_notify(3), WATCHDOG=1), and the hardware watchdog
// gets each of these messages and nothing else: a loop that stands still ends in a reset of the whole Pi. The first
// one sets it going, so that a lenker that cannot start at all leaves its error to be read instead.
//
// It also does for lenker what needs root: when a radio fails and nothing else has helped, lenker asks for its driver to
// be unbound and bound again, which switches the chip off and on; and if not even that helps, it stops saying that it
// is alive.
//
// What lenker says before it ends is kept on the card, where a person finds it on any PC, and so are the reports that
// it writes in memory.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64  // a person may have made the partition larger than 2 GiB
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/watchdog.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CARD "/boot"
#define CARD_DEVICE "/dev/mmcblk0p1"
#define ERROR_FILE CARD "/lenker-error.txt"
#define REPORT_FILE CARD "/lenker-report.btsnoop"
#define OWN_REPORTS "/run/report"  // a folder
#define OWN_REPORT OWN_REPORTS "/lenker-report.btsnoop"
#define ENTRY "Entry number "
#define BOARD_FILE CARD "/board.conf"
#define OWN_BOARD_FILE "/etc/board.conf"
#define NOTIFY_SOCKET "/run/notify"
#define RADIO_DRIVER "/sys/bus/serial/drivers/hci_uart_bcm"
#define DEBUG "/sys/kernel/debug"
#define RADIO "serial0-0"  // the first device at the first UART that has one

enum {
  RESET_SECONDS = 15,    // the most that the hardware can
  PROOF_SECONDS = 10,    // lenker tells three times in this time that it is alive
  SHORT_LIFE = 5,        // seconds; one that ends sooner is started again after a pause
  LONG_LIFE = 600,       // seconds; one that lives so long has no more to do with those before
  RADIO_OFF_SECONDS = 1,
  REBOOT_SECONDS = 600,  // from one start for the radio's sake to the next at least
  CONFIGURATION_ERROR = 78,
};

enum { ERROR_SIZE = 1024, NUMBER_SIZE = 40, REPORT_SIZE = 96 << 10, PAGE_SIZE = 4 << 10 };
struct text { char bytes[ERROR_SIZE]; size_t count; };

static void keep(struct text *text);

static void complain(const char *what) { fprintf(stderr, "guard: %s: %s\n", what, strerror(errno)); }

static int open_notify_socket(void) {
  struct sockaddr_un address = {AF_UNIX, NOTIFY_SOCKET};
  int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0 || bind(file, (struct sockaddr *)&address, sizeof address) < 0) complain(NOTIFY_SOCKET);
  return file;
}

/// Opening it sets it going. One whose driver is not there yet is tried again the next time.
static void feed_watchdog(void) {
  static int file = -1, is_told;
  int seconds = RESET_SECONDS;
  if (file < 0) {
    file = open("/dev/watchdog", O_WRONLY | O_CLOEXEC);
    if (file >= 0) ioctl(file, WDIOC_SETTIMEOUT, &seconds);
    else if (!is_told++) complain("/dev/watchdog");
  }
  if (file >= 0 && write(file, "", 1) < 0) complain("/dev/watchdog");
}

/// Keeps the end of what is said, and says it to the console too.
static void hear(struct text *said, const char *bytes, size_t count) {
  if (write(STDERR_FILENO, bytes, count) < 0) complain("console");
  for (size_t index = 0; index < count; index++) {
    if (said->count == sizeof said->bytes) memmove(said->bytes, said->bytes + 1, --said->count);
    said->bytes[said->count++] = bytes[index];
  }
}

static void name_radio(const char *path) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, RADIO, strlen(RADIO)) < 0) complain(path);
  close(file);
}

/// Switches the radio's chip off and on. In a process of its own, as the kernel waits for the end of a set-up that
/// hangs, for longer than the watchdog.
static void rebind_radio(void) {
  static pid_t child;
  if (child > 0 && waitpid(child, NULL, WNOHANG) == 0) return;
  fputs("guard: Bluetooth is switched off and on\n", stderr);
  child = fork();
  if (child != 0) return;
  name_radio(RADIO_DRIVER "/unbind");
  // For lenker to let go of it, and for the chip to lose all that it has.
  sleep(RADIO_OFF_SECONDS);
  name_radio(RADIO_DRIVER "/bind");
  _exit(0);
}

/// What the kernel has said last of the radio's chip: which one it is, and which patch it got.
static void hear_kernel(struct text *text) {
  char record[1024];
  ssize_t count;
  int log = open("/dev/kmsg", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  // A record that was overwritten meanwhile is no end.
  while (log >= 0 && ((count = read(log, record, sizeof record - 1)) > 0 || errno == EPIPE)) {
    if (count <= 0) continue;
    record[count] = 0;
    char *line = strchr(record, ';');
    if (line == NULL || strstr(line, "Bluetooth: hci") == NULL) continue;
    hear(text, line + 1, strcspn(line + 1, "\n"));
    hear(text, "\n", 1);
  }
  if (log >= 0) close(log);
}

/// How the line WL_ON stands, which switches the other half of the chip on, Wi-Fi. Nobody here wants that half, and only
/// the kernel's driver of its power, which looks for it all the same, holds the line low.
static void hear_wl_on(struct text *text) {
  char line[200];
  mount("none", DEBUG, "debugfs", 0, NULL);
  FILE *lines = fopen(DEBUG "/gpio", "re");
  while (lines != NULL && fgets(line, sizeof line, lines) != NULL)
    if (strstr(line, "WL_ON") != NULL) hear(text, line, strlen(line));
  if (lines != NULL) fclose(lines);
  umount(DEBUG);
}

static const char rebooting[] = "Bluetooth does not answer, not even after it was switched off and on: the Pi restarts.\n";

/// Says why the watchdog will soon run out.
static void expect_reboot(void) {
  struct text text = {.count = 0}, facts = {.count = 0};
  hear(&text, rebooting, sizeof rebooting - 1);
  hear_kernel(&facts);
  hear_wl_on(&facts);
  size_t room = sizeof text.bytes - text.count - NUMBER_SIZE, count = facts.count < room ? facts.count : room;
  hear(&text, facts.bytes + facts.count - count, count);
  keep(&text);
}

/// Takes what lenker tells of itself and asks for, line by line.
static void take_notices(int notices) {
  char message[256];
  ssize_t count;
  while ((count = recv(notices, message, sizeof message - 1, 0)) > 0) {
    message[count] = 0;
    for (char *line = strtok(message, "\n"); line != NULL; line = strtok(NULL, "\n")) {
      if (strcmp(line, "WATCHDOG=1") == 0) feed_watchdog();
      if (strcmp(line, "RADIO=rebind") == 0) rebind_radio();
      if (strcmp(line, "RADIO=reboot") == 0) expect_reboot();
    }
  }
}

static pid_t start(const char *board, const char *language, int errors) {
  char number[20];
  pid_t child = fork();
  if (child != 0) return child;
  dup2(errors, STDERR_FILENO);
  setenv("NOTIFY_SOCKET", NOTIFY_SOCKET, 1);
  setenv("LENKER_RADIO", NOTIFY_SOCKET, 1);
  snprintf(number, sizeof number, "%d000000", PROOF_SECONDS);
  setenv("WATCHDOG_USEC", number, 1);
  snprintf(number, sizeof number, "%d", getpid());
  setenv("WATCHDOG_PID", number, 1);
  execl("/bin/lenker", "lenker", "--board", board, language, NULL);
  complain("/bin/lenker");
  _exit(127);
}

/// Where the file's bytes are on the card if it is large enough and they are in one piece; else -1.
static off_t place_of(int file, int wanted) {
  struct stat status;
  int size = 0, first = 0;
  if (fstat(file, &status) < 0 || status.st_size < wanted || ioctl(file, FIGETBSZ, &size) < 0) return -1;
  for (int index = 0; index * size < wanted; index++) {
    int block = index;
    if (ioctl(file, FIBMAP, &block) < 0 || block == 0) return -1;
    if (index == 0) first = block;
    if (block != first + index) return -1;
  }
  return (off_t)first * size;
}

/// Where a file is on the card, whose file system so is never written to; -1 if somebody deleted or changed it.
static off_t find(const char *path, int size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  off_t place = file < 0 ? -1 : place_of(file, size);
  if (file >= 0) close(file);
  if (place < 0) fprintf(stderr, "guard: %s: not as on the image, so nothing is kept there\n", path);
  return place;
}

/// From when on the Pi may be started for the radio's sake, in seconds since its start: at once, unless that was the
/// last thing that happened to this card, or nobody can tell.
static const char *reboot_time(void) {
  static char seconds[20];
  char kept[ERROR_SIZE + 1] = "";
  int file = open(ERROR_FILE, O_RDONLY | O_CLOEXEC);
  // A file that could not be written has nothing to tell.
  int is_known = find(ERROR_FILE, ERROR_SIZE) >= 0 && file >= 0 && read(file, kept, ERROR_SIZE) > 0;
  if (file >= 0) close(file);
  snprintf(seconds, sizeof seconds, "%d", is_known && strstr(kept, rebooting) == NULL ? 0 : REBOOT_SECONDS);
  return seconds;
}

/// Copies a page of the report to the card, or zeros; 0, or -1 and the reason.
static int copy_page(int report, int card, off_t place, int offset) {
  char bytes[PAGE_SIZE] = "";
  if (report >= 0 && pread(report, bytes, sizeof bytes, offset) != sizeof bytes) return -1;
  return pwrite(card, bytes, sizeof bytes, place + offset) == sizeof bytes ? 0 : -1;
}

/// Puts the report that lenker has written onto the card. Its first page goes last: without it, it is no report.
static void keep_report(void) {
  int report = open(OWN_REPORT, O_RDONLY | O_CLOEXEC), card = -1, failed = 0;
  char start[8] = "";
  off_t place;
  if (report >= 0 && read(report, start, sizeof start) == sizeof start && memcmp(start, "btsnoop", sizeof start) == 0 &&
      (place = find(REPORT_FILE, REPORT_SIZE)) >= 0) {
    card = open(CARD_DEVICE, O_RDWR | O_CLOEXEC);
    failed = card < 0 || copy_page(-1, card, place, 0) < 0 || fsync(card) < 0;
    for (int offset = PAGE_SIZE; offset < REPORT_SIZE && !failed; offset += PAGE_SIZE)
      failed = copy_page(report, card, place, offset) < 0;
    failed = failed || fsync(card) < 0 || copy_page(report, card, place, 0) < 0 || fsync(card) < 0;
    if (failed) complain(REPORT_FILE);
    else fprintf(stderr, "guard: %s: kept\n", REPORT_FILE);
  }
  if (card >= 0) close(card);
  if (report >= 0) close(report);
}

/// Readable when lenker has closed a file in its folder of reports. Without room on the card there is no folder, so that
/// lenker says of none that it is saved.
static int watch_reports(void) {
  if (find(REPORT_FILE, REPORT_SIZE) < 0) return -1;
  int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  mkdir(OWN_REPORTS, 0755);
  if (watch < 0 || inotify_add_watch(watch, OWN_REPORTS, IN_CLOSE_WRITE) < 0) complain(OWN_REPORTS);
  return watch;
}

static void take_report(int watch) {
  char events[1024];
  while (read(watch, events, sizeof events) > 0) {}
  keep_report();
}

/// Follows lenker to its end, which is that of its standard error; its status as waitpid has it.
static int follow(pid_t lenker, int notices, int reports, int errors, struct text *said) {
  char part[PIPE_BUF];  // so that whole lines are said together
  ssize_t count = 1;
  int status = 0;
  pid_t ended;
  while (count > 0) {
    struct pollfd waiting[] = {{notices, POLLIN, 0}, {reports, POLLIN, 0}, {errors, POLLIN, 0}};
    if (poll(waiting, 3, -1) < 0) continue;
    if (waiting[0].revents) take_notices(notices);
    if (waiting[1].revents) take_report(reports);
    if (!waiting[2].revents) continue;
    count = read(errors, part, sizeof part);
    if (count > 0) hear(said, part, (size_t)count);
  }
  // As the first process it gets the ends of all others too.
  do ended = waitpid(-1, &status, 0); while (ended != lenker && ended > 0);
  return status;
}

/// The number of the next entry, by the one that is there.
static unsigned next_entry(const char *kept) {
  unsigned number = 0;
  for (const char *place = kept; (place = strstr(place, ENTRY)) != NULL; place += strlen(ENTRY))
    sscanf(place, ENTRY "%u", &number);
  return number + 1;
}

/// Puts the text into the error file, numbered: so it is seen whether it is an old one, though the card has no clock.
static void keep(struct text *text) {
  char kept[ERROR_SIZE + 1] = "", bytes[ERROR_SIZE], number[NUMBER_SIZE];
  off_t place = find(ERROR_FILE, ERROR_SIZE);
  if (place < 0) return;
  int card = open(CARD_DEVICE, O_RDWR | O_CLOEXEC);
  if (card < 0 || pread(card, kept, ERROR_SIZE, place) != ERROR_SIZE) {
    complain(CARD_DEVICE);
  } else {
    hear(text, number, (size_t)snprintf(number, sizeof number, ENTRY "%u of this card.\n", next_entry(kept)));
    memset(bytes, '\n', sizeof bytes);
    memcpy(bytes, text->bytes, text->count);
    if (pwrite(card, bytes, ERROR_SIZE, place) != ERROR_SIZE || fsync(card) < 0) complain(CARD_DEVICE);
  }
  close(card);
}

/// What lenker says of a board file, without the file's folder and what would be right, is for the panel.
static void show_mistake(const struct text *said) {
  char line[sizeof said->bytes + 1];
  memcpy(line, said->bytes, said->count);
  line[said->count] = 0;
  char *mistake = strstr(line, CARD "/");
  if (mistake == NULL) return;
  mistake += strlen(CARD "/");
  mistake[strcspn(mistake, ";\n")] = 0;
  setenv("LENKER_MISTAKE", mistake, 1);
}

/// The rider's language as a setting, though another line of the board file is wrong; else NULL.
static const char *find_language(void) {
  static const char *const settings[] = {"language=en", "language=de", "language=fr",
                                         "language=es", "language=it", "language=nl"};
  const char *found = NULL;
  char line[200], code[3];
  FILE *file = fopen(BOARD_FILE, "re");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, " language = %2[a-z]", code) != 1) continue;
    for (size_t index = 0; index < sizeof settings / sizeof *settings; index++)
      if (strcmp(settings[index] + strlen("language="), code) == 0) found = settings[index];
  }
  if (file != NULL) fclose(file);
  return found;
}

/// Adds how it ended and what is done about it, and keeps the whole. Of one that ends again and again not each time:
/// the 1st, 2nd, 4th, 8th and so on, as a card's flash wears out; of one that has lived for long each time.
static void report(struct text *said, int status, const char *board, time_t life) {
  char line[200];
  int is_wrong = WIFEXITED(status) && WEXITSTATUS(status) == CONFIGURATION_ERROR;
  int count = snprintf(line, sizeof line, "lenker %s %d; %s\n",
                       WIFSIGNALED(status) ? "crashed with signal" : "ended with status",
                       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
                       is_wrong && strcmp(board, BOARD_FILE) == 0 ? "the settings of the image are used instead"
                                                                  : "it is started again");
  hear(said, line, (size_t)count);
  static unsigned ends;
  ends = life < LONG_LIFE ? ends + 1 : 1;
  if ((ends & (ends - 1)) == 0) keep(said);
}

static time_t seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

/// The board file on the card, or else that of the image: the panel says so, and the error file.
static const char *choose_board(void) {
  static const char missing[] = "There is no board.conf on the card; the settings of the image are used.\n";
  struct text text = {.count = 0};
  if (access(BOARD_FILE, R_OK) == 0) return BOARD_FILE;
  setenv("LENKER_MISTAKE", "board.conf is missing", 1);
  hear(&text, missing, sizeof missing - 1);
  keep(&text);
  return OWN_BOARD_FILE;
}

int main(void) {
  // Before anything is written where it looks.
  setenv("LENKER_REBOOT", reboot_time(), 1);
  const char *board = choose_board(), *language = NULL;
  int notices = open_notify_socket(), reports = watch_reports();
  for (;;) {
    int ends[2];
    struct text said = {.count = 0};
    time_t began = seconds();
    if (pipe2(ends, O_CLOEXEC) < 0) complain("pipe");
    pid_t lenker = start(board, language, ends[1]);
    close(ends[1]);
    int status = lenker < 0 ? 0 : follow(lenker, notices, reports, ends[0], &said);
    close(ends[0]);
    time_t life = seconds() - began;
    report(&said, status, board, life);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CONFIGURATION_ERROR && strcmp(board, BOARD_FILE) == 0) {
      board = OWN_BOARD_FILE;
      language = find_language();
      show_mistake(&said);
    } else if (life < SHORT_LIFE) {
      sleep(1);
    }
  }
}
