// Events: Vol 4, Part E, 5.4.4 and 7.7. What is malformed says nothing.
#include "internal.h"

/// What Reset makes untrue (7.3.2), and what the host must read again.
static void reset_controller(struct judge *judge, bool is_up) {
  uint8_t credits = judge->credits;
  judge_reset(judge);
  judge->credits = credits;
  judge->is_up = is_up;
}

static uint64_t u64(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int index = 0; index < 8; index++) value |= (uint64_t)bytes[index] << 8 * index;
  return value;
}

/// Learns from the return parameters, which begin behind the status.
static void learn(struct judge *judge, uint16_t opcode, const uint8_t *bytes, size_t count) {
  switch (opcode) {
    case RESET: reset_controller(judge, true); break;
    case READ_LOCAL_VERSION:
      if (count >= 6) judge->manufacturer = u16(bytes + 4);
      break;
    case READ_SUPPORTED_COMMANDS:
      if (count >= sizeof judge->supported)
        memcpy(judge->supported, bytes, sizeof judge->supported);
      break;
    case LE_READ_FEATURES:
      if (count >= 8) judge->features = u64(bytes);
      break;
    case READ_BUFFER_SIZE:
      if (count < 5) break;
      judge->shared_length = u16(bytes);
      judge->shared_count = u16(bytes + 3);
      break;
    case LE_READ_BUFFER_SIZE:
      if (count < 3) break;
      judge->le_length = u16(bytes);
      judge->le_count = bytes[2];
      break;
    case LE_READ_SUPPORTED_STATES:
      if (count < 8) break;
      judge->states = u64(bytes);
      judge->has_states = true;
      break;
    case LE_READ_ACCEPT_LIST_SIZE:
      if (count >= 1) judge->list_size = bytes[0];
      break;
    case LE_CLEAR_ACCEPT_LIST:
    case LE_ADD_TO_ACCEPT_LIST: judge_list_changed(judge, opcode); break;
    case LE_SET_ADVERTISING_PARAMETERS: judge->has_advertising_parameters = true; break;
    case LE_SET_ADVERTISING_DATA: judge->has_advertising_data = true; break;
    case LE_SET_ADVERTISING_ENABLE:
      judge->is_advertising = judge->is_advertising_wanted;
      if (judge->is_advertising) judge->has_advertised = true;
      break;
    case LE_SET_SCAN_PARAMETERS: judge->is_scan_active = judge->is_scan_active_wanted; break;
    case LE_SET_SCAN_ENABLE: judge->is_scanning = judge->is_scan_wanted; break;
    case LE_CREATE_CONNECTION:
      if (judge->creation == JUDGE_CREATE_SENT) judge->creation = JUDGE_CREATING;
      break;
    default: break;
  }
}

/// The command was not carried out.
static void refuse(struct judge *judge, uint16_t opcode, uint8_t status) {
  struct judge_link *link = judge_link(judge, judge->awaited_handle);
  switch (opcode) {
    // What cannot be switched off is not on.
    case LE_SET_SCAN_ENABLE:
      if (!judge->is_scan_wanted) judge->is_scanning = false;
      break;
    case LE_SET_ADVERTISING_ENABLE:
      if (!judge->is_advertising_wanted) judge->is_advertising = false;
      break;
    case LE_CREATE_CONNECTION:
      if (judge->creation == JUDGE_CREATE_SENT) judge->creation = JUDGE_IDLE;
      break;
    case LE_CREATE_CONNECTION_CANCEL:
      // Command Disallowed: nothing is being created (7.8.13).
      if (status == 0x0C && judge->creation == JUDGE_CANCELLED) judge->creation = JUDGE_IDLE;
      break;
    case DISCONNECT:
      // Unknown Connection Identifier: what told of its end was lost (7.1.6).
      if (status == 0x02 && link != NULL) link->is_live = false;
      break;
    case LE_LONG_TERM_KEY_REQUEST_REPLY:
      if (link != NULL) link->is_encrypting = false;
      break;
    case LE_ENABLE_ENCRYPTION:
      if (link != NULL) judge_encryption(link, false);
      break;
    default: break;
  }
}

/// Command Complete (7.7.14) or Command Status (7.7.15); it settles the command that it names.
static void answer(
    struct judge *judge, uint8_t credits, uint16_t opcode, uint8_t status, const uint8_t *bytes,
    size_t count) {
  judge->credits = credits;
  if (opcode == 0 || opcode != judge->awaited) return;
  judge->awaited = 0;
  if (status == 0) {
    learn(judge, opcode, bytes, count);
  } else {
    refuse(judge, opcode, status);
  }
}

/// LE Connection Complete (7.7.65.1), or LE Enhanced Connection Complete (7.7.65.10).
static void connect(struct judge *judge, const uint8_t *bytes, size_t count) {
  if (count < (bytes[0] == 0x0A ? 31u : 19u)) return;
  uint16_t handle = u16(bytes + 2) & 0x0FFF;
  // A handle, a role or an address type that is none.
  if (bytes[1] == 0 && (handle > 0x0EFF || bytes[4] > 1 || bytes[5] > 3)) return;
  bool is_peripherals = bytes[1] == 0 && bytes[4] == 0x01;
  bool was_asked = is_peripherals ? judge->has_advertised : judge->creation != JUDGE_IDLE;
  if (is_peripherals) {
    judge->is_advertising = judge->has_advertised = false;
  } else {
    judge->creation = JUDGE_IDLE;
  }
  if (bytes[1] != 0) return;
  struct judge_link *link = judge_link(judge, handle);
  // One that nobody asked for, of a link that there is, is a lie; but the host can know no better whose link it is.
  if (link != NULL && !was_asked) {
    memcpy(link->peer, bytes + 5, sizeof link->peer);
    return;
  }
  for (size_t index = 0; link == NULL && index < JUDGE_LINKS; index++)
    if (!judge->links[index].is_live) link = &judge->links[index];
  if (link == NULL) return;
  memset(link, 0, sizeof *link);
  link->is_live = true;
  link->handle = handle;
  link->role = is_peripherals ? JUDGE_PERIPHERAL : JUDGE_CENTRAL;
  link->was_asked = was_asked;
  memcpy(link->peer, bytes + 5, sizeof link->peer);
  link->mtu = 23;  // Vol 3, Part G, 5.2.1
}

/// Number Of Completed Packets (7.7.19).
static void complete_packets(struct judge *judge, const uint8_t *bytes, size_t count) {
  if (count < 1 || count != 1 + 4 * (size_t)bytes[0]) return;
  for (size_t index = 1; index < count; index += 4) {
    struct judge_link *link = judge_link(judge, u16(bytes + index) & 0x0FFF);
    if (link == NULL) continue;
    uint32_t completed = u16(bytes + index + 2);
    link->in_flight -= completed < link->in_flight ? completed : link->in_flight;
  }
}

/// Encryption Change (7.7.8), or Encryption Key Refresh Complete (7.7.39).
static void change_encryption(struct judge *judge, const uint8_t *bytes, bool is_on) {
  struct judge_link *link = judge_link(judge, u16(bytes + 1) & 0x0FFF);
  if (link == NULL) return;
  bool is_success = bytes[0] == 0 && is_on;
  // What nobody asked for makes no link secure.
  if (is_success && !link->is_encrypting) return;
  judge_encryption(link, is_success);
}

static void le_event(struct judge *judge, const uint8_t *bytes, size_t count) {
  if (count < 1) return;
  if (bytes[0] == 0x01 || bytes[0] == 0x0A) connect(judge, bytes, count);
  // LE Long Term Key Request (7.7.65.5).
  if (bytes[0] == 0x05 && count >= 13) {
    struct judge_link *link = judge_link(judge, u16(bytes + 1) & 0x0FFF);
    if (link != NULL) {
      link->is_key_awaited = true;
      link->is_legacy_key = !is_zero(bytes + 3, 10);
    } else {
      judge->is_key_stray = true;
      judge->stray_handle = u16(bytes + 1) & 0x0FFF;
    }
  }
  // LE Remote Connection Parameter Request (7.7.65.6).
  if (bytes[0] == 0x06 && count >= 11) {
    struct judge_link *link = judge_link(judge, u16(bytes + 1) & 0x0FFF);
    if (link != NULL) {
      count_up(&link->parameter_requests);
    } else {
      judge->is_stray = true;
      judge->stray_handle = u16(bytes + 1) & 0x0FFF;
    }
  }
}

void judge_is_sensors(struct judge *judge, uint16_t handle) {
  struct judge_link *link = judge_link(judge, handle);
  if (link != NULL) link->is_sensors = true;
}

void judge_taken_back(struct judge *judge) {
  if (judge->awaited == 0) return;
  judge->awaited = 0;
  judge->credits += 1;
}

void judge_event(struct judge *judge, const uint8_t *packet, size_t length) {
  if (length < 3 || packet[2] != length - 3) return;
  const uint8_t *bytes = packet + 3;
  size_t count = length - 3;
  switch (packet[1]) {
    case 0x05:  // Disconnection Complete (7.7.5): its packets have left the buffers with it
      if (count >= 4 && bytes[0] == 0) {
        struct judge_link *link = judge_link(judge, u16(bytes + 1) & 0x0FFF);
        if (link != NULL) link->is_live = false;
      }
      break;
    case 0x10:  // Hardware Error (7.7.16): a promise that nothing is said before Reset
      if (count >= 1) reset_controller(judge, false);
      break;
    case 0x08:
      if (count >= 4) change_encryption(judge, bytes, bytes[3] != 0);
      break;
    case 0x30:
      if (count >= 3) change_encryption(judge, bytes, true);
      break;
    case 0x0E:
      // One without a status answers nothing, and is taken for a refusal.
      if (count == 3) answer(judge, bytes[0], u16(bytes + 1), 0xFF, NULL, 0);
      if (count >= 4) answer(judge, bytes[0], u16(bytes + 1), bytes[3], bytes + 4, count - 4);
      break;
    case 0x0F:
      if (count >= 4) answer(judge, bytes[1], u16(bytes + 2), bytes[0], NULL, 0);
      break;
    case 0x13: complete_packets(judge, bytes, count); break;
    case 0x3E: le_event(judge, bytes, count); break;
    default: break;
  }
}
