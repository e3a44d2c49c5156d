// Tells the thread sanitizer what `Synchronization.Mutex` does when it is contended.
//
// The library's fast path is compiled into its callers, where the sanitizer sees the atomic operations. Its slow
// path lives in libswiftSynchronization.so, which is built without the sanitizer and hands the lock over inside the
// kernel, so that a contended lock looks like none: on Swift 6.3.1 two threads and one `Mutex` are enough for a
// report of a race that is not there. These functions stand in front of the two slow ones of the library, call
// them, and say what they did. Nothing else changes: a race that is there is still found.
//
// Compiled to nothing unless the build has the thread sanitizer and runs on Linux. The names are those of the
// library's stable interface; should they change, the functions are never called and the false reports are back.

#if defined(__linux__) && __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>

#define LOCK_SLOWLY "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOWLY "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SHOWN __attribute__((visibility("default"), used))
#define SELF __attribute__((swift_context)) void *handle

typedef SWIFT void LockSlowly(uint32_t thread, SELF);
typedef SWIFT void UnlockSlowly(SELF);

SWIFT SHOWN void stampede_lock_slowly(uint32_t thread, SELF) __asm__(LOCK_SLOWLY);
SWIFT SHOWN void stampede_unlock_slowly(SELF) __asm__(UNLOCK_SLOWLY);

// After the lock is held: everything before the release that made it free has happened.
SWIFT SHOWN void stampede_lock_slowly(uint32_t thread, SELF) {
  ((LockSlowly *)dlsym(RTLD_NEXT, LOCK_SLOWLY))(thread, handle);
  __tsan_acquire(handle);
}

// Before the lock is free: whoever takes it next sees everything up to here.
SWIFT SHOWN void stampede_unlock_slowly(SELF) {
  __tsan_release(handle);
  ((UnlockSlowly *)dlsym(RTLD_NEXT, UNLOCK_SLOWLY))(handle);
}

#endif
