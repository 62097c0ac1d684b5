#include <cerrno>
#include <system_error>

#include "os/windows_api.h"

namespace penstock {

std::wstring wide_path(const std::string& path) {
  const int bytes = static_cast<int>(path.size());
  std::wstring wide(path.size(), L'\0');  // never longer: four bytes are two units
  wide.resize(MultiByteToWideChar(CP_UTF8, 0, path.data(), bytes, wide.data(), static_cast<int>(wide.size())));
  return wide;
}

std::string utf8_name(const wchar_t* name) {
  const int with_zero = WideCharToMultiByte(CP_UTF8, 0, name, -1, nullptr, 0, nullptr, nullptr);
  if (with_zero <= 1) return {};
  std::string text(with_zero - 1, '\0');
  WideCharToMultiByte(CP_UTF8, 0, name, -1, text.data(), with_zero, nullptr, nullptr);
  return text;
}

int last_error() {
  const std::error_condition known = std::system_category().default_error_condition(static_cast<int>(GetLastError()));
  return known.category() == std::generic_category() && known.value() ? known.value() : EIO;
}

}  // namespace penstock
