#include "datasets/archives/tar_index.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace penstock {
namespace {

[[noreturn]] void malformed(int64_t line, const std::string& why) {
  throw std::runtime_error("line " + std::to_string(line) + ": " + why);
}

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                   : std::nullopt;
}

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// A sample's line, read word by word. Extensions and names may have blanks in them.
class LineReader {
 public:
  LineReader(std::string_view line, int64_t number, bool named) : line_(line), number_(number), named_(named) {
    for (size_t start = 0; start <= line.size();) {
      const size_t end = std::min(line.find(' ', start), line.size());
      words_.push_back({start, end});
      start = end + 1;
    }
  }

  Components read() {
    Components sample;
    while (at_ < words_.size()) sample.push_back(component());
    return sample;
  }

 private:
  struct Word {
    size_t start, end;
  };

  Component component() {
    const size_t first = at_;
    for (at_ = first + 1; at_ + 1 < words_.size(); ++at_) {
      const auto offset = whole_number(text(at_, at_)), size = whole_number(text(at_ + 1, at_ + 1));
      if (!offset || !size) continue;
      Component made{std::string(stripped(text(first, at_ - 1))), {"", *offset, *size}};
      at_ += 2;
      if (named_) made.member.name = name_with(made.extension);
      return made;
    }
    malformed(number_, "\"" + std::string(text(first, words_.size() - 1)) + "\" should be <extension> <offset> <size>" +
                           (named_ ? " <name>" : ""));
  }

  // A name goes on up to its own extension, or is one word.
  std::string name_with(const std::string& extension) {
    if (at_ >= words_.size()) malformed(number_, "there is no name behind the size of \"" + extension + "\"");
    const size_t first = at_;
    for (size_t last = first; last < words_.size(); ++last) {
      const std::string_view name = text(first, last);
      if (name == extension ||
          (name.ends_with(extension) && name.substr(0, name.size() - extension.size()).ends_with('.'))) {
        at_ = last + 1;
        return std::string(name);
      }
    }
    ++at_;
    return std::string(text(first, first));
  }

  std::string_view text(size_t first, size_t last) const {
    return line_.substr(words_[first].start, words_[last].end - words_[first].start);
  }

  std::string_view line_;
  int64_t number_;
  bool named_;
  std::vector<Word> words_;
  size_t at_ = 0;
};

void check(const Components& sample, int64_t archive_bytes, int64_t line) {
  for (const auto& [extension, member] : sample) {
    const std::string what = extension + " at byte " + std::to_string(member.offset);
    if (member.offset < kTarBlock || member.offset % kTarBlock)
      malformed(line, what + ": files in tar archives begin at multiples of 512 bytes, from 512 on");
    if (member.size < 0) malformed(line, what + " has a negative size, " + std::to_string(member.size));
    if (member.offset > archive_bytes || member.size > archive_bytes - member.offset)
      malformed(line, what + " with " + std::to_string(member.size) + " bytes ends outside of the archive, which has " +
                          std::to_string(archive_bytes) + " bytes; the index may be that of another archive");
  }
}

/// The header's version and number of samples.
std::pair<bool, int64_t> read_first_line(std::string_view line) {
  const std::string_view text = stripped(line);
  const size_t blank = std::min(text.find(' '), text.size());
  const std::string_view version = text.substr(0, blank);
  if (version != "v1.1" && version != "v1.2")
    malformed(1, "\"" + std::string(version.substr(0, 40)) +
                     "\" is no known version of index files, which are v1.1 and v1.2");
  const std::optional<int64_t> count = whole_number(stripped(text.substr(blank)));
  if (!count || *count < 1) malformed(1, "the number of samples, from 1 on, is missing behind the version");
  return {version == "v1.2", *count};
}

}  // namespace

void scan_samples(const ReadAt& read, int64_t archive_bytes, const EachSample& each) {
  Components sample;
  std::string stem;
  scan_tar(read, archive_bytes, [&](TarMember member) {
    const size_t slash = member.name.rfind('/') + 1;
    const size_t dot = member.name.find('.', slash);
    if (dot == slash) return;  // hidden files are no components
    const bool bare = dot == std::string::npos;
    std::string extension = bare ? member.name : member.name.substr(dot + 1);
    std::string its_stem = member.name.substr(0, dot);
    if (its_stem != stem && !sample.empty()) each(std::exchange(sample, {}), 0);
    stem = std::move(its_stem);
    sample.push_back({std::move(extension), std::move(member)});
  });
  if (!sample.empty()) each(std::move(sample), 0);
}

void read_tar_index(std::string_view index, int64_t archive_bytes, const EachSample& each) {
  int64_t line = 0, count = 0, found = 0;
  bool named = false;
  for (size_t start = 0; start < index.size() || line == 0; ++line) {
    const size_t end = std::min(index.find('\n', start), index.size());
    std::string_view text = index.substr(start, end - start);
    text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
    start = end + 1;
    if (line == 0) {
      std::tie(named, count) = read_first_line(text);
    } else if (!text.empty()) {
      Components sample = LineReader(text, line + 1, named).read();
      check(sample, archive_bytes, line + 1);
      each(std::move(sample), line + 1);
      ++found;
    } else if (start < index.size()) {
      malformed(line + 1, "a sample without components");
    }
  }
  if (found != count)
    malformed(1, std::to_string(count) + " samples are announced, but " + std::to_string(found) + " follow");
}

std::string tar_index_line(const Components& sample) {
  std::string line;
  for (const auto& [extension, member] : sample) {
    if (member.name.find('\n') != std::string::npos)
      throw std::runtime_error("at byte " + std::to_string(member.offset - kTarBlock) +
                               ": the name of a file has a line break in it, which an index cannot hold");
    line +=
        extension + ' ' + std::to_string(member.offset) + ' ' + std::to_string(member.size) + ' ' + member.name + ' ';
  }
  if (!line.empty()) line.back() = '\n';
  return line;
}

}  // namespace penstock
