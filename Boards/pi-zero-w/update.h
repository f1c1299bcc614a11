// An update on the card, see update.c.
#pragma once
#include "guard.h"
#include <limits.h>
#include <stdint.h>

#define UPDATE_FILE "lenker-update.bin"

enum { VERSION_SIZE = 32 };

struct update {
  char version[VERSION_SIZE];
  uint32_t number;             // larger for a newer one
  char board_file[PATH_MAX];   // its settings
};

/// Finds the newest update on a drive that is whole, for this board, and not older than the image's own lenker, and
/// copies its program into a file in memory. Whether there is one; what is wrong with others is said.
int take_update(const char *drive, const char *program, struct update *update, struct text *said);
