#include "kernels/masks/connected_components.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace penstock {
namespace {

/// Elements of one label side by side in a row, from `start` to before `end`.
struct Run {
  int32_t start, end;
  int32_t parent;  // another run of the same component, further up; itself where there is none
};

// Where the elements that equal `row[from]` end. Eight bytes are compared at a time: most runs are long.
template <typename T>
int64_t end_of_run(const T* row, int64_t from, int64_t n) {
  constexpr int64_t kLanes = sizeof(uint64_t) / sizeof(T);
  T lanes[kLanes];
  std::fill_n(lanes, kLanes, row[from]);
  uint64_t wanted, seen;
  std::memcpy(&wanted, lanes, sizeof wanted);
  int64_t i = from + 1;
  for (; i + kLanes <= n; i += kLanes) {
    std::memcpy(&seen, row + i, sizeof seen);
    if (seen != wanted) return i + std::countr_zero(seen ^ wanted) / static_cast<int>(8 * sizeof(T));
  }
  while (i < n && row[i] == row[from]) ++i;
  return i;
}

/// Finds the runs of a mask row by row, and joins those that touch.
template <typename T>
class Labelling {
 public:
  Labelling(ConstView mask, int64_t background)
      : data_(mask.as<T>()), shape_(mask.shape), last_(mask.shape.ndim - 1), width_(mask.shape[last_]) {
    const int64_t rows = mask.shape.volume(0, last_);
    first_.reserve(rows + 1);
    for (int64_t row = 0; row < rows; ++row) {
      add_runs(row, background);
      int64_t stride = 1;
      for (int axis = last_ - 1; axis >= 0; stride *= shape_[axis--])
        if (row / stride % shape_[axis] > 0) join(row, row - stride);
    }
  }

  std::vector<ConnectedComponent> components() {
    std::vector<ConnectedComponent> found;
    std::vector<int32_t> component_of(runs_.size());
    for (size_t row = 0; row < first_.size(); ++row) {
      const size_t end = row + 1 < first_.size() ? first_[row + 1] : runs_.size();
      for (size_t run = first_[row]; run < end; ++run) {
        const int32_t top = root(static_cast<int32_t>(run));
        if (top == static_cast<int32_t>(run)) {
          component_of[run] = static_cast<int32_t>(found.size());
          found.push_back(around_nothing(data_[row * width_ + runs_[run].start]));
        }
        widen(found[component_of[top]], static_cast<int64_t>(row), runs_[run]);
      }
    }
    return found;
  }

 private:
  void add_runs(int64_t row, int64_t background) {
    first_.push_back(runs_.size());
    const T* values = data_ + row * width_;
    for (int64_t i = 0; i < width_;) {
      const int64_t end = end_of_run(values, i, width_);
      if (static_cast<int64_t>(values[i]) != background) {
        const auto index = static_cast<int32_t>(runs_.size());
        runs_.push_back({static_cast<int32_t>(i), static_cast<int32_t>(end), index});
      }
      i = end;
    }
  }

  // Rows are walked together: of two runs that overlap, the one that ends first cannot meet another.
  void join(int64_t row, int64_t other) {
    size_t a = first_[row], b = first_[other];
    const size_t a_end = runs_.size(), b_end = first_[other + 1];
    while (a < a_end && b < b_end) {
      const Run &mine = runs_[a], &theirs = runs_[b];
      if (mine.start < theirs.end && theirs.start < mine.end &&
          data_[row * width_ + mine.start] == data_[other * width_ + theirs.start])
        unite(static_cast<int32_t>(a), static_cast<int32_t>(b));
      mine.end < theirs.end ? ++a : ++b;
    }
  }

  int32_t root(int32_t run) {
    while (runs_[run].parent != run) run = runs_[run].parent = runs_[runs_[run].parent].parent;
    return run;
  }

  void unite(int32_t a, int32_t b) {
    a = root(a);
    b = root(b);
    runs_[std::max(a, b)].parent = std::min(a, b);
  }

  ConnectedComponent around_nothing(T label) const {
    ConnectedComponent component;
    component.label = static_cast<int64_t>(label);
    component.start.fill(std::numeric_limits<int32_t>::max());
    return component;
  }

  void widen(ConnectedComponent& component, int64_t row, const Run& run) const {
    component.start[last_] = std::min(component.start[last_], run.start);
    component.end[last_] = std::max(component.end[last_], run.end);
    for (int axis = last_ - 1; axis >= 0; --axis) {
      const auto place = static_cast<int32_t>(row % shape_[axis]);
      row /= shape_[axis];
      component.start[axis] = std::min(component.start[axis], place);
      component.end[axis] = std::max(component.end[axis], place + 1);
    }
  }

  const T* data_;
  Shape shape_;
  int last_;
  int64_t width_;
  std::vector<Run> runs_;
  std::vector<size_t> first_;  // the first run of every row
};

template <typename T>
std::vector<ConnectedComponent> components_of(ConstView mask, int64_t background) {
  return Labelling<T>(mask, background).components();
}

}  // namespace

bool can_be_labels(DType dtype) {
  return dtype == DType::boolean || (dtype != DType::f16 && dtype < DType::f16 && item_bytes(dtype) <= 4);
}

std::vector<ConnectedComponent> find_components(ConstView mask, int64_t background) {
  if (mask.shape.ndim == 0 || mask.shape.volume() == 0) return {};
  switch (mask.dtype) {
    case DType::u16:
      return components_of<uint16_t>(mask, background);
    case DType::u32:
      return components_of<uint32_t>(mask, background);
    case DType::i8:
      return components_of<int8_t>(mask, background);
    case DType::i16:
      return components_of<int16_t>(mask, background);
    case DType::i32:
      return components_of<int32_t>(mask, background);
    default:
      return components_of<uint8_t>(mask, background);
  }
}

}  // namespace penstock
