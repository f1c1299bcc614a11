// An update: a lenker that a rider has unzipped onto the drive, to be started instead of the image's own.
//
// `image` makes the zip. It holds nothing that the Pi needs to start, so a copy that broke off anywhere leaves a card
// that starts. What was copied may be anything: a program is started only if its checksum is right, and what is wrong is
// said in a sentence that says what to do.
//
// `image` compiles this with OWN_VERSION, OWN_NUMBER and BOARD.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "update.h"
#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "\x89UPDATE\n"
#define ZIP_BEGINNING "lenker-"
#define ZIP_END "-update.zip"
#define REFUSED " and was not started. "
#define COPY_AGAIN "Delete it, see that 5 MB are free on this drive, unzip it again, and eject the drive"

enum { FORMAT = 1, BOARD_SIZE = 16, LARGEST = 16 << 20, PART_SIZE = 64 << 10 };

/// What a file begins with. Numbers are little-endian, as the processor has them.
struct header {
  char magic[sizeof MAGIC - 1];
  uint32_t format;
  char board[BOARD_SIZE], version[VERSION_SIZE];  // with zeros behind them
  uint32_t number, size;                          // the size is that of the program, which is the rest of the file
  uint32_t checksum;                              // CRC-32 of all before it and of the program
};

/// Goes on with a CRC-32, which is ~0 at first and inverted at the end.
static uint32_t add_to_checksum(uint32_t sum, const void *bytes, size_t count) {
  static uint32_t table[256];
  if (table[1] == 0) {
    for (uint32_t value = 0; value < 256; value++) {
      table[value] = value;
      for (int bit = 0; bit < 8; bit++) table[value] = table[value] >> 1 ^ (table[value] & 1 ? 0xEDB88320 : 0);
    }
  }
  for (const unsigned char *byte = bytes; count > 0; byte++, count--) sum = sum >> 8 ^ table[(sum ^ *byte) & 0xFF];
  return sum;
}

/// Copies the program that follows a header; whether it is what the header says. What is checked is what is started, as
/// the card is read once.
static int copy(int file, const struct header *header, const char *program) {
  static char part[PART_SIZE];
  uint32_t sum = add_to_checksum(~0u, header, offsetof(struct header, checksum)), left = header->size;
  int target = open(program, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
  if (target < 0) complain(program);
  while (left > 0) {
    ssize_t count = read(file, part, left < sizeof part ? left : sizeof part);
    if (count <= 0 || write(target, part, (size_t)count) != count) break;
    sum = add_to_checksum(sum, part, (size_t)count);
    left -= (uint32_t)count;
  }
  close(target);
  return left == 0 && ~sum == header->checksum;
}

/// Whether a file is an update in one piece, whose header and program are then there.
static int is_whole(const char *path, struct header *header, const char *program) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  int is_whole = file >= 0 && fstat(file, &status) == 0 &&
                 read(file, header, sizeof *header) == sizeof *header &&
                 memcmp(header->magic, MAGIC, sizeof header->magic) == 0 && header->size <= LARGEST &&
                 status.st_size == (off_t)(sizeof *header + header->size) && copy(file, header, program);
  if (file >= 0) close(file);
  return is_whole;
}

/// Whether a whole update is one for this card; what is wrong is said with its name on the drive.
static int is_fit(const struct header *header, const char *name, struct text *said) {
  if (header->format != FORMAT) {
    say(said, "%s needs a newer card" REFUSED "Save board.conf, then write the new image.\n", name);
  } else if (strncmp(header->board, BOARD, sizeof header->board) != 0) {
    say(said, "%s is for another board, %.*s," REFUSED "Unzip the update for this board.\n", name, BOARD_SIZE,
        header->board);
  } else if (header->number < OWN_NUMBER) {
    say(said, "%s has Lenker %.*s, which is older than the card's own " OWN_VERSION "," REFUSED "Delete it.\n", name,
        VERSION_SIZE, header->version);
  } else {
    return 1;
  }
  return 0;
}

/// Takes the update in a folder, if there is one and it is better than what was found before; whether there is one.
static int take(const char *drive, const char *folder, const char *program, struct update *update, struct text *said) {
  char path[PATH_MAX], new[PATH_MAX];
  struct header header;
  struct stat status;
  int length = snprintf(path, sizeof path, "%s/%s" UPDATE_FILE, drive, folder);
  if (length >= PATH_MAX || snprintf(new, sizeof new, "%s.new", program) >= PATH_MAX) return 0;
  if (stat(path, &status) < 0) return 0;
  const char *name = path + strlen(drive) + 1;
  if (!is_whole(path, &header, new)) {
    say(said, "%s is not whole" REFUSED COPY_AGAIN ".\n", name);
  } else if (is_fit(&header, name, said) && (update->number == 0 || header.number > update->number) &&
             rename(new, program) == 0) {
    update->number = header.number;
    snprintf(update->version, sizeof update->version, "%.*s", VERSION_SIZE, header.version);
    snprintf(update->board_file, sizeof update->board_file, "%s/%sboard.conf.new", drive, folder);
  }
  unlink(new);
  return 1;
}

static int is_zip(const char *name) {
  size_t end = strlen(name), length = strlen(ZIP_END);
  return strncmp(name, ZIP_BEGINNING, strlen(ZIP_BEGINNING)) == 0 && end > length &&
         strcmp(name + end - length, ZIP_END) == 0;
}

int take_update(const char *drive, const char *program, struct update *update, struct text *said) {
  char folder[NAME_MAX + 2], zip[NAME_MAX + 1] = "";
  struct dirent *entry;
  update->number = 0;
  int found = take(drive, "", program, update, said);
  // Some systems unzip into a folder, which a rider then moves here.
  DIR *root = opendir(drive);
  while (root != NULL && (entry = readdir(root)) != NULL) {
    if (entry->d_name[0] == '.') continue;
    snprintf(folder, sizeof folder, "%s/", entry->d_name);
    found += take(drive, folder, program, update, said);
    if (is_zip(entry->d_name)) snprintf(zip, sizeof zip, "%s", entry->d_name);
  }
  if (root != NULL) closedir(root);
  if (!found && zip[0] != 0) say(said, "%s is not unpacked: unzip it onto this drive.\n", zip);
  return update->number > 0;
}
