#pragma once
#include <stdbool.h>
#include <stdint.h>

/// How often memory was allocated in this process so far, by any thread; exact.
uint64_t stampede_allocations(void);

/// How many bytes of memory are allocated now; exact, as the allocator has rounded them up.
int64_t stampede_live_bytes(void);

/// Whether allocations are counted on this platform.
bool stampede_counts_allocations(void);
