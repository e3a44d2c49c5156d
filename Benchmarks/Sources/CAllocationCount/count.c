// Counts allocations by standing in front of the C library's allocator.
//
// The symbols of an executable win over those of the shared libraries, so everything in the process comes by here,
// the Swift runtime included. glibc offers its own functions under a second name, to which each call is passed on.
// The bytes in use are those of the blocks as the allocator has rounded them up, without its own 8 bytes a block.
// Not counted: memory that is mapped without the allocator.

#include "CAllocationCount.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic uint64_t allocations;
static _Atomic int64_t live_bytes;

uint64_t stampede_allocations(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }

int64_t stampede_live_bytes(void) { return atomic_load_explicit(&live_bytes, memory_order_relaxed); }

#ifdef __GLIBC__

#include <malloc.h>

bool stampede_counts_allocations(void) { return true; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void add_bytes(int64_t bytes) { atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed); }

static int64_t size_of(void *memory) { return memory == NULL ? 0 : (int64_t)malloc_usable_size(memory); }

static void *counted(void *memory) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  add_bytes(size_of(memory));
  return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }

void *realloc(void *memory, size_t size) {
  int64_t old = size_of(memory);
  void *moved = __libc_realloc(memory, size);
  // Without room the old block stays as it was.
  if (moved == NULL && size != 0) return NULL;
  add_bytes(-old);
  return counted(moved);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void free(void *memory) {
  add_bytes(-size_of(memory));
  __libc_free(memory);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == NULL ? 12 /* ENOMEM */ : 0;
}

#else

bool stampede_counts_allocations(void) { return false; }

#endif
