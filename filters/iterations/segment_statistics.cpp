#include "filters/iterations/segment_statistics.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

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

// `count` adds what a segment has to a counter.
template <class Count>
TypicalSegment find_typical(std::size_t kinds, std::size_t segments, Counter& counter,
                            Count&& count) {
  TypicalSegment typical(kinds);
  std::vector<std::vector<std::uint32_t>> counts(kinds);  // of the segments that have it

  for (std::size_t s = 0; s < segments; ++s) {
    count(s, counter);
    counter.take([&](std::uint32_t kind, std::uint32_t n) {
      if (counts[kind].empty())
        typical.first[kind] = s;
      typical.last[kind] = s;
      typical.largest[kind] = std::max(typical.largest[kind], n);
      counts[kind].push_back(n);
    });
  }

  for (std::size_t kind = 0; kind < kinds; ++kind) {
    auto& with = counts[kind];
    typical.segments[kind] = static_cast<std::uint32_t>(with.size());

    const auto without = segments - with.size();
    const auto middle = segments / 2;
    if (with.empty() || middle < without)
      continue;  // the median segment has none

    const auto median = with.begin() + static_cast<std::ptrdiff_t>(middle - without);
    std::nth_element(with.begin(), median, with.end());
    typical.median[kind] = *median;
    typical.size += *median;
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
        ticks_(marked.sequence.functions.size()) {}

  ComparedSegment compare(std::size_t segment) {
    const auto& [sequence, places] = marked_;
    const auto& typical = statistics_.symbols;
    const auto& typical_pairs = statistics_.pairs;
    ComparedSegment out;
    Overlap calls, pairs;

    for (auto k = places[segment] + 1; k < places[segment + 1]; ++k)
      ticks_[sequence.symbol[k]] += get_ticks(sequence, k);

    out.ticks = out.typical_ticks = get_ticks(sequence, places[segment]);

    marked_.count_symbols(segment, symbols_);
    symbols_.take([&](std::uint32_t symbol, std::uint32_t count) {
      const auto common = calls.add(count, typical.median[symbol]);
      out.has_own_calls |= typical.median[symbol] == 0 && typical.segments[symbol] == 1;
      out.ticks += ticks_[symbol];
      out.typical_ticks += std::exchange(ticks_[symbol], 0) * common / count;
    });

    marked_.count_pairs(segment, pairs_);
    pairs_.take([&](std::uint32_t pair, std::uint32_t count) {
      pairs.add(count, typical_pairs.median[pair]);
    });

    if (typical.size == 0)
      out.completeness = 1;
    else
      out.completeness = static_cast<double>(calls.common) / static_cast<double>(typical.size);

    const auto in_both = 1 + calls.common + pairs.common;
    const auto in_either = 1 + typical.size + calls.more + typical_pairs.size + pairs.more;
    out.similarity = static_cast<double>(in_both) / static_cast<double>(in_either);

    return out;
  }

 private:
  struct Overlap {
    std::uint64_t common = 0;  // as many as are typical
    std::uint64_t more = 0;    // beyond that

    std::uint32_t add(std::uint32_t count, std::uint32_t typical) {
      const auto both = std::min(count, typical);
      common += both;
      more += count - both;
      return both;
    }
  };

  const Marked& marked_;
  const SegmentStatistics& statistics_;
  Counter& symbols_;
  Counter& pairs_;
  std::vector<double> ticks_;  // by symbol, in the segment at hand
};

}  // namespace

SegmentStatistics::SegmentStatistics(const CallSequence& sequence,
                                     const std::vector<std::size_t>& places) {
  const Marked marked{sequence, places};
  Counter symbol_counter(sequence.functions.size());
  Counter pair_counter(sequence.pairs);

  symbols = find_typical(
      sequence.functions.size(), marked.segments(), symbol_counter,
      [&](std::size_t segment, Counter& counter) { marked.count_symbols(segment, counter); });
  pairs = find_typical(
      sequence.pairs, marked.segments(), pair_counter,
      [&](std::size_t segment, Counter& counter) { marked.count_pairs(segment, counter); });

  Comparer comparer(marked, *this, symbol_counter, pair_counter);
  segments.reserve(marked.segments());
  for (std::size_t s = 0; s < marked.segments(); ++s)
    segments.push_back(comparer.compare(s));
}

}  // namespace tracefold
