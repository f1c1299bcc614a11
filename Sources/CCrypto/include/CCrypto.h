// What pairing needs of mbed TLS and of the random numbers of the kernel or, in a browser, of the page.
//
// All numbers are as SMP sends them, the least significant octet first. mbed
// TLS and the standards count the other way, so AES turns its blocks round.
// Nothing is kept: all memory that saw a secret is wiped before a call returns.
#pragma once
#include <lifetimebound.h>
#include <ptrcheck.h>
#include <stddef.h>
#include <stdint.h>

#define CRYPTO_OK 0
#define CRYPTO_FAILED (-1)
#define CRYPTO_NO_RANDOMNESS (-2)
#define CRYPTO_INVALID_POINT (-3)

/// Random bytes; waits until the kernel has gathered enough after a start.
int crypto_random(uint8_t *__counted_by(count) bytes __noescape, size_t count);

/// AES-128 of one block in its place; `key` and `block` are 16 octets each.
int crypto_encrypt(const uint8_t *__counted_by(key_count) key __noescape, size_t key_count,
                   uint8_t *__counted_by(count) block __noescape, size_t count);

/// A key pair of P-256: 32 octets of private key, 32 each of `x` and `y`.
int crypto_make_key_pair(uint8_t *__counted_by(count) private_key __noescape, size_t count,
                         uint8_t *__counted_by(x_count) x __noescape, size_t x_count,
                         uint8_t *__counted_by(y_count) y __noescape, size_t y_count);

/// The x-coordinate of the point (x, y) times `private_key`, 32 octets each.
int crypto_shared_secret(const uint8_t *__counted_by(count) private_key __noescape, size_t count,
                         const uint8_t *__counted_by(x_count) x __noescape, size_t x_count,
                         const uint8_t *__counted_by(y_count) y __noescape, size_t y_count,
                         uint8_t *__counted_by(secret_count) secret __noescape,
                         size_t secret_count);
