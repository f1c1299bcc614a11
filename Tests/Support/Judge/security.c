// The Security Manager in both roles, LE Secure Connections only: Vol 3, Part H, 2.3, 2.4 and 3.
#include "internal.h"

enum {
  PAIRING_REQUEST = 0x01,
  PAIRING_RESPONSE,
  PAIRING_CONFIRM,
  PAIRING_RANDOM,
  PAIRING_FAILED,
  ENCRYPTION_INFORMATION,
  CENTRAL_IDENTIFICATION,
  IDENTITY_INFORMATION,
  IDENTITY_ADDRESS_INFORMATION,
  SIGNING_INFORMATION,
  SECURITY_REQUEST,
  PAIRING_PUBLIC_KEY,
  PAIRING_DHKEY_CHECK,
  KEYPRESS_NOTIFICATION,
  CODES,
  // Key distribution, 3.6.1
  ID_KEY = 0x02,
  SIGN_KEY = 0x04,
  // AuthReq, 3.5.1
  SECURE_CONNECTIONS = 0x08,
};

/// Commands with their codes (3.5, 3.6).
static const size_t SIZES[CODES] = {0, 7, 7, 17, 17, 2, 17, 11, 17, 8, 17, 2, 65, 17, 2};

/// The commands that a key distribution stands for, a bit for each code.
static uint16_t commands_of(uint8_t keys) {
  uint16_t commands = 0;
  if ((keys & ID_KEY) != 0)
    commands |= 1 << IDENTITY_INFORMATION | 1 << IDENTITY_ADDRESS_INFORMATION;
  if ((keys & SIGN_KEY) != 0) commands |= 1 << SIGNING_INFORMATION;
  return commands;
}

static bool has_all(uint16_t commands, uint8_t keys) {
  return (commands & commands_of(keys)) == commands_of(keys);
}

bool judge_has_key(const struct judge_link *link) {
  return link->step == JUDGE_CHECK_HEARD || link->step == JUDGE_OWN_CHECK_SENT;
}

/// Ends the pairing once all keys went and came.
static void finish(struct judge_link *link) {
  if (link->step != JUDGE_DISTRIBUTING) return;
  if (has_all(link->given, link->agreed[0]) && has_all(link->got, link->agreed[1]))
    link->step = JUDGE_NO_PAIRING;
}

void judge_encryption(struct judge_link *link, bool is_on) {
  link->is_encrypting = false;
  link->is_encrypted = is_on;
  link->is_refused = !is_on;
  if (!judge_has_key(link)) return;
  link->step = is_on ? JUDGE_DISTRIBUTING : JUDGE_NO_PAIRING;
  finish(link);
}

/// What Pairing Request and Pairing Response have in common.
static const char *judge_features(struct judge *judge, const uint8_t *command) {
  // 3.5.1: IO capability, OOB, AuthReq with its reserved bits, key size, keys.
  if (command[1] > 4 || command[2] > 1 || (command[3] & 0xC0) != 0 || (command[3] & 0x03) > 1)
    return wrong(judge, command[3], "a pairing request with reserved values");
  if (command[4] < 7 || command[4] > 16) return wrong(judge, command[4], "a key size beyond 7 to 16");
  if (command[5] > 0x0F || command[6] > 0x0F)
    return wrong(judge, command[5], "keys that nobody can hand out");
  // A promise: nothing weaker.
  if ((command[3] & SECURE_CONNECTIONS) == 0)
    return wrong(judge, command[3], "a pairing without secure connections");
  return NULL;
}

static const char *judge_pairing_request(
    struct judge *judge, struct judge_link *link, const uint8_t *command) {
  if (link->step != JUDGE_NO_PAIRING)
    return wrong(judge, link->step, "a pairing is begun within another");
  const char *verdict = judge_features(judge, command);
  if (verdict != NULL) return verdict;
  link->step = JUDGE_REQUESTED;
  link->requirements = command[3];
  memcpy(link->offered, command + 5, 2);
  link->given = link->got = 0;
  return NULL;
}

/// A command that goes at one step of the pairing only, and leads to the next.
static const char *judge_step(
    struct judge *judge, struct judge_link *link, enum judge_step from, enum judge_step to) {
  if (link->step != from) {
    // It may have left us when the other side's failure was on its way.
    if (link->is_crossed && link->step == JUDGE_NO_PAIRING) return NULL;
    return wrong(judge, link->step, "a pairing command out of its order");
  }
  link->step = to;
  return NULL;
}

/// The answer to a request that the judge has heard.
static const char *judge_pairing_response(
    struct judge *judge, struct judge_link *link, const uint8_t *command) {
  const char *verdict = judge_features(judge, command);
  if (verdict != NULL) return verdict;
  if (link->step != JUDGE_ASKED) return judge_step(judge, link, JUDGE_ASKED, JUDGE_RESPONDED);
  if ((link->requirements & SECURE_CONNECTIONS) == 0)
    return wrong(judge, link->requirements, "a pairing without secure connections");
  // 3.6.1: none that the initiator does not want.
  if ((command[5] & ~link->offered[0]) != 0 || (command[6] & ~link->offered[1]) != 0)
    return wrong(judge, command[5], "keys that the initiator does not want");
  link->agreed[0] = command[6];
  link->agreed[1] = command[5];
  link->given = link->got = 0;
  return judge_step(judge, link, JUDGE_ASKED, JUDGE_RESPONDED);
}

/// Security Request (2.4.6, 3.6.7): where nothing of that is under way.
static const char *judge_security_request(
    struct judge *judge, struct judge_link *link, const uint8_t *command) {
  if ((command[1] & 0xC0) != 0 || (command[1] & 0x03) > 1)
    return wrong(judge, command[1], "a security request with reserved values");
  bool is_quiet = link->step == JUDGE_NO_PAIRING && !link->is_key_awaited && !link->is_encrypting;
  if (!is_quiet || link->is_encrypted)
    return wrong(judge, link->step, "security is requested though it is coming");
  return NULL;
}

/// What an initiator says of a pairing, up to the distribution of keys (2.3.5.6).
static const char *judge_initiator(
    struct judge *judge, struct judge_link *link, const uint8_t *command) {
  switch (command[0]) {
    case PAIRING_REQUEST: return judge_pairing_request(judge, link, command);
    case PAIRING_PUBLIC_KEY:
      if (is_zero(command + 1, 64)) return wrong(judge, command[0], "a public key of zero");
      return judge_step(judge, link, JUDGE_ANSWERED, JUDGE_KEY_SENT);
    case PAIRING_RANDOM: return judge_step(judge, link, JUDGE_CONFIRM_HEARD, JUDGE_RANDOM_SENT);
    case PAIRING_DHKEY_CHECK: return judge_step(judge, link, JUDGE_RANDOM_HEARD, JUDGE_CHECK_SENT);
    // A confirm value comes from the responder alone where no passkey is used (2.3.5.6.2), keys
    // of legacy pairing from nobody.
    default: return wrong(judge, command[0], "a security command that is not an initiator's");
  }
}

/// What a responder says of a pairing, up to the distribution of keys (2.3.5.6).
static const char *judge_responder(
    struct judge *judge, struct judge_link *link, const uint8_t *command) {
  switch (command[0]) {
    case PAIRING_RESPONSE: return judge_pairing_response(judge, link, command);
    case PAIRING_PUBLIC_KEY:
      if (is_zero(command + 1, 64)) return wrong(judge, command[0], "a public key of zero");
      return judge_step(judge, link, JUDGE_PEER_KEY_HEARD, JUDGE_OWN_KEY_SENT);
    case PAIRING_CONFIRM: return judge_step(judge, link, JUDGE_OWN_KEY_SENT, JUDGE_OWN_CONFIRM_SENT);
    case PAIRING_RANDOM: return judge_step(judge, link, JUDGE_PEER_RANDOM_HEARD, JUDGE_OWN_RANDOM_SENT);
    case PAIRING_DHKEY_CHECK: return judge_step(judge, link, JUDGE_PEER_CHECK_HEARD, JUDGE_OWN_CHECK_SENT);
    case SECURITY_REQUEST: return judge_security_request(judge, link, command);
    default: return wrong(judge, command[0], "a security command that is not a responder's");
  }
}

/// Our keys come last if we are the initiator, in the order of their codes (2.4.3, 3.6.1).
static const char *judge_key(struct judge *judge, struct judge_link *link, uint8_t code) {
  uint16_t promised = commands_of(link->agreed[0]);
  if (link->step != JUDGE_DISTRIBUTING || !link->is_encrypted)
    return wrong(judge, code, "a key outside the key distribution");
  if ((promised >> code & 1) == 0) return wrong(judge, code, "a key that was not promised");
  if (link->role == JUDGE_CENTRAL && !has_all(link->got, link->agreed[1]))
    return wrong(judge, code, "a key before the responder's");
  // All promised ones before it, and none from it on.
  if (link->given != (promised & ((1 << code) - 1))) return wrong(judge, code, "a key out of its order");
  link->given |= (uint16_t)(1 << code);
  finish(link);
  return NULL;
}

static const char *judge_failure(struct judge *judge, struct judge_link *link, uint8_t reason) {
  if (reason == 0 || reason > 0x0F) return wrong(judge, reason, "a failure with a reserved reason");
  if (link->step == JUDGE_NO_PAIRING && !link->may_fail && !link->is_crossed)
    return wrong(judge, reason, "a failure of nothing");
  link->step = JUDGE_NO_PAIRING;
  link->may_fail = false;
  return NULL;
}

const char *judge_security(
    struct judge *judge, struct judge_link *link, const uint8_t *command, size_t count) {
  if (count == 0) return wrong(judge, 0, "a security command with nothing in it");
  uint8_t code = command[0];
  if (code == 0 || code >= CODES) return wrong(judge, code, "a security command that is reserved");
  if (SIZES[code] != count) return wrong(judge, code, "a security command of a wrong length");
  switch (code) {
    case PAIRING_FAILED: return judge_failure(judge, link, command[1]);
    case IDENTITY_ADDRESS_INFORMATION:
      // Public, or static random with its two upper bits set (3.6.5; Vol 6, Part B, 1.3.2.1).
      if (command[1] > 1 || (command[1] == 1 && command[7] < 0xC0))
        return wrong(judge, command[1], "an identity address that changes");
      return judge_key(judge, link, code);
    case IDENTITY_INFORMATION:
    case SIGNING_INFORMATION: return judge_key(judge, link, code);
    default: break;
  }
  return link->role == JUDGE_CENTRAL ? judge_initiator(judge, link, command)
                                     : judge_responder(judge, link, command);
}

/// The other side's command at its step of the pairing.
static void step_heard(struct judge_link *link, uint8_t code) {
  static const struct {
    uint8_t code;
    enum judge_step from, to;
  } STEPS[] = {
      {PAIRING_PUBLIC_KEY, JUDGE_KEY_SENT, JUDGE_KEY_HEARD},
      {PAIRING_CONFIRM, JUDGE_KEY_HEARD, JUDGE_CONFIRM_HEARD},
      {PAIRING_RANDOM, JUDGE_RANDOM_SENT, JUDGE_RANDOM_HEARD},
      {PAIRING_DHKEY_CHECK, JUDGE_CHECK_SENT, JUDGE_CHECK_HEARD},
      {PAIRING_PUBLIC_KEY, JUDGE_RESPONDED, JUDGE_PEER_KEY_HEARD},
      {PAIRING_RANDOM, JUDGE_OWN_CONFIRM_SENT, JUDGE_PEER_RANDOM_HEARD},
      {PAIRING_DHKEY_CHECK, JUDGE_OWN_RANDOM_SENT, JUDGE_PEER_CHECK_HEARD},
  };
  for (size_t index = 0; index < sizeof STEPS / sizeof *STEPS; index++) {
    if (STEPS[index].code != code || STEPS[index].from != link->step) continue;
    link->step = STEPS[index].to;
    return;
  }
}

void judge_security_heard(struct judge_link *link, const uint8_t *command, size_t count) {
  uint8_t code = command[0];
  if (code == 0 || code >= CODES) return;
  link->may_fail = true;
  if (SIZES[code] != count) return;
  switch (code) {
    case PAIRING_REQUEST:
      // Within a pairing it is out of its order.
      if (link->role != JUDGE_PERIPHERAL) return;
      if (link->step != JUDGE_NO_PAIRING && link->step != JUDGE_DISTRIBUTING) return;
      link->step = JUDGE_ASKED;
      link->requirements = command[3];
      memcpy(link->offered, command + 5, 2);
      break;
    case PAIRING_RESPONSE:
      // Without secure connections on both sides it ends here.
      if (link->step != JUDGE_REQUESTED) return;
      if ((command[3] & link->requirements & SECURE_CONNECTIONS) == 0) return;
      link->step = JUDGE_ANSWERED;
      link->agreed[0] = link->offered[0] & command[5];
      link->agreed[1] = link->offered[1] & command[6];
      break;
    case SECURITY_REQUEST: link->is_renewal_wished = link->is_encrypted; break;
    case PAIRING_FAILED:
      link->step = JUDGE_NO_PAIRING;
      link->may_fail = false;  // it gets no answer
      link->is_crossed = link->sent.is_open;
      break;
    case IDENTITY_INFORMATION:
    case IDENTITY_ADDRESS_INFORMATION:
    case SIGNING_INFORMATION:
      // By USB the data may be there before the word that they were encrypted.
      if (link->step != JUDGE_DISTRIBUTING && !judge_has_key(link)) return;
      link->got |= (uint16_t)(1 << code);
      finish(link);
      break;
    default: step_heard(link, code); break;
  }
}
