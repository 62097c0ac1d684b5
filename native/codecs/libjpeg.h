#pragma once

// jpeglib.h wants size_t and FILE to be declared before it.
// clang-format off
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>
// clang-format on
