// ACL data, L2CAP frames and signaling: Vol 4, Part E, 4.1.1 and 5.4.2; Vol 3, Part A.
#include "internal.h"

/// Puts a piece behind the others; what finds no room, or is too much for its frame, is dropped.
static bool append(struct judge_frame *frame, const uint8_t *bytes, size_t count) {
  if (count > sizeof frame->bytes - frame->count) return false;
  memcpy(frame->bytes + frame->count, bytes, count);
  frame->count += count;
  return true;
}

/// The size of the frame by its header (Vol 3, Part A, 3.1), or 0 while that is not there.
static size_t wanted(const struct judge_frame *frame) {
  return frame->count < 4 ? 0 : 4 + (size_t)u16(frame->bytes);
}

/// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ, 4.20: a peripheral's.
static const char *judge_update(
    struct judge *judge, struct judge_link *link, const uint8_t *command, size_t count) {
  uint8_t identifier = command[1];
  uint8_t parameters[12] = {0};
  if (link->role != JUDGE_PERIPHERAL)
    return wrong(judge, command[0], "connection parameters that a central asks for");
  if (count != 12) return wrong(judge, (uint32_t)count, "a request for parameters that is none");
  memcpy(parameters, command + 4, 8);
  if (!are_connection_parameters(parameters))
    return wrong(judge, u16(parameters), "connection parameters that do not go together");
  // 4: an identifier that is not 0, and another one as long as there is no answer.
  if (identifier == 0 || link->is_updating[identifier])
    return wrong(judge, identifier, "an identifier that is not free");
  link->is_updating[identifier] = true;
  return NULL;
}

/// Signaling on an LE link: Vol 3, Part A, 4.
static const char *judge_signaling(
    struct judge *judge, struct judge_link *link, const uint8_t *command, size_t count) {
  if (count > 23) return wrong(judge, (uint32_t)count, "a signaling command beyond its MTU");
  if (count < 4 || u16(command + 2) != count - 4)
    return wrong(judge, (uint32_t)count, "a signaling command whose length is another");
  uint8_t identifier = command[1];
  switch (command[0]) {
    case 0x01: {  // L2CAP_COMMAND_REJECT_RSP, 4.1
      static const size_t SIZES[] = {6, 8, 10};
      if (count < 6 || u16(command + 4) > 2 || SIZES[u16(command + 4)] != count)
        return wrong(judge, (uint32_t)count, "a rejection without its reason");
      if (!count_down(&link->rejects[identifier]))
        return wrong(judge, identifier, "a rejection of nothing");
      return NULL;
    }
    case 0x13:  // L2CAP_CONNECTION_PARAMETER_UPDATE_RSP, 4.21
      if (count != 6 || u16(command + 4) > 1)
        return wrong(judge, (uint32_t)count, "an answer to parameters that is none");
      if (!count_down(&link->updates[identifier]))
        return wrong(judge, identifier, "an answer to parameters that nobody asked for");
      return NULL;
    case 0x12: return judge_update(judge, link, command, count);
    default: return wrong(judge, command[0], "a signaling command that is never sent");
  }
}

static void signaling_heard(struct judge_link *link, const uint8_t *command, size_t count) {
  if (count < 4 || command[1] == 0) return;
  bool is_whole = u16(command + 2) == count - 4;
  // A rejection and an answer get none.
  if (is_whole && (command[0] == 0x01 || command[0] == 0x13)) link->is_updating[command[1]] = false;
  if (command[0] == 0x01) return;
  if (command[0] == 0x12 && link->role == JUDGE_CENTRAL && is_whole && count == 12) {
    count_up(&link->updates[command[1]]);
  } else {
    count_up(&link->rejects[command[1]]);
  }
}

/// The fixed channels of an LE link: Vol 3, Part A, 2.1.
static const char *judge_frame(struct judge *judge, struct judge_link *link) {
  const uint8_t *payload = link->sent.bytes + 4;
  size_t count = link->sent.count - 4;
  uint16_t channel = u16(link->sent.bytes + 2);
  switch (channel) {
    case 0x0004: return judge_attribute(judge, link, payload, count);
    case 0x0005: return judge_signaling(judge, link, payload, count);
    case 0x0006: return judge_security(judge, link, payload, count);
    default: return wrong(judge, channel, "a channel that no LE link has");
  }
}

/// All packets in the controller's buffers, which the links share.
static uint32_t in_flight(const struct judge *judge) {
  uint32_t sum = 0;
  for (size_t index = 0; index < JUDGE_LINKS; index++)
    if (judge->links[index].is_live) sum += judge->links[index].in_flight;
  return sum;
}

/// The buffers of the controller: those for LE, or the shared ones where it has none (7.8.2).
static const char *judge_buffers(struct judge *judge, uint16_t length) {
  bool is_shared = judge->le_length == 0 || judge->le_count == 0;
  uint32_t longest = is_shared ? judge->shared_length : judge->le_length;
  uint32_t most = is_shared ? judge->shared_count : judge->le_count;
  if (length > longest) return wrong(judge, length, "a data packet longer than the buffers");
  if (in_flight(judge) >= most) return wrong(judge, most, "a data packet without a free buffer");
  return NULL;
}

const char *judge_data(struct judge *judge, const uint8_t *packet, size_t count) {
  if (count < 5) return wrong(judge, (uint32_t)count, "a data packet without a whole header");
  uint16_t handle = u16(packet + 1) & 0x0FFF, length = u16(packet + 3);
  uint8_t boundary = packet[2] >> 4 & 0x03, broadcast = packet[2] >> 6;
  if (length != count - 5) return wrong(judge, length, "a data packet whose length is another");
  if (!judge->is_up) return wrong(judge, handle, "data before Reset is through");
  struct judge_link *link = judge_link(judge, handle);
  if (link == NULL) return wrong(judge, handle, "data for a link that is not there");
  // To an LE link goes a first non-flushable packet or a continuing one, to nobody else.
  if (broadcast != 0 || boundary > 1) return wrong(judge, packet[2] >> 4, "flags that no LE data have");
  if (length == 0) return wrong(judge, handle, "a data packet with nothing in it");
  const char *verdict = judge_buffers(judge, length);
  if (verdict != NULL) return verdict;
  link->in_flight++;
  struct judge_frame *frame = &link->sent;
  if (boundary == 0 && frame->is_open) return wrong(judge, handle, "a frame begins within another");
  if (boundary == 1 && !frame->is_open) return wrong(judge, handle, "a frame goes on that did not begin");
  if (boundary == 0) {
    frame->count = 0;
    frame->is_open = true;
    link->is_crossed = false;
  }
  if (!append(frame, packet + 5, length)) return wrong(judge, length, "a frame longer than any MTU");
  if (wanted(frame) == 0) return NULL;
  if (frame->count > wanted(frame)) return wrong(judge, length, "more data than the frame says");
  if (frame->count < wanted(frame)) return NULL;
  frame->is_open = false;
  verdict = judge_frame(judge, link);
  link->is_crossed = false;
  return verdict;
}

static void frame_heard(struct judge_link *link) {
  const uint8_t *payload = link->heard.bytes + 4;
  size_t count = link->heard.count - 4;
  if (count == 0) return;
  switch (u16(link->heard.bytes + 2)) {
    case 0x0004: judge_attribute_heard(link, payload, count); break;
    case 0x0005: signaling_heard(link, payload, count); break;
    case 0x0006: judge_security_heard(link, payload, count); break;
    default: break;
  }
}

void judge_data_heard(struct judge *judge, const uint8_t *packet, size_t count) {
  if (count < 5 || u16(packet + 3) != count - 5) return;
  struct judge_link *link = judge_link(judge, u16(packet + 1) & 0x0FFF);
  if (link == NULL) return;
  struct judge_frame *frame = &link->heard;
  bool is_continuation = (packet[2] >> 4 & 0x03) == 1;
  if (is_continuation && !frame->is_open) return;
  if (!is_continuation) {
    frame->count = 0;
    frame->is_open = true;
  }
  if (!append(frame, packet + 5, count - 5)) {
    frame->is_open = false;
    return;
  }
  if (wanted(frame) == 0 || frame->count < wanted(frame)) return;
  frame->is_open = false;
  if (frame->count == wanted(frame)) frame_heard(link);
}
