#include "CCrypto.h"

#ifdef __wasm__

/// The page has the browser's own random numbers (crypto.getRandomValues).
__attribute__((import_module("page"), import_name("random"))) void page_random(uint8_t *bytes,
                                                                               size_t count);

int crypto_random(uint8_t *bytes, size_t count) {
  page_random(bytes, count);
  return CRYPTO_OK;
}

/// Swift asks for this before it hashes anything.
void arc4random_buf(void *bytes, size_t count);
void arc4random_buf(void *bytes, size_t count) { page_random(bytes, count); }

#else

#include <errno.h>
#include <sys/random.h>

int crypto_random(uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t got = getrandom(bytes, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return CRYPTO_NO_RANDOMNESS;
    bytes += got;
    count -= (size_t)got;
  }
  return CRYPTO_OK;
}

#endif
