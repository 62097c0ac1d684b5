# A bill of materials in the wheel's .dist-info/sboms, where PEP 770 has it: what is linked in, and what pip installs.
set(PENSTOCK_JPEG_SBOM "")
set(PENSTOCK_JPEG_REF "")
if(PENSTOCK_JPEG_IS_BUNDLED)
  set(PENSTOCK_JPEG_REF "\"libjpeg-turbo\", ")
  set(PENSTOCK_JPEG_SBOM "    {
      \"type\": \"library\",
      \"bom-ref\": \"libjpeg-turbo\",
      \"name\": \"libjpeg-turbo\",
      \"version\": \"${PENSTOCK_JPEG_VERSION}\",
      \"purl\": \"pkg:github/libjpeg-turbo/libjpeg-turbo@${PENSTOCK_JPEG_VERSION}\",
      \"description\": \"Linked statically. The checksum is the source archive's.\",
      \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"${PENSTOCK_JPEG_SHA256}\"}],
      \"licenses\": [{\"expression\": \"IJG AND BSD-3-Clause AND Zlib\"}]
    },
")
endif()
# The compiler's C++ library is of the compiler's version: Clang's is libc++, GCC's libstdc++.
set(PENSTOCK_STATIC_CXX "" CACHE STRING "The C++ library that is linked in, in whole or in part: libc++ or libstdc++")
set(PENSTOCK_STATIC_CXX_SBOM "")
set(PENSTOCK_STATIC_CXX_REF "")
if(PENSTOCK_STATIC_CXX)
  set(license "Apache-2.0 WITH LLVM-exception")
  set(description "Linked statically, with libc++abi and libunwind.")
  if(PENSTOCK_STATIC_CXX STREQUAL "libstdc++")
    set(license "GPL-3.0-or-later WITH GCC-exception-3.1")
    set(description "What came after GCC 8 is linked statically; the rest is the system's.")
  endif()
  set(PENSTOCK_STATIC_CXX_REF "\"${PENSTOCK_STATIC_CXX}\", ")
  set(PENSTOCK_STATIC_CXX_SBOM "    {
      \"type\": \"library\",
      \"bom-ref\": \"${PENSTOCK_STATIC_CXX}\",
      \"name\": \"${PENSTOCK_STATIC_CXX}\",
      \"version\": \"${CMAKE_CXX_COMPILER_VERSION}\",
      \"description\": \"${description}\",
      \"licenses\": [{\"expression\": \"${license}\"}]
    },
")
endif()
configure_file(cmake/sbom.cdx.json.in penstock.cdx.json @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/penstock.cdx.json" DESTINATION "${SKBUILD_METADATA_DIR}/sboms")
