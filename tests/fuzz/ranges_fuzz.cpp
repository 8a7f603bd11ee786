// Fuzzing of lists of ids: whatever is taken holds what a plain reading of the
// text says, and comes back as it was from what is written of it.
#include "base/error.hpp"
#include "base/ranges.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

namespace {

using namespace tracefold;

constexpr std::size_t limit = 1000;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

// The syntax, in another way. Text of more than some characters is too much for std::regex.
bool is_list(const std::string& text) {
  static const std::regex list("([0-9]+(-[0-9]+(:[0-9]+)?)?(,[0-9]+(-[0-9]+(:[0-9]+)?)?)*)?");
  return std::regex_match(text, list);
}

// What a list holds that is known to be good.
std::set<std::uint64_t> ids_in(const std::string& text) {
  std::set<std::uint64_t> ids;
  std::istringstream parts(text);

  for (std::string part; std::getline(parts, part, ',');) {
    std::istringstream in(part);
    std::uint64_t first = 0, last = 0, stride = 1;
    char sign = 0;
    in >> first;
    last = first;
    if (in >> sign)
      in >> last;
    if (in >> sign)
      in >> stride;
    for (auto id = first; ids.insert(id), last - id >= stride;)
      id += stride;
  }

  return ids;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint64_t> ids;

  try {
    ids = parse_ranges(text, limit);
  } catch (const Error& problem) {
    demand(problem.kind() == ErrorKind::usage);
    return 0;
  }

  demand(ids.size() <= limit);
  demand(std::is_sorted(ids.begin(), ids.end()) &&
         std::adjacent_find(ids.begin(), ids.end()) == ids.end());
  demand(size > 200 || is_list(text));
  const auto expected = ids_in(text);
  demand(std::equal(ids.begin(), ids.end(), expected.begin(), expected.end()));
  const auto written = to_ranges(ids);
  demand(parse_ranges(written, limit) == ids);
  demand(to_ranges(parse_ranges(written, limit)) == written);

  return 0;
}
