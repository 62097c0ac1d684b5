#include <atomic>
#include <csetjmp>
#include <csignal>

#include "os/guarded_copy.h"
#include "os/pages.h"

namespace penstock {
namespace {

/// What a thread is copying, and the way out of it.
struct Attempt {
  uintptr_t begin, end;
  sigjmp_buf way_out;
};

// Must be there before the signal is: with glibc, a thread's first look at other kinds of thread_local allocates. musl
// allocates for all threads when it loads a library, and loads none that has this kind.
#if defined(__GLIBC__)
__attribute__((tls_model("initial-exec")))
#endif
thread_local Attempt* volatile attempt = nullptr;

struct sigaction handled_before;

void on_missing_page(int signal, siginfo_t* info, void* context) {
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  if (attempt && at >= attempt->begin && at < attempt->end) siglongjmp(attempt->way_out, 1);
  if (handled_before.sa_flags & SA_SIGINFO)
    handled_before.sa_sigaction(signal, info, context);
  else if (handled_before.sa_handler != SIG_DFL && handled_before.sa_handler != SIG_IGN)
    handled_before.sa_handler(signal);
  else
    ::sigaction(SIGBUS, &handled_before, nullptr);  // and it happens again
}

bool take_over() {
  struct sigaction action = {};
  action.sa_sigaction = on_missing_page;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // the way out leaves the mask of signals as it is
  sigemptyset(&action.sa_mask);                            // a macro on macOS
  return ::sigaction(SIGBUS, &action, &handled_before) == 0;
}

}  // namespace

bool guards_copies() {
  static const bool taken_over = take_over();
  struct sigaction now;
  return taken_over && ::sigaction(SIGBUS, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
         now.sa_sigaction == on_missing_page;
}

bool guarded_copy(void (*copy)(std::byte* out, const std::byte* in, int64_t bytes), std::byte* out,
                  const std::byte* mapped, int64_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(mapped);
  Attempt here{begin / page_size() * page_size(), begin + bytes, {}};
  if (sigsetjmp(here.way_out, 0)) {
    attempt = nullptr;
    return false;
  }
  attempt = &here;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  copy(out, mapped, bytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  attempt = nullptr;
  return true;
}

}  // namespace penstock
