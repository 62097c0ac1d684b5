// How a background thread sleeps without the interpreter lock until there is work worth waking for.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace penstock {

class Doorbell {
 public:
  void ring() {
    bool wake;
    {
      std::lock_guard lock(mutex_);
      rung_ = rung_lately_ = true;
      wake = asleep_;
    }
    if (wake) ready_.notify_one();
  }

  /// The work has been taken by somebody else; whoever waits may go on sleeping.
  void silence() {
    std::lock_guard lock(mutex_);
    rung_ = false;
  }

  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
    closing_.notify_all();
  }

  /// Waits until the bell has been ringing for `grace`; false once it is closed. The grace lets calls made one after
  /// the other be planned together, and lets a consumer who is already waiting do the work without a thread switch.
  bool wait(std::chrono::microseconds grace) {
    std::unique_lock lock(mutex_);
    while (!closed_) {
      // Waking a sleeper costs the caller some 10 us, so between calls that follow each other quickly it only dozes;
      // dozing on while a long call runs costs as much.
      if (!rung_lately_) {
        asleep_ = true;
        ready_.wait(lock, [&] { return rung_ || closed_; });
        asleep_ = false;
      }
      const bool was_ringing = rung_;
      rung_lately_ = false;
      closing_.wait_for(lock, grace, [&] { return closed_; });
      if (was_ringing && rung_ && !closed_) {
        rung_ = false;
        return true;
      }
    }
    return false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::condition_variable closing_;
  bool rung_ = false;
  bool rung_lately_ = false;
  bool asleep_ = false;
  bool closed_ = false;
};

}  // namespace penstock
