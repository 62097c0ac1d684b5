#include "codecs/json/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "codecs/json/decimal_number.h"

namespace penstock {
namespace {

constexpr size_t kWindow = 1 << 20;
constexpr int kDeepest = 200;
constexpr const char* kEndsEarly = "the file ends too early";

void append_utf8(std::string& text, uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | code >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
}

}  // namespace

JsonReader::JsonReader(ByteSource& source) : source_(source), window_(1), at_(window_.data()), end_(at_) {}

/// Makes room for more behind what is not yet taken; false at the end of the document.
bool JsonReader::refill() {
  const int64_t taken = at_ - window_.data(), kept = end_ - at_;
  const int64_t more = std::min<int64_t>(source_.size() - (offset_ + taken + kept), std::max<int64_t>(kWindow, kept));
  if (more <= 0) return false;
  for (const char* c = window_.data(); (c = static_cast<const char*>(std::memchr(c, '\n', at_ - c))); ++c) {
    ++line_;
    line_start_ = offset_ + (c - window_.data()) + 1;
  }
  std::memmove(window_.data(), at_, kept);
  offset_ += taken;
  window_.resize(kept + more + 1);
  std::memcpy(window_.data() + kept, source_.bytes(offset_ + kept, more, fetched_), more);
  window_.back() = '\0';
  at_ = window_.data();
  end_ = at_ + kept + more;
  return true;
}

void JsonReader::fail(const std::string& what) const {
  const std::string_view seen(window_.data(), at_ - window_.data());
  const int64_t lines = line_ + std::count(seen.begin(), seen.end(), '\n');
  const size_t newline = seen.rfind('\n');
  const int64_t start = newline == seen.npos ? line_start_ : offset_ + static_cast<int64_t>(newline) + 1;
  const int64_t column = offset_ + static_cast<int64_t>(seen.size()) - start + 1;
  throw std::runtime_error("line " + std::to_string(lines) + ", column " + std::to_string(column) + ": " + what);
}

char JsonReader::next() {
  while (true) {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
    if (at_ != end_ || !refill()) return *at_;
  }
}

void JsonReader::enter(char open, const char* what) {
  if (next() != open) fail(at_ == end_ ? kEndsEarly : what + std::string(" is expected here"));
  ++at_;
}

bool JsonReader::another(char close, bool first) {
  const char c = next();
  if (c == close) {
    ++at_;
    return false;
  }
  if (first) return true;
  if (c != ',') fail(at_ == end_ ? kEndsEarly : std::string("a comma or ") + close + " is expected here");
  ++at_;
  return true;
}

void JsonReader::colon() {
  if (next() != ':') fail("a colon is expected here");
  ++at_;
}

bool JsonReader::word(std::string_view expected) {
  if (next() != expected[0]) return false;
  if (end_ - at_ < static_cast<int64_t>(expected.size())) refill();
  if (std::string_view(at_, end_ - at_).substr(0, expected.size()) != expected) return false;
  at_ += expected.size();
  return true;
}

double JsonReader::number() {
  next();
  DecimalNumber found = parse_number(at_);
  while (found.stopped == end_ && refill()) found = parse_number(at_);
  if (!found.good) fail(at_ == end_ ? kEndsEarly : "a number is expected here");
  at_ = found.stopped;
  return found.value;
}

int32_t JsonReader::integer() {
  const double value = number();
  constexpr auto kLargest = std::numeric_limits<int32_t>::max();
  if (value != std::floor(value)) fail("a whole number is expected here");
  if (value > kLargest || value < -kLargest - 1.0) fail("this number does not fit in 32 bits");
  return static_cast<int32_t>(value);
}

bool JsonReader::truth() {
  if (word("true")) return true;
  return !word("false") && number() != 0;
}

bool JsonReader::null() { return word("null"); }

std::string_view JsonReader::text() {
  if (next() != '"') fail(at_ == end_ ? kEndsEarly : "a string is expected here");
  bool escapes = false;
  for (int64_t length = 1;; ++length) {
    if (at_ + length == end_ && !refill()) fail("this string has no end");
    const char c = at_[length];
    if (c == '"') {
      const char* const from = at_ + 1;
      const std::string_view plain(from, length - 1);
      const std::string_view made = escapes ? unescape(from, from + length - 1) : plain;
      at_ += length + 1;
      return made;
    }
    if (static_cast<unsigned char>(c) < 0x20) fail("this string has a control character in it");
    if (c == '\\') {
      escapes = true;
      ++length;
      if (at_ + length == end_ && !refill()) fail("this string has no end");
    }
  }
}

uint32_t JsonReader::hex_digits(const char* from, const char* to) const {
  uint32_t code = 0;
  if (to - from < 4 || std::from_chars(from, from + 4, code, 16).ptr != from + 4) fail("this string has a bad escape");
  return code;
}

std::string_view JsonReader::unescape(const char* from, const char* to) {
  static constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  unescaped_.clear();
  for (const char* c = from; c != to; ++c) {
    if (*c != '\\') {
      unescaped_ += *c;
      continue;
    }
    ++c;
    if (const size_t which = kNames.find(*c); which != kNames.npos) {
      unescaped_ += kMeant[which];
      continue;
    }
    if (*c != 'u') fail("this string has a bad escape");
    uint32_t code = hex_digits(c + 1, to);
    c += 4;
    if (code >= 0xD800 && code < 0xDC00 && to - c > 6 && c[1] == '\\' && c[2] == 'u') {
      const uint32_t low = hex_digits(c + 3, to);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00);
        c += 6;
      }
    }
    append_utf8(unescaped_, code);
  }
  return unescaped_;
}

void JsonReader::skip() { skip_nested(0); }

void JsonReader::skip_nested(int depth) {
  if (depth > kDeepest) fail("nested too deeply");
  switch (next()) {
    case '{':
      return object([&](std::string_view) { skip_nested(depth + 1); });
    case '[':
      return array([&] { skip_nested(depth + 1); });
    case '"':
      text();
      return;
    case 't':
    case 'f':
    case 'n':
      if (!word("true") && !word("false") && !word("null")) fail("no JSON value starts like this");
      return;
    default:
      number();
  }
}

void JsonReader::finish() {
  if (next() || at_ != end_) fail("the document is over, but something follows");
}

}  // namespace penstock
