// What the core was built with and what this machine offers it, for `penstock doctor`.
#include <cstddef>
#include <cstdio>
// jpeglib.h needs the two above.
#include <jpeglib.h>

#include "bind/convert.h"
#include "codecs/jpeg/private_entries.h"
#include "cpu/instruction_set_names.h"
#include "cpu/instruction_sets.h"

namespace penstock {
namespace {

std::string jpeg_turbo_version() {
  constexpr int version = LIBJPEG_TURBO_VERSION_NUMBER;
  return std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." +
         std::to_string(version % 1000);
}

#ifdef PENSTOCK_JPEG_BUNDLED
constexpr bool kIsJpegBundled = true;
#else
constexpr bool kIsJpegBundled = false;
#endif

void require_known_cpu_limit() {
#ifdef PENSTOCK_X86
  if (!kCpuLimit.empty() && kCpuLimit != "sse2" && kCpuLimit != "avx2")
    throw std::runtime_error("PENSTOCK_CPU is \"" + std::string(kCpuLimit) + "\"; sse2 and avx2 are known");
#endif
}

}  // namespace

void bind_machine(nb::module_& m) {
  require_known_cpu_limit();
  m.def("simd", instruction_set_names,
        "The instruction sets of this CPU that the kernels use, the widest vectors first.");
  m.def("jpeg_turbo_version", jpeg_turbo_version, "The libjpeg-turbo the core was built against.");
  m.def(
      "is_jpeg_bundled", [] { return kIsJpegBundled; },
      "Whether libjpeg-turbo is part of the core; it is a library of the system otherwise.");
  m.def("can_replace_entropy_coding", can_replace_entropy_coding,
        "Whether the core's Huffman decoder works within this libjpeg; libjpeg's own is used otherwise.");
}

}  // namespace penstock
