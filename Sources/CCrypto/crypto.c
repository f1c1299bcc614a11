#include "CCrypto.h"

#include <mbedtls/aes.h>
#include <mbedtls/ecp.h>
#include <mbedtls/platform_util.h>

enum { BLOCK = 16, COORDINATE = 32 };

/// mbed TLS asks for randomness through this; its result is passed on as it is.
static int draw(void *unused, unsigned char *bytes, size_t count) {
  (void)unused;
  return crypto_random(bytes, count);
}

static void reverse(uint8_t *to, const uint8_t *from) {
  for (size_t index = 0; index < BLOCK; index++) to[BLOCK - 1 - index] = from[index];
}

int crypto_encrypt(const uint8_t *key, size_t key_count, uint8_t *block, size_t count) {
  mbedtls_aes_context aes;
  uint8_t standard_key[BLOCK], standard_block[BLOCK];
  if (key_count != BLOCK || count != BLOCK) return CRYPTO_FAILED;
  reverse(standard_key, key);
  reverse(standard_block, block);
  mbedtls_aes_init(&aes);
  int result = mbedtls_aes_setkey_enc(&aes, standard_key, 8 * BLOCK);
  if (result == 0)
    result = mbedtls_aes_crypt_ecb(&aes, MBEDTLS_AES_ENCRYPT, standard_block, standard_block);
  if (result == 0) reverse(block, standard_block);
  mbedtls_aes_free(&aes);  // wipes
  mbedtls_platform_zeroize(standard_key, sizeof standard_key);
  mbedtls_platform_zeroize(standard_block, sizeof standard_block);
  return result == 0 ? CRYPTO_OK : CRYPTO_FAILED;
}

/// The curve, a private key and a point; `forget` wipes and frees them.
struct numbers {
  mbedtls_ecp_group group;
  mbedtls_mpi private_key;
  mbedtls_ecp_point point;
};

static int prepare(struct numbers *numbers) {
  mbedtls_ecp_group_init(&numbers->group);
  mbedtls_mpi_init(&numbers->private_key);
  mbedtls_ecp_point_init(&numbers->point);
  return mbedtls_ecp_group_load(&numbers->group, MBEDTLS_ECP_DP_SECP256R1);
}

static void forget(struct numbers *numbers) {
  mbedtls_ecp_point_free(&numbers->point);
  mbedtls_mpi_free(&numbers->private_key);
  mbedtls_ecp_group_free(&numbers->group);
}

/// A private key between 1 and half the order, as the Core Specification wants
/// it (Vol 2, Part H, 7.6): every second draw is too large.
static int draw_private_key(struct numbers *numbers) {
  mbedtls_mpi half;
  mbedtls_mpi_init(&half);
  int result = mbedtls_mpi_copy(&half, &numbers->group.N);
  if (result == 0) result = mbedtls_mpi_shift_r(&half, 1);
  while (result == 0) {
    result = mbedtls_ecp_gen_privkey(&numbers->group, &numbers->private_key, draw, NULL);
    if (result == 0 && mbedtls_mpi_cmp_mpi(&numbers->private_key, &half) <= 0) break;
  }
  mbedtls_mpi_free(&half);
  return result;
}

static int status(int result) {
  if (result == 0) return CRYPTO_OK;
  return result == CRYPTO_NO_RANDOMNESS ? result : CRYPTO_FAILED;
}

int crypto_make_key_pair(uint8_t *private_key, size_t count, uint8_t *x, size_t x_count, uint8_t *y,
                         size_t y_count) {
  if (count != COORDINATE || x_count != COORDINATE || y_count != COORDINATE) return CRYPTO_FAILED;
  struct numbers own;
  int result = prepare(&own);
  if (result == 0) result = draw_private_key(&own);
  if (result == 0)
    result = mbedtls_ecp_mul(&own.group, &own.point, &own.private_key, &own.group.G, draw, NULL);
  if (result == 0) result = mbedtls_mpi_write_binary_le(&own.private_key, private_key, count);
  if (result == 0) result = mbedtls_mpi_write_binary_le(&own.point.X, x, x_count);
  if (result == 0) result = mbedtls_mpi_write_binary_le(&own.point.Y, y, y_count);
  forget(&own);
  return status(result);
}

int crypto_shared_secret(const uint8_t *private_key, size_t count, const uint8_t *x, size_t x_count,
                         const uint8_t *y, size_t y_count, uint8_t *secret, size_t secret_count) {
  if (count != COORDINATE || x_count != COORDINATE || y_count != COORDINATE ||
      secret_count != COORDINATE)
    return CRYPTO_FAILED;
  struct numbers theirs;
  int result = prepare(&theirs);
  if (result == 0) result = mbedtls_mpi_read_binary_le(&theirs.private_key, private_key, count);
  if (result == 0) result = mbedtls_mpi_read_binary_le(&theirs.point.X, x, x_count);
  if (result == 0) result = mbedtls_mpi_read_binary_le(&theirs.point.Y, y, y_count);
  if (result == 0) result = mbedtls_mpi_lset(&theirs.point.Z, 1);
  int is_invalid = 0;
  if (result == 0) {
    result = mbedtls_ecp_check_pubkey(&theirs.group, &theirs.point);
    is_invalid = result == MBEDTLS_ERR_ECP_INVALID_KEY;
  }
  if (result == 0)
    result = mbedtls_ecp_mul(&theirs.group, &theirs.point, &theirs.private_key, &theirs.point, draw,
                             NULL);
  if (result == 0) result = mbedtls_mpi_write_binary_le(&theirs.point.X, secret, secret_count);
  forget(&theirs);
  return is_invalid ? CRYPTO_INVALID_POINT : status(result);
}
