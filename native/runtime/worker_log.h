// What the threads of all pools did, for a profiler that is on: when each of them worked, and for how long.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace penstock {

/// One thread's share of one piece of work, for a pool of so many threads.
struct WorkerSpan {
  int64_t pool, threads, thread, start_ns, end_ns, cpu_ns;
};

/// Time that other threads have worked for the calling one, since it began, while the log was on.
struct HelpReceived {
  int64_t wall_ns = 0, cpu_ns = 0;
};

/// Has the pools keep spans from now on; `stop_worker_log` as often as this was called ends that.
void start_worker_log();
void stop_worker_log();
bool worker_log_is_on();

void log_work(const WorkerSpan& span);
/// The spans from a position on, as far as they are still kept, and the position behind them.
std::pair<std::vector<WorkerSpan>, uint64_t> logged_work(uint64_t position);

HelpReceived& help_received();

}  // namespace penstock
