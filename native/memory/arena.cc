#include "memory/arena.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <unordered_set>
#include <vector>

#include "memory/pinned.h"
#include "os/fork.h"
#include "os/pages.h"

namespace penstock {
namespace {

// Beyond this waiting blocks go back to the system, the largest first: they are the fewest to make again.
constexpr size_t kKeepLimit = size_t{1} << 30;
// A block that waited while so many others were asked for belongs to an outlier: it goes back too. A loop asks for a
// few blocks per batch, so what every batch needs never waits that long.
constexpr uint64_t kLongestWait = 1024;
constexpr uint64_t kLookEvery = 128;
// Pinning works on whole pages, so no two blocks of the pool share one.
const size_t kPage = page_size();
// Below this malloc is as good as we are.
const size_t kPooledFrom = std::max<size_t>(16 << 10, kPage);

// Walking a large batch in pages of 4 KB, every page is looked up on the way. NumPy asks for huge ones from here on
// too.
constexpr size_t kHugePagesFrom = 4 << 20;

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
    if (now % kLookEvery == 0) drop_old(now);
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
    if (is_much) free_all(taken_out(false, [this](const Block&) { return kept > kKeepLimit; }));
  }

  void trim() {
    free_all(taken_out(false, [](const Block&) { return true; }));
  }

  /// The pinned blocks that waited too long or are too much, or all that wait, which are no longer the pool's.
  std::vector<std::byte*> surplus_pinned(bool all) {
    const uint64_t now = requests_.load(std::memory_order_relaxed);
    return taken_out(true, [&](const Block& block) { return all || is_old(block, now) || kept > kKeepLimit; });
  }

  bool is_pinned(const std::byte* block) {
    std::lock_guard lock(mutex);
    return pinned_.contains(block);
  }

  void set_pinned(const std::byte* block) {
    std::lock_guard lock(mutex);
    pinned_.insert(block);
  }

  std::mutex mutex;
  size_t kept = 0;
  size_t live = 0;

 private:
  struct Block {
    std::byte* data;
    uint64_t since;  // how many requests had been made when it came back
  };

  static bool is_old(const Block& block, uint64_t now) { return block.since + kLongestWait < now; }

  void drop_old(uint64_t now) {
    free_all(taken_out(false, [now](const Block& block) { return is_old(block, now); }));
  }

  // Takes out waiting blocks, pinned ones or the others, that are surplus: from the largest size on, in each from the
  // block that waits the longest.
  template <typename Condition>
  std::vector<std::byte*> taken_out(bool pinned, const Condition& is_surplus) {
    std::vector<std::byte*> surplus;
    std::lock_guard lock(mutex);
    for (auto size = waiting_.end(); size != waiting_.begin();) {
      --size;
      std::erase_if(size->second, [&](const Block& block) {
        if (pinned_.contains(block.data) != pinned || !is_surplus(block)) return false;
        kept -= size->first;
        surplus.push_back(block.data);
        return true;
      });
      if (size->second.empty()) size = waiting_.erase(size);
    }
    if (pinned)
      for (std::byte* each : surplus) pinned_.erase(each);
    return surplus;
  }

  static void free_all(const std::vector<std::byte*>& blocks) {
    for (std::byte* each : blocks) free_aligned(each);
  }

  std::atomic<uint64_t> requests_{0};
  std::map<size_t, std::vector<Block>> waiting_;
  std::unordered_set<const std::byte*> pinned_;  // whether they wait or not
};

// Never destroyed: blocks outlive the interpreter's last batch, and a fork must find the mutex free.
Arena& arena() {
  static Arena* instance = [] {
    around_forks([] { arena().mutex.lock(); }, [] { arena().mutex.unlock(); });
    return new Arena;
  }();
  return *instance;
}

std::byte* system_allocate(size_t bytes) {
  const size_t alignment = bytes < kPooledFrom ? 64 : bytes < kHugePagesFrom ? kPage : kHugePage;
  const size_t whole = (bytes + alignment - 1) / alignment * alignment;
  std::byte* block = allocate_aligned(alignment, whole);
  if (!block) throw std::bad_alloc();
  if (bytes >= kHugePagesFrom) prefer_huge_pages(block, whole);
  return block;
}

// Named, so that owners of blocks can be told from those of other memory.
struct GiveBack {
  size_t capacity;
  bool is_untouched;
  void operator()(std::byte* block) const { arena().give_back(block, capacity); }
};

struct Free {
  size_t bytes;
  void operator()(std::byte* block) const { free_aligned(block); }
};

}  // namespace

std::shared_ptr<std::byte> allocate(size_t bytes) {
  arena().count_request();
  if (bytes < kPooledFrom) return {system_allocate(bytes ? bytes : 1), Free{bytes}};
  const size_t capacity = size_class(bytes);
  std::byte* block = arena().take(capacity);
  const bool is_untouched = !block;
  if (!block) block = system_allocate(capacity);
  return {block, GiveBack{capacity, is_untouched}};
}

std::span<std::byte> untouched_block(const std::shared_ptr<void>& owner) {
  const auto* pooled = std::get_deleter<GiveBack>(owner);
  if (!pooled || !pooled->is_untouched || pooled->capacity < kHugePagesFrom) return {};
  return {static_cast<std::byte*>(owner.get()), pooled->capacity};
}

ArenaUse arena_use() {
  std::lock_guard lock(arena().mutex);
  return {arena().live, arena().kept};
}

void trim_arena() { arena().trim(); }

std::optional<ArenaBlock> block_of(const std::shared_ptr<void>& owner) {
  auto* data = static_cast<std::byte*>(owner.get());
  if (const auto* pooled = std::get_deleter<GiveBack>(owner)) return ArenaBlock{data, pooled->capacity, true};
  if (const auto* small = std::get_deleter<Free>(owner)) return ArenaBlock{data, small->bytes, false};
  return std::nullopt;
}

bool is_pinned(const std::byte* block) { return arena().is_pinned(block); }

void set_pinned(std::byte* block) { arena().set_pinned(block); }

std::vector<std::byte*> take_surplus_pinned(bool all) { return arena().surplus_pinned(all); }

void free_unpinned(std::byte* block) { free_aligned(block); }

}  // namespace penstock
