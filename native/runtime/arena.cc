#include "runtime/arena.h"

#include <pthread.h>
#include <sys/mman.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace penstock {
namespace {

// Beyond this the least useful waiting blocks go back to the system.
constexpr size_t kKeepLimit = size_t{1} << 30;
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

struct Arena {
  std::mutex mutex;
  std::map<size_t, std::vector<std::byte*>> waiting;
  size_t kept = 0;
  size_t live = 0;

  std::byte* take(size_t capacity) {
    std::lock_guard lock(mutex);
    live += capacity;
    auto found = waiting.find(capacity);
    if (found == waiting.end()) return nullptr;
    std::byte* block = found->second.back();
    found->second.pop_back();
    if (found->second.empty()) waiting.erase(found);
    kept -= capacity;
    return block;
  }

  void give_back(std::byte* block, size_t capacity) {
    std::vector<std::byte*> surplus;
    {
      std::lock_guard lock(mutex);
      live -= capacity;
      waiting[capacity].push_back(block);
      kept += capacity;
      while (kept > kKeepLimit) surplus.push_back(drop_smallest());
    }
    for (std::byte* each : surplus) std::free(each);
  }

  std::byte* drop_smallest() {
    auto first = waiting.begin();
    std::byte* block = first->second.back();
    kept -= first->first;
    first->second.pop_back();
    if (first->second.empty()) waiting.erase(first);
    return block;
  }
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

void trim_arena() {
  std::lock_guard lock(arena().mutex);
  while (arena().kept) std::free(arena().drop_smallest());
}

}  // namespace penstock
