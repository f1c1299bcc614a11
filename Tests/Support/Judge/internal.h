// What the parts of the judge know of each other.
#pragma once
#include <string.h>

#include "judge.h"

/// Opcodes of commands: the group in the upper six bits (Vol 4, Part E, 5.4.1).
enum {
  DISCONNECT = 0x0406,
  SET_EVENT_MASK = 0x0C01,
  RESET = 0x0C03,
  WRITE_LE_HOST_SUPPORT = 0x0C6D,
  READ_LOCAL_VERSION = 0x1001,
  READ_SUPPORTED_COMMANDS = 0x1002,
  READ_BUFFER_SIZE = 0x1005,
  READ_BD_ADDR = 0x1009,
  LE_SET_EVENT_MASK = 0x2001,
  LE_READ_BUFFER_SIZE = 0x2002,
  LE_READ_FEATURES = 0x2003,
  LE_SET_SCAN_PARAMETERS = 0x200B,
  LE_SET_SCAN_ENABLE = 0x200C,
  LE_CREATE_CONNECTION = 0x200D,
  LE_CREATE_CONNECTION_CANCEL = 0x200E,
  LE_CONNECTION_UPDATE = 0x2013,
  LE_ENABLE_ENCRYPTION = 0x2019,
  LE_PARAMETER_REQUEST_REPLY = 0x2020,
  LE_PARAMETER_REQUEST_NEGATIVE_REPLY = 0x2021,
  LE_SET_DATA_LENGTH = 0x2022,
  LE_SET_PHY = 0x2032,
  BROADCOM_WRITE_BD_ADDR = 0xFC01,
};

static inline uint16_t u16(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }

static inline bool is_zero(const uint8_t *bytes, size_t count) {
  for (size_t index = 0; index < count; index++)
    if (bytes[index] != 0) return false;
  return true;
}

/// One more of what is counted; a count at its end stays there, and then forgives.
static inline void count_up(uint8_t *count) {
  if (*count < UINT8_MAX) (*count)++;
}

/// One less; `false` if there is none.
static inline bool count_down(uint8_t *count) {
  if (*count == 0) return false;
  if (*count < UINT8_MAX) (*count)--;
  return true;
}

/// The live link of a handle, or `NULL`.
struct judge_link *judge_link(struct judge *judge, uint16_t handle);

/// Says what is wrong, with its number.
static inline const char *wrong(struct judge *judge, uint32_t detail, const char *text) {
  judge->detail = detail;
  return text;
}

const char *judge_command(struct judge *judge, const uint8_t *packet, size_t count);
void judge_event(struct judge *judge, const uint8_t *packet, size_t count);
const char *judge_data(struct judge *judge, const uint8_t *packet, size_t count);
void judge_data_heard(struct judge *judge, const uint8_t *packet, size_t count);
const char *judge_attribute(
    struct judge *judge, struct judge_link *link, const uint8_t *pdu, size_t count);
void judge_attribute_heard(struct judge_link *link, const uint8_t *pdu, size_t count);
const char *judge_security(
    struct judge *judge, struct judge_link *link, const uint8_t *command, size_t count);
void judge_security_heard(struct judge_link *link, const uint8_t *command, size_t count);
/// Whether the pairing has come so far that both sides have the long-term key.
bool judge_has_key(const struct judge_link *link);
/// The link is encrypted, or is not any more, or could not be.
void judge_encryption(struct judge_link *link, bool is_on);
