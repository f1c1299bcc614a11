// libgpiod 1.6 (Debian 12) and 2.x differ in every call; only here is it seen which one it is.
// Both use their heap when a line is opened, and never after that.
#define _GNU_SOURCE
#include <fcntl.h>
#include <gpiod.h>
#include <string.h>

#include "path.h"

static const char consumer[] = "lenker";

/// A line without anything open; errno says why.
static const struct linux_gpio_line no_line = {.descriptor = -1};

/// Lets reads return EAGAIN where there is no edge; -1 for a descriptor that is none.
static int make_nonblocking(int descriptor) {
  return fcntl(descriptor, F_SETFL, O_NONBLOCK) < 0 ? -1 : descriptor;
}

/// Closes what there is of a line that could not be opened, keeping the reason.
static struct linux_gpio_line close_failed(struct linux_gpio_line line) {
  int reason = errno;
  linux_gpio_close(line);
  errno = reason;
  return no_line;
}

static int has_header(struct gpiod_chip *chip);

/// Opens a chip; for /dev/gpiochip0 that of a Raspberry Pi's header, by whatever number the kernel knows it.
///
/// Its driver is pinctrl-bcm2835, pinctrl-bcm2711 or pinctrl-rp1. `number` is that of the chip if it is another
/// one than was named, else 0.
static struct gpiod_chip *open_chip(const char *path, uint32_t *number) {
  struct gpiod_chip *named = gpiod_chip_open(path);
  *number = 0;
  if (strcmp(path, "/dev/gpiochip0") != 0 || (named != NULL && has_header(named))) return named;
  int reason = errno;
  for (uint32_t other = 1; other <= 9; other++) {
    char place[] = "/dev/gpiochip0";
    place[sizeof place - 2] = (char)('0' + other);
    struct gpiod_chip *chip = gpiod_chip_open(place);
    if (chip == NULL) continue;
    if (has_header(chip)) {
      if (named != NULL) gpiod_chip_close(named);
      *number = other;
      return chip;
    }
    gpiod_chip_close(chip);
  }
  errno = reason;
  return named;
}

static int is_header(const char *label) {
  return label != NULL &&
         (strncmp(label, "pinctrl-bcm", 11) == 0 || strncmp(label, "pinctrl-rp", 10) == 0);
}

#ifdef GPIOD_LINE_BULK_MAX_LINES  // libgpiod 1.x: `owner` is the chip, `part` the line.

static int has_header(struct gpiod_chip *chip) { return is_header(gpiod_chip_label(chip)); }

static struct gpiod_line *part(struct linux_gpio_line line) {
  return (struct gpiod_line *)line.part;
}

static struct linux_gpio_line open_line(const uint8_t *bytes, size_t count, uint32_t offset) {
  struct path path;
  struct linux_gpio_line line = no_line;
  if (path_set(&path, bytes, count) < 0) return no_line;
  line.owner = (uintptr_t)open_chip(path.text, &line.chip);
  if (line.owner == 0) return no_line;
  line.part = (uintptr_t)gpiod_chip_get_line((struct gpiod_chip *)line.owner, offset);
  return line.part == 0 ? close_failed(line) : line;
}

/// As libgpiod's shorter calls do, which would bring its whole other half into a static program.
static int request(struct linux_gpio_line line, int type, int flags) {
  struct gpiod_line_request_config config = {
      .consumer = consumer, .request_type = type, .flags = flags};
  return gpiod_line_request(part(line), &config, 0);
}

struct linux_gpio_line linux_gpio_open_button(const uint8_t *path, size_t count, uint32_t offset) {
  int flags = GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
  struct linux_gpio_line line = open_line(path, count, offset);
  if (line.owner == 0) return line;
  if (request(line, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, flags) < 0) return close_failed(line);
  line.descriptor = make_nonblocking(gpiod_line_event_get_fd(part(line)));
  return line.descriptor < 0 ? close_failed(line) : line;
}

struct linux_gpio_line linux_gpio_open_output(const uint8_t *path, size_t count, uint32_t offset) {
  struct linux_gpio_line line = open_line(path, count, offset);
  if (line.owner == 0) return line;
  return request(line, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, 0) < 0 ? close_failed(line) : line;
}

struct linux_gpio_edge linux_gpio_read(struct linux_gpio_line line) {
  struct gpiod_line_event event;
  if (gpiod_line_event_read(part(line), &event) < 0)
    return (struct linux_gpio_edge){.result = errno == EAGAIN ? 0 : -1};
  return (struct linux_gpio_edge){
      .result = 1,
      .is_active = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE,
      .nanoseconds = event.ts.tv_sec * 1000000000LL + event.ts.tv_nsec};
}

int linux_gpio_level(struct linux_gpio_line line) { return gpiod_line_get_value(part(line)); }

int linux_gpio_set(struct linux_gpio_line line, int level) {
  return gpiod_line_set_value(part(line), level != 0);
}

void linux_gpio_close(struct linux_gpio_line line) {
  // Closes its lines too.
  if (line.owner != 0) gpiod_chip_close((struct gpiod_chip *)line.owner);
}

#else  // libgpiod 2.x: `owner` is the request, `part` the room for one event.

static int has_header(struct gpiod_chip *chip) {
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (info == NULL) return 0;
  int is_one = is_header(gpiod_chip_info_get_label(info));
  gpiod_chip_info_free(info);
  return is_one;
}

static struct gpiod_line_request *owner(struct linux_gpio_line line) {
  return (struct gpiod_line_request *)line.owner;
}

static struct gpiod_line_settings *button_settings(void) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings == NULL) return NULL;
  gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
  gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
  gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_UP);
  gpiod_line_settings_set_active_low(settings, true);
  gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
  return settings;
}

static struct gpiod_line_settings *output_settings(void) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings == NULL) return NULL;
  gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
  gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
  return settings;
}

static struct gpiod_line_request *request_line(struct gpiod_chip *chip, uint32_t offset,
                                               struct gpiod_line_settings *settings) {
  struct gpiod_line_request *request = NULL;
  struct gpiod_request_config *names = gpiod_request_config_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  if (names != NULL && lines != NULL) {
    gpiod_request_config_set_consumer(names, consumer);
    if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
      request = gpiod_chip_request_lines(chip, names, lines);
  }
  int reason = errno;
  gpiod_line_config_free(lines);
  gpiod_request_config_free(names);
  errno = reason;
  return request;
}

/// Opens a line and frees its settings; the chip is not needed beyond that.
static struct linux_gpio_line open_line(const uint8_t *bytes, size_t count, uint32_t offset,
                                        struct gpiod_line_settings *settings) {
  struct path path;
  struct linux_gpio_line line = no_line;
  line.offset = offset;
  if (settings != NULL && path_set(&path, bytes, count) == 0) {
    struct gpiod_chip *chip = open_chip(path.text, &line.chip);
    if (chip != NULL) line.owner = (uintptr_t)request_line(chip, offset, settings);
    // What the kernel says of a chip that is gone, libgpiod 2 says of other devices too.
    int reason = chip == NULL && errno == ENODEV ? ENOTTY : errno;
    gpiod_chip_close(chip);
    errno = reason;
  }
  int reason = errno;
  gpiod_line_settings_free(settings);
  errno = reason;
  return line;
}

struct linux_gpio_line linux_gpio_open_button(const uint8_t *bytes, size_t count,
                                              uint32_t offset) {
  struct linux_gpio_line line = open_line(bytes, count, offset, button_settings());
  if (line.owner == 0) return line;
  line.part = (uintptr_t)gpiod_edge_event_buffer_new(1);
  if (line.part == 0) return close_failed(line);
  line.descriptor = make_nonblocking(gpiod_line_request_get_fd(owner(line)));
  return line.descriptor < 0 ? close_failed(line) : line;
}

struct linux_gpio_line linux_gpio_open_output(const uint8_t *bytes, size_t count,
                                              uint32_t offset) {
  return open_line(bytes, count, offset, output_settings());
}

struct linux_gpio_edge linux_gpio_read(struct linux_gpio_line line) {
  struct gpiod_edge_event_buffer *buffer = (struct gpiod_edge_event_buffer *)line.part;
  int count = gpiod_line_request_read_edge_events(owner(line), buffer, 1);
  if (count < 1) return (struct linux_gpio_edge){.result = errno == EAGAIN ? 0 : -1};
  struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(buffer, 0);
  return (struct linux_gpio_edge){
      .result = 1,
      .is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
      .nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event)};
}

int linux_gpio_level(struct linux_gpio_line line) {
  return (int)gpiod_line_request_get_value(owner(line), line.offset);
}

int linux_gpio_set(struct linux_gpio_line line, int level) {
  return gpiod_line_request_set_value(
      owner(line), line.offset, level != 0 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

void linux_gpio_close(struct linux_gpio_line line) {
  if (line.part != 0) gpiod_edge_event_buffer_free((struct gpiod_edge_event_buffer *)line.part);
  if (line.owner != 0) gpiod_line_request_release(owner(line));
}

#endif
