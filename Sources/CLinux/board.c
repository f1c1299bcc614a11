// A String literal is a constant, but Swift still retains and releases its
// (absent) owner through the runtime, which the linker then wants. The boards
// have no runtime, and nothing there is ever allocated, so there is nothing to
// count: on the boards these do nothing.
#ifdef LENKER_BOARD

void *swift_retain(void *object) { return object; }
void *swift_retain_n(void *object, unsigned count) { (void)count; return object; }
void swift_release(void *object) { (void)object; }
void swift_release_n(void *object, unsigned count) { (void)object; (void)count; }
void *swift_bridgeObjectRetain(void *object) { return object; }
void *swift_bridgeObjectRetain_n(void *object, unsigned count) { (void)count; return object; }
void swift_bridgeObjectRelease(void *object) { (void)object; }
void swift_bridgeObjectRelease_n(void *object, unsigned count) { (void)object; (void)count; }

#endif

// ISO C wants something in every file.
typedef int linux_board_is_not_empty;
