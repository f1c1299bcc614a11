// The attribute protocol, both sides of it: Vol 3, Part F, 3.
#include "internal.h"

enum {
  ERROR_RSP = 0x01,
  EXCHANGE_MTU_REQ = 0x02,
  EXCHANGE_MTU_RSP = 0x03,
  HANDLE_VALUE_NTF = 0x1B,
  HANDLE_VALUE_IND = 0x1D,
  HANDLE_VALUE_CFM = 0x1E,
  COMMAND_FLAG = 0x40,  // 3.3.1
};

/// Whether the handles of a request make a range (3.3: 0x0000 is reserved).
static bool is_range(const uint8_t *bytes) { return u16(bytes) != 0 && u16(bytes) <= u16(bytes + 2); }

/// Whether a request of a client is well-formed; its parameters begin behind the opcode.
static bool is_request_whole(const uint8_t *pdu, size_t count) {
  switch (pdu[0]) {
    case EXCHANGE_MTU_REQ: return count == 3 && u16(pdu + 1) >= 23;                // 3.4.2.1
    case 0x04: return count == 5 && is_range(pdu + 1);                             // 3.4.3.1
    case 0x06: return count >= 7 && is_range(pdu + 1);                             // 3.4.3.3
    case 0x08:                                                                     // 3.4.4.1
    case 0x10: return (count == 7 || count == 21) && is_range(pdu + 1);            // 3.4.4.9
    case 0x0A: return count == 3 && u16(pdu + 1) != 0;                             // 3.4.4.3
    case 0x0C: return count == 5 && u16(pdu + 1) != 0 && u16(pdu + 3) <= 512;      // 3.4.4.5
    case 0x0E: return count >= 5 && count % 2 == 1;                                // 3.4.4.7
    case 0x12: return count >= 3 && u16(pdu + 1) != 0;                             // 3.4.5.1
    case 0x16: return count >= 5 && u16(pdu + 1) != 0;                             // 3.4.6.1
    case 0x18: return count == 2 && pdu[1] <= 1;                                   // 3.4.6.3
    default: return false;
  }
}

/// Whether entries of one size fill a response, and their handles rise.
static bool is_list(const uint8_t *entries, size_t count, size_t size) {
  if (size < 2 || count == 0 || count % size != 0) return false;
  uint16_t last = 0;
  for (size_t index = 0; index < count; index += size) {
    if (u16(entries + index) <= last) return false;
    last = u16(entries + index);
  }
  return true;
}

/// Whether a response of a server is well-formed.
static bool is_response_whole(const uint8_t *pdu, size_t count) {
  switch (pdu[0]) {
    case EXCHANGE_MTU_RSP: return count == 3 && u16(pdu + 1) >= 23;                       // 3.4.2.2
    case 0x05:                                                                            // 3.4.3.2
      return count >= 2 && (pdu[1] == 1 || pdu[1] == 2) &&
             is_list(pdu + 2, count - 2, pdu[1] == 1 ? 4 : 18);
    case 0x07: return is_list(pdu + 1, count - 1, 4);                                     // 3.4.3.4
    case 0x09: return count >= 2 && is_list(pdu + 2, count - 2, pdu[1]);                  // 3.4.4.2
    case 0x11: return count >= 2 && pdu[1] >= 4 && is_list(pdu + 2, count - 2, pdu[1]);   // 3.4.4.10
    case 0x0B:
    case 0x0D:
    case 0x0F: return true;                                                        // 3.4.4.4 to 3.4.4.8
    case 0x13:
    case 0x19: return count == 1;                                                  // 3.4.5.2, 3.4.6.4
    case 0x17: return count >= 5;                                                  // 3.4.6.2
    default: return false;
  }
}

/// The MTU is the smaller of both sides' (3.4.2.2); a peer that says another one later can only raise it.
static void agree_on_mtu(struct judge_link *link) {
  uint16_t mtu = link->own_mtu < link->peer_mtu ? link->own_mtu : link->peer_mtu;
  if (mtu > link->mtu) link->mtu = mtu;
}

/// Both roles of a device say the same (3.4.2.1, 3.4.2.2).
static const char *judge_own_mtu(struct judge *judge, struct judge_link *link, uint16_t mtu) {
  if (link->own_mtu != 0 && link->own_mtu != mtu) return wrong(judge, mtu, "another MTU than before");
  link->own_mtu = mtu;
  return NULL;
}

static const char *judge_request(
    struct judge *judge, struct judge_link *link, const uint8_t *pdu, size_t count) {
  uint8_t opcode = pdu[0];
  if (!is_request_whole(pdu, count)) return wrong(judge, opcode, "a request that is malformed");
  // 3.3.2: one at a time.
  if (link->request != 0) return wrong(judge, opcode, "a request before the last one was answered");
  link->request = opcode;
  // A promise: a phone that came by itself is asked nothing before it has shown its key.
  if (link->role == JUDGE_PERIPHERAL && !link->is_encrypted && !link->is_crossed)
    return wrong(judge, opcode, "a request to a phone that has shown no key");
  if (opcode == EXCHANGE_MTU_REQ) {
    if (link->has_asked_mtu) return wrong(judge, opcode, "the MTU is exchanged twice");
    link->has_asked_mtu = true;
    return judge_own_mtu(judge, link, u16(pdu + 1));
  }
  link->has_asked = true;
  // Promises: a phone that has a key is asked over no link without it. While a link is encrypted once more, the
  // link layer keeps the packets back (Vol 6, Part B, 5.1.3.2).
  if (link->is_encrypting && !link->is_encrypted && !link->is_crossed)
    return wrong(judge, opcode, "a request while the encryption is only begun");
  if (link->is_refused && !link->is_sensors)
    return wrong(judge, opcode, "a request where the encryption failed");
  return NULL;
}

static const char *judge_error(
    struct judge *judge, struct judge_link *link, const uint8_t *pdu, size_t count) {
  if (count != 5) return wrong(judge, (uint32_t)count, "an error that is malformed");
  // Error codes, 3.4.1.1: the specification's, the application's, the profiles'.
  uint8_t code = pdu[4];
  if (code == 0 || (code > 0x14 && code < 0x80) || (code > 0x9F && code < 0xE0))
    return wrong(judge, code, "an error code that is reserved");
  if (!count_down(&link->answers[pdu[1]])) return wrong(judge, pdu[1], "an error that answers nothing");
  return NULL;
}

static const char *judge_response(
    struct judge *judge, struct judge_link *link, const uint8_t *pdu, size_t count) {
  uint8_t opcode = pdu[0];
  if (opcode == ERROR_RSP) return judge_error(judge, link, pdu, count);
  if (!is_response_whole(pdu, count)) return wrong(judge, opcode, "a response that is malformed");
  if (!count_down(&link->answers[opcode - 1]))
    return wrong(judge, opcode, "a response that answers nothing");
  if (opcode != EXCHANGE_MTU_RSP) return NULL;
  const char *verdict = judge_own_mtu(judge, link, u16(pdu + 1));
  agree_on_mtu(link);
  return verdict;
}

/// What our server tells by itself: a peer has subscribed to it that has a key of ours (Part G, 3.3.3.3).
static const char *judge_told(
    struct judge *judge, struct judge_link *link, const uint8_t *pdu, size_t count) {
  // Promises: Service Changed of all handles is indicated, once a link, and Nordic's TX notifies 20 octets at most.
  static const uint8_t change[] = {HANDLE_VALUE_IND, 0x08, 0x00, 0x01, 0x00, 0xFF, 0xFF};
  uint8_t opcode = pdu[0];
  if (!link->is_encrypted) return wrong(judge, opcode, "something told on an open link");
  if (opcode == HANDLE_VALUE_NTF) {
    bool is_uart = count > 3 && count <= 3 + 20 && u16(pdu + 1) == 0x000E;
    return is_uart ? NULL : wrong(judge, opcode, "a notification of what does not notify");
  }
  if (count != sizeof change || memcmp(pdu, change, count) != 0)
    return wrong(judge, opcode, "an indication of what does not indicate");
  // Part F, 3.3.2: one at a time.
  if (link->is_unconfirmed) return wrong(judge, opcode, "an indication before the last one was confirmed");
  if (link->has_indicated) return wrong(judge, opcode, "an indication that was confirmed already");
  link->has_indicated = link->is_unconfirmed = true;
  return NULL;
}

const char *judge_attribute(
    struct judge *judge, struct judge_link *link, const uint8_t *pdu, size_t count) {
  if (count == 0) return wrong(judge, 0, "an attribute PDU with nothing in it");
  uint8_t opcode = pdu[0];
  if (count > link->mtu) return wrong(judge, (uint32_t)count, "an attribute PDU longer than the MTU");
  if (opcode == HANDLE_VALUE_CFM) {
    if (count != 1) return wrong(judge, (uint32_t)count, "a confirmation that is malformed");
    if (!count_down(&link->confirmations)) return wrong(judge, opcode, "a confirmation of nothing");
    return NULL;
  }
  if (opcode == HANDLE_VALUE_NTF || opcode == HANDLE_VALUE_IND)
    return judge_told(judge, link, pdu, count);
  // Nobody gave us a key to sign with (3.4.5.3, 3.4.5.4).
  if (opcode > HANDLE_VALUE_CFM || opcode == 0)
    return wrong(judge, opcode, "an attribute opcode that is not ours");
  if ((opcode & 1) != 0) return judge_response(judge, link, pdu, count);
  return judge_request(judge, link, pdu, count);
}

/// What a client asks: an even opcode, or one that nobody has named (3.4.8).
static bool is_asking(uint8_t opcode) {
  return (opcode & 1) == 0 || opcode == 0x15 || opcode == 0x1F || opcode > 0x23;
}

void judge_attribute_heard(struct judge_link *link, const uint8_t *pdu, size_t count) {
  uint8_t opcode = pdu[0];
  if (opcode == HANDLE_VALUE_IND && count >= 3) count_up(&link->confirmations);
  if (opcode == HANDLE_VALUE_CFM && count == 1) link->is_unconfirmed = false;
  if ((opcode & COMMAND_FLAG) != 0 || opcode == HANDLE_VALUE_CFM) return;
  if (is_asking(opcode)) {
    count_up(&link->answers[opcode]);
    if (opcode != EXCHANGE_MTU_REQ || count != 3) return;
  } else {
    // An Error Response names its request; any other is of the next opcode.
    uint8_t request = opcode == ERROR_RSP ? (count >= 5 ? pdu[1] : 0) : opcode - 1;
    if (link->request == 0 || request != link->request) return;
    link->request = 0;
    if (opcode != EXCHANGE_MTU_RSP || count < 3) return;
  }
  uint16_t mtu = u16(pdu + 1);
  if (mtu > link->peer_mtu) link->peer_mtu = mtu;
  if (opcode == EXCHANGE_MTU_RSP) agree_on_mtu(link);
}
