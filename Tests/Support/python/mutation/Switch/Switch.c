#include "Switch.h"

#include <stdlib.h>

static int chosen;

__attribute__((constructor)) static void choose(void) {
  const char *text = getenv("LENKER_CHANGE");
  chosen = text ? atoi(text) : 0;
}

int chosen_change(void) { return chosen; }
