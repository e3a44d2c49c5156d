#include "CThreadSlot.h"

#include <pthread.h>

_Thread_local void *stampede_thread_slot = NULL;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void (*release_value)(void *);

// Runs at the end of a thread. Whoever reads after it, in a later destructor, starts with an empty slot again.
static void thread_ends(void *value) {
  stampede_thread_slot = NULL;
  release_value(value);
}

static void make_key(void) { (void)pthread_key_create(&key, thread_ends); }

void stampede_thread_slot_set(void *value, void (*release)(void *)) {
  // Written before the first key can run its destructor, and always with the same function.
  __atomic_store_n(&release_value, release, __ATOMIC_RELEASE);
  (void)pthread_once(&once, make_key);
  stampede_thread_slot = value;
  (void)pthread_setspecific(key, value);
}
