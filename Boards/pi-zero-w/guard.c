// The first process on the Pi: starts lenker, again should it ever end, and feeds the watchdog while its loop turns. What
// comes before that is in start.c.
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
// it writes in memory: see keep.c.
//
// A rider may have put an update on the card, see update.c. It is on trial until it has said for a minute that it is
// alive. An update that stands still or ends again and again gives way to the image's own lenker. One that stands still
// later ends in a reset, as any.
#define _GNU_SOURCE
#include "guard.h"
#include "update.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/watchdog.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BOARD_FILE CARD "/board.conf"
#define OWN_BOARD_FILE "/etc/board.conf"
#define OWN_PROGRAM "/bin/lenker"
#define UPDATED_PROGRAM "/run/lenker"
#define NOTIFY_SOCKET "/run/notify"
#define RADIO_DRIVER "/sys/bus/serial/drivers/hci_uart_bcm"
#define DEBUG "/sys/kernel/debug"
#define NEW_SETTINGS "board.conf.new is used instead"
#define IMAGE_SETTINGS "default settings are used instead"
#define RADIO "serial0-0"  // the first device at the first UART that has one

enum {
  RESET_SECONDS = 15,    // the most that the hardware can
  PROOF_SECONDS = 10,    // lenker tells three times in this time that it is alive
  SHORT_LIFE = 5,        // seconds; one that ends sooner is started again after a pause
  LONG_LIFE = 600,       // seconds; one that lives so long has no more to do with those before
  TRIAL_SECONDS = 60,    // of an update; less than it takes until it wants a restart for the radio's sake
  TRIES = 3,             // lives of an update in a row that were shorter
  RADIO_OFF_SECONDS = 1,
  REBOOT_SECONDS = 600,  // from one start for the radio's sake to the next at least
  CONFIGURATION_ERROR = 78,
};

/// The update that is started, if any; and its trial, in seconds since the Pi's start.
static struct {
  struct update update;
  int is_used, is_on_trial, is_silent;
  time_t began, heard;
} updated;

static time_t seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

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

/// lenker's loop turns. That of an update on trial is watched here: after a reset the same one would start again.
static void take_sign_of_life(void) {
  updated.heard = seconds();
  if (updated.heard - updated.began >= TRIAL_SECONDS) updated.is_on_trial = 0;
  if (!updated.is_on_trial) feed_watchdog();
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
  size_t room = ENTRY_SIZE - text.count, count = facts.count < room ? facts.count : room;
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
      if (strcmp(line, "WATCHDOG=1") == 0) take_sign_of_life();
      if (strcmp(line, "RADIO=rebind") == 0) rebind_radio();
      if (strcmp(line, "RADIO=reboot") == 0) expect_reboot();
    }
  }
}

static pid_t start(const char *program, const char *board, const char *language, int errors) {
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
  execl(program, "lenker", "--board", board, language, NULL);
  complain(program);
  _exit(127);
}

/// From when on the Pi may be started for the radio's sake, in seconds since its start: at once, unless that was the
/// last thing that happened to this card, or nobody can tell.
static const char *reboot_time(void) {
  static char seconds[20];
  snprintf(seconds, sizeof seconds, "%d", is_kept(rebooting) ? REBOOT_SECONDS : 0);
  return seconds;
}

/// How long an update on trial may say nothing from now on, in milliseconds; -1 if that does not matter.
static int patience(void) {
  if (!updated.is_on_trial || updated.is_silent) return -1;
  time_t left = updated.heard + RESET_SECONDS - seconds();
  return left > 0 ? (int)left * 1000 : 0;
}

/// Follows lenker to its end, which is that of its standard error; its status as waitpid has it.
static int follow(pid_t lenker, int notices, int reports, int errors, struct text *said) {
  char part[PIPE_BUF];  // so that whole lines are said together
  ssize_t count = 1;
  int status = 0;
  pid_t ended;
  while (count > 0) {
    struct pollfd waiting[] = {{notices, POLLIN, 0}, {reports, POLLIN, 0}, {errors, POLLIN, 0}};
    int ready = poll(waiting, 3, patience());
    if (ready == 0 && patience() == 0) updated.is_silent = kill(lenker, SIGKILL) == 0;
    if (ready <= 0) continue;
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

/// Adds how it ended and what is done about it.
static void say_end(struct text *said, int status, const char *what_now) {
  say(said, "lenker %s %d; %s\n", WIFSIGNALED(status) ? "crashed with signal" : "ended with status",
      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), what_now);
}

/// The same, and keeps the whole. Of one that ends again and again not each time: the 1st, 2nd, 4th, 8th and so on, as
/// a card's flash wears out; of one that has lived for long each time.
static void report(struct text *said, int status, const char *what_now, time_t life) {
  say_end(said, status, what_now);
  static unsigned ends;
  ends = life < LONG_LIFE ? ends + 1 : 1;
  if ((ends & (ends - 1)) == 0) keep(said);
}

/// The board file on the card, or else that of the image: the panel says so, and the text.
static const char *choose_board(struct text *text) {
  if (access(BOARD_FILE, R_OK) == 0) return BOARD_FILE;
  setenv("LENKER_MISTAKE", "board.conf is missing", 1);
  say(text, "board.conf is missing, so default settings are used. Copy yours back.\n");
  return OWN_BOARD_FILE;
}

/// Whether settings came with the update, in its own words.
static int has_new_board(void) { return updated.is_used && access(updated.update.board_file, R_OK) == 0; }

/// The panel shows the file's name.
static void show_update_mistake(void) { setenv("LENKER_MISTAKE", UPDATE_FILE " was not started", 1); }

/// Whether the update has had its tries, after a life that lasted so long.
static int is_update_bad(time_t life) {
  static int short_lives;
  short_lives = life < TRIAL_SECONDS ? short_lives + 1 : 0;
  return updated.is_used && (updated.is_silent || short_lives >= TRIES);
}

/// Has the image's own program start from now on, and says why; its board file.
static const char *give_update_up(struct text *said, int status) {
  say_end(said, status, "the card's own Lenker " OWN_VERSION " is started instead");
  say(said, "The update to Lenker %s %s. Delete " UPDATE_FILE ", or unzip a newer update.\n", updated.update.version,
      updated.is_silent ? "stood still" : "ended again and again");
  updated.is_used = updated.is_on_trial = 0;
  show_update_mistake();
  const char *board = choose_board(said);
  keep(said);
  return board;
}

int main(void) {
  start_pi();
  // Before anything is written where it looks.
  setenv("LENKER_REBOOT", reboot_time(), 1);
  struct text wrong = {.count = 0};
  updated.is_used = updated.is_on_trial = take_update(CARD, UPDATED_PROGRAM, &updated.update, &wrong);
  if (wrong.count > 0) show_update_mistake();
  const char *board = choose_board(&wrong), *language = NULL;
  if (wrong.count > 0) keep(&wrong);
  int notices = open_notify_socket(), reports = watch_reports();
  for (;;) {
    int ends[2];
    struct text said = {.count = 0};
    updated.began = updated.heard = seconds();
    if (pipe2(ends, O_CLOEXEC) < 0) complain("pipe");
    pid_t lenker = start(updated.is_used ? UPDATED_PROGRAM : OWN_PROGRAM, board, language, ends[1]);
    close(ends[1]);
    int status = lenker < 0 ? 0 : follow(lenker, notices, reports, ends[0], &said);
    close(ends[0]);
    time_t life = seconds() - updated.began;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CONFIGURATION_ERROR && strcmp(board, BOARD_FILE) == 0) {
      board = has_new_board() ? updated.update.board_file : OWN_BOARD_FILE;
      report(&said, status, has_new_board() ? NEW_SETTINGS : IMAGE_SETTINGS, life);
      language = find_language();
      show_mistake(&said);
    } else if (is_update_bad(life)) {
      board = give_update_up(&said, status);
      language = NULL;
    } else {
      report(&said, status, "it is started again", life);
      if (life < SHORT_LIFE) sleep(1);
    }
  }
}
