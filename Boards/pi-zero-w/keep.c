// What guard keeps on the card: last words, in lenker-error.txt, and lenker's report. Both are written over the bytes of
// their files, so that no table and no folder of the file system ever changes.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64  // a person may have made the partition larger than 2 GiB
#include "guard.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT_FILE CARD "/lenker-report.btsnoop"
#define OWN_REPORTS "/run/report"  // a folder
#define OWN_REPORT OWN_REPORTS "/lenker-report.btsnoop"
#define ENTRY "Entry number "

enum { NUMBER_SIZE = ERROR_SIZE - ENTRY_SIZE, REPORT_SIZE = 96 << 10, PAGE_SIZE = 4 << 10 };

void complain(const char *what) { fprintf(stderr, "guard: %s: %s\n", what, strerror(errno)); }

void hear(struct text *said, const char *bytes, size_t count) {
  if (write(STDERR_FILENO, bytes, count) < 0) complain("console");
  for (size_t index = 0; index < count; index++) {
    if (said->count == sizeof said->bytes) memmove(said->bytes, said->bytes + 1, --said->count);
    said->bytes[said->count++] = bytes[index];
  }
}

void say(struct text *said, const char *format, ...) {
  char line[ERROR_SIZE];
  va_list values;
  va_start(values, format);
  int count = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (count > 0) hear(said, line, strnlen(line, sizeof line));
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

/// The number of the next entry, by the one that is there.
static unsigned next_entry(const char *kept) {
  unsigned number = 0;
  for (const char *place = kept; (place = strstr(place, ENTRY)) != NULL; place += strlen(ENTRY))
    sscanf(place, ENTRY "%u", &number);
  return number + 1;
}

void keep(struct text *text) {
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

int is_kept(const char *words) {
  char kept[ERROR_SIZE + 1] = "";
  int file = open(ERROR_FILE, O_RDONLY | O_CLOEXEC);
  // A file that could not be written has nothing to tell.
  int is_known = find(ERROR_FILE, ERROR_SIZE) >= 0 && file >= 0 && read(file, kept, ERROR_SIZE) > 0;
  if (file >= 0) close(file);
  return !is_known || strstr(kept, words) != NULL;
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

int watch_reports(void) {
  if (find(REPORT_FILE, REPORT_SIZE) < 0) return -1;
  int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  mkdir(OWN_REPORTS, 0755);
  if (watch < 0 || inotify_add_watch(watch, OWN_REPORTS, IN_CLOSE_WRITE) < 0) complain(OWN_REPORTS);
  return watch;
}

void take_report(int watch) {
  char events[1024];
  while (read(watch, events, sizeof events) > 0) {}
  keep_report();
}
