#pragma once
#include <stddef.h>
#include <stdint.h>

/// What a target is called with; it returns 0.
typedef int (*FuzzedFunction)(const uint8_t *data, size_t size);

/// libFuzzer's driver, see LLVM's "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *argc, char ***argv, FuzzedFunction function);
