#include <stdexcept>
#include <system_error>

#include "os/shared_library.h"
#include "os/windows_api.h"

namespace penstock {
namespace {

HMODULE owner_of(const void* address) {
  constexpr DWORD kByAddress = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE owner = nullptr;
  return GetModuleHandleExW(kByAddress, static_cast<LPCWSTR>(address), &owner) ? owner : nullptr;
}

}  // namespace

void* load_library(const std::string& path) {
  HMODULE loaded = LoadLibraryW(wide_path(path).c_str());
  if (!loaded) throw std::runtime_error(path + ": " + std::generic_category().message(last_error()));
  return reinterpret_cast<void*>(loaded);
}

void* function_of(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(library), name));
}

bool are_of_one_library(const void* one, const void* other) {
  const HMODULE owner = owner_of(one);
  return owner && owner == owner_of(other);
}

}  // namespace penstock
