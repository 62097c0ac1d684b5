// The header of libjpeg with what it needs before it.
#pragma once

// jpeglib.h wants size_t and FILE to be declared before it.
// clang-format off
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>
// clang-format on

/// libjpeg smooths the blocks of a progressive JPEG whose scans leave one of so many coefficients without its last
/// bits.
inline constexpr int kSmoothedCoefficients = 10;

// The heads of declarations that libjpeg keeps to itself, the same in all its versions since 6b: what
// can_replace_entropy_coding() makes sure of.
struct jpeg_entropy_decoder {
  void (*start_pass)(j_decompress_ptr);
  boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW*);
};

struct jpeg_entropy_encoder {
  void (*start_pass)(j_compress_ptr, boolean);
  boolean (*encode_mcu)(j_compress_ptr, JBLOCKROW*);
};
