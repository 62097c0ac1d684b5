#include "runtime/split_merge.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

namespace penstock {
namespace {

// Larger samples stay where they are: they are worked on one by one, and a pointer each is cheaper than a copy.
constexpr int64_t kCopiedBelowBytes = 1024;

struct Pick {
  const Samples* from;
  size_t sample;
};

std::shared_ptr<void> owner_of(const std::vector<Pick>& picks) {
  std::vector<std::shared_ptr<void>> owners;
  for (const Pick& pick : picks)
    if (owners.empty() || owners.back() != pick.from->owner()) owners.push_back(pick.from->owner());
  return std::make_shared<std::vector<std::shared_ptr<void>>>(std::move(owners));
}

bool is_small(const std::vector<Pick>& picks) {
  const Shape& first = picks[0].from->shape(picks[0].sample);
  return first.volume() * item_bytes(picks[0].from->dtype()) < kCopiedBelowBytes &&
         std::all_of(picks.begin(), picks.end(), [&](const Pick& p) { return p.from->shape(p.sample) == first; });
}

template <typename T>
std::shared_ptr<const std::vector<T>> known(const std::vector<Pick>& picks,
                                            std::shared_ptr<const std::vector<T>> Samples::*what) {
  auto found = std::make_shared<std::vector<T>>();
  for (const Pick& pick : picks) {
    const auto& all = pick.from->*what;
    if (!all || all->size() <= pick.sample) return nullptr;
    found->push_back((*all)[pick.sample]);
  }
  return found;
}

Samples picked(const std::vector<Pick>& picks, const Samples& like) {
  if (picks.empty()) {
    Samples none = Samples::empty(like.dtype(), like.ndim(), {});
    none.layout = like.layout;
    none.enumeration = like.enumeration;
    return none;
  }
  std::vector<Shape> shapes;
  std::vector<std::byte*> data;
  for (const Pick& pick : picks) {
    shapes.push_back(pick.from->shape(pick.sample));
    data.push_back(pick.from->data(pick.sample));
  }
  std::optional<Samples> made;
  if (is_small(picks)) {
    made = Samples::empty(like.dtype(), picks.size(), shapes[0]);
    const int64_t bytes = made->const_view(0).bytes();
    for (size_t i = 0; i < picks.size(); ++i) std::memcpy(made->data(i), data[i], bytes);
  } else {
    made = Samples::scattered(like.dtype(), like.ndim(), std::move(shapes), std::move(data), owner_of(picks));
    made->external = std::any_of(picks.begin(), picks.end(), [](const Pick& p) { return p.from->external; });
    made->read_only = std::any_of(picks.begin(), picks.end(), [](const Pick& p) { return p.from->read_only; });
  }
  made->layout = like.layout;
  made->enumeration = like.enumeration;
  made->sources = known(picks, &Samples::sources);
  made->indices = known(picks, &Samples::indices);
  return *std::move(made);
}

}  // namespace

std::pair<Samples, Samples> split(const Samples& in, const std::vector<bool>& chosen) {
  if (in.size() != chosen.size() && in.size() != 1)
    throw std::runtime_error("the condition has " + std::to_string(chosen.size()) + " samples, the batch it splits " +
                             std::to_string(in.size()));
  std::vector<Pick> yes, no;
  for (size_t i = 0; i < chosen.size(); ++i) (chosen[i] ? yes : no).push_back({&in, in.size() == 1 ? 0 : i});
  return {picked(yes, in), picked(no, in)};
}

Samples merge(const Samples& yes, const Samples& no, const std::vector<bool>& chosen) {
  const size_t wanted[2] = {static_cast<size_t>(std::count(chosen.begin(), chosen.end(), false)),
                            static_cast<size_t>(std::count(chosen.begin(), chosen.end(), true))};
  const Samples* sides[2] = {&no, &yes};
  for (int side : {1, 0})
    if (wanted[side] > 0 && sides[side]->size() != wanted[side] && sides[side]->size() != 1)
      throw std::runtime_error("a branch made " + std::to_string(sides[side]->size()) + " samples of the " +
                               std::to_string(wanted[side]) + " that it was given");
  if (wanted[0] > 0 && wanted[1] > 0 && (yes.dtype() != no.dtype() || yes.ndim() != no.ndim()))
    throw std::runtime_error("branches made samples of different element types or numbers of axes");
  size_t next[2] = {0, 0};
  std::vector<Pick> picks;
  for (const bool side : chosen) {
    picks.push_back({sides[side], sides[side]->size() == 1 ? 0 : next[side]});
    ++next[side];
  }
  return picked(picks, wanted[1] > 0 ? yes : no);
}

}  // namespace penstock
