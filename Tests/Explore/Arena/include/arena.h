#pragma once
#include <stdint.h>

// All that a program has changed since a moment, put back within microseconds.
//
// All memory of the program, of the runtime and of all libraries comes from an arena. What is saved are its bytes and
// those of the variables of the program and of Swift's libraries. Who saves keeps nothing of their own in either.

/// Where what is saved lies: 0 to 255.
void arena_save(int place);
void arena_restore(int place);

/// Whether `count` bytes at `part` are somewhere in those at `whole`.
int arena_contains(const void *_Nonnull whole, uint64_t size, const void *_Nonnull part, uint64_t count);

/// The name of what lies at that address of the program, or nothing.
const char *_Nonnull arena_symbol(const void *_Nonnull address);

/// Where what has that name is, in the program or in a library, or null.
const void *_Nullable arena_address(const char *_Nonnull name);

/// What an accessor of metadata returns for up to three arguments.
const void *_Nullable arena_accessed(
  const void *_Nonnull accessor, const void *_Nullable a, const void *_Nullable b, const void *_Nullable c);

/// The type with that mangled name in the context of another one, whose arguments are these.
const void *_Nullable arena_type(
  const void *_Nonnull name, uint64_t length, const void *_Nonnull context, const void *_Nullable arguments);
