// What happens on the Pi before lenker starts: all that the panel needs. The radio's driver is loaded meanwhile.
#define _GNU_SOURCE
#include "guard.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODULES "/lib/modules"
#define PANEL "/etc/modules.panel"
#define RADIO "/etc/modules.radio"
#define DEBUG "/sys/kernel/debug"
#define BOND "/dev/mmcblk0p2"  // the last that the kernel finds of a card

enum { WAIT_MICROSECONDS = 20000, WAITS = 150 };  // 3 seconds

static void mount_at(const char *place, const char *device, const char *kind, unsigned long flags,
                     const char *options) {
  // A kernel may have mounted some itself.
  if (mount(device, place, kind, flags, options) < 0 && errno != EBUSY) complain(place);
}

/// Has standard output and error at the console. A kernel without any has the file all the same.
static void open_console(void) {
  int nothing = open("/dev/null", O_RDWR), console = open("/dev/console", O_WRONLY | O_NOCTTY);
  dup2(nothing, STDIN_FILENO);
  dup2(console < 0 ? nothing : console, STDOUT_FILENO);
  dup2(console < 0 ? nothing : console, STDERR_FILENO);
  if (nothing > STDERR_FILENO) close(nothing);
  if (console > STDERR_FILENO) close(console);
}

/// Loads the modules of a list, which has each behind all that it needs itself.
static void load(const char *list) {
  char name[100], path[200];
  FILE *names = fopen(list, "re");
  if (names == NULL) complain(list);
  while (names != NULL && fscanf(names, "%99s", name) == 1) {
    snprintf(path, sizeof path, MODULES "/%s", name);
    int module = open(path, O_RDONLY | O_CLOEXEC);
    if (module < 0 || syscall(SYS_finit_module, module, "", 0) < 0) complain(path);
    if (module >= 0) close(module);
  }
  if (names != NULL) fclose(names);
}

/// The processor is the panel's first; the radio's driver gets what is left, and sends the chip its firmware.
static void load_radio(void) {
  if (fork() != 0) return;
  setpriority(PRIO_PROCESS, 0, 19);
  load(RADIO);
  _exit(0);
}

/// All files are in memory already: of a program's, only the pages that it uses are mapped, and not 15 around each.
static void map_single_pages(void) {
  mount_at(DEBUG, "none", "debugfs", 0, NULL);
  int file = open(DEBUG "/fault_around_bytes", O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, "4096", 4) < 0) complain("fault_around_bytes");
  if (file >= 0) close(file);
  umount(DEBUG);
}

/// Without the card's board.conf the one of the image is used.
static void wait_for_card(void) {
  struct stat status;
  for (int tries = WAITS; tries > 0 && (stat(BOND, &status) < 0 || !S_ISBLK(status.st_mode)); tries--)
    usleep(WAIT_MICROSECONDS);
}

void start_pi(void) {
  mount_at("/dev", "none", "devtmpfs", 0, NULL);
  open_console();
  mount_at("/proc", "none", "proc", 0, NULL);
  mount_at("/sys", "none", "sysfs", 0, NULL);
  mount_at("/run", "none", "tmpfs", 0, "mode=755");
  load(PANEL);
  load_radio();
  map_single_pages();
  wait_for_card();
  mount_at(CARD, CARD_DEVICE, "vfat", MS_RDONLY | MS_NOATIME, NULL);
  mount_at("/", NULL, NULL, MS_REMOUNT | MS_RDONLY, NULL);
}
