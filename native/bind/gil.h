// How native code lets go of the interpreter lock and takes it again. Included by bind/ only.
//
// A thread that asks for the lock while the interpreter shuts down is ended there and then. Before Python 3.14 that is
// pthread_exit, which glibc carries out by unwinding the stack: it would abort the process at the first destructor, and
// let those of Python objects run without the lock. Such a thread stays where it is instead, as it does from
// Python 3.14 on, until the process is gone.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "kernels/step_clock.h"

namespace penstock {

/// Runs `body`, in which the interpreter may end the calling thread. `body` must own no Python objects meanwhile: their
/// destructors would run without the lock. libstdc++ hands a null reference to the handler of a thread's end, which
/// UBSan would report though nobody reads it.
template <typename Body>
__attribute__((no_sanitize("undefined"))) auto unless_ended(const Body& body) {
#ifdef __GLIBCXX__  // with libc++ nothing is unwound: there pthread_exit ends the thread at once
  try {
    return body();
  } catch (const abi::__forced_unwind&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
#else
  return body();
#endif
}

/// CPU time that threads hold the lock between two of the places where native code lets go of it, added up while
/// `is_counted`. What Python itself does without the lock, such as waiting, takes next to no CPU time.
class HeldTime {
 public:
  inline static std::atomic<bool> is_counted = false;
  inline static std::atomic<int64_t> cpu_ns = 0;

  static void begin() { since_ = is_counted ? thread_cpu_ns() : -1; }
  static void end() {
    if (is_counted && since_ >= 0) cpu_ns += thread_cpu_ns() - since_;
  }

 private:
  inline static thread_local int64_t since_ = -1;
};

/// Without the interpreter lock while it lives. As a call guard: for a whole binding.
class GilRelease {
 public:
  GilRelease() {
    HeldTime::end();
    state_ = PyEval_SaveThread();
  }
  ~GilRelease() {
    unless_ended([this] { PyEval_RestoreThread(state_); });
    HeldTime::begin();
  }
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* state_;
};

/// With the interpreter lock while it lives, on any thread.
class GilAcquire {
 public:
  GilAcquire() : state_(unless_ended([] { return PyGILState_Ensure(); })) {}
  ~GilAcquire() { PyGILState_Release(state_); }
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;

 private:
  PyGILState_STATE state_;
};

/// What a Python function returns for a range of bytes, asked with the interpreter lock held.
inline nanobind::bytes fetched_range(nanobind::handle fetch, int64_t offset, int64_t length) {
  const auto from = static_cast<long long>(offset), bytes = static_cast<long long>(length);
  PyObject* fetched = unless_ended([&] { return PyObject_CallFunction(fetch.ptr(), "LL", from, bytes); });
  if (!fetched) throw nanobind::python_error();
  return nanobind::cast<nanobind::bytes>(nanobind::steal(fetched));
}

}  // namespace penstock
