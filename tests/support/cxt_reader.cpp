#include "tests/support/cxt_reader.hpp"

#include <charconv>
#include <stdexcept>
#include <string>
#include <vector>

namespace tracefold::testing {

namespace {

std::string read_name(std::string_view line) {
  if (line == "\\")
    return {};

  std::string name;

  for (std::size_t i = 0; i < line.size();) {
    unsigned byte = 0;
    const auto digits =
        line.substr(i).starts_with("\\x") ? line.substr(i + 2, 2) : std::string_view{};
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() == 2 && read.ec == std::errc{} && read.ptr == digits.data() + 2) {
      name += static_cast<char>(byte);
      i += 4;
    } else {
      name += line[i++];
    }
  }

  return name;
}

// The lines of a text, one after the other.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  std::size_t bytes_left() const { return rest_.size(); }

  [[noreturn]] void fail(const std::string& words) const {
    throw std::invalid_argument("line " + std::to_string(number_) + ": " + words);
  }

  std::string_view next(const std::string& expected) {
    ++number_;
    if (rest_.empty())
      fail("the text ends where " + expected + " should be");

    const auto end = rest_.find('\n');
    auto line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r'))
      line.remove_suffix(1);

    return line;
  }

  std::size_t next_count(const std::string& expected) {
    const auto line = next(expected);
    std::size_t count = 0;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), count);
    if (line.empty() || read.ec != std::errc{} || read.ptr != line.data() + line.size())
      fail("not " + expected);

    return count;
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

}  // namespace

NamedContext from_cxt(std::string_view text) {
  Lines lines(text);
  if (lines.next("'B'") != "B")
    lines.fail("not 'B', with which a .cxt file begins");

  lines.next("the context's name");
  const auto objects = lines.next_count("the number of objects");
  const auto attributes = lines.next_count("the number of attributes");
  if (!lines.next("an empty line").empty())
    lines.fail("not an empty line");

  // Each name and each cross takes at least one byte.
  if (objects > lines.bytes_left() || attributes > lines.bytes_left() ||
      (attributes > 0 && objects > lines.bytes_left() / attributes))
    lines.fail("too short for " + std::to_string(objects) + " objects with " +
               std::to_string(attributes) + " attributes");

  NamedContext context{{}, {}, std::vector(objects, std::vector<bool>(attributes))};
  for (std::size_t i = 0; i < objects; ++i)
    context.objects.push_back(read_name(lines.next("an object's name")));
  for (std::size_t j = 0; j < attributes; ++j)
    context.attributes.push_back(read_name(lines.next("an attribute's name")));

  for (std::size_t i = 0; i < objects; ++i) {
    const auto line = lines.next("an object's crosses");
    if (line.size() != attributes)
      lines.fail("not one X or . for each of " + std::to_string(attributes) + " attributes");
    for (std::size_t j = 0; j < attributes; ++j) {
      if (line[j] != 'X' && line[j] != 'x' && line[j] != '.')
        lines.fail("neither X nor .");
      context.incidence[i][j] = line[j] != '.';
    }
  }

  return context;
}

}  // namespace tracefold::testing
