#include "datasets/records/record_images.h"

#include <exception>
#include <span>

#include "codecs/records/recordio.h"
#include "memory/packed_lists.h"
#include "memory/shared_bytes.h"

namespace penstock {

// On one thread: of most records only the first few bytes are looked at.
RecordImages record_images(const Samples& records) {
  const size_t n = records.size();
  std::vector<std::vector<std::byte>> joined(n);
  std::vector<std::span<const std::byte>> files(n);
  std::vector<std::vector<float>> labels(n);
  RecordImages made;
  made.errors.resize(n);
  for (size_t i = 0; i < n; ++i) {
    try {
      RecordIOImage image =
          recordio_image({records.data(i), static_cast<size_t>(records.shape(i).volume())}, joined[i]);
      files[i] = image.file;
      labels[i] = std::move(image.label);
    } catch (const std::exception& error) {
      made.errors[i] = error.what();
    }
  }
  made.files = shared_bytes(records, files);
  made.labels = packed(labels, DType::f32);
  return made;
}

}  // namespace penstock
