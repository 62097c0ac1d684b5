// Which bytes of which archive make up the outputs of every sample of a webdataset.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/archives/tar_index.h"
#include "memory/samples.h"

namespace penstock {

enum class Missing { empty, skip, error };

struct Wanted {
  std::vector<std::vector<std::string>> extensions;  // by output: any of them will do
  std::vector<DType> dtypes;                         // by output
  bool case_sensitive;
  Missing missing;
  bool check_headers;  // what an index says may not be true of the archive
};

/// What to read for a batch, and where each output lies in what was read.
struct ReadPlan {
  std::vector<int64_t> archives, offsets, lengths, samples;  // by piece: `samples` are positions in the batch
  std::vector<int64_t> indices;                              // the samples asked for
  std::vector<int64_t> piece, within;                        // by sample and output; -1 where there is no component
};

struct Taken {
  std::vector<Samples> outputs;
  std::map<int64_t, std::string> failures;  // by position in the batch
};

class ComponentTable {
 public:
  /// The table of one archive, without any samples yet.
  ComponentTable(Wanted wanted, std::string archive);

  /// Keeps the components of a sample that are wanted. Throws where one is missing and that is an error.
  void add(const Components& sample, int64_t line);
  /// Puts the samples of another archive behind these.
  void extend(const ComponentTable& other);

  size_t outputs() const { return wanted_.dtypes.size(); }
  int64_t size() const { return static_cast<int64_t>(archives_.size()); }
  int64_t doubles() const { return doubles_; }
  const std::string& first_double() const { return first_double_; }

  /// One piece for components of a sample that lie close together, so that a far archive is asked once.
  ReadPlan plan(std::span<const int64_t> indices) const;
  /// The outputs, from the pieces of the plan as they were read.
  Taken take(const ReadPlan& plan, const Samples& pieces) const;
  /// "archive:offset:name" of a component; empty where there is none.
  std::string source(int64_t sample, size_t output) const;

 private:
  struct Place {
    int64_t offset = 0, size = -1;  // -1 where there is no component
    int64_t name_end = 0;
  };

  const Place& place(int64_t sample, size_t output) const { return places_[sample * outputs() + output]; }
  std::string_view name(int64_t sample, size_t output) const;
  std::string problem(const ReadPlan& plan, const Samples& pieces, size_t position, size_t output) const;
  Samples output(const ReadPlan& plan, const Samples& pieces, size_t output) const;

  Wanted wanted_;
  std::map<std::string, std::vector<size_t>, std::less<>> outputs_of_;  // by extension
  std::vector<int32_t> archives_;                                       // by sample
  std::vector<Place> places_;                                           // by sample and output
  std::string names_;
  std::vector<std::string> archive_names_;
  int64_t doubles_ = 0;
  std::string first_double_;
};

}  // namespace penstock
