// Commands: Vol 4, Part E, 4.4, 5.4.1 and 7.
#include "internal.h"

/// A command that a host may send.
struct command {
  uint16_t opcode;
  uint8_t length;
  /// Whether its first parameter is the handle of a link.
  bool is_for_link;
  /// Octet and bit of Supported Commands (6.27), where a controller may lack it; else 0.
  uint8_t octet, bit;
  /// The bit of LE Features (Vol 6, Part B, 4.6) that it belongs to; else 0.
  uint8_t feature;
};

static const struct command COMMANDS[] = {
    {DISCONNECT, 3, true, 0, 0, 0},                                // 7.1.6
    {SET_EVENT_MASK, 8, false, 0, 0, 0},                           // 7.3.1
    {RESET, 0, false, 0, 0, 0},                                    // 7.3.2
    {WRITE_LE_HOST_SUPPORT, 2, false, 24, 6, 0},                   // 7.3.79
    {READ_LOCAL_VERSION, 0, false, 0, 0, 0},                       // 7.4.1
    {READ_SUPPORTED_COMMANDS, 0, false, 0, 0, 0},                  // 7.4.2
    {READ_BUFFER_SIZE, 0, false, 0, 0, 0},                         // 7.4.5
    {READ_BD_ADDR, 0, false, 0, 0, 0},                             // 7.4.6
    {LE_SET_EVENT_MASK, 8, false, 0, 0, 0},                        // 7.8.1
    {LE_READ_BUFFER_SIZE, 0, false, 0, 0, 0},                      // 7.8.2
    {LE_READ_FEATURES, 0, false, 0, 0, 0},                         // 7.8.3
    {LE_SET_ADVERTISING_PARAMETERS, 15, false, 25, 5, 0},          // 7.8.5
    {LE_SET_ADVERTISING_DATA, 32, false, 25, 7, 0},                // 7.8.7
    {LE_SET_SCAN_RESPONSE_DATA, 32, false, 26, 0, 0},              // 7.8.8
    {LE_SET_ADVERTISING_ENABLE, 1, false, 26, 1, 0},               // 7.8.9
    {LE_SET_SCAN_PARAMETERS, 7, false, 0, 0, 0},                   // 7.8.10
    {LE_SET_SCAN_ENABLE, 2, false, 0, 0, 0},                       // 7.8.11
    {LE_CREATE_CONNECTION, 25, false, 0, 0, 0},                    // 7.8.12
    {LE_CREATE_CONNECTION_CANCEL, 0, false, 0, 0, 0},              // 7.8.13
    {LE_READ_ACCEPT_LIST_SIZE, 0, false, 0, 0, 0},                 // 7.8.14
    {LE_CLEAR_ACCEPT_LIST, 0, false, 0, 0, 0},                     // 7.8.15
    {LE_ADD_TO_ACCEPT_LIST, 7, false, 0, 0, 0},                    // 7.8.16
    {LE_CONNECTION_UPDATE, 14, true, 0, 0, 0},                     // 7.8.18
    {LE_ENABLE_ENCRYPTION, 28, true, 0, 0, 0},                     // 7.8.24
    {LE_LONG_TERM_KEY_REQUEST_REPLY, 18, true, 0, 0, 0},           // 7.8.25
    {LE_LONG_TERM_KEY_REQUEST_NEGATIVE_REPLY, 2, true, 0, 0, 0},   // 7.8.26
    {LE_READ_SUPPORTED_STATES, 0, false, 0, 0, 0},                 // 7.8.27
    {LE_PARAMETER_REQUEST_REPLY, 14, true, 33, 4, 1},              // 7.8.31
    {LE_PARAMETER_REQUEST_NEGATIVE_REPLY, 3, true, 33, 5, 1},      // 7.8.32
    {LE_SET_DATA_LENGTH, 6, true, 33, 6, 5},                       // 7.8.33
    {LE_SET_PHY, 7, true, 35, 6, 8},                               // 7.8.49
    {BROADCOM_WRITE_BD_ADDR, 6, false, 0, 0, 0},                   // 5.4.1: a vendor's
};

static const struct command *known(uint16_t opcode) {
  for (size_t index = 0; index < sizeof COMMANDS / sizeof *COMMANDS; index++)
    if (COMMANDS[index].opcode == opcode) return &COMMANDS[index];
  return NULL;
}

/// Whether the controller has it, as far as it said; a promise of the host for what may be lacking.
static bool is_supported(const struct judge *judge, const struct command *command) {
  if (command->octet == 0) return true;
  if ((judge->supported[command->octet] >> command->bit & 1) == 0) return false;
  return command->feature == 0 || (judge->features >> command->feature & 1) != 0;
}

static const char *judge_mask(struct judge *judge, uint16_t opcode, const uint8_t *mask) {
  if (opcode == LE_SET_EVENT_MASK) {
    // LE Connection Complete and LE Advertising Report.
    return (mask[0] & 0x03) == 0x03 ? NULL : wrong(judge, opcode, "a mask hides what is waited for");
  }
  // Disconnection Complete 4, Encryption Change 7, Encryption Key Refresh Complete 47, LE Meta 61.
  bool is_open = (mask[0] & 0x90) == 0x90 && (mask[5] & 0x80) != 0 && (mask[7] & 0x20) != 0;
  return is_open ? NULL : wrong(judge, opcode, "a mask hides what is waited for");
}

static const char *judge_encryption_start(
    struct judge *judge, struct judge_link *link, const uint8_t *parameters) {
  if (link->role != JUDGE_CENTRAL)
    return wrong(judge, link->handle, "encryption is begun by a peripheral");
  if (link->is_encrypting)
    return wrong(judge, link->handle, "encryption is begun while it is being begun");
  // Keys of LE Secure Connections have neither (Vol 3, Part H, 2.4.4.1).
  if (!is_zero(parameters + 2, 10))
    return wrong(judge, link->handle, "a random number or diversifier that is not 0");
  if (is_zero(parameters + 12, 16)) return wrong(judge, link->handle, "a long-term key of zero");
  bool is_bonds = link->step == JUDGE_NO_PAIRING && !link->is_encrypted && !link->is_refused;
  // The same key once more, as the peer requests (Vol 3, Part H, 2.4.6).
  bool is_renewal = link->step == JUDGE_NO_PAIRING && link->is_encrypted && link->is_renewal_wished;
  link->is_renewal_wished = false;
  // A promise: of a phone that has a key nothing is asked before it.
  if (!judge_has_key(link) && !is_renewal && (!is_bonds || link->has_asked))
    return wrong(judge, link->handle, "encryption is begun with a key that nobody can have");
  link->is_encrypting = true;
  link->is_crossed = link->sent.is_open;
  return NULL;
}

static const char *judge_link_command(
    struct judge *judge, uint16_t opcode, const uint8_t *parameters, struct judge_link *link) {
  static const uint8_t REASONS[] = {0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B};
  switch (opcode) {
    case DISCONNECT:
      if (memchr(REASONS, parameters[2], sizeof REASONS) == NULL)
        return wrong(judge, parameters[2], "a reason that ends no link");
      link->is_left = true;
      return NULL;
    case LE_ENABLE_ENCRYPTION: return judge_encryption_start(judge, link, parameters);
    case LE_LONG_TERM_KEY_REQUEST_REPLY:
    case LE_LONG_TERM_KEY_REQUEST_NEGATIVE_REPLY: return judge_key_reply(judge, opcode, link, parameters);
    case LE_CONNECTION_UPDATE:
      // A peripheral has the procedure of version 4.1 alone (7.8.18).
      if (link->role != JUDGE_CENTRAL && (judge->features >> 1 & 1) == 0)
        return wrong(judge, link->handle, "connection parameters that are a central's to change");
      break;
    case LE_PARAMETER_REQUEST_REPLY:
    case LE_PARAMETER_REQUEST_NEGATIVE_REPLY:
      if (!count_down(&link->parameter_requests))
        return wrong(judge, link->handle, "a reply to parameters that nobody asked for");
      if (opcode == LE_PARAMETER_REQUEST_NEGATIVE_REPLY)
        return parameters[2] != 0 ? NULL : wrong(judge, 0, "a refusal that says success");
      break;
    case LE_SET_DATA_LENGTH: {
      uint16_t octets = u16(parameters + 2), time = u16(parameters + 4);
      if (octets < 0x001B || octets > 0x00FB || time < 0x0148 || time > 0x4290)
        return wrong(judge, octets, "a data length beyond the link layer's");
      return NULL;
    }
    case LE_SET_PHY:
      if (parameters[2] > 3 || u16(parameters + 5) > 2)
        return wrong(judge, parameters[2], "a wish for PHYs that is none");
      for (int side = 0; side < 2; side++) {
        uint8_t wish = parameters[3 + side];
        if ((parameters[2] >> side & 1) == 0 && (wish == 0 || wish > 7))
          return wrong(judge, wish, "a wish for PHYs that is none");
      }
      return NULL;
    default: break;
  }
  return are_connection_parameters(parameters + 2)
             ? NULL
             : wrong(judge, u16(parameters + 2), "connection parameters that do not go together");
}

static const char *judge_parameters(
    struct judge *judge, uint16_t opcode, const uint8_t *parameters) {
  switch (opcode) {
    case SET_EVENT_MASK:
    case LE_SET_EVENT_MASK: return judge_mask(judge, opcode, parameters);
    case WRITE_LE_HOST_SUPPORT:
      return parameters[0] <= 1 && parameters[1] == 0 ? NULL
                                                      : wrong(judge, opcode, "a switch beyond its range");
    case LE_SET_ADVERTISING_PARAMETERS:
    case LE_SET_ADVERTISING_DATA:
    case LE_SET_SCAN_RESPONSE_DATA:
    case LE_SET_ADVERTISING_ENABLE: return judge_advertising(judge, opcode, parameters);
    case LE_SET_SCAN_PARAMETERS:
    case LE_SET_SCAN_ENABLE: return judge_scanning(judge, opcode, parameters);
    case LE_CREATE_CONNECTION: return judge_creation(judge, parameters);
    case LE_CREATE_CONNECTION_CANCEL: return judge_cancel(judge);
    case LE_CLEAR_ACCEPT_LIST:
    case LE_ADD_TO_ACCEPT_LIST: return judge_accept_list(judge, opcode, parameters);
    case BROADCOM_WRITE_BD_ADDR:
      // Broadcom and Cypress: Assigned Numbers, 7.1. Others may take the opcode for anything.
      if (judge->manufacturer != 0x000F && judge->manufacturer != 0x0131)
        return wrong(judge, judge->manufacturer, "a vendor's command for another vendor's chip");
      return is_zero(parameters, 6) ? wrong(judge, opcode, "an address of zero") : NULL;
    default: return NULL;
  }
}

/// Whether it refuses what the controller says that a link wants which is not there.
static bool refuses_stray(struct judge *judge, uint16_t opcode, uint16_t handle) {
  bool *is_stray = opcode == LE_PARAMETER_REQUEST_NEGATIVE_REPLY         ? &judge->is_stray
                   : opcode == LE_LONG_TERM_KEY_REQUEST_NEGATIVE_REPLY ? &judge->is_key_stray
                                                                       : NULL;
  if (is_stray == NULL || !*is_stray || judge->stray_handle != handle) return false;
  *is_stray = false;
  return true;
}

const char *judge_command(struct judge *judge, const uint8_t *packet, size_t count) {
  if (count < 4) return wrong(judge, (uint32_t)count, "a command without a whole header");
  uint16_t opcode = u16(packet + 1);
  if (packet[3] != count - 4) return wrong(judge, opcode, "a command whose length is another");
  const struct command *command = known(opcode);
  if (command == NULL) return wrong(judge, opcode, "a command that is not needed");
  if (command->length != packet[3])
    return wrong(judge, opcode, "a command with too few or too many parameters");
  if (opcode == RESET) {
    // It needs neither credit nor answer to those before it: what it resets, may hang.
    judge->is_up = false;
    judge->awaited = RESET;
    judge->credits = 0;
    return NULL;
  }
  if (!judge->is_up) return wrong(judge, opcode, "a command before Reset is through");
  if (judge->awaited != 0) return wrong(judge, opcode, "a command before the last one was answered");
  if (judge->credits == 0) return wrong(judge, opcode, "a command without a credit");
  if (!is_supported(judge, command))
    return wrong(judge, opcode, "a command that the controller does not support");
  const char *verdict;
  judge->awaited_handle = 0xFFFF;
  if (command->is_for_link) {
    uint16_t handle = u16(packet + 4);
    struct judge_link *link = judge_link(judge, handle);
    bool is_there = link != NULL || refuses_stray(judge, opcode, handle);
    if (!is_there) return wrong(judge, handle, "a command for a link that is not there");
    judge->awaited_handle = handle;
    verdict = link == NULL ? NULL : judge_link_command(judge, opcode, packet + 4, link);
  } else {
    verdict = judge_parameters(judge, opcode, packet + 4);
  }
  judge->awaited = opcode;
  judge->credits--;
  return verdict;
}
