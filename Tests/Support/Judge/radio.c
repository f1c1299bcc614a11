// What the radio does: scanning, creating connections, the list of whom to connect to. Vol 4, Part E, 7.8.
#include "internal.h"

bool are_connection_parameters(const uint8_t *bytes) {
  uint32_t min = u16(bytes), max = u16(bytes + 2), latency = u16(bytes + 4), timeout = u16(bytes + 6);
  if (min < 0x0006 || max > 0x0C80 || min > max || latency > 0x01F3) return false;
  if (timeout < 0x000A || timeout > 0x0C80) return false;
  // 10 ms of the timeout against 1.25 ms of the interval, twice.
  if (timeout * 8 <= (1 + latency) * max * 2) return false;
  return u16(bytes + 8) <= u16(bytes + 10);
}

bool are_scan_times(const uint8_t *bytes) {
  uint16_t interval = u16(bytes), window = u16(bytes + 2);
  return interval >= 0x0004 && interval <= 0x4000 && window >= 0x0004 && window <= interval;
}

bool excludes_links(const struct judge *judge, enum judge_role role, int bit) {
  if (!judge->has_states || (judge->states >> bit & 1) != 0) return false;
  for (size_t index = 0; index < JUDGE_LINKS; index++) {
    const struct judge_link *link = &judge->links[index];
    if (link->is_live && link->was_asked && link->role == role) return true;
  }
  return false;
}

const char *judge_scanning(struct judge *judge, uint16_t opcode, const uint8_t *parameters) {
  if (opcode == LE_SET_SCAN_PARAMETERS) {
    if (judge->is_scanning) return wrong(judge, opcode, "scan parameters while scanning is enabled");
    if (parameters[0] > 1) return wrong(judge, parameters[0], "a scan type that is none");
    if (!are_scan_times(parameters + 1))
      return wrong(judge, u16(parameters + 1), "a scan interval and window that do not go together");
    if (parameters[5] != 0) return wrong(judge, parameters[5], "an own address that was not set");
    if (parameters[6] != 0) return wrong(judge, parameters[6], "a filter of what is searched for");
    judge->is_scan_active_wanted = parameters[0] == 1;
    return NULL;
  }
  if (parameters[0] > 1 || parameters[1] > 1) return wrong(judge, opcode, "a switch beyond 1");
  if (parameters[0] == 1 && judge->is_scanning)
    return wrong(judge, opcode, "scanning is enabled though it is");
  // A promise: there are controllers that refuse it (7.8.11 allows it).
  if (parameters[0] == 0 && !judge->is_scan_wanted)
    return wrong(judge, opcode, "scanning is ended though it is not enabled");
  if (parameters[0] == 1 && judge->creation != JUDGE_IDLE)
    return wrong(judge, opcode, "scanning is enabled while a connection is created");
  int bit = judge->is_scan_active ? 25 : 24;
  if (parameters[0] == 1 &&
      (excludes_links(judge, JUDGE_CENTRAL, bit) || excludes_links(judge, JUDGE_PERIPHERAL, bit + 2)))
    return wrong(judge, opcode, "scanning beside a link on a controller that cannot");
  judge->is_scan_wanted = parameters[0] == 1;
  return NULL;
}

/// Whether the peer is at the other end of a link (7.8.12: Connection Already Exists).
static bool is_linked(const struct judge *judge, const uint8_t *peer) {
  for (size_t index = 0; index < JUDGE_LINKS; index++) {
    const struct judge_link *link = &judge->links[index];
    if (link->is_live && link->was_asked && memcmp(link->peer, peer, sizeof link->peer) == 0) return true;
  }
  return false;
}

const char *judge_creation(struct judge *judge, const uint8_t *parameters) {
  if (judge->creation != JUDGE_IDLE)
    return wrong(judge, LE_CREATE_CONNECTION, "a connection is created while another one is");
  // A promise: the bits of LE States for both at once (22, 23) are not relied on.
  if (judge->is_scanning)
    return wrong(judge, LE_CREATE_CONNECTION, "a connection is created while scanning is enabled");
  if (!are_scan_times(parameters))
    return wrong(judge, u16(parameters), "a scan interval and window that do not go together");
  if (parameters[4] > 1) return wrong(judge, parameters[4], "a filter policy that is none");
  // A promise: it would never end by itself.
  if (parameters[4] == 1 && judge->list_count == 0)
    return wrong(judge, parameters[4], "a filter policy without its list");
  if (parameters[5] > 3) return wrong(judge, parameters[5], "a peer's address of no type");
  if (parameters[4] == 0 && is_linked(judge, parameters + 5))
    return wrong(judge, parameters[6], "a connection is created to a peer that has one");
  // A promise: the bit for both at once (32) is not relied on.
  if (judge->is_advertising)
    return wrong(judge, LE_CREATE_CONNECTION, "a connection is created while advertising is enabled");
  if (excludes_links(judge, JUDGE_CENTRAL, 28) || excludes_links(judge, JUDGE_PERIPHERAL, 41))
    return wrong(judge, LE_CREATE_CONNECTION, "a connection beside a link on a controller that cannot");
  if (parameters[12] != 0) return wrong(judge, parameters[12], "an own address that was not set");
  if (!are_connection_parameters(parameters + 13))
    return wrong(judge, u16(parameters + 13), "connection parameters that do not go together");
  judge->creation = JUDGE_CREATE_SENT;
  judge->is_by_list = parameters[4] == 1;
  return NULL;
}

const char *judge_cancel(struct judge *judge) {
  if (judge->creation != JUDGE_CREATING)
    return wrong(judge, judge->creation, "a connection is called back that is not being created");
  judge->creation = JUDGE_CANCELLED;
  return NULL;
}

static bool is_listed(const struct judge *judge, const uint8_t *device) {
  for (size_t index = 0; index < judge->list_count; index++)
    if (memcmp(judge->list[index], device, sizeof judge->list[index]) == 0) return true;
  return false;
}

const char *judge_accept_list(struct judge *judge, uint16_t opcode, const uint8_t *device) {
  if (judge->creation != JUDGE_IDLE && judge->is_by_list)
    return wrong(judge, opcode, "the accept list is changed while a connection is created by it");
  if (opcode != LE_ADD_TO_ACCEPT_LIST) return NULL;
  if (device[0] > 1) return wrong(judge, device[0], "a listed address of no type");
  size_t size = judge->list_size == 0 ? JUDGE_LIST : judge->list_size;
  if (!is_listed(judge, device) && judge->list_count >= size)
    return wrong(judge, (uint32_t)size, "more devices than the accept list holds");
  memcpy(judge->listing, device, sizeof judge->listing);
  return NULL;
}

void judge_list_changed(struct judge *judge, uint16_t opcode) {
  if (opcode == LE_CLEAR_ACCEPT_LIST) {
    judge->list_count = 0;
  } else if (!is_listed(judge, judge->listing) && judge->list_count < JUDGE_LIST) {
    memcpy(judge->list[judge->list_count++], judge->listing, sizeof judge->listing);
  }
}
