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
configure_file(cmake/sbom.cdx.json.in penstock.cdx.json @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/penstock.cdx.json" DESTINATION "${SKBUILD_METADATA_DIR}/sboms")
