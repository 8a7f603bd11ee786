#include "filters/iterations/loop_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tracefold {

namespace {

// How many iterations of a split begin in each iteration of a longer one, but for its last one,
// which may end early. 0: not in all of them as many, or only one.
std::size_t count_steps(const LoopSplit& split, const LoopSplit& longer) {
  std::size_t steps = 0;
  auto first = std::lower_bound(split.begins.begin(), split.begins.end(), longer.begins.front());

  for (std::size_t i = 1; i < longer.begins.size(); ++i) {
    const auto next = std::lower_bound(first, split.begins.end(), longer.begins[i]);
    const auto here = static_cast<std::size_t>(next - first);
    if (here < 2 || (steps != 0 && here != steps))
      return 0;
    steps = here;
    first = next;
  }

  return steps;
}

std::uint32_t find_most_frequent(std::vector<std::uint32_t> symbols) {
  std::sort(symbols.begin(), symbols.end());
  auto first_of_most = symbols.begin();
  std::ptrdiff_t most = 0;

  for (auto at = symbols.begin(); at != symbols.end();) {
    const auto next = std::upper_bound(at, symbols.end(), *at);
    if (next - at > most) {
      most = next - at;
      first_of_most = at;
    }
    at = next;
  }

  return *first_of_most;
}

// How many iterations there are up to the first one that does not end as most do, from there to
// the next such one, and so on, and behind the last one.
std::vector<std::size_t> count_in_rows(const CallSequence& sequence, const LoopSplit& split) {
  std::vector<std::uint32_t> last_calls;
  for (std::size_t i = 1; i < split.begins.size(); ++i)
    last_calls.push_back(sequence.symbol[split.begins[i] - 1]);

  const auto usual = find_most_frequent(last_calls);
  std::vector<std::size_t> rows{0};
  for (const auto last_call : last_calls) {
    ++rows.back();
    if (last_call != usual)
      rows.push_back(0);
  }
  ++rows.back();

  return rows;
}

}  // namespace

bool are_steps_of(const CallSequence& sequence, const LoopSplit& split, const LoopSplit& longer) {
  if (split.begins.front() > longer.begins.front() || split.size() < longer.size())
    return false;

  const auto steps = count_steps(split, longer);
  if (steps == 0)
    return false;

  const auto rows = count_in_rows(sequence, split);
  return rows.size() == 1 ||
         (rows.front() < steps && std::all_of(rows.begin() + 1, rows.end() - 1,
                                              [steps](std::size_t row) { return row == steps; }));
}

}  // namespace tracefold
