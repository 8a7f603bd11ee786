#include "filters/iterations/segment_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace tracefold {

namespace {

std::array<double, 64> weigh_small_counts() {
  std::array<double, 64> weights{};
  for (std::size_t count = 1; count < weights.size(); ++count)
    weights[count] = 1 + std::log2(static_cast<double>(count));
  return weights;
}

// The weights of small counts, which most are.
const auto small_weights = weigh_small_counts();

// What all segments but one of so many have is usual.
constexpr std::size_t usual_part = 10;

// How much of what a segment has beyond what is typical counts, where others have it too: a step
// that every tenth iteration makes is in their nature.
constexpr double weight_of_optional = 0.4;

// The count at a place of the sorted counts of all segments; `with` are those that are not 0, and
// get into another order.
std::uint32_t find_quantile(std::span<std::uint32_t> with, std::size_t segments,
                            std::size_t place) {
  const auto without = segments - with.size();
  if (place < without)
    return 0;

  const auto at = with.begin() + static_cast<std::ptrdiff_t>(place - without);
  std::nth_element(with.begin(), at, with.end());

  return *at;
}

// How much a segment and the typical one have in common.
struct Overlap {
  double common = 0;  // as many as are typical
  double more = 0;    // beyond that

  void add(std::uint32_t count, std::uint32_t typical, bool comes_again) {
    const auto both = weigh_count(std::min(count, typical));
    common += both;
    more += (comes_again ? weight_of_optional : 1) * (weigh_count(count) - both);
  }
};

}  // namespace

double weigh_count(std::uint32_t count) {
  return count < small_weights.size() ? small_weights[count]
                                      : 1 + std::log2(static_cast<double>(count));
}

void SegmentComparer::Counts::begin(std::size_t segments) {
  counts_.clear();
  ends_.clear();
  ends_.reserve(segments);
}

void SegmentComparer::Counts::end_segment() {
  for (auto kind : seen_)
    counts_.push_back({kind, std::exchange(times_[kind], 0)});
  seen_.clear();
  ends_.push_back(counts_.size());
}

TypicalSegment SegmentComparer::Counts::find_typical() {
  TypicalSegment typical;
  typical.kinds.resize(times_.size());
  for (std::uint32_t segment = 0; segment < segments(); ++segment)
    for (const auto& [kind, times] : of_segment(segment)) {
      auto& of_kind = typical.kinds[kind];
      if (of_kind.segments++ == 0)
        of_kind.first = segment;
      of_kind.last = segment;
      of_kind.largest = std::max(of_kind.largest, times);
    }

  next_.clear();
  std::size_t first = 0;
  for (const auto& of_kind : typical.kinds) {
    next_.push_back(first);
    first += of_kind.segments;
  }
  by_kind_.resize(counts_.size());
  for (const auto& [kind, times] : counts_)
    by_kind_[next_[kind]++] = times;

  for (std::size_t kind = 0; kind < typical.kinds.size(); ++kind) {
    auto& of_kind = typical.kinds[kind];
    if (of_kind.segments == 0)
      continue;

    // The first segment may be set-up: what is usual is asked of the others. Where its number
    // varies, that it is there at all counts.
    auto with = std::span(by_kind_).subspan(next_[kind] - of_kind.segments, of_kind.segments);
    const auto of_first = with.front();
    of_kind.median = find_quantile(with, segments(), (segments() - 1) / 2);
    typical.size += of_kind.median;
    typical.weight += weigh_count(of_kind.median);
    if (segments() > 1) {
      if (of_kind.first == 0) {
        std::iter_swap(with.begin(), std::find(with.begin(), with.end(), of_first));
        with = with.subspan(1);
      }
      const auto least = find_quantile(with, segments() - 1, (segments() - 1) / usual_part);
      const bool is_fixed = least == of_kind.median;
      of_kind.usual = is_fixed ? least : std::min(least, 1u);
    }
  }

  return typical;
}

SegmentComparer::SegmentComparer(const CallSequence& sequence)
    : sequence_(sequence),
      symbols_(sequence.functions.size()),
      pairs_(sequence.pairs),
      work_(sequence.functions.size()),
      comes_again_(sequence.functions.size()),
      is_behind_(sequence.pairs) {}

SegmentStatistics SegmentComparer::compare(const std::vector<std::size_t>& places) {
  symbols_.begin(places.size() - 1);
  pairs_.begin(places.size() - 1);
  for (std::size_t s = 0; s + 1 < places.size(); ++s) {
    for (auto k = places[s] + 1; k < places[s + 1]; ++k) {
      symbols_.add(sequence_.symbol[k]);
      pairs_.add(sequence_.pair[k]);
    }
    pairs_.add(sequence_.pair[places[s + 1]]);
    symbols_.end_segment();
    pairs_.end_segment();
  }

  SegmentStatistics statistics{symbols_.find_typical(), pairs_.find_typical(), 1, {}};
  for (const auto& symbol : statistics.symbols.kinds)
    statistics.usual_calls += weigh_count(symbol.usual);

  is_behind_.assign(is_behind_.size(), false);
  for (auto k = places.back() + 1; k < sequence_.pair.size(); ++k)
    is_behind_[sequence_.pair[k]] = true;

  statistics.segments.reserve(symbols_.segments());
  for (std::size_t s = 0; s < symbols_.segments(); ++s)
    statistics.segments.push_back(compare(s, statistics, places));

  return statistics;
}

ComparedSegment SegmentComparer::compare(std::size_t segment, const SegmentStatistics& statistics,
                                         const std::vector<std::size_t>& places) {
  for (auto k = places[segment] + 1; k < places[segment + 1]; ++k) {
    const auto symbol = sequence_.symbol[k];
    work_[symbol] += sequence_.work[k];
    if (is_behind_[sequence_.pair[k]])
      comes_again_[symbol] = true;
  }

  ComparedSegment out;
  out.usual = 1;
  out.work = out.typical_work = sequence_.work[places[segment]];

  Overlap both;
  for (const auto& [symbol, count] : symbols_.of_segment(segment)) {
    const auto& typical = statistics.symbols[symbol];
    const auto work = std::exchange(work_[symbol], 0);
    const bool is_behind = comes_again_[symbol];
    comes_again_[symbol] = false;

    const auto common = std::min(count, typical.median);
    both.add(count, typical.median, typical.segments > 1 || is_behind);
    const bool is_own = typical.median == 0 && typical.segments == 1 && !is_behind;
    out.has_own_calls |= is_own;
    out.usual += weigh_count(std::min(count, typical.usual));
    out.work += work;
    out.typical_work += work * common / count;
    if (is_own)
      out.own_work += work;
  }

  for (const auto& [pair, count] : pairs_.of_segment(segment)) {
    const auto& typical = statistics.pairs[pair];
    both.add(count, typical.median, typical.segments > 1);
  }

  out.in_both = 1 + both.common;
  out.in_either = 1 + statistics.symbols.weight + statistics.pairs.weight + both.more;

  return out;
}

}  // namespace tracefold
