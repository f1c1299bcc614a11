// These functions replace those of the C library that only translations need.
// The boards link it statically, and translations take more than two hundred
// kilobytes: catalogues, character sets, shared objects and so the dynamic
// linker. This program sets no locale, loads nothing, prints no fraction and
// throws nothing. A C library that wants more of them does not link.
#ifdef LENKER_BOARD

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/// The original says the same, translated.
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line,
                             const char *function) {
  static const char end[] = ": assertion failed\n";
  (void)file, (void)line, (void)function;
  // Nothing helps if this fails as well.
  if (write(STDERR_FILENO, assertion, strlen(assertion)) > 0)
    (void)!write(STDERR_FILENO, end, sizeof end - 1);
  abort();
}

/// Without a locale every message is its own translation.
char *__dcgettext(const char *domain, const char *message, int category) {
  (void)domain, (void)category;
  return (char *)message;
}

// iconv/gconv_db.c: there are no converters beside the built-in ones of the C
// locale, which are not looked up.

int __gconv_lock;

int __gconv_find_transform(const char *to, const char *from, void **steps, size_t *count,
                           int flags) {
  (void)to, (void)from, (void)steps, (void)count, (void)flags;
  return 1;  // __GCONV_NOCONV
}

int __gconv_close_transform(void *steps, size_t count) {
  (void)steps, (void)count;
  return 0;  // __GCONV_OK
}

void __gconv_release_step(void *step) { (void)step; }

int __gconv_compare_alias(const char *first, const char *second, int *result) {
  *result = strcmp(first, second);
  return 0;  // __GCONV_OK
}

// iconv/gconv_simple.c: the built-in converters are for wide characters, which
// nothing here reads or writes.

int __gconv_transform_ascii_internal(void) {
  return 6;  // __GCONV_ILLEGAL_INPUT
}

int __gconv_transform_internal_ascii(void) {
  return 6;  // __GCONV_ILLEGAL_INPUT
}

unsigned __gconv_btwoc_ascii(void *step, unsigned char byte) {
  (void)step;
  return byte < 0x80 ? byte : ~0U;  // WEOF
}

// stdio-common: printf of a number with a fraction fails.

int __printf_fp(void) { return -1; }

int __printf_fphex(void) { return -1; }

// elf: nothing is searched for, loaded or relocated at run time.

void _dl_init_paths(void) {}

void _dl_nothread_init_static_tls(struct link_map *object) { (void)object; }

/// Makes read-only what the linker says is not written after the start: the program itself is the
/// only object that this is called for.
void _dl_protect_relro(struct link_map *object) {
  const ElfW(Phdr) *header = (const ElfW(Phdr) *)getauxval(AT_PHDR);
  unsigned long count = getauxval(AT_PHNUM), page = getauxval(AT_PAGESZ);
  (void)object;
  for (; count > 0; count--, header++) {
    if (header->p_type != PT_GNU_RELRO) continue;
    uintptr_t start = header->p_vaddr & ~(page - 1);
    uintptr_t end = (header->p_vaddr + header->p_memsz) & ~(page - 1);
    if (start < end && mprotect((void *)start, end - start, PROT_READ) < 0) abort();
  }
}

// libgcc: a thread that is cancelled, or an exception, would be unwound.

_Noreturn void _Unwind_Resume(void *exception) {
  (void)exception;
  abort();
}

int __gcc_personality_v0(void) { return 9; }  // _URC_FAILURE

#ifdef __arm__
int __aeabi_unwind_cpp_pr0(void) { return 9; }

int __aeabi_unwind_cpp_pr1(void) { return 9; }
#endif

#endif

// ISO C wants something in every file.
typedef int linux_lean_is_not_empty;
