// Counts allocations by standing in front of the C library's allocator.
//
// The symbols of an executable win over those of the shared libraries, so everything in the process comes by here,
// the Swift runtime included. glibc offers its own functions under a second name, to which each call is passed on.
// Not counted: free, and memory that is mapped without the allocator.

#include "CAllocationCount.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic uint64_t allocations;

uint64_t stampede_allocations(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }

#ifdef __GLIBC__

bool stampede_counts_allocations(void) { return true; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == NULL ? 12 /* ENOMEM */ : 0;
}

#else

bool stampede_counts_allocations(void) { return false; }

#endif
