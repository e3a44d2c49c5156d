#pragma once
#include <stdbool.h>
#include <stdint.h>

/// How often memory was allocated in this process so far, by any thread; exact.
uint64_t stampede_allocations(void);

/// Whether allocations are counted on this platform.
bool stampede_counts_allocations(void);
