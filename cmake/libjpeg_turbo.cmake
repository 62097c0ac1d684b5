# libjpeg-turbo as the target JPEG::JPEG: the system's, which distributions want, or a pinned release built into the
# extension, so that a wheel needs no library beside it.
#
#   PENSTOCK_JPEG          system, bundled, or auto: the system's where there is one that suffices
#   PENSTOCK_JPEG_ARCHIVE  a copy of the release's archive, for machines without a network
set(PENSTOCK_JPEG auto CACHE STRING "Whose libjpeg-turbo to use: system, bundled, or auto")
set_property(CACHE PENSTOCK_JPEG PROPERTY STRINGS auto system bundled)
set(PENSTOCK_JPEG_ARCHIVE "" CACHE FILEPATH "A copy of libjpeg-turbo's source archive; empty to download it")
if(NOT PENSTOCK_JPEG MATCHES "^(auto|system|bundled)$")
  message(FATAL_ERROR "PENSTOCK_JPEG is \"${PENSTOCK_JPEG}\"; auto, system and bundled are known")
endif()

# The tag's archive as GitHub makes it, which Debian keeps a copy of: packaging/debian_sources.py has it, too.
set(PENSTOCK_JPEG_VERSION 3.1.3)
set(PENSTOCK_JPEG_SHA256 3a13a5ba767dc8264bc40b185e41368a80d5d5f945944d1dbaa4b2fb0099f4e5)

string(JOIN "\n" PENSTOCK_JPEG_PACKAGES
  "  apt:   apt-get install libjpeg62-turbo-dev   (Ubuntu: libjpeg-turbo8-dev)"
  "  dnf:   dnf install libjpeg-turbo-devel"
  "  brew:  brew install jpeg-turbo"
  "  vcpkg: vcpkg install libjpeg-turbo")

# Whether the system has a libjpeg-turbo whose structs are as native/codecs/jpeg/libjpeg.h has them, as far as headers
# tell. The rest is tried when the first JPEG is decoded: native/codecs/jpeg/private_entries.h.
function(find_system_jpeg found)
  set(${found} FALSE PARENT_SCOPE)
  find_package(JPEG)
  if(NOT JPEG_FOUND)
    set(PENSTOCK_JPEG_MISSING "jpeglib.h is not found" PARENT_SCOPE)
    return()
  endif()
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES JPEG::JPEG)
  check_cxx_source_compiles("
    #include <cstddef>
    #include <cstdio>
    #include <jpeglib.h>
    static_assert(LIBJPEG_TURBO_VERSION_NUMBER >= 2000000 && JPEG_LIB_VERSION >= 62 && JPEG_LIB_VERSION <= 80);
    static_assert(BITS_IN_JSAMPLE == 8 && sizeof(JCOEF) == 2);
    int main() {
      jpeg_compress_struct c;
      jpeg_decompress_struct d;
      jpeg_entropy_encoder* encoder = c.entropy;
      jpeg_entropy_decoder* decoder = d.entropy;
      return encoder && decoder && jpeg_skip_scanlines(&d, 0) != 0;
    }" PENSTOCK_HAS_JPEG_TURBO)
  if(NOT PENSTOCK_HAS_JPEG_TURBO)
    set(PENSTOCK_JPEG_MISSING "the libjpeg in ${JPEG_INCLUDE_DIRS} is not libjpeg-turbo 2.0 or later" PARENT_SCOPE)
    return()
  endif()
  set(${found} TRUE PARENT_SCOPE)
endfunction()

# The path of the release's archive: the copy given, or one that is downloaded and stays for the next build.
function(fetch_jpeg_archive path)
  set(archive "${PENSTOCK_JPEG_ARCHIVE}")
  if(NOT archive)
    set(archive "${CMAKE_CURRENT_SOURCE_DIR}/build/downloads/libjpeg-turbo-${PENSTOCK_JPEG_VERSION}.tar.gz")
    set(url https://github.com/libjpeg-turbo/libjpeg-turbo/archive/refs/tags/${PENSTOCK_JPEG_VERSION}.tar.gz)
    if(EXISTS "${archive}")
      file(SHA256 "${archive}" checksum)
    endif()
    if(NOT "${checksum}" STREQUAL PENSTOCK_JPEG_SHA256)
      file(DOWNLOAD ${url} "${archive}" STATUS status TLS_VERIFY ON)
      list(GET status 0 failed)
      list(GET status 1 reason)
      if(failed)
        file(REMOVE "${archive}")
        message(FATAL_ERROR
          "penstock is to build libjpeg-turbo in, but it cannot be downloaded: ${reason}.\n  ${url}\n"
          "Give a copy of it, PENSTOCK_JPEG_ARCHIVE=/path/to/it, or install the system's with one of\n"
          "${PENSTOCK_JPEG_PACKAGES}")
      endif()
    endif()
  endif()
  if(NOT EXISTS "${archive}")
    message(FATAL_ERROR "PENSTOCK_JPEG_ARCHIVE is ${archive}, and there is no such file.")
  endif()
  file(SHA256 "${archive}" checksum)
  if(NOT checksum STREQUAL PENSTOCK_JPEG_SHA256)
    message(FATAL_ERROR
      "${archive} is not the source archive of libjpeg-turbo ${PENSTOCK_JPEG_VERSION} as GitHub makes it: its SHA-256 is\n"
      "  ${checksum}, and should be\n  ${PENSTOCK_JPEG_SHA256}")
  endif()
  set(${path} "${archive}" PARENT_SCOPE)
endfunction()

# It refuses to be a part of another project's build, so it is configured and built by a CMake of its own.
function(add_bundled_jpeg)
  include(ExternalProject)
  fetch_jpeg_archive(archive)
  set(prefix "${CMAKE_CURRENT_BINARY_DIR}/libjpeg-turbo")
  set(library "${prefix}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}jpeg${CMAKE_STATIC_LIBRARY_SUFFIX}")
  if(MSVC OR CMAKE_CXX_SIMULATE_ID STREQUAL "MSVC")
    set(library "${prefix}/lib/jpeg-static.lib")
  endif()
  set(passed)
  set(names CMAKE_C_COMPILER CMAKE_C_COMPILER_LAUNCHER CMAKE_TOOLCHAIN_FILE CMAKE_MAKE_PROGRAM CMAKE_ASM_NASM_COMPILER
    CMAKE_OSX_ARCHITECTURES CMAKE_OSX_DEPLOYMENT_TARGET CMAKE_OSX_SYSROOT)
  if(CMAKE_CROSSCOMPILING)
    list(APPEND names CMAKE_SYSTEM_NAME CMAKE_SYSTEM_PROCESSOR)
  endif()
  foreach(name ${names})
    if(${name})
      string(REPLACE ";" "|" value "${${name}}")
      list(APPEND passed "-D${name}=${value}")
    endif()
  endforeach()
  # Its build number is the date unless it is given, and its C files have the same paths in them on every machine.
  set(flags "")
  if(NOT MSVC)
    set(flags "$ENV{CFLAGS} -fvisibility=hidden -ffile-prefix-map=${prefix}=libjpeg-turbo")
  endif()
  ExternalProject_Add(libjpeg-turbo
    URL "${archive}"
    URL_HASH SHA256=${PENSTOCK_JPEG_SHA256}
    PREFIX "${prefix}"
    LIST_SEPARATOR |
    CMAKE_ARGS ${passed} "-DCMAKE_C_FLAGS=${flags}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=<INSTALL_DIR>
      -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD=${PENSTOCK_JPEG_VERSION}
      -DENABLE_SHARED=OFF -DENABLE_STATIC=ON -DWITH_TURBOJPEG=OFF -DWITH_TOOLS=OFF -DWITH_TESTS=OFF
      -DWITH_CRT_DLL=ON -DREQUIRE_SIMD=${PENSTOCK_JPEG_REQUIRE_SIMD}
    BUILD_BYPRODUCTS "${library}"
    INSTALL_COMMAND "${CMAKE_COMMAND}" --install <BINARY_DIR> --component lib
      COMMAND "${CMAKE_COMMAND}" --install <BINARY_DIR> --component include)
  file(MAKE_DIRECTORY "${prefix}/include")
  add_library(JPEG::JPEG STATIC IMPORTED GLOBAL)
  set_target_properties(JPEG::JPEG PROPERTIES
    IMPORTED_LOCATION "${library}"
    INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include")
  add_dependencies(JPEG::JPEG libjpeg-turbo)
endfunction()

option(PENSTOCK_JPEG_REQUIRE_SIMD "Fail where libjpeg-turbo's vector code cannot be assembled, for want of NASM" OFF)
set(PENSTOCK_JPEG_IS_BUNDLED FALSE)
if(NOT PENSTOCK_JPEG STREQUAL "bundled")
  find_system_jpeg(has_system_jpeg)
endif()
if(NOT has_system_jpeg)
  if(PENSTOCK_JPEG STREQUAL "system")
    message(FATAL_ERROR
      "penstock is to use the system's libjpeg-turbo, but ${PENSTOCK_JPEG_MISSING}. Install it with one of\n"
      "${PENSTOCK_JPEG_PACKAGES}\nor build one in: PENSTOCK_JPEG=bundled.")
  endif()
  set(PENSTOCK_JPEG_IS_BUNDLED TRUE)
  message(STATUS "Building libjpeg-turbo ${PENSTOCK_JPEG_VERSION} into the extension")
  add_bundled_jpeg()
endif()
