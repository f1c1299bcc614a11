// What update.c makes of drives: update PROGRAM DRIVE... For each: the version that is taken, or -, what is said, and an
// empty line.
#include "update.h"
#include <stdio.h>

int main(int count, char **arguments) {
  for (int index = 2; index < count; index++) {
    struct update update;
    struct text said = {.count = 0};
    int is_found = take_update(arguments[index], arguments[1], &update, &said);
    printf("%s\n%.*s\n", is_found ? update.version : "-", (int)said.count, said.bytes);
  }
}
