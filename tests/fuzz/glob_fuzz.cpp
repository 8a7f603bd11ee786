// Fuzzing of shell patterns against a matcher that tries everything. The bytes
// are a pattern, a line end, and a name.
#include "base/ranges.hpp"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace {

using namespace tracefold;

unsigned byte_of(char c) {
  return static_cast<unsigned char>(c);
}

// A bracket expression that begins at pattern[at] == '[': whether `c` is in it, and
// where it ends; none where it has no end, which makes '[' an ordinary character.
struct Bracket {
  bool matches = false;
  std::size_t end = 0;
};
std::optional<Bracket> bracket(std::string_view pattern, std::size_t at, char c) {
  std::size_t i = at + 1;
  const bool inverted = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  i += inverted;
  bool found = false;
  const auto take = [&]() -> std::optional<char> {
    if (i < pattern.size() && pattern[i] == '\\')
      ++i;
    return i < pattern.size() ? std::optional(pattern[i++]) : std::nullopt;
  };

  for (bool first = true; first || i >= pattern.size() || pattern[i] != ']'; first = false) {
    const auto low = take();
    if (!low)
      return std::nullopt;

    auto high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      ++i;
      high = take();
      if (!high)
        return std::nullopt;
    }

    found |= byte_of(*low) <= byte_of(c) && byte_of(c) <= byte_of(*high);
  }

  return Bracket{found != inverted, i + 1};
}

bool naive(std::string_view pattern, std::string_view name) {
  if (pattern.empty())
    return name.empty();
  if (pattern[0] == '*')
    return naive(pattern.substr(1), name) || (!name.empty() && naive(pattern, name.substr(1)));
  if (name.empty())
    return false;
  if (pattern[0] == '?')
    return naive(pattern.substr(1), name.substr(1));
  if (pattern[0] == '[')
    if (const auto b = bracket(pattern, 0, name[0]))
      return b->matches && naive(pattern.substr(b->end), name.substr(1));

  if (pattern[0] == '\\') {
    pattern.remove_prefix(1);
    if (pattern.empty())
      return false;
  }

  return pattern[0] == name[0] && naive(pattern.substr(1), name.substr(1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto end = text.find('\n');
  if (end == std::string_view::npos)
    return 0;

  const auto pattern = text.substr(0, end), name = text.substr(end + 1);
  const bool matches = matches_glob(pattern, name);
  if (text.find('\0') != std::string_view::npos)
    return 0;  // which no shell has in a name
  if (pattern.ends_with('-'))
    return 0;  // a range without end, which is taken one way or the other

  // What the naive matcher can do in time; it knows no [[:alpha:]], [[=a=]] and [[.a.]], which are
  // not promised.
  if (size > 24)
    return 0;
  for (auto special : {"[:", "[=", "[."})
    if (pattern.find(special) != std::string_view::npos)
      return 0;

  if (matches != naive(pattern, name))
    std::abort();

  return 0;
}
