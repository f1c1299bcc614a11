// The boards link the C library statically, and more than a hundred kilobytes
// of it are for what a program does in other languages than English: messages
// are looked up in catalogues, catalogues are converted from other character
// sets, converters are loaded as shared objects, and so the dynamic linker is
// in the program too. All this hangs on a few functions, that never do anything
// in a program like this one, which never sets a locale. These stand in their
// place. A C library that wants more of them does not link.
#ifdef LENKER_BOARD

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The original says the same, translated.
_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line,
                             const char *function);
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
char *__dcgettext(const char *domain, const char *message, int category);
char *__dcgettext(const char *domain, const char *message, int category) {
  (void)domain, (void)category;
  return (char *)message;
}

// iconv/gconv_db.c: there are no converters beside the built-in ones of the C
// locale, which are not looked up.

int __gconv_lock;

int __gconv_find_transform(const char *to, const char *from, void **steps, size_t *count, int flags);
int __gconv_find_transform(const char *to, const char *from, void **steps, size_t *count,
                           int flags) {
  (void)to, (void)from, (void)steps, (void)count, (void)flags;
  return 1;  // __GCONV_NOCONV
}

int __gconv_close_transform(void *steps, size_t count);
int __gconv_close_transform(void *steps, size_t count) {
  (void)steps, (void)count;
  return 0;  // __GCONV_OK
}

void __gconv_release_step(void *step);
void __gconv_release_step(void *step) { (void)step; }

int __gconv_compare_alias(const char *first, const char *second, int *result);
int __gconv_compare_alias(const char *first, const char *second, int *result) {
  *result = strcmp(first, second);
  return 0;  // __GCONV_OK
}

#endif

// ISO C wants something in every file.
typedef int linux_lean_is_not_empty;
