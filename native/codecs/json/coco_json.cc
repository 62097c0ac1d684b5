#include "codecs/json/coco_json.h"

#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "codecs/json/run_lengths.h"

namespace penstock {
namespace {

/// What a value of JSON is that begins with this character; null for a string, and where no value does.
const char* kind_of(char first) {
  switch (first) {
    case '{':
      return "object";
    case '[':
      return "array";
    case 't':
    case 'f':
      return "boolean";
    case 'n':
      return "null";
    default:
      return first == '-' || (first >= '0' && first <= '9') ? "number" : nullptr;
  }
}

template <typename T>
T present(const std::optional<T>& value, const char* name) {
  if (!value) throw std::runtime_error(std::string("there is no ") + name);
  return *value;
}

class CocoReader {
 public:
  CocoReader(ByteSource& source, const CocoChoice& choice) : json_(source), choice_(choice) {}

  CocoFile read() {
    bool images = false;
    json_.object([&](std::string_view name) {
      if (name == "images") {
        images = true;
        list("images", [&] { image(); });
      } else if (name == "categories") {
        list("categories", [&] { category(); });
      } else if (name == "annotations") {
        list("annotations", [&] { annotation(); });
      } else {
        json_.skip();
      }
    });
    json_.finish();
    if (!images) throw std::runtime_error("there are no images in the file");
    return std::move(made_);
  }

 private:
  /// Reads elements; what is wrong with the contents of one is told with its place.
  template <typename Element>
  void list(const char* name, const Element& element) {
    place_ = 0;
    json_.array([&] {
      try {
        element();
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(where(name) + error.what());
      } catch (const std::runtime_error& error) {
        throw std::runtime_error(where(name) + error.what());
      }
      ++place_;
    });
  }

  std::string where(const char* name) const { return std::string(name) + "[" + std::to_string(place_) + "]: "; }

  void image() {
    std::optional<int32_t> id;
    bool named = false;
    int32_t width = 0, height = 0;
    json_.object([&](std::string_view name) {
      if (name == "id") {
        id = json_.integer();
      } else if (name == "file_name") {
        if (const char* kind = kind_of(json_.peek()))
          throw std::invalid_argument(std::string("Invalid COCO annotation: `file_name` must be a string, got ") +
                                      kind);
        const std::string_view text = json_.text();
        if (text.empty() || text.find('\0') != text.npos) json_.fail("this is no file name");
        made_.names.append(text).push_back('\0');
        if (named) json_.fail("a second file_name");
        named = true;
      } else if (name == "width" || name == "height") {
        (name == "width" ? width : height) = json_.integer();
      } else {
        json_.skip();
      }
    });
    if (!named) throw std::runtime_error("there is no file_name");
    made_.image_ids.push_back(present(id, "id"));
    made_.widths.push_back(width);
    made_.heights.push_back(height);
  }

  void category() {
    std::optional<int32_t> id;
    json_.object([&](std::string_view name) { name == "id" ? void(id = json_.integer()) : json_.skip(); });
    made_.category_ids.push_back(present(id, "id"));
  }

  void annotation() {
    std::optional<int32_t> image, category;
    std::optional<std::array<float, 4>> box;
    bool crowd = false;
    extent_ = {-1, -1};
    json_.object([&](std::string_view name) {
      if (name == "image_id") {
        image = json_.integer();
      } else if (name == "category_id") {
        category = json_.integer();
      } else if (name == "bbox") {
        box = corners();
      } else if (name == "iscrowd") {
        crowd = json_.truth();
      } else if (name == "segmentation" && choice_.polygons) {
        segmentation();
      } else {
        json_.skip();
      }
    });
    const std::array<float, 4> found = present(box, "bbox");
    made_.image_of.push_back(present(image, "image_id"));
    made_.category_of.push_back(present(category, "category_id"));
    if (found[2] < choice_.size_threshold || found[3] < choice_.size_threshold || (crowd && !choice_.include_crowds))
      return forget();
    made_.places.push_back(place_);
    made_.boxes.insert(made_.boxes.end(), found.begin(), found.end());
    if (!choice_.polygons) return;
    made_.polygon_starts.push_back(static_cast<int64_t>(made_.vertex_starts.size()) - 1);
    made_.run_starts.push_back(static_cast<int64_t>(made_.runs.size()));
    made_.run_extents.insert(made_.run_extents.end(), extent_.begin(), extent_.end());
  }

  /// Takes back what the annotation brought.
  void forget() {
    made_.image_of.pop_back();
    made_.category_of.pop_back();
    made_.vertex_starts.resize(made_.polygon_starts.back() + 1);
    made_.vertices.resize(made_.vertex_starts.back() * 2);
    made_.runs.resize(made_.run_starts.back());
  }

  std::array<float, 4> corners() {
    std::array<float, 4> box{};
    size_t count = 0;
    json_.array([&] {
      const float value = coordinate();
      if (count < box.size()) box[count] = value;
      ++count;
    });
    if (count != box.size())
      throw std::invalid_argument("`bbox` must contain exactly 4 values, got " + std::to_string(count));
    return box;
  }

  float coordinate() {
    const auto value = static_cast<float>(json_.number());
    if (!std::isfinite(value)) json_.fail("this coordinate is too large");
    return value;
  }

  void segmentation() {
    if (json_.null()) return;
    if (json_.peek() == '{') return choice_.runs ? run_lengths() : json_.skip();
    json_.array([&] {
      const size_t before = made_.vertices.size();
      json_.array([&] { made_.vertices.push_back(coordinate()); });
      const size_t count = made_.vertices.size() - before;
      if (count % 2) throw std::runtime_error("a polygon has an x without a y: " + std::to_string(count) + " numbers");
      made_.vertex_starts.push_back(static_cast<int64_t>(made_.vertices.size() / 2));
    });
  }

  void run_lengths() {
    const size_t before = made_.runs.size();
    bool counts = false;
    json_.object([&](std::string_view name) {
      if (name == "counts") {
        counts = true;
        made_.runs.resize(before);
        json_.peek() == '"' ? append_runs(made_.runs, json_.text()) : listed_runs();
      } else if (name == "size") {
        size_t count = 0;
        json_.array([&] {
          const int32_t extent = json_.integer();
          if (extent < 1 || count > 1) json_.fail("the size of a mask is a height and a width");
          extent_[count++] = extent;
        });
        if (count != 2) json_.fail("the size of a mask is a height and a width");
      } else {
        json_.skip();
      }
    });
    if (!counts) throw std::runtime_error("there are no counts in the segmentation");
    if (extent_[0] < 0) throw std::runtime_error("there is no size in the segmentation");
    const int64_t pixels = int64_t{extent_[0]} * extent_[1];
    const int64_t covered =
        std::accumulate(made_.runs.begin() + static_cast<int64_t>(before), made_.runs.end(), int64_t{0});
    if (covered > pixels)
      throw std::runtime_error("the run lengths cover " + std::to_string(covered) + " pixels, a mask of " +
                               std::to_string(extent_[0]) + "x" + std::to_string(extent_[1]) + " has " +
                               std::to_string(pixels));
  }

  void listed_runs() {
    json_.array([&] {
      const int32_t run = json_.integer();
      if (run < 0) json_.fail("a run cannot have a length below zero");
      made_.runs.push_back(static_cast<uint32_t>(run));
    });
  }

  JsonReader json_;
  CocoChoice choice_;
  CocoFile made_;
  int64_t place_ = 0;
  std::array<int32_t, 2> extent_{};
};

}  // namespace

CocoFile read_coco(ByteSource& source, const CocoChoice& choice) { return CocoReader(source, choice).read(); }

}  // namespace penstock
