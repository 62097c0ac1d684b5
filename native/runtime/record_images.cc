#include "runtime/record_images.h"

#include <exception>
#include <span>

#include "codecs/recordio.h"
#include "runtime/packed.h"
#include "runtime/shared_bytes.h"

namespace penstock {

RecordImages record_images(Pool& pool, const Samples& records) {
  const size_t n = records.size();
  std::vector<std::vector<std::byte>> joined(n);
  std::vector<std::span<const std::byte>> files(n);
  std::vector<std::vector<float>> labels(n);
  RecordImages made;
  made.errors.resize(n);
  pool.for_each(n, [&](size_t i, Scratch&) {
    try {
      RecordIOImage image =
          recordio_image({records.data(i), static_cast<size_t>(records.shape(i).volume())}, joined[i]);
      files[i] = image.file;
      labels[i] = std::move(image.label);
    } catch (const std::exception& error) {
      made.errors[i] = error.what();
    }
  });
  made.files = shared_bytes(records, files);
  made.labels = packed(labels, DType::f32);
  return made;
}

}  // namespace penstock
