#include "datasets/archives/component_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace penstock {
namespace {

// Reading on to the next component costs less than asking anew.
constexpr int64_t kLargestGap = 1 << 15;

std::string folded(std::string text, bool case_sensitive) {
  if (!case_sensitive)
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string where(const Component& component, int64_t line) {
  const std::string at = component.member.name + " at byte " + std::to_string(component.member.offset);
  return line ? "line " + std::to_string(line) + ": " + at : at;
}

}  // namespace

ComponentTable::ComponentTable(Wanted wanted, std::string archive)
    : wanted_(std::move(wanted)), archive_names_{std::move(archive)} {
  if (wanted_.extensions.size() != wanted_.dtypes.size()) throw std::invalid_argument("a dtype for every output");
  for (size_t output = 0; output < outputs(); ++output)
    for (const std::string& extension : wanted_.extensions[output]) {
      std::vector<size_t>& those = outputs_of_[folded(extension, wanted_.case_sensitive)];
      if (std::find(those.begin(), those.end(), output) == those.end()) those.push_back(output);
    }
}

void ComponentTable::add(const Components& sample, int64_t line) {
  std::vector<const TarMember*> chosen(outputs(), nullptr);
  for (const Component& component : sample) {
    const auto found = outputs_of_.find(folded(component.extension, wanted_.case_sensitive));
    if (found == outputs_of_.end()) continue;
    for (const size_t output : found->second) {
      if (chosen[output] && doubles_++ == 0) first_double_ = where(component, line);
      if (!chosen[output]) chosen[output] = &component.member;
    }
  }
  const auto gap = std::find(chosen.begin(), chosen.end(), nullptr);
  if (gap != chosen.end() && wanted_.missing == Missing::skip) return;
  if (gap != chosen.end() && wanted_.missing == Missing::error)
    throw std::runtime_error("Underful sample detected: output " + std::to_string(gap - chosen.begin()) +
                             " has no component in the sample that begins with " + where(sample.front(), line));
  archives_.push_back(0);
  for (const TarMember* member : chosen) {
    if (member) names_ += member->name;
    const int64_t end = static_cast<int64_t>(names_.size());
    places_.push_back(member ? Place{member->offset, member->size, end} : Place{0, -1, end});
  }
}

void ComponentTable::extend(const ComponentTable& other) {
  const auto count = static_cast<int32_t>(archive_names_.size());
  const int64_t shift = static_cast<int64_t>(names_.size());
  for (const int32_t archive : other.archives_) archives_.push_back(archive + count);
  for (Place place : other.places_) {
    place.name_end += shift;
    places_.push_back(place);
  }
  names_ += other.names_;
  archive_names_.insert(archive_names_.end(), other.archive_names_.begin(), other.archive_names_.end());
}

std::string_view ComponentTable::name(int64_t sample, size_t output) const {
  const size_t at = sample * outputs() + output;
  const int64_t start = at ? places_[at - 1].name_end : 0;
  return std::string_view(names_).substr(start, places_[at].name_end - start);
}

std::string ComponentTable::source(int64_t sample, size_t output) const {
  const Place& at = place(sample, output);
  if (at.size < 0) return {};
  return archive_names_[archives_[sample]] + ':' + std::to_string(at.offset) + ':' + std::string(name(sample, output));
}

ReadPlan ComponentTable::plan(std::span<const int64_t> indices) const {
  ReadPlan made;
  made.indices.assign(indices.begin(), indices.end());
  made.piece.assign(indices.size() * outputs(), -1);
  made.within.assign(indices.size() * outputs(), 0);
  const int64_t before = wanted_.check_headers ? kTarBlock : 0;
  std::vector<size_t> order(outputs());
  for (size_t position = 0; position < indices.size(); ++position) {
    const int64_t sample = indices[position];
    if (sample < 0 || sample >= size()) throw std::out_of_range("there is no sample " + std::to_string(sample));
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return place(sample, a).offset < place(sample, b).offset; });
    const size_t first_piece = made.offsets.size();
    for (const size_t output : order) {
      const Place& at = place(sample, output);
      if (at.size < 0) continue;
      const int64_t start = at.offset - before, end = at.offset + at.size;
      const bool joins =
          made.offsets.size() > first_piece && start - (made.offsets.back() + made.lengths.back()) <= kLargestGap;
      if (!joins) {
        made.archives.push_back(archives_[sample]);
        made.offsets.push_back(start);
        made.lengths.push_back(0);
        made.samples.push_back(static_cast<int64_t>(position));
      }
      made.lengths.back() = std::max(made.lengths.back(), end - made.offsets.back());
      made.piece[position * outputs() + output] = static_cast<int64_t>(made.offsets.size()) - 1;
      made.within[position * outputs() + output] = at.offset - made.offsets.back();
    }
  }
  return made;
}

std::string ComponentTable::problem(const ReadPlan& plan, const Samples& pieces, size_t position, size_t output) const {
  const int64_t sample = plan.indices[position];
  const int64_t size = place(sample, output).size, item = item_bytes(wanted_.dtypes[output]);
  if (size < 0) return {};
  if (size % item)
    return std::to_string(size) + " bytes are no whole number of elements of " + std::to_string(item) +
           " bytes: component size and dtype incompatible";
  if (!wanted_.check_headers) return {};
  const size_t k = position * outputs() + output;
  const char* data = reinterpret_cast<const char*>(pieces.data(plan.piece[k])) + plan.within[k];
  const std::string why = tar_header_problem({data - kTarBlock, kTarBlock}, name(sample, output), size);
  if (why.empty()) return {};
  return "the index gives " + std::to_string(size) + " bytes here, but " + why +
         "; the index may be that of another archive";
}

// Elements wider than a byte are moved to where they are aligned, and samples of one shape into one block.
Samples ComponentTable::output(const ReadPlan& plan, const Samples& pieces, size_t output) const {
  static std::byte nothing;
  const DType dtype = wanted_.dtypes[output];
  std::vector<Shape> shapes(plan.indices.size());
  std::vector<std::byte*> data(plan.indices.size(), &nothing);
  for (size_t position = 0; position < data.size(); ++position) {
    const size_t k = position * outputs() + output;
    shapes[position].ndim = 1;
    if (plan.piece[k] < 0) continue;
    shapes[position][0] = place(plan.indices[position], output).size / item_bytes(dtype);
    data[position] = pieces.data(plan.piece[k]) + plan.within[k];
  }
  Samples scattered = Samples::scattered(dtype, 1, shapes, data, pieces.owner());
  if (item_bytes(dtype) == 1 && !scattered.is_uniform()) return scattered;
  Samples made = Samples::empty(dtype, 1, std::move(shapes));
  for (size_t position = 0; position < data.size(); ++position)
    std::memcpy(made.data(position), data[position], made.view(position).bytes());
  return made;
}

Taken ComponentTable::take(const ReadPlan& plan, const Samples& pieces) const {
  if (pieces.size() != plan.offsets.size() || pieces.dtype() != DType::u8 || pieces.ndim() != 1)
    throw std::invalid_argument("not the pieces of this plan");
  for (size_t i = 0; i < pieces.size(); ++i)
    if (pieces.shape(i)[0] != plan.lengths[i]) throw std::invalid_argument("a piece of another length than planned");
  Taken taken;
  for (size_t position = 0; position < plan.indices.size(); ++position)
    for (size_t k = 0; k < outputs(); ++k)
      if (const std::string why = problem(plan, pieces, position, k); !why.empty())
        taken.failures.try_emplace(position, source(plan.indices[position], k) + ": " + why);
  if (!taken.failures.empty()) return taken;
  for (size_t k = 0; k < outputs(); ++k) {
    taken.outputs.push_back(output(plan, pieces, k));
    std::vector<std::string> sources;
    for (const int64_t sample : plan.indices) sources.push_back(source(sample, k));
    taken.outputs.back().sources = std::make_shared<const std::vector<std::string>>(std::move(sources));
  }
  return taken;
}

}  // namespace penstock
