// What Debian 12's GCC takes for granted and glibc 2.28 does not have, linked into wheels by old_glibc.py.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

// libstdc++ counts references without atomic instructions where this is true. Glibc has it from 2.32 on.
HIDDEN char __libc_single_threaded = 0;

typedef int (*clockwait)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
static clockwait own;

__attribute__((constructor)) static void look_up(void) {
  own = (clockwait)dlsym(RTLD_DEFAULT, "pthread_cond_clockwait");
}

// Glibc has it from 2.30 on, and it is used where it is there. Elsewhere the wait is by the wall clock, as by libstdc++
// where it was built with an older glibc: it asks the clock again when a wait is over early.
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* until) {
  if (own) return own(condition, mutex, clock, until);
  struct timespec now, wall;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  wall.tv_sec += until->tv_sec - now.tv_sec;
  wall.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (wall.tv_nsec < 0) wall.tv_nsec += 1000000000, --wall.tv_sec;
  if (wall.tv_nsec >= 1000000000) wall.tv_nsec -= 1000000000, ++wall.tv_sec;
  return pthread_cond_timedwait(condition, mutex, &wall);
}
