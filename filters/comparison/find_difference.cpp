#include "filters/comparison/find_difference.hpp"

#include "base/spelling.hpp"
#include "base/text.hpp"
#include "filters/comparison/cause_words.hpp"
#include "filters/comparison/find_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

namespace {

// "caller → callee", each in few characters.
std::string shorten_call_pair(const std::string& pair) {
  constexpr std::string_view between = " → ";
  constexpr std::size_t longest = 40;
  const auto at = pair.find(between);
  if (at == std::string::npos)
    return shorten_name(pair, longest);
  return shorten_name(pair.substr(0, at), longest) + std::string(between) +
         shorten_name(pair.substr(at + between.size()), longest);
}

}  // namespace

void find_difference(RunComparison& out) {
  const auto& pair = out.pairs.front();
  const auto& rows = pair.functions;
  const auto time = std::max(pair.a->time, pair.b->time);
  const auto largest = std::max_element(rows.begin(), rows.end(), [](auto& x, auto& y) {
    const auto measure = [](const DifferenceRow& row) {
      const auto& one = row.get(Measure::time);
      return one.is_beyond ? std::abs(one.b - one.a) : 0;
    };
    return measure(x) < measure(y);
  });
  constexpr std::size_t most_alone = 3;
  std::vector<std::string> alone_a, alone_b;
  for (const auto& row : pair.call_pairs)
    if (row.is_in_a != row.is_in_b)
      (row.is_in_a ? alone_a : alone_b).push_back(shorten_call_pair(row.name));
  if (largest != rows.end() && largest->get(Measure::time).is_beyond &&
      std::abs(largest->get(Measure::time).b - largest->get(Measure::time).a) >=
          least_cause_share * time) {
    const auto& one = largest->get(Measure::time);
    const char *longer = one.b > one.a ? "B" : "A", *shorter = one.b > one.a ? "A" : "B";
    const auto most = format_time_of(std::max(one.a, one.b));
    out.headline = largest->is_in_a && largest->is_in_b
                       ? fmt::format("{} takes {} more time in {}: {}, {} in {}, per process",
                                     largest->name, format_time_of(std::abs(one.b - one.a)), longer,
                                     most, format_time_of(std::min(one.a, one.b)), shorter)
                       : fmt::format("only {} calls {}, which takes {} per process", longer,
                                     largest->name, most);
  }
  if (!alone_a.empty())
    out.findings.push_back("only A calls " + list_some(alone_a, most_alone));
  if (!alone_b.empty())
    out.findings.push_back("only B calls " + list_some(alone_b, most_alone));
  if (out.headline.empty() && !out.findings.empty()) {
    out.headline = out.findings.front();
    out.findings.erase(out.findings.begin());
  }
  if (out.headline.empty())
    out.headline = no_difference;
  add_wrong_clocks(out);
}

}  // namespace tracefold
