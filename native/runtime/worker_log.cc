#include "runtime/worker_log.h"

#include <array>
#include <atomic>
#include <memory>

namespace penstock {
namespace {

// Two pools of eight threads fill it in a second where a batch takes a millisecond.
constexpr uint64_t kKept = 1 << 14;

// Written without a lock, which another thread might hold at a fork. A slot's number is that of its span plus one, and
// 0 while it is being written.
struct Slot {
  std::atomic<uint64_t> number{0};
  std::array<std::atomic<int64_t>, 6> values{};
};

std::atomic<int> users{0};
std::atomic<uint64_t> next_number{0};

std::array<Slot, kKept>& slots() {
  static const auto kept = std::make_unique<std::array<Slot, kKept>>();
  return *kept;
}

}  // namespace

void start_worker_log() { users.fetch_add(1); }
void stop_worker_log() { users.fetch_sub(1); }
bool worker_log_is_on() { return users.load(std::memory_order_relaxed) > 0; }

void log_work(const WorkerSpan& span) {
  const uint64_t number = next_number.fetch_add(1);
  Slot& slot = slots()[number % kKept];
  slot.number.store(0, std::memory_order_release);
  const int64_t values[] = {span.pool, span.threads, span.thread, span.start_ns, span.end_ns, span.cpu_ns};
  for (size_t i = 0; i < slot.values.size(); ++i) slot.values[i].store(values[i], std::memory_order_release);
  slot.number.store(number + 1, std::memory_order_release);
}

std::pair<std::vector<WorkerSpan>, uint64_t> logged_work(uint64_t position) {
  const uint64_t end = next_number.load(std::memory_order_acquire);
  if (end > kKept && position < end - kKept) position = end - kKept;
  std::vector<WorkerSpan> spans;
  for (; position < end; ++position) {
    const Slot& slot = slots()[position % kKept];
    if (slot.number.load(std::memory_order_acquire) != position + 1) continue;
    int64_t values[6];
    for (size_t i = 0; i < slot.values.size(); ++i) values[i] = slot.values[i].load(std::memory_order_acquire);
    if (slot.number.load(std::memory_order_acquire) == position + 1)
      spans.push_back({values[0], values[1], values[2], values[3], values[4], values[5]});
  }
  return {std::move(spans), end};
}

HelpReceived& help_received() {
  thread_local HelpReceived received;
  return received;
}

}  // namespace penstock
