#include "filters/iterations/repeated_calls.hpp"

#include "filters/iterations/loop_markers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

using CallSymbols = std::span<const std::uint32_t>;

// Lengths are the distances at which as many calls come again in the same order.
constexpr std::array<std::size_t, 3> calls_in_order{3, 9, 27};
constexpr std::size_t most_lengths = 12;  // for each of them
constexpr std::size_t least_length = 2;
constexpr std::size_t most_looked_at = std::size_t{1} << 16;  // calls in the midst, for lengths
constexpr double least_in_sample = 0.15;  // of calls that come again after a length

// A shorter sequence is preferred if its rows have this share of the calls of the best one's.
constexpr double nearly_as_many = 0.65;

// Steps that do more, between rows or as the last one, have no more calls than so many others.
constexpr std::size_t most_beside = 16;
constexpr std::size_t most_in_step = 12;  // repetitions of a sequence in a step of the program
constexpr std::uint64_t much_longer = 5;  // than what passes usually between two calls
constexpr double nearly_all_distances = 0.8;
constexpr double least_share_of_time = 0.5;  // of what passes before the calls that begin steps

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A part of the calls in which each is the same as the one a length before it.
struct Row {
  std::size_t begin = 0, end = 0;
  std::uint32_t first_place = 0;
};

// The rows of one sequence, at whichever place of it they begin.
struct RepeatedRows {
  std::size_t length = 0;
  std::size_t calls = 0;
  bool is_joined = false;  // of several times the same calls
  std::vector<Row> rows;
};

void add_distances(CallSymbols symbols, std::size_t in_order, std::vector<std::size_t>& lengths) {
  constexpr std::uint64_t base = 0x9e3779b97f4a7c15u;
  std::uint64_t highest = 1;
  for (std::size_t k = 1; k < in_order; ++k)
    highest *= base;

  std::unordered_map<std::uint64_t, std::size_t> last;
  std::unordered_map<std::size_t, std::size_t> times;
  std::uint64_t hash = 0;
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    if (k >= in_order)
      hash -= highest * mix(symbols[k - in_order] + 1);
    hash = hash * base + mix(symbols[k] + 1);
    if (k + 1 < in_order)
      continue;
    const auto [at, is_new] = last.try_emplace(hash, k);
    if (!is_new)
      ++times[k - std::exchange(at->second, k)];
  }

  std::vector<std::pair<std::size_t, std::size_t>> most;
  for (const auto& [distance, n] : times)
    if (distance >= least_length && n >= fewest_iterations)
      most.emplace_back(n * distance, distance);
  std::sort(most.begin(), most.end(), std::greater<>());
  for (std::size_t k = 0; k < std::min(most.size(), most_lengths); ++k)
    lengths.push_back(most[k].second);
}

// Whether, in an even sample, many calls come again with the two behind them after this length.
bool may_repeat(CallSymbols symbols, std::size_t length) {
  constexpr std::size_t in_order = 3, most_samples = 512;
  if (symbols.size() < length + in_order)
    return false;
  const auto places = symbols.size() - length - in_order + 1;
  const auto step = places / most_samples + 1;
  std::size_t same = 0, samples = 0;
  for (std::size_t k = 0; k < places; k += step) {
    const auto calls = symbols.subspan(k, in_order);
    same += std::equal(calls.begin(), calls.end(),
                       symbols.begin() + static_cast<std::ptrdiff_t>(k + length));
    ++samples;
  }
  return static_cast<double>(same) >= least_in_sample * static_cast<double>(samples);
}

std::vector<std::size_t> list_lengths(CallSymbols symbols) {
  std::vector<std::size_t> lengths;
  const auto looked_at = std::min(symbols.size(), most_looked_at);
  const auto midst = symbols.subspan((symbols.size() - looked_at) / 2, looked_at);
  for (const auto in_order : calls_in_order)
    add_distances(midst, in_order, lengths);

  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  std::erase_if(lengths, [&](std::size_t length) { return !may_repeat(symbols, length); });
  return lengths;
}

// The rows of a length with at least two repetitions, by the calls that they repeat.
void add_rows(CallSymbols symbols, std::size_t length, std::vector<RepeatedRows>& out) {
  std::map<std::uint64_t, RepeatedRows> by_calls;
  for (std::size_t k = 0; k + length < symbols.size();) {
    if (symbols[k] != symbols[k + length]) {
      ++k;
      continue;
    }

    auto end = k;
    while (end + length < symbols.size() && symbols[end] == symbols[end + length])
      ++end;
    if (end - k >= length) {
      std::uint64_t hash = 0;  // does not depend on where the row begins
      for (auto at = k; at < k + length; ++at)
        hash += mix(symbols[at] + 1);
      auto& rows = by_calls[hash];
      const auto begin = rows.rows.empty() ? k : std::max(k, rows.rows.back().end);
      if (end > begin) {
        rows.length = length;
        rows.calls += end + length - begin;
        rows.rows.push_back({begin, end + length, 0});
      }
    }
    k = end + 1;
  }

  for (auto& [hash, rows] : by_calls)
    out.push_back(std::move(rows));
}

std::optional<RepeatedRows> choose_rows(CallSymbols symbols) {
  std::vector<RepeatedRows> all;
  for (const auto length : list_lengths(symbols))
    add_rows(symbols, length, all);
  std::erase_if(
      all, [](const RepeatedRows& rows) { return rows.calls < fewest_iterations * rows.length; });
  if (all.empty())
    return std::nullopt;

  const auto most =
      std::max_element(all.begin(), all.end(), [](const RepeatedRows& a, const RepeatedRows& b) {
        return a.calls < b.calls;
      })->calls;
  const auto is_good = [most](const RepeatedRows& rows) {
    return static_cast<double>(rows.calls) >= nearly_as_many * static_cast<double>(most);
  };
  auto best = all.end();
  for (auto rows = all.begin(); rows != all.end(); ++rows)
    if (is_good(*rows) && (best == all.end() || std::pair(rows->length, all.end() - rows) <
                                                    std::pair(best->length, all.end() - best)))
      best = rows;
  return std::move(*best);
}

const Row& find_longest(const RepeatedRows& rows) {
  return *std::max_element(rows.rows.begin(), rows.rows.end(), [](const Row& a, const Row& b) {
    return a.end - a.begin < b.end - b.begin;
  });
}

// At which place of the sequence each row begins, if the longest one begins at the first.
// RepeatedRows that have the same calls in another order are left out.
void find_first_places(CallSymbols symbols, RepeatedRows& rows) {
  const auto length = rows.length;
  const auto word = symbols.subspan(find_longest(rows).begin, length);
  const auto find_place = [&](const Row& row) {
    for (std::size_t place = 0; place < length; ++place) {
      std::size_t k = 0;
      while (k < length && symbols[row.begin + k] == word[(place + k) % length])
        ++k;
      if (k == length)
        return static_cast<std::uint32_t>(place);
    }
    return no_place;
  };

  for (auto& row : rows.rows)
    row.first_place = find_place(row);
  std::erase_if(rows.rows, [](const Row& row) { return row.first_place == no_place; });
}

std::uint64_t get_gap(std::span<const Call> calls, std::size_t k) {
  return k == 0 || calls[k].begin < calls[k - 1].end ? 0 : calls[k].begin - calls[k - 1].end;
}

// Repetitions before which much more time passes than usually, by their numbers.
std::vector<std::size_t> list_long_gaps(std::span<const Call> calls, const Row& row,
                                        std::size_t length, std::size_t place) {
  std::vector<std::uint64_t> gaps;
  std::uint64_t all = 0;
  for (auto k = row.begin + (place + length - row.first_place) % length; k < row.end; k += length) {
    gaps.push_back(get_gap(calls, k));
    all += gaps.back();
  }
  if (gaps.size() < fewest_iterations)
    return {};

  auto sorted = gaps;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
  std::nth_element(sorted.begin(), middle, sorted.end());
  std::vector<std::size_t> numbers;
  std::uint64_t in_long = 0;
  for (std::size_t k = 0; k < gaps.size(); ++k)
    if (gaps[k] > much_longer * *middle) {
      numbers.push_back(k);
      in_long += gaps[k];
    }
  const bool are_most =
      static_cast<double>(in_long) >= least_share_of_time * static_cast<double>(all);
  return are_most ? numbers : std::vector<std::size_t>{};
}

// The distance that nearly all neighbours of ascending numbers have; 0: none, or too few.
std::size_t find_usual_distance(const std::vector<std::size_t>& numbers) {
  std::map<std::size_t, std::size_t> times;
  for (std::size_t k = 1; k < numbers.size(); ++k)
    ++times[numbers[k] - numbers[k - 1]];
  for (const auto& [distance, n] : times)
    if (n + 1 >= fewest_iterations &&
        static_cast<double>(n) >= nearly_all_distances * static_cast<double>(numbers.size() - 1))
      return distance;
  return 0;
}

// Where a step of the program repeats the sequence several times, these together are the sequence.
void join_steps(std::span<const Call> calls, RepeatedRows& rows) {
  const auto length = rows.length;
  const auto longest = find_longest(rows);
  for (std::size_t place = 0; place < length; ++place) {
    const auto in_step = find_usual_distance(list_long_gaps(calls, longest, length, place));
    if (in_step < 2 || in_step > most_in_step)
      continue;

    for (auto& row : rows.rows) {
      const auto numbers = list_long_gaps(calls, row, length, place);
      const auto first = (place + length - row.first_place) % length;
      // The first repetition that is seen here would be this one of a step that begins at a long
      // gap.
      const auto before = numbers.empty() ? 0 : (in_step - numbers.front() % in_step) % in_step;
      const auto at_place = before * length;  // of the call at row.begin + first
      row.first_place =
          static_cast<std::uint32_t>((at_place + in_step * length - first) % (in_step * length));
    }
    rows.length = length * in_step;
    rows.is_joined = true;
    std::erase_if(rows.rows, [&](const Row& row) { return row.end - row.begin < 2 * rows.length; });
    return;
  }
}

// Between rows: calls that are a part of the sequence, in its order. A step that does more, or
// something else in its beginning, is made of such parts.
class Gaps {
 public:
  Gaps(CallSymbols symbols, const RepeatedRows& rows, std::vector<std::uint32_t>& place)
      : symbols_(symbols), place_(place), goes_on_(rows.is_joined) {
    const auto& longest = find_longest(rows);
    word_.resize(rows.length);
    for (std::size_t k = 0; k < rows.length; ++k)
      word_[(longest.first_place + k) % rows.length] = symbols[longest.begin + k];
    for (std::uint32_t k = 0; k < word_.size(); ++k)
      places_[word_[k]].push_back(k);
  }

  void fill(std::size_t begin, std::size_t end) {
    const auto least = std::max<std::size_t>(2, word_.size() / 3);
    auto before = place_[begin - 1];
    for (auto k = begin; k < end;) {
      const auto part = find_longest_part(k, end, before);
      const auto calls = part.end - part.begin;
      for (std::size_t i = 0; calls >= least && i < calls; ++i)
        before = place_[k + i] = static_cast<std::uint32_t>((part.first_place + i) % word_.size());
      k += calls >= least ? calls : 1;
    }
  }

 private:
  // The one that goes on behind the last one, if it is as long as any other, or where a sequence is
  // several times the same.
  Row find_longest_part(std::size_t begin, std::size_t end, std::uint32_t before) const {
    Row longest{begin, begin, 0};
    const auto try_place = [&](std::uint32_t place) {
      auto at = begin;
      while (at < end && symbols_[at] == word_[(place + at - begin) % word_.size()])
        ++at;
      if (at > longest.end)
        longest = {begin, at, place};
    };

    try_place((before + 1) % static_cast<std::uint32_t>(word_.size()));
    if (goes_on_)
      return longest;
    if (const auto at = places_.find(symbols_[begin]); at != places_.end())
      for (const auto place : at->second)
        try_place(place);
    return longest;
  }

  CallSymbols symbols_;
  std::vector<std::uint32_t>& place_;
  bool goes_on_;
  std::vector<std::uint32_t> word_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> places_;  // by symbol
};

}  // namespace

RepeatedCalls find_repeated_calls(std::span<const Call> calls, CallSymbols symbols) {
  RepeatedCalls out;
  out.place.assign(calls.size(), no_place);
  auto rows = choose_rows(symbols);
  if (!rows)
    return out;

  find_first_places(symbols, *rows);
  join_steps(calls, *rows);
  out.length = rows->length;
  std::size_t repeated = 0;
  for (const auto& row : rows->rows) {
    repeated += row.end - row.begin;
    for (auto k = row.begin; k < row.end; ++k)
      out.place[k] = static_cast<std::uint32_t>((row.first_place + (k - row.begin)) % rows->length);
  }
  out.times = repeated / rows->length;

  Gaps gaps(symbols, *rows, out.place);
  const auto most = most_beside * rows->length;
  for (std::size_t r = 1; r < rows->rows.size(); ++r)
    if (rows->rows[r].begin - rows->rows[r - 1].end <= most)
      gaps.fill(rows->rows[r - 1].end, rows->rows[r].begin);
  if (const auto end = rows->rows.back().end; end < calls.size())
    gaps.fill(end, std::min(calls.size(), end + most));

  return out;
}

}  // namespace tracefold
