#include <pthread.h>
#include <unistd.h>

#include <ctime>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "os/thread.h"

namespace penstock {

int64_t thread_cpu_ns() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

int64_t thread_number() {
#ifdef __linux__
  thread_local const int64_t number = syscall(SYS_gettid);
#elif defined(__APPLE__)
  thread_local const int64_t number = [] {
    uint64_t id = 0;
    pthread_threadid_np(nullptr, &id);
    return static_cast<int64_t>(id);
  }();
#else
  thread_local const auto number = static_cast<int64_t>(reinterpret_cast<uintptr_t>(pthread_self()));
#endif
  return number;
}

}  // namespace penstock
