#include "memory/arena.h"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace penstock {
namespace {

// Beyond this waiting blocks go back to the system, the largest first: they are the fewest to make again.
constexpr size_t kKeepLimit = size_t{1} << 30;
// A block that waited while so many others were asked for belongs to an outlier: it goes back too. A loop asks for a
// few blocks per batch, so what every batch needs never waits that long.
constexpr uint64_t kLongestWait = 1024;
constexpr uint64_t kLookEvery = 128;
// Below this malloc is as good as we are.
constexpr size_t kPooledFrom = 16 << 10;

// Walking a large batch in pages of 4 KB, every page is looked up on the way. NumPy asks for huge ones from here on
// too.
constexpr size_t kHugePagesFrom = 4 << 20;
constexpr size_t kHugePage = 2 << 20;

// Four sizes per power of two: at most a quarter of a block is waste, and batches of like size meet the same block.
size_t size_class(size_t bytes) {
  const size_t step = std::bit_floor(bytes) / 4;
  return (bytes + step - 1) / step * step;
}

class Arena {
 public:
  /// Counts a request; now and then blocks that waited too long go back to the system.
  void count_request() {
    const uint64_t now = requests_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (now % kLookEvery == 0) drop_while([&](const Block& oldest) { return oldest.since + kLongestWait < now; });
  }

  std::byte* take(size_t capacity) {
    std::lock_guard lock(mutex);
    live += capacity;
    auto found = waiting_.find(capacity);
    if (found == waiting_.end()) return nullptr;
    std::byte* block = found->second.back().data;
    found->second.pop_back();
    if (found->second.empty()) waiting_.erase(found);
    kept -= capacity;
    return block;
  }

  void give_back(std::byte* block, size_t capacity) {
    bool is_much;
    {
      std::lock_guard lock(mutex);
      live -= capacity;
      waiting_[capacity].push_back({block, requests_.load(std::memory_order_relaxed)});
      kept += capacity;
      is_much = kept > kKeepLimit;
    }
    if (is_much) drop_while([this](const Block&) { return kept > kKeepLimit; });
  }

  void trim() {
    drop_while([](const Block&) { return true; });
  }

  std::mutex mutex;
  size_t kept = 0;
  size_t live = 0;

 private:
  struct Block {
    std::byte* data;
    uint64_t since;  // how many requests had been made when it came back
  };

  // Goes through the sizes from the largest on, in each from the block that waits the longest.
  template <typename Condition>
  void drop_while(const Condition& is_surplus) {
    std::vector<std::byte*> surplus;
    {
      std::lock_guard lock(mutex);
      for (auto size = waiting_.end(); size != waiting_.begin();) {
        --size;
        auto& blocks = size->second;
        size_t dropped = 0;
        for (; dropped < blocks.size() && is_surplus(blocks[dropped]); ++dropped) {
          kept -= size->first;
          surplus.push_back(blocks[dropped].data);
        }
        blocks.erase(blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(dropped));
        if (blocks.empty()) size = waiting_.erase(size);
      }
    }
    for (std::byte* each : surplus) std::free(each);
  }

  std::atomic<uint64_t> requests_{0};
  std::map<size_t, std::vector<Block>> waiting_;
};

// Never destroyed: blocks outlive the interpreter's last batch, and a fork must find the mutex free.
Arena& arena() {
  static Arena* instance = [] {
    pthread_atfork([] { arena().mutex.lock(); }, [] { arena().mutex.unlock(); }, [] { arena().mutex.unlock(); });
    return new Arena;
  }();
  return *instance;
}

std::byte* system_allocate(size_t bytes) {
  const size_t alignment = bytes < kHugePagesFrom ? 64 : kHugePage;
  const size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* block = std::aligned_alloc(alignment, whole);
  if (!block) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (bytes >= kHugePagesFrom) madvise(block, whole, MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(block);
}

}  // namespace

std::shared_ptr<std::byte> allocate(size_t bytes) {
  arena().count_request();
  if (bytes < kPooledFrom) return {system_allocate(bytes ? bytes : 1), [](std::byte* p) { std::free(p); }};
  const size_t capacity = size_class(bytes);
  std::byte* block = arena().take(capacity);
  if (!block) block = system_allocate(capacity);
  return {block, [capacity](std::byte* p) { arena().give_back(p, capacity); }};
}

ArenaUse arena_use() {
  std::lock_guard lock(arena().mutex);
  return {arena().live, arena().kept};
}

void trim_arena() { arena().trim(); }

}  // namespace penstock
