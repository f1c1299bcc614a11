// The boards link mbed TLS statically, and Debian's objects pull in much that
// no pairing ever calls: 128 KB on ARMv6. These stand in its place, so that
// the linker does not look for the originals.
#ifdef LENKER_BOARD

#include <time.h>

#include <mbedtls/hmac_drbg.h>
#include <mbedtls/md.h>

// ecp.c draws from HMAC_DRBG where its caller brings no randomness. We always
// bring it; a caller without gets a failure.

void mbedtls_hmac_drbg_init(mbedtls_hmac_drbg_context *context) { (void)context; }
void mbedtls_hmac_drbg_free(mbedtls_hmac_drbg_context *context) { (void)context; }

int mbedtls_hmac_drbg_seed_buf(mbedtls_hmac_drbg_context *context, const mbedtls_md_info_t *info,
                               const unsigned char *data, size_t count) {
  (void)context, (void)info, (void)data, (void)count;
  return MBEDTLS_ERR_HMAC_DRBG_ENTROPY_SOURCE_FAILED;
}

int mbedtls_hmac_drbg_random(void *context, unsigned char *bytes, size_t count) {
  (void)context, (void)bytes, (void)count;
  return MBEDTLS_ERR_HMAC_DRBG_ENTROPY_SOURCE_FAILED;
}

// ecp.c and constant_time.c know message digests: for that generator, and for
// TLS. Here there are none.

const mbedtls_md_info_t *mbedtls_md_info_from_type(mbedtls_md_type_t type) {
  (void)type;
  return NULL;
}

const int *mbedtls_md_list(void) {
  static const int none = MBEDTLS_MD_NONE;
  return &none;
}

void mbedtls_md_init(mbedtls_md_context_t *context) { (void)context; }
void mbedtls_md_free(mbedtls_md_context_t *context) { (void)context; }

int mbedtls_md_setup(mbedtls_md_context_t *context, const mbedtls_md_info_t *info, int hmac) {
  (void)context, (void)info, (void)hmac;
  return MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE;
}

int mbedtls_md_clone(mbedtls_md_context_t *to, const mbedtls_md_context_t *from) {
  (void)to, (void)from;
  return MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE;
}

int mbedtls_md_starts(mbedtls_md_context_t *context) {
  (void)context;
  return MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE;
}

int mbedtls_md_update(mbedtls_md_context_t *context, const unsigned char *data, size_t count) {
  (void)context, (void)data, (void)count;
  return MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE;
}

int mbedtls_md_finish(mbedtls_md_context_t *context, unsigned char *digest) {
  (void)context, (void)digest;
  return MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE;
}

int mbedtls_md_hmac_reset(mbedtls_md_context_t *context) {
  (void)context;
  return MBEDTLS_ERR_MD_FEATURE_UNAVAILABLE;
}

unsigned char mbedtls_md_get_size(const mbedtls_md_info_t *info) {
  (void)info;
  return 0;
}

mbedtls_md_type_t mbedtls_md_get_type(const mbedtls_md_info_t *info) {
  (void)info;
  return MBEDTLS_MD_NONE;
}

// platform_util.c, which we need to wipe secrets, also tells the date for
// certificates, and the C library reads time zones for that by scanf.

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict parts) {
  (void)time, (void)parts;
  return NULL;
}

#endif

// ISO C wants something in every file.
typedef int crypto_board_is_not_empty;
