#ifndef STAMPEDE_TASK_HOOKS_H
#define STAMPEDE_TASK_HOOKS_H

// The Swift runtime calls a hook whenever a job is put on the global executor. The hook is process-wide; which of
// the calls come from a step of a simulation is told by a thread-local pointer that is set only while steps run.
// A job enqueued by any other thread passes through untouched.

/// Takes over a job that a step of a simulation put on the global executor.
typedef void (*stampede_escape_handler)(void *context, void *job);

/// Installs the hook once for the process; later calls do nothing. Safe from any thread.
void stampede_install_hooks(void);

/// Says that from now on this thread runs steps of the given simulation.
void stampede_enter_step(void *context, stampede_escape_handler handler);

/// Says that this thread no longer runs steps.
void stampede_leave_step(void);

/// Asks the processor to fetch the first `lines` cache lines at an address. Never faults, changes nothing.
static inline void stampede_prefetch(const void *address, int lines) {
  for (int line = 0; line < lines; line++) __builtin_prefetch((const char *)address + 64 * line, 1, 3);
}

#endif
