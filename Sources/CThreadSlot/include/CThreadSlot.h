#ifndef STAMPEDE_THREAD_SLOT_H
#define STAMPEDE_THREAD_SLOT_H

#include <stddef.h>

// One pointer of each thread, for the whole process.
//
// Swift has no thread-local storage of its own, and pthread keys are both limited in number and slower to read.
// Reading the slot takes an instruction or two; what a thread has set is released when the thread ends.

extern _Thread_local void *_Nullable stampede_thread_slot;

/// Returns what this thread has set, NULL before that.
static inline void *_Nullable stampede_thread_slot_get(void) { return stampede_thread_slot; }

/// Sets this thread's pointer.
///
/// `release` is called with the pointer when the thread ends. Every call in a process must pass the same function.
void stampede_thread_slot_set(void *_Nullable value, void (*_Nonnull release)(void *_Nonnull));

#endif
