// Judges each packet that a Bluetooth host sends, in either role, by the Bluetooth Core Specification 5.4.
//
// Written apart from the host that it judges: no code and no constant is shared, the numbers are
// the specification's. What the host receives only moves the judge's state, and may be rubbish.
//
// Beside the specification a few promises of this host are held it to, marked as such in the code:
// Reset first, one command at a time, optional commands where they are supported, nothing asked of
// a phone whose link is being encrypted, and of one that came by itself nothing before it is. One kind of
// advertising, and none beside a link that it brought about.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JUDGE_LINKS = 8, JUDGE_LIST = 255, JUDGE_FRAME = 600 };

/// An L2CAP frame that goes or comes in pieces.
struct judge_frame {
  uint8_t bytes[JUDGE_FRAME];
  size_t count;
  /// Whether it has begun and is not whole.
  bool is_open;
};

/// Of a link, that of the host that is judged (Vol 4, Part E, 7.7.65.1).
enum judge_role { JUDGE_CENTRAL, JUDGE_PERIPHERAL };

/// How far a pairing of LE Secure Connections is (Vol 3, Part H, 2.3.5.6): one that we began, then one that the
/// peer began. From the distribution of keys on they are one.
enum judge_step {
  JUDGE_NO_PAIRING,
  JUDGE_REQUESTED,
  JUDGE_ANSWERED,
  JUDGE_KEY_SENT,
  JUDGE_KEY_HEARD,
  JUDGE_CONFIRM_HEARD,
  JUDGE_RANDOM_SENT,
  JUDGE_RANDOM_HEARD,
  JUDGE_CHECK_SENT,
  JUDGE_CHECK_HEARD,
  JUDGE_ASKED,
  JUDGE_RESPONDED,
  JUDGE_PEER_KEY_HEARD,
  JUDGE_OWN_KEY_SENT,
  JUDGE_OWN_CONFIRM_SENT,
  JUDGE_PEER_RANDOM_HEARD,
  JUDGE_OWN_RANDOM_SENT,
  JUDGE_PEER_CHECK_HEARD,
  JUDGE_OWN_CHECK_SENT,
  JUDGE_DISTRIBUTING,
};

/// One connection as far as the host has heard of it.
struct judge_link {
  bool is_live;
  uint16_t handle;
  enum judge_role role;
  /// Whether LE Create Connection or advertising brought it about, and with whom: address type and address.
  bool was_asked;
  /// Whether the host has told the controller to end it.
  bool is_left;
  uint8_t peer[7];
  /// Packets that the controller has and has not completed.
  uint32_t in_flight;
  struct judge_frame sent, heard;
  /// Whether the frame that is being sent began before something that forbids it.
  bool is_crossed;
  /// LE Remote Connection Parameter Requests without a reply.
  uint8_t parameter_requests;

  /// Answers that signaling commands of the peer may still get, by their identifiers.
  uint8_t rejects[256], updates[256];
  /// Identifiers of our requests for other parameters that have no answer.
  bool is_updating[256];

  uint16_t mtu, own_mtu, peer_mtu;
  bool has_asked_mtu;
  /// Whether anything but the MTU was asked.
  bool has_asked;
  /// The opcode of our request that has no answer yet.
  uint8_t request;
  /// Answers that the peer's requests may still get, by their opcodes.
  uint8_t answers[256];
  uint8_t confirmations;
  /// Whether our server has indicated something on this link, and waits for the confirmation.
  bool has_indicated, is_unconfirmed;

  /// Whether the peer has begun to encrypt and waits for a key, and whether it wants one of legacy pairing.
  bool is_key_awaited, is_legacy_key;
  bool is_encrypting, is_encrypted;
  /// Whether the peer wants what is encrypted to be encrypted once more.
  bool is_renewal_wished;
  /// Whether the peer had no key of ours, or encryption was taken away.
  bool is_refused;
  /// Whether it is a sensor's, which may be asked without a key.
  bool is_sensors;
  enum judge_step step;
  /// The last octets of Pairing Request, then what both sides agreed on: our keys, the peer's.
  uint8_t requirements, offered[2], agreed[2];
  /// Commands of the key distribution that went or came, a bit for each code.
  uint16_t given, got;
  /// Whether the peer sent a command since our last Pairing Failed.
  bool may_fail;
};

/// All that is known of a host and its controller.
struct judge {
  /// The number that a verdict is about: an opcode, a length, a handle.
  uint32_t detail;

  /// Whether Reset was answered since the transport was opened, and not sent again.
  bool is_up;
  /// The command without an answer; 0 is none.
  uint16_t awaited;
  /// The link of that command.
  uint16_t awaited_handle;
  uint8_t credits;
  uint8_t supported[64];
  uint64_t features;
  uint16_t manufacturer;
  uint16_t le_length, le_count, shared_length, shared_count;
  /// LE States (7.8.27), once it was read.
  uint64_t states;
  bool has_states;
  /// Whether the board's settings let it advertise, which Reset does not change.
  bool may_advertise;
  bool is_advertising, is_advertising_wanted;
  /// Whether it has advertised since a phone came of it.
  bool has_advertised;
  /// Whether parameters and data of advertising were set.
  bool has_advertising_parameters, has_advertising_data;
  bool is_scanning, is_scan_wanted;
  /// Whether scanning asks for more, by the parameters that hold and by those that were sent last.
  bool is_scan_active, is_scan_active_wanted;
  /// LE Create Connection: none, sent, under way, called back.
  enum { JUDGE_IDLE, JUDGE_CREATE_SENT, JUDGE_CREATING, JUDGE_CANCELLED } creation;
  /// Whether that waits for any device of the accept list.
  bool is_by_list;
  /// The accept list: what it holds, how many it can hold (0 is unknown), and what is being added.
  uint8_t list[JUDGE_LIST][7], listing[7], list_size;
  size_t list_count;
  struct judge_link links[JUDGE_LINKS];
  /// A link that is not there, but whose peer is said to ask for parameters or a key: it may be refused them.
  bool is_stray, is_key_stray;
  uint16_t stray_handle;
};

/// Begins to judge a host, whose settings let it advertise or do not.
void judge_begin(struct judge *judge, bool may_advertise);

/// Forgets everything but those, as the transport was opened.
void judge_reset(struct judge *judge);

/// Judges a packet that the host sends, its H4 indicator first; what is wrong with it, or `NULL`.
const char *judge_sent(struct judge *judge, const uint8_t *packet, size_t count);

/// The peer of this link is a sensor.
void judge_is_sensors(struct judge *judge, uint16_t handle);

/// The command that was judged last did not leave, and will not.
void judge_taken_back(struct judge *judge);

/// Takes note of a packet that the host receives, its H4 indicator first.
void judge_received(struct judge *judge, const uint8_t *packet, size_t count);
