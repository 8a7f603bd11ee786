#include "filters/iterations/loop_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// How many iterations of a split begin in each iteration of a longer one, but for its first and its
// last one, which may have fewer. 0: not in all of them as many, or only one.
std::size_t count_steps(const LoopSplit& split, const LoopSplit& longer) {
  std::size_t steps = 0;
  auto first = std::lower_bound(split.begins.begin(), split.begins.end(), longer.begins.front());

  for (std::size_t i = 1; i < longer.begins.size(); ++i) {
    const auto next = std::lower_bound(first, split.begins.end(), longer.begins[i]);
    const auto here = static_cast<std::size_t>(next - first);
    const bool is_second = i == 2;
    if (here < 2 || (is_second ? here < steps : steps != 0 && here != steps))
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

// An integrator calls its stages so often, or less.
constexpr std::size_t most_stages = 4;

// The call that comes before the usual calls of a step.
std::uint32_t find_call_before(const CallSequence& sequence, std::size_t begin,
                               std::uint32_t usual) {
  if (sequence.symbol[begin] != usual)
    return sequence.symbol[begin];
  return begin > 0 ? sequence.symbol[begin - 1] : any_symbol;
}

// Whether what the longer period does behind its steps, the first time behind `first_row` of them,
// is little beside what a step does: about half as many functions or less, as where each tenth step
// writes a checkpoint. And it is done behind steps only: what comes before the first of them, too,
// prepares an inner loop, unless it also comes behind the last of them, as output does.
bool does_little_more(const CallSequence& sequence, const LoopSplit& split, const LoopSplit& longer,
                      std::size_t first_row) {
  if (split.kinds < 2 || longer.kinds > split.kinds + (split.kinds + 1) / 2)
    return false;

  std::vector<std::uint32_t> first_calls;
  for (const auto begin : split.begins)
    first_calls.push_back(sequence.symbol[begin]);
  const auto usual = find_most_frequent(std::move(first_calls));
  const auto before_row = find_call_before(sequence, split.begins[first_row], usual);
  if (find_call_before(sequence, split.begins.front(), usual) != before_row)
    return true;

  const auto more = longer.kinds - std::min(longer.kinds, split.kinds);
  const auto last = sequence.symbol.begin() + static_cast<std::ptrdiff_t>(split.end) - 1;
  const auto left = sequence.symbol.size() - split.end + 1;
  const auto end = last + static_cast<std::ptrdiff_t>(std::min(more + 2, left));
  return std::find(last, end, before_row) != end;
}

// Where iterations begin, without what comes before that in some of them.
std::vector<std::size_t> list_usual_begins(const CallSequence& sequence, const LoopSplit& split) {
  std::vector<std::uint32_t> first_calls;
  for (const auto begin : split.begins)
    first_calls.push_back(sequence.symbol[begin]);
  const auto usual = find_most_frequent(std::move(first_calls));

  auto begins = split.begins;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const auto end = i + 1 < begins.size() ? begins[i + 1] : split.end;
    auto place = begins[i];
    while (place < end && sequence.symbol[place] != usual)
      ++place;
    begins[i] = place < end ? place : begins[i];
  }
  return begins;
}

// The loop around another one, whose iterations begin at these calls, and which ends at `end`.
LoopSplit join_iterations(const CallSequence& sequence, const LoopSplit& split,
                          std::vector<std::size_t> begins, std::size_t end) {
  auto out = split;
  out.begins = std::move(begins);
  out.end = end;
  out.whole = out.begins.size();
  out.calls = out.size() / out.begins.size();
  out.dominant = any_symbol;
  out.ticks = sequence.calls[end - 1].end - sequence.calls[out.begins.front()].begin;
  out.subcalls = 0;
  for (auto k = out.begins.front(); k < end; ++k)
    out.subcalls += sequence.calls[k].calls;
  return out;
}

}  // namespace

bool are_steps_of(const CallSequence& sequence, const LoopSplit& split, const LoopSplit& longer) {
  if (split.begins.front() > longer.begins.front() || split.size() < longer.size())
    return false;

  const auto steps = count_steps(split, longer);
  if (steps == 0)
    return false;

  const auto rows = count_in_rows(sequence, split);
  if (rows.size() == 1)
    return true;

  const bool ends_early = rows.front() < steps;
  const bool may_be_steps =
      steps > most_stages && does_little_more(sequence, split, longer, rows.front());
  return (ends_early || (rows.front() == steps && may_be_steps)) &&
         std::all_of(rows.begin() + 1, rows.end() - 1,
                     [steps](std::size_t row) { return row == steps; });
}

std::optional<LoopSplit> find_outer_loop(const CallSequence& sequence, const LoopSplit& split) {
  const auto begins = list_usual_begins(sequence, split);
  std::vector<std::uint32_t> sizes;  // of iterations but the last one, in calls
  for (std::size_t i = 1; i < begins.size(); ++i)
    sizes.push_back(static_cast<std::uint32_t>(begins[i] - begins[i - 1]));
  const auto usual = find_most_frequent(sizes);

  std::vector<std::size_t> first_of_rows{0};  // iterations
  std::vector<std::span<const Call>> behind;  // rows: calls beyond the usual ones
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == usual)
      continue;
    if (sizes[i] < usual)
      return std::nullopt;
    behind.push_back(sequence.calls.subspan(begins[i] + usual, sizes[i] - usual));
    first_of_rows.push_back(i + 1);
  }
  if (first_of_rows.size() < fewest_iterations)
    return std::nullopt;

  const auto is_same = [&](std::span<const Call> calls) {
    return std::equal(calls.begin(), calls.end(), behind.front().begin(), behind.front().end(),
                      [](const Call& a, const Call& b) {
                        return a.function == b.function && a.partner == b.partner;
                      });
  };
  const auto is_same_from = [&](std::size_t from) {
    const auto count = behind.front().size();
    return from + count <= sequence.calls.size() && is_same(sequence.calls.subspan(from, count));
  };
  const auto end = begins.back() + usual;
  if (!is_same_from(end) || !std::all_of(behind.begin(), behind.end(), is_same))
    return std::nullopt;

  const auto row = first_of_rows[1];
  bool is_regular = begins.size() == row * first_of_rows.size();
  for (std::size_t k = 0; k < first_of_rows.size(); ++k)
    is_regular &= first_of_rows[k] == k * row;
  const auto front = begins.front();
  const bool is_before =
      front >= behind.front().size() && is_same_from(front - behind.front().size());
  if (is_regular && (row > most_stages || is_before))
    return std::nullopt;

  for (auto& first : first_of_rows)
    first = begins[first];
  return join_iterations(sequence, split, std::move(first_of_rows), end + behind.front().size());
}

}  // namespace tracefold
