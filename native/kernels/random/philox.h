// Philox4x32-10, a generator without memory: the words at a position are computed from the position.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace penstock {

/// A sequence of random words. It wraps after 2^130 of them.
struct Philox {
  using Words = std::array<uint32_t, 4>;

  uint64_t key = 0;
  uint64_t low = 0, high = 0;  // the block the sequence starts in
  uint32_t phase = 0;          // the word of that block it starts with, 0 to 3

  /// The sequence of one sample, from the words an operator's call took from the user's generator.
  static Philox of_sample(std::span<const uint32_t, 7> call, size_t sample) {
    const auto wide = [&](int i) { return call[i] | static_cast<uint64_t>(call[i + 1]) << 32; };
    return Philox{wide(0), wide(2), wide(4), call[6] & 3}.samples_later(sample);
  }

  Philox samples_later(size_t samples) const {
    constexpr uint64_t kStep = 65537;
    return {key, low, high + kStep * samples, phase};
  }

  /// Four words at once; block 0 holds the start.
  Words block(uint64_t index) const {
    const uint64_t position = low + index, carried = high + (position < low);
    uint32_t c0 = static_cast<uint32_t>(position), c1 = static_cast<uint32_t>(position >> 32);
    uint32_t c2 = static_cast<uint32_t>(carried), c3 = static_cast<uint32_t>(carried >> 32);
    uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < kRounds; ++round, k0 += kBump0, k1 += kBump1) {
      const uint64_t p0 = uint64_t{c0} * kFactor0, p1 = uint64_t{c2} * kFactor1;
      c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
      c1 = static_cast<uint32_t>(p1);
      c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
      c3 = static_cast<uint32_t>(p0);
    }
    return {c0, c1, c2, c3};
  }

  static constexpr int kRounds = 10;
  static constexpr uint32_t kFactor0 = 0xD2511F53, kFactor1 = 0xCD9E8D57;
  static constexpr uint32_t kBump0 = 0x9E3779B9, kBump1 = 0xBB67AE85;
};

/// The elements of an array lie this many words apart in the sequence of its sample.
constexpr uint64_t kWordsBetweenElements = 257;

/// Reads a sequence word by word, from the first word of an element on, some of which may be skipped.
class PhiloxReader {
 public:
  explicit PhiloxReader(const Philox& sequence, int64_t element = 0, int skipped = 0)
      : sequence_(sequence),
        position_(sequence.phase + kWordsBetweenElements * static_cast<uint64_t>(element) +
                  static_cast<uint64_t>(skipped)) {
    if (position_ % 4 != 0) words_ = sequence_.block(position_ / 4);
  }

  uint32_t operator()() {
    if (position_ % 4 == 0) words_ = sequence_.block(position_ / 4);
    return words_[position_++ % 4];
  }

 private:
  Philox sequence_;
  uint64_t position_;
  Philox::Words words_;
};

/// Elements are drawn this many at a time, and blocks a quarter as many.
constexpr int kDrawTile = 256;
constexpr int kMostWords = 16;
constexpr int kDrawBlocks = kDrawTile / 4;

/// Words of several blocks: word w of block i is blocks[w][i].
using Blocks = uint32_t[4][kDrawBlocks];

/// Blocks whose numbers differ in the lowest of their four words only: of the first two rounds they share a half.
struct Rounds {
  Rounds(const Philox& sequence, uint64_t block);

  uint64_t low;             // what is added to the number of a block
  uint64_t upper;           // the next word of all of these sums
  uint64_t second2;         // after the first round: what makes word 2 of the high half of the product
  uint64_t third0, third2;  // after the second: what is added to words 0 and 2
  uint64_t third3;          // and word 3
  uint64_t key0[Philox::kRounds], key1[Philox::kRounds];
};

/// Reads the words of many elements at once.
class PhiloxTiles {
 public:
  enum class Elements { of_one_sample, of_a_sample_each };

  /// The elements are those of an array, or else the first ones of as many arrays, those of the sample `sequence` is
  /// for and the samples after it.
  explicit PhiloxTiles(const Philox& sequence, Elements elements = Elements::of_one_sample)
      : sequence_(sequence), elements_(elements) {}

  const Philox& sequence() const { return sequence_; }
  Elements elements() const { return elements_; }

  /// Reads an element word by word, some of which may be skipped.
  PhiloxReader reader(int64_t element, int skipped = 0) const {
    if (elements_ == Elements::of_one_sample) return PhiloxReader(sequence_, element, skipped);
    return PhiloxReader(sequence_.samples_later(static_cast<size_t>(element)), 0, skipped);
  }

  /// The first words, 1, 2, 4, 8 or 16, of n elements from `first` on, n up to kDrawTile: word w of element first + i
  /// goes to tile[w * kDrawTile + i].
  void read(uint32_t* tile, int64_t first, int n, int words);

  /// For each i below n `count` blocks of `sequence` from number index[i] on; `index` has room for kDrawBlocks numbers.
  void read_blocks(Blocks* blocks, int count, const uint64_t* index, int n);

 private:
  const Rounds& rounds_of(uint64_t block);

  Philox sequence_;
  Elements elements_;
  std::optional<Rounds> rounds_;
};

}  // namespace penstock
