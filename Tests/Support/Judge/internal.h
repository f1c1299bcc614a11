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
  LE_SET_ADVERTISING_PARAMETERS = 0x2006,
  LE_SET_ADVERTISING_DATA = 0x2008,
  LE_SET_SCAN_RESPONSE_DATA = 0x2009,
  LE_SET_ADVERTISING_ENABLE = 0x200A,
  LE_SET_SCAN_PARAMETERS = 0x200B,
  LE_SET_SCAN_ENABLE = 0x200C,
  LE_CREATE_CONNECTION = 0x200D,
  LE_CREATE_CONNECTION_CANCEL = 0x200E,
  LE_READ_ACCEPT_LIST_SIZE = 0x200F,
  LE_CLEAR_ACCEPT_LIST = 0x2010,
  LE_ADD_TO_ACCEPT_LIST = 0x2011,
  LE_CONNECTION_UPDATE = 0x2013,
  LE_ENABLE_ENCRYPTION = 0x2019,
  LE_LONG_TERM_KEY_REQUEST_REPLY = 0x201A,
  LE_LONG_TERM_KEY_REQUEST_NEGATIVE_REPLY = 0x201B,
  LE_READ_SUPPORTED_STATES = 0x201C,
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

/// LE_Scan_Interval and LE_Scan_Window (Vol 4, Part E, 7.8.10, 7.8.12).
bool are_scan_times(const uint8_t *bytes);
/// Interval_Min, Interval_Max, Max_Latency, Supervision_Timeout and the lengths of events (7.8.12).
bool are_connection_parameters(const uint8_t *bytes);
/// Whether there is a link of that role, and the bit of LE States (7.8.27) says that what is wanted does not go with it.
bool excludes_links(const struct judge *judge, enum judge_role role, int bit);

/// LE Set Advertising Parameters, Data and Enable, and LE Set Scan Response Data.
const char *judge_advertising(struct judge *judge, uint16_t opcode, const uint8_t *parameters);
/// LE Long Term Key Request Reply and its negative.
const char *judge_key_reply(
    struct judge *judge, uint16_t opcode, struct judge_link *link, const uint8_t *parameters);

/// LE Set Scan Parameters and LE Set Scan Enable.
const char *judge_scanning(struct judge *judge, uint16_t opcode, const uint8_t *parameters);
/// LE Create Connection and its Cancel.
const char *judge_creation(struct judge *judge, const uint8_t *parameters);
const char *judge_cancel(struct judge *judge);
/// LE Clear Filter Accept List and LE Add Device To Filter Accept List.
const char *judge_accept_list(struct judge *judge, uint16_t opcode, const uint8_t *device);
/// The controller has done to its list what was asked for.
void judge_list_changed(struct judge *judge, uint16_t opcode);

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
