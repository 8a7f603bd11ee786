#include "filters/iterations/segment_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace tracefold {

namespace {

// Of small counts, which most are.
const auto small_weights = [] {
  std::array<double, 64> weights{};
  for (std::size_t count = 1; count < weights.size(); ++count)
    weights[count] = 1 + std::log2(static_cast<double>(count));
  return weights;
}();

// Counts the symbols or pairs of one segment after the other, in time linear in what each
// segment has.
class Counter {
 public:
  explicit Counter(std::size_t kinds) : counts_(kinds) {}

  void add(std::uint32_t kind) {
    if (counts_[kind]++ == 0)
      seen_.push_back(kind);
  }

  // Calls visit(kind, count) for each that was added, and forgets them.
  template <class Visit>
  void take(Visit&& visit) {
    for (auto kind : seen_)
      visit(kind, std::exchange(counts_[kind], 0));
    seen_.clear();
  }

 private:
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> seen_;
};

struct Marked {
  const CallSequence& sequence;
  const std::vector<std::size_t>& places;  // of the marker's calls

  std::size_t segments() const { return places.size() - 1; }

  void count_symbols(std::size_t segment, Counter& counter) const {
    for (auto k = places[segment] + 1; k < places[segment + 1]; ++k)
      counter.add(sequence.symbol[k]);
  }

  void count_pairs(std::size_t segment, Counter& counter) const {
    for (auto k = places[segment] + 1; k <= places[segment + 1]; ++k)
      counter.add(sequence.pair[k]);
  }
};

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

// What each segment has of each symbol or pair, where it has any: by kind, then by segment.
class CountsByKind {
 public:
  // `count` adds what a segment has to a counter.
  template <class Count>
  CountsByKind(std::size_t kinds, std::size_t segments, Counter& counter, const Count& count)
      : ends_(kinds + 1) {
    for (std::size_t s = 0; s < segments; ++s) {
      count(s, counter);
      counter.take([&](std::uint32_t kind, std::uint32_t n) {
        ++ends_[kind + 1];
        in_order_.push_back({kind, n, static_cast<std::uint32_t>(s)});
      });
    }

    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    sorted_.resize(in_order_.size());
    auto next = ends_;
    for (const auto& one : in_order_)
      sorted_[next[one.kind]++] = one.count;
  }

  struct One {
    std::uint32_t kind, count, segment;
  };
  const std::vector<One>& in_order() const { return in_order_; }
  // By segment.
  std::span<std::uint32_t> of_kind(std::size_t kind) {
    return std::span(sorted_).subspan(ends_[kind], ends_[kind + 1] - ends_[kind]);
  }

 private:
  std::vector<One> in_order_;          // of the segments
  std::vector<std::uint32_t> sorted_;  // counts
  std::vector<std::size_t> ends_;      // there, of the kind before
};

TypicalSegment find_typical(std::size_t kinds, std::size_t segments, CountsByKind counts) {
  TypicalSegment typical(kinds);
  for (const auto& [kind, n, segment] : counts.in_order()) {
    if (typical.segments[kind]++ == 0)
      typical.first[kind] = segment;
    typical.last[kind] = segment;
    typical.largest[kind] = std::max(typical.largest[kind], n);
  }

  for (std::size_t kind = 0; kind < kinds; ++kind) {
    auto with = counts.of_kind(kind);
    if (with.empty())
      continue;

    // The first segment may be set-up: what is usual is asked of the others. Where its number
    // varies, that it is there at all counts.
    const bool in_first = typical.first[kind] == 0;
    const auto of_first = with.front();
    typical.median[kind] = find_quantile(with, segments, (segments - 1) / 2);
    typical.size += typical.median[kind];
    typical.weight += weigh_count(typical.median[kind]);
    if (segments > 1) {
      if (in_first) {
        std::iter_swap(with.begin(), std::find(with.begin(), with.end(), of_first));
        with = with.subspan(1);
      }
      const auto least = find_quantile(with, segments - 1, (segments - 1) / usual_part);
      const bool is_fixed = least == typical.median[kind];
      typical.usual[kind] = is_fixed ? least : std::min(least, 1u);
    }
  }

  return typical;
}

// Compares one segment after the other with the typical one.
class Comparer {
 public:
  Comparer(const Marked& marked, const SegmentStatistics& statistics, Counter& symbols,
           Counter& pairs)
      : marked_(marked),
        statistics_(statistics),
        symbols_(symbols),
        pairs_(pairs),
        work_(marked.sequence.functions.size()),
        comes_again_(marked.sequence.functions.size()),
        is_behind_(marked.sequence.pairs) {
    for (auto k = marked.places.back() + 1; k < marked.sequence.pair.size(); ++k)
      is_behind_[marked.sequence.pair[k]] = true;
  }

  ComparedSegment compare(std::size_t segment) {
    const auto& [sequence, places] = marked_;
    const auto& typical = statistics_.symbols;
    const auto& typical_pairs = statistics_.pairs;
    ComparedSegment out;
    Overlap both;

    for (auto k = places[segment] + 1; k < places[segment + 1]; ++k) {
      work_[sequence.symbol[k]] += sequence.get_work(k);
      if (is_behind_[sequence.pair[k]])
        comes_again_[sequence.symbol[k]] = true;
    }

    out.usual = 1;
    out.work = out.typical_work = sequence.get_work(places[segment]);

    marked_.count_symbols(segment, symbols_);
    symbols_.take([&](std::uint32_t symbol, std::uint32_t count) {
      const auto work = std::exchange(work_[symbol], 0);
      const bool is_behind = comes_again_[symbol];
      comes_again_[symbol] = false;
      const auto common = std::min(count, typical.median[symbol]);
      both.add(count, typical.median[symbol], typical.segments[symbol] > 1 || is_behind);
      const bool is_own =
          typical.median[symbol] == 0 && typical.segments[symbol] == 1 && !is_behind;
      out.has_own_calls |= is_own;
      out.usual += weigh_count(std::min(count, typical.usual[symbol]));
      out.work += work;
      out.typical_work += work * common / count;
      if (is_own)
        out.own_work += work;
    });

    marked_.count_pairs(segment, pairs_);
    pairs_.take([&](std::uint32_t pair, std::uint32_t count) {
      both.add(count, typical_pairs.median[pair], typical_pairs.segments[pair] > 1);
    });

    out.in_both = 1 + both.common;
    out.in_either = 1 + typical.weight + typical_pairs.weight + both.more;

    return out;
  }

 private:
  struct Overlap {
    double common = 0;  // as many as are typical
    double more = 0;    // beyond that

    void add(std::uint32_t count, std::uint32_t typical, bool comes_again) {
      const auto both = weigh_count(std::min(count, typical));
      common += both;
      more += (comes_again ? weight_of_optional : 1) * (weigh_count(count) - both);
    }
  };

  const Marked& marked_;
  const SegmentStatistics& statistics_;
  Counter& symbols_;
  Counter& pairs_;
  std::vector<double> work_;       // by symbol, in the segment at hand
  std::vector<bool> comes_again_;  // by symbol, in the segment at hand: in the same place behind
                                   // the last segment
  std::vector<bool> is_behind_;    // by pair: whether it is behind the last segment
};

}  // namespace

double weigh_count(std::uint32_t count) {
  return count < small_weights.size() ? small_weights[count]
                                      : 1 + std::log2(static_cast<double>(count));
}

SegmentStatistics::SegmentStatistics(const CallSequence& sequence,
                                     const std::vector<std::size_t>& places) {
  const Marked marked{sequence, places};
  Counter symbol_counter(sequence.functions.size());
  Counter pair_counter(sequence.pairs);

  const auto count_symbols = [&](std::size_t segment, Counter& counter) {
    marked.count_symbols(segment, counter);
  };
  const auto count_pairs = [&](std::size_t segment, Counter& counter) {
    marked.count_pairs(segment, counter);
  };
  const auto kinds = sequence.functions.size();
  symbols = find_typical(kinds, marked.segments(),
                         {kinds, marked.segments(), symbol_counter, count_symbols});
  pairs = find_typical(sequence.pairs, marked.segments(),
                       {sequence.pairs, marked.segments(), pair_counter, count_pairs});

  usual_calls = 1;
  for (auto count : symbols.usual)
    usual_calls += weigh_count(count);

  Comparer comparer(marked, *this, symbol_counter, pair_counter);
  segments.reserve(marked.segments());
  for (std::size_t s = 0; s < marked.segments(); ++s)
    segments.push_back(comparer.compare(s));
}

}  // namespace tracefold
