// The peripheral's role: advertising, and the keys that centrals ask for. Vol 4, Part E, 7.8.5 to 7.8.9, 7.8.25, 7.8.26.
#include "internal.h"

/// AD structures, and nothing behind them but zeros (Vol 3, Part C, 11); flags are the advertisement's alone
/// (Supplement to the Core Specification, Part A, 1.3).
static const char *judge_data_of(struct judge *judge, const uint8_t *parameters, bool is_response) {
  uint8_t count = parameters[0];
  const uint8_t *data = parameters + 1;
  if (count > 31) return wrong(judge, count, "more advertising data than there is room for");
  if (!is_zero(data + count, 31u - count)) return wrong(judge, count, "something behind the advertising data");
  bool has_flags = false;
  size_t index = 0;
  while (index < count) {
    uint8_t length = data[index];
    if (length == 0 || index + 1 + length > count)
      return wrong(judge, length, "advertising data that are no structures");
    bool is_flags = data[index + 1] == 0x01;
    if (is_flags && (is_response || has_flags))
      return wrong(judge, length, "flags where none may be");
    has_flags = has_flags || is_flags;
    index += 1u + length;
  }
  return NULL;
}

static const char *judge_parameters_of(struct judge *judge, const uint8_t *parameters) {
  uint16_t shortest = u16(parameters), longest = u16(parameters + 2);
  if (judge->is_advertising)
    return wrong(judge, shortest, "advertising parameters while advertising is enabled");
  if (shortest < 0x0020 || longest > 0x4000 || shortest > longest)
    return wrong(judge, shortest, "an advertising interval that is none");
  // Promises: any device may connect, and our address is the public one.
  if (parameters[4] != 0 || parameters[14] != 0)
    return wrong(judge, parameters[4], "advertising of another kind");
  if (parameters[5] != 0) return wrong(judge, parameters[5], "an own address that was not set");
  if (parameters[13] == 0 || parameters[13] > 7)
    return wrong(judge, parameters[13], "advertising on channels that there are not");
  return NULL;
}

/// A promise: where LE States (7.8.27) say that it does not go with scanning, it is not tried.
static bool excludes_advertising(const struct judge *judge) {
  int bit = judge->is_scan_active ? 14 : 10;
  return judge->has_states && judge->is_scanning && (judge->states >> bit & 1) == 0;
}

/// Whether there is a link that a phone has made.
static bool has_been_found(const struct judge *judge) {
  for (size_t index = 0; index < JUDGE_LINKS; index++) {
    const struct judge_link *link = &judge->links[index];
    if (link->is_live && link->was_asked && !link->is_left && link->role == JUDGE_PERIPHERAL)
      return true;
  }
  return false;
}

static const char *judge_switch(struct judge *judge, uint8_t value) {
  if (value > 1) return wrong(judge, value, "a switch beyond 1");
  // A promise, as for scanning.
  if (value == 0 && !judge->is_advertising_wanted)
    return wrong(judge, value, "advertising is ended though it is not enabled");
  judge->is_advertising_wanted = value == 1;
  if (value == 0) return NULL;
  if (judge->is_advertising) return wrong(judge, value, "advertising is enabled though it is");
  if (!judge->has_advertising_parameters || !judge->has_advertising_data)
    return wrong(judge, value, "advertising is enabled before it is known what");
  if (judge->creation != JUDGE_IDLE)
    return wrong(judge, judge->creation, "advertising is enabled while a connection is created");
  if (has_been_found(judge)) return wrong(judge, value, "advertising is enabled though a phone has come");
  if (excludes_advertising(judge))
    return wrong(judge, value, "advertising beside scanning on a controller that cannot");
  return NULL;
}

const char *judge_advertising(struct judge *judge, uint16_t opcode, const uint8_t *parameters) {
  if (!judge->may_advertise) return wrong(judge, opcode, "advertising that the settings forbid");
  switch (opcode) {
    case LE_SET_ADVERTISING_PARAMETERS: return judge_parameters_of(judge, parameters);
    case LE_SET_ADVERTISING_ENABLE: return judge_switch(judge, parameters[0]);
    default: return judge_data_of(judge, parameters, opcode == LE_SET_SCAN_RESPONSE_DATA);
  }
}

const char *judge_key_reply(
    struct judge *judge, uint16_t opcode, struct judge_link *link, const uint8_t *parameters) {
  if (!link->is_key_awaited) return wrong(judge, link->handle, "an answer to a key that nobody asked for");
  link->is_key_awaited = false;
  if (opcode == LE_LONG_TERM_KEY_REQUEST_NEGATIVE_REPLY) return NULL;
  // Keys of LE Secure Connections have neither random number nor diversifier (Vol 3, Part H, 2.4.4.1).
  if (link->is_legacy_key || link->role != JUDGE_PERIPHERAL)
    return wrong(judge, link->handle, "a key where only others fit");
  if (is_zero(parameters + 2, 16)) return wrong(judge, link->handle, "a long-term key of zero");
  bool is_bonds = link->step == JUDGE_NO_PAIRING || link->step == JUDGE_DISTRIBUTING;
  if (!is_bonds && !judge_has_key(link))
    return wrong(judge, link->handle, "encryption is begun with a key that nobody can have");
  link->is_encrypting = true;
  link->is_crossed = link->sent.is_open;
  return NULL;
}
