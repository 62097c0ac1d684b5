#include "os/thread.h"
#include "os/windows_api.h"

namespace penstock {

int64_t thread_cpu_ns() {
  FILETIME created, ended, kernel, user;
  if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user)) return 0;
  const auto units = [](const FILETIME& time) {  // of 100 ns
    return (static_cast<int64_t>(time.dwHighDateTime) << 32) + static_cast<int64_t>(time.dwLowDateTime);
  };
  return (units(kernel) + units(user)) * 100;
}

int64_t thread_number() { return GetCurrentThreadId(); }

}  // namespace penstock
