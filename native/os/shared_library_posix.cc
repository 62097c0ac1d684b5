#include <dlfcn.h>

#include <stdexcept>

#include "os/shared_library.h"

namespace penstock {

void* load_library(const std::string& path) {
  void* loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded) throw std::runtime_error(::dlerror());
  return loaded;
}

void* function_of(void* library, const char* name) { return ::dlsym(library, name); }

bool are_of_one_library(const void* one, const void* other) {
  Dl_info of_one, of_other;
  return ::dladdr(one, &of_one) != 0 && ::dladdr(other, &of_other) != 0 && of_one.dli_fbase == of_other.dli_fbase;
}

}  // namespace penstock
