#include "runtime/pool.h"

#include <algorithm>
#include <utility>

#include "kernels/step_clock.h"
#include "os/fork.h"
#include "os/thread.h"
#include "runtime/worker_log.h"

namespace penstock {

struct Pool::Job {
  size_t n, at_once;
  const Pool* pool;
  const std::function<void(size_t, Scratch&)>* work;
  std::atomic<size_t> next{0};
  std::atomic<size_t> finished{0};
  const bool logged = worker_log_is_on();
  const int64_t caller = logged ? thread_number() : 0;
  std::atomic<int64_t> help_wall{0}, help_cpu{0};  // of the threads that are not the caller

  void help() {
    const int64_t wall = logged ? wall_ns() : 0, cpu = logged ? thread_cpu_ns() : 0;
    const HelpReceived received = help_received();
    thread_local bool is_working = false;
    const bool is_within_work = std::exchange(is_working, true);
    size_t done = 0;
    {
      const ScratchUse scratch;
      for (size_t first = next.fetch_add(at_once); first < n; first = next.fetch_add(at_once)) {
        const size_t end = std::min(n, first + at_once);
        for (size_t i = first; i < end; ++i) (*work)(i, scratch);
        done += end - first;
      }
    }
    is_working = is_within_work;
    if (!done) return;
    if (logged) {
      const WorkerSpan span{pool->key(), pool->threads(), thread_number(), wall, wall_ns(), thread_cpu_ns() - cpu};
      if (!is_within_work) log_work(span);
      if (span.thread != caller) note_help(span, received);
    }
    finished.fetch_add(done, std::memory_order_acq_rel);
  }

  // `before` is the help that the thread had received before it began. What it has received since, it passes on.
  void note_help(const WorkerSpan& span, const HelpReceived& before) {
    const HelpReceived& now = help_received();
    help_wall.fetch_add(span.end_ns - span.start_ns + now.wall_ns - before.wall_ns, std::memory_order_relaxed);
    help_cpu.fetch_add(span.cpu_ns + now.cpu_ns - before.cpu_ns, std::memory_order_relaxed);
  }
  /// What is not taken yet, in pieces of as many as a thread takes at once.
  size_t pieces_left() const {
    const size_t taken = next.load(std::memory_order_relaxed);
    return taken < n ? (n - taken + at_once - 1) / at_once : 0;
  }
  bool is_finished() const { return finished.load(std::memory_order_acquire) == n; }
};

struct Pool::Workers {
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable progress;
  std::deque<std::shared_ptr<Job>> jobs;
  std::vector<std::thread> threads;
  const int process = process_number();
  bool stopping = false;
  size_t asleep = 0;

  // A few, which wake a few more each: waking takes 5 us, so that one who woke 63 would be behind by half an image.
  void wake_for(size_t pieces) {
    constexpr size_t kFew = 4;
    for (size_t i = 0; i < std::min(pieces, kFew); ++i) wake.notify_one();
  }

  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      ++asleep;
      wake.wait(lock, [&] { return stopping || !jobs.empty(); });
      --asleep;
      if (stopping) return;
      std::shared_ptr<Job> job = jobs.front();
      const size_t pieces = job->pieces_left();
      if (pieces == 0) {
        jobs.pop_front();
        continue;
      }
      const size_t idle = asleep;
      lock.unlock();
      wake_for(std::min(pieces - 1, idle));
      job->help();
      lock.lock();
      if (job->is_finished()) progress.notify_all();
    }
  }
};

Pool::Pool(int threads) : threads_(threads) {}

// Without a lock, which another thread might hold at a fork.
Pool::Workers& Pool::workers() {
  Workers* found = workers_.load(std::memory_order_acquire);
  // After a fork the threads are gone and their mutex may be held for ever: leave them behind and start anew.
  while (!found || found->process != process_number()) {
    auto fresh = std::make_unique<Workers>();
    if (!workers_.compare_exchange_strong(found, fresh.get(), std::memory_order_acq_rel)) continue;
    found = fresh.release();
    for (int i = 1; i < threads_; ++i) found->threads.emplace_back([found] { found->serve(); });
  }
  return *found;
}

Pool::~Pool() {
  Workers* const found = workers_.load(std::memory_order_acquire);
  if (!found || found->process != process_number()) return;
  {
    std::lock_guard lock(found->mutex);
    found->stopping = true;
  }
  found->wake.notify_all();
  for (std::thread& thread : found->threads) thread.join();
  delete found;
}

size_t Pool::at_once(size_t n, int64_t sample_bytes) const {
  constexpr int64_t kTakenBytes = 64 << 10;
  constexpr size_t kTurns = 8;  // of each thread at least, so that none is left with much at the end
  const auto fitting = static_cast<size_t>(kTakenBytes / std::max<int64_t>(sample_bytes, 1));
  return std::max<size_t>(1, std::min(fitting, n / (kTurns * threads_)));
}

// Does the work from the first on, until it is all done or what is left would take long; returns how much is done.
size_t Pool::begin_alone(size_t n, const std::function<void(size_t, Scratch&)>& work, size_t at_once) const {
  // The first samples take longer, until data and code are in the caches.
  constexpr int64_t kJudgedFromNs = 20'000;
  // Waking a thread takes 10 us of the caller's time and as much of its own, and its caches are cold.
  constexpr int64_t kLongNs = 60'000;
  const bool logged = worker_log_is_on();
  const int64_t begun = wall_ns(), cpu = logged ? thread_cpu_ns() : 0;
  const ScratchUse scratch;
  size_t done = 0;
  while (done < n) {
    for (const size_t end = std::min(n, done + at_once); done < end; ++done) work(done, scratch);
    const int64_t taken = wall_ns() - begun;
    if (taken >= kJudgedFromNs && taken * static_cast<int64_t>(n - done) > kLongNs * static_cast<int64_t>(done)) break;
  }
  if (logged) log_work({key(), threads_, thread_number(), begun, wall_ns(), thread_cpu_ns() - cpu});
  return done;
}

void Pool::for_each(size_t n, const std::function<void(size_t, Scratch&)>& work, size_t at_once, Wake wake) {
  if (threads_ <= 1 || n <= 1) {
    const ScratchUse scratch;
    for (size_t i = 0; i < n; ++i) work(i, scratch);
    return;
  }
  const size_t done = wake == Wake::if_long ? begin_alone(n, work, at_once) : 0;
  if (done == n) return;
  Workers& workers = this->workers();
  auto job = std::make_shared<Job>();
  job->n = n;
  job->at_once = at_once;
  job->pool = this;
  job->work = &work;
  job->next = done;
  job->finished = done;
  const size_t pieces = job->pieces_left();
  {
    std::lock_guard lock(workers.mutex);
    workers.jobs.push_back(job);
  }
  workers.wake_for(pieces - 1);
  job->help();
  std::unique_lock lock(workers.mutex);
  std::erase(workers.jobs, job);
  workers.progress.wait(lock, [&] { return job->is_finished(); });
  if (job->logged) {
    help_received().wall_ns += job->help_wall.load(std::memory_order_relaxed);
    help_received().cpu_ns += job->help_cpu.load(std::memory_order_relaxed);
  }
}

}  // namespace penstock
