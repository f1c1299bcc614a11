// What the parts of the first process share: the words that are kept on the card, and where the card is.
#pragma once
#include <stddef.h>
#include <sys/types.h>

#define CARD "/boot"
#define CARD_DEVICE "/dev/mmcblk0p1"
#define ERROR_FILE CARD "/lenker-error.txt"

enum { ERROR_SIZE = 1024 };

/// The end of what was said, as much of it as the error file has room for.
struct text { char bytes[ERROR_SIZE]; size_t count; };

void complain(const char *what);

/// Keeps the end of what is said, and says it to the console too.
void hear(struct text *said, const char *bytes, size_t count);

/// The same with a sentence that is formatted first.
__attribute__((format(printf, 2, 3))) void say(struct text *said, const char *format, ...);

/// How much of a text the error file takes: the number of the entry stands behind it.
enum { ENTRY_SIZE = ERROR_SIZE - 40 };

/// Puts the text into the error file, numbered: so it is seen whether it is an old one, though the card has no clock.
void keep(struct text *text);

/// Whether the error file has these words; 1 also if there is no such file and nobody can tell.
int is_kept(const char *words);

/// Readable when lenker has closed a file in its folder of reports. Without room on the card there is no folder, so that
/// lenker says of none that it is saved.
int watch_reports(void);

void take_report(int watch);

/// Sets up what the kernel leaves to the first process, and mounts the card.
void start_pi(void);
