#include "internal.h"

void judge_begin(struct judge *judge, bool may_advertise) {
  judge->may_advertise = may_advertise;
  judge_reset(judge);
}

void judge_reset(struct judge *judge) {
  bool may_advertise = judge->may_advertise;
  memset(judge, 0, sizeof *judge);
  judge->may_advertise = may_advertise;
  judge->credits = 1;  // Vol 4, Part E, 4.4
}

struct judge_link *judge_link(struct judge *judge, uint16_t handle) {
  for (size_t index = 0; index < JUDGE_LINKS; index++) {
    struct judge_link *link = &judge->links[index];
    if (link->is_live && link->handle == handle) return link;
  }
  return NULL;
}

// The indicators of UART transport: Vol 4, Part A, 2.

const char *judge_sent(struct judge *judge, const uint8_t *packet, size_t count) {
  if (count == 0) return wrong(judge, 0, "an empty packet");
  switch (packet[0]) {
    case 0x01: return judge_command(judge, packet, count);
    case 0x02: return judge_data(judge, packet, count);
    default: return wrong(judge, packet[0], "an H4 indicator that is neither a command's nor data's");
  }
}

void judge_received(struct judge *judge, const uint8_t *packet, size_t count) {
  if (count == 0) return;
  if (packet[0] == 0x04) judge_event(judge, packet, count);
  if (packet[0] == 0x02) judge_data_heard(judge, packet, count);
}
