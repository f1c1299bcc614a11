#define _GNU_SOURCE
#include "arena.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { SIZE = 64 << 20, CLASSES = 40, PLACES = 256, PAGES = 4096, PAGE = 4096 };

// At the beginning of the arena, so that it is saved with it.
struct head {
  size_t used;
  void *freed[CLASSES];
};

// A page of its own, which is never put back.
static struct {
  char *arena;
  // The pages of variables and of the arena, as they were at first, and which have changed since then, in the order of
  // their changes.
  struct { char *start, *bytes; } pages[PAGES];
  int page_count;
  int changed[PAGES];
  int changed_count;
  // How much of the arena these pages are. Behind them all of it is saved.
  size_t watched;
  struct { char *bytes; size_t rest; int changed_count; } saved[PLACES];
} *own;

// Sizes of 16, 32, 48, 64, then by halves of powers of two.
static int class_of(size_t count, size_t *size) {
  size_t step = 16, top = 64;
  int class = 0;
  if (count <= 64) {
    class = count ? (int)((count - 1) / 16) : 0;
    *size = 16 * (size_t)(class + 1);
    return class;
  }
  for (class = 4;; class += 2, top *= 2) {
    step = top / 2;
    if (count <= top + step) return *size = top + step, class;
    if (count <= top * 2) return *size = top * 2, class + 1;
  }
}

static void *mapped(size_t count) {
  void *start = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) abort();
  return start;
}

static struct head *head(void) {
  if (!own) {
    void *place = mapped(sizeof *own);
    own = place;
    own->arena = mapped(SIZE);
    ((struct head *)own->arena)->used = sizeof(struct head);
  }
  return (struct head *)own->arena;
}

static void *taken(size_t alignment, size_t count) {
  struct head *all = head();
  size_t size;
  int class = class_of(count, &size);
  if (alignment <= 16 && all->freed[class]) {
    void *block = all->freed[class];
    all->freed[class] = *(void **)block;
    return block;
  }
  if (alignment < 16) alignment = 16;
  size_t start = (all->used + 16 + alignment - 1) & ~(alignment - 1);
  if (start + size > SIZE) abort();
  all->used = start + size;
  *(size_t *)(own->arena + start - 16) = size;
  return own->arena + start;
}

static size_t size_of(void *block) { return *(size_t *)((char *)block - 16); }

void *malloc(size_t count) { return taken(16, count); }

void free(void *block) {
  if (!block) return;
  size_t size;
  int class = class_of(size_of(block), &size);
  *(void **)block = head()->freed[class];
  head()->freed[class] = block;
}

void *calloc(size_t count, size_t size) { return memset(taken(16, count * size), 0, count * size); }

void *realloc(void *old, size_t count) {
  if (!old) return taken(16, count);
  size_t before = size_of(old);
  if (count <= before) return old;
  void *block = memcpy(taken(16, count), old, before);
  free(old);
  return block;
}

void *aligned_alloc(size_t alignment, size_t count) { return taken(alignment, count); }
void *memalign(size_t alignment, size_t count) { return taken(alignment, count); }
int posix_memalign(void **block, size_t alignment, size_t count) {
  *block = taken(alignment, count);
  return 0;
}
size_t malloc_usable_size(void *block) { return block ? size_of(block) : 0; }

static void add_pages(char *start, const char *end) {
  for (; start < end; start += PAGE) {
    if (own->page_count == PAGES) abort();
    own->pages[own->page_count++].start = start;
  }
}

// The variables of the program and of Swift's libraries, without those that are fixed once the program has started.
static int add_object(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (info->dlpi_name[0] && !strstr(info->dlpi_name, "/lib/swift/")) return 0;
  uintptr_t fixed_end = 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    if (part->p_type == PT_GNU_RELRO) fixed_end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
  }
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
    uintptr_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (start < fixed_end) start = fixed_end;
    add_pages((char *)((start + PAGE - 1) & ~(uintptr_t)(PAGE - 1)), (char *)end);
  }
  return 0;
}

// A page is written for the first time.
static void page_changes(int number, siginfo_t *info, void *context) {
  (void)context;
  for (int index = 0; index < own->page_count; index++) {
    char *start = own->pages[index].start;
    if ((char *)info->si_addr < start || (char *)info->si_addr >= start + PAGE) continue;
    own->changed[own->changed_count++] = index;
    mprotect(start, PAGE, PROT_READ | PROT_WRITE);
    return;
  }
  signal(number, SIG_DFL);
  raise(SIGABRT);
}

static void watch_pages(void) {
  dl_iterate_phdr(add_object, NULL);
  // From here on the arena begins a page of its own.
  struct head *all = head();
  all->used = (all->used + PAGE - 1) & ~(size_t)(PAGE - 1);
  own->watched = all->used;
  add_pages(own->arena, own->arena + own->watched);
  char *bytes = mapped((size_t)own->page_count * PAGE);
  struct sigaction action = {.sa_sigaction = page_changes, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  for (int index = 0; index < own->page_count; index++) {
    own->pages[index].bytes = memcpy(bytes + (size_t)index * PAGE, own->pages[index].start, PAGE);
    mprotect(own->pages[index].start, PAGE, PROT_READ);
  }
}

void arena_save(int place) {
  if (!own->watched) watch_pages();
  size_t rest = head()->used - own->watched;
  if (!own->saved[place].bytes) own->saved[place].bytes = mapped(SIZE);
  char *bytes = own->saved[place].bytes;
  own->saved[place].rest = rest;
  own->saved[place].changed_count = own->changed_count;
  for (int index = 0; index < own->changed_count; index++)
    memcpy(bytes + (size_t)index * PAGE, own->pages[own->changed[index]].start, PAGE);
  memcpy(bytes + (size_t)own->changed_count * PAGE, own->arena + own->watched, rest);
}

void arena_restore(int place) {
  int saved_count = own->saved[place].changed_count;
  const char *bytes = own->saved[place].bytes;
  for (int index = 0; index < own->changed_count; index++) {
    int page = own->changed[index];
    memcpy(own->pages[page].start, index < saved_count ? bytes + (size_t)index * PAGE : own->pages[page].bytes, PAGE);
  }
  memcpy(own->arena + own->watched, bytes + (size_t)saved_count * PAGE, own->saved[place].rest);
}

int arena_contains(const void *whole, uint64_t size, const void *part, uint64_t count) {
  return memmem(whole, size, part, count) != NULL;
}

// The symbol of the program at that address, or with that name.
static const char *symbol(const void **address, const char *name) {
  static const char *file;
  static uintptr_t base;
  if (!file) {
    struct stat facts;
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &facts)) abort();
    file = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    Dl_info info;
    if (file == MAP_FAILED || !dladdr((void *)arena_save, &info)) abort();
    base = (uintptr_t)info.dli_fbase;
  }
  const ElfW(Ehdr) *header = (const void *)file;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (int index = 0; index < header->e_shnum; index++) {
    if (sections[index].sh_type != SHT_SYMTAB) continue;
    const char *names = file + sections[sections[index].sh_link].sh_offset;
    const ElfW(Sym) *symbol = (const void *)(file + sections[index].sh_offset);
    for (uint64_t count = sections[index].sh_size / sizeof *symbol; count; count--, symbol++) {
      const char *its = names + symbol->st_name;
      if (!*its || !symbol->st_shndx) continue;
      if (name ? strcmp(its, name) : base + symbol->st_value != (uintptr_t)*address) continue;
      *address = (const void *)(base + symbol->st_value);
      return its;
    }
  }
  return "";
}

const char *arena_symbol(const void *address) { return symbol(&address, NULL); }

const void *arena_address(const char *name) {
  const void *address = NULL;
  return *symbol(&address, name) ? address : dlsym(RTLD_DEFAULT, name);
}

const void *arena_accessed(const void *accessor, const void *a, const void *b, const void *c) {
  return ((const void *(*)(uint64_t, const void *, const void *, const void *))accessor)(0, a, b, c);
}

extern const void *swift_getTypeByMangledNameInContext(const void *, size_t, const void *, const void *)
    __attribute__((swiftcall));

const void *arena_type(const void *name, uint64_t length, const void *context, const void *arguments) {
  return swift_getTypeByMangledNameInContext(name, length, context, arguments);
}
