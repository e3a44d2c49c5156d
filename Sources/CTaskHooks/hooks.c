#include "CTaskHooks.h"
#include <pthread.h>
#include <stddef.h>

// Declared by the runtime (swift_Concurrency); the calling convention is Swift's.
typedef __attribute__((swiftcall)) void (*enqueue_original)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);

static __thread void *step_context = NULL;
static __thread stampede_escape_handler step_handler = NULL;

static __attribute__((swiftcall)) void on_global(void *job, enqueue_original original) {
  if (step_context != NULL) {
    step_handler(step_context, job);
  } else {
    original(job);
  }
}

static void install(void) { swift_task_enqueueGlobal_hook = on_global; }

void stampede_install_hooks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}

void stampede_enter_step(void *context, stampede_escape_handler handler) {
  step_context = context;
  step_handler = handler;
}

void stampede_leave_step(void) { step_context = NULL; }
