// Goes through a JSON document of any size, value by value, with a window of it in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/byte_source.h"

namespace penstock {

/// Every function takes the next value, which has to be of that kind; errors tell line and column.
class JsonReader {
 public:
  explicit JsonReader(ByteSource& source);

  /// Calls `member(name)` for each member of an object, which takes its value. The name lives until it does.
  template <typename Member>
  void object(const Member& member) {
    enter('{', "an object");
    for (bool first = true; another('}', first); first = false) {
      name_ = text();
      colon();
      member(std::string_view(name_));
    }
  }

  /// Calls `element()` for each element of an array, which takes it.
  template <typename Element>
  void array(const Element& element) {
    enter('[', "an array");
    for (bool first = true; another(']', first); first = false) element();
  }

  double number();
  /// A number without a fraction that fits in 32 bits.
  int32_t integer();
  /// A string in UTF-8; it lives until the next value is taken.
  std::string_view text();
  /// true, false, or a number that is not zero or is.
  bool truth();
  /// Whether null stood here; it is taken then.
  bool null();
  /// Takes a value of any kind.
  void skip();
  /// The first character of the next value.
  char peek() { return next(); }
  /// Makes sure that nothing follows.
  void finish();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  /// The next character that is not white space, or 0 at the end.
  char next();
  void enter(char open, const char* what);
  bool another(char close, bool first);
  void colon();
  bool word(std::string_view expected);
  bool refill();
  std::string_view unescape(const char* from, const char* to);
  uint32_t hex_digits(const char* from, const char* to) const;
  void skip_nested(int depth);

  ByteSource& source_;
  std::vector<std::byte> fetched_;
  std::vector<char> window_;  // ends in a zero, which no token can hold
  std::string name_, unescaped_;
  const char* at_;
  const char* end_;
  int64_t offset_ = 0;  // of the window
  int64_t line_ = 1;
  int64_t line_start_ = 0;
};

}  // namespace penstock
