#include "filters/iterations/anchor.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

// A gap is worth what it has in common beyond a half; one with a call of its own
// costs as much as four perfect ones are worth, so that fewer than that beyond
// it are warm-up or tear-down.
constexpr double half = 0.5, strange = -2.25;
// Shares of the body that stand at an end of the loop.
constexpr double nearly_all = 0.9, most_of_it = 0.75;

// What an iteration usually has, by symbol or by pair, without its anchor.
struct Body {
  std::vector<std::uint32_t> usual;      // how many of it the median gap has
  std::vector<std::uint32_t> most;       // any gap has
  std::vector<std::uint32_t> gaps;       // that have it
  std::vector<std::size_t> first, last;  // of those
  std::uint64_t size = 0;                // usual ones of all

  explicit Body(std::size_t things = 0)
      : usual(things), most(things), gaps(things), first(things), last(things) {}
};

struct Gap {
  double alike = 0, complete = 0;
  bool has_own = false;  // calls that no other gap has
  double ticks = 0, explained = 0;
};

// Counts the things of one gap after the other; costs as much as it has.
struct Counts {
  std::vector<std::uint32_t> of, touched;
  explicit Counts(std::size_t things) : of(things) {}

  void add(std::uint32_t thing) {
    if (of[thing]++ == 0)
      touched.push_back(thing);
  }
  void clear() {
    for (auto thing : touched)
      of[thing] = 0;
    touched.clear();
  }
};

class Fitting {
 public:
  Fitting(const CallSequence& sequence, const Anchor& anchor)
      : sequence_(sequence),
        anchor_(anchor),
        symbols_(sequence.functions.size()),
        pairs_(sequence.pairs),
        ticks_(sequence.functions.size()) {
    for (std::size_t k = 0; k < sequence.symbol.size(); ++k)
      if (sequence.symbol[k] == anchor.symbol &&
          (anchor.before == any_symbol || (k > 0 && sequence.symbol[k - 1] == anchor.before)))
        places_.push_back(k);
  }

  std::optional<AnchorFit> result() {
    if (places_.size() < fewest_iterations)
      return std::nullopt;

    compare();
    if (auto longest = longest_part(); longest.size() < places_.size()) {
      places_ = std::move(longest);
      compare();
    }

    const auto [first, last] = best_run();
    if (auto found = parted(first, last))
      return found;

    // So few that what looks like warm-up may be one of them.
    const bool complete =
        std::all_of(gaps_.begin(), gaps_.end(), [](const Gap& g) { return g.complete >= half; });

    return complete ? parted(0, gaps_.size()) : std::nullopt;
  }

 private:
  void count_symbols(std::size_t g) {
    for (auto k = places_[g] + 1; k < places_[g + 1]; ++k)
      symbols_.add(sequence_.symbol[k]);
  }
  void count_pairs(std::size_t g) {
    for (auto k = places_[g] + 1; k <= places_[g + 1]; ++k)
      pairs_.add(sequence_.pair[k]);
  }

  // Each gap with what gaps usually have.
  void compare() {
    body_ = body_of(symbols_, [&](std::size_t g) { count_symbols(g); });
    paired_ = body_of(pairs_, [&](std::size_t g) { count_pairs(g); });
    gaps_.clear();
    for (std::size_t g = 0; g + 1 < places_.size(); ++g)
      gaps_.push_back(compared(g));
  }

  // The places of one loop, where there are several one after the other.
  std::vector<std::size_t> longest_part() const {
    std::vector<std::size_t> best;
    auto first = places_.begin();
    const auto take = [&](auto end) {
      if (best.empty() || *(end - 1) - *first > best.back() - best.front())
        best.assign(first, end);
      first = end;
    };

    for (std::size_t g = 0; g < gaps_.size(); ++g)
      if (parts_loops(g))
        take(places_.begin() + static_cast<std::ptrdiff_t>(g) + 1);

    take(places_.end());

    return best;
  }

  // Whether the loop that ends in a gap is another one than the loop behind it: the
  // gap has calls of its own, and a call that each of the gaps next to it has on one
  // side is nowhere on the other.
  bool parts_loops(std::size_t g) const {
    constexpr auto near = fewest_iterations;
    if (!gaps_[g].has_own || g < near || g + near >= gaps_.size())
      return false;
    return has_common(g - near, g, [&](auto symbol) { return body_.last[symbol] <= g; }) &&
           has_common(g + 1, g + 1 + near, [&](auto symbol) { return body_.first[symbol] >= g; });
  }
  template <class Where>
  bool has_common(std::size_t from, std::size_t to, Where&& where) const {
    std::unordered_map<std::uint32_t, std::size_t> gaps_with, seen_in;
    for (auto g = from; g < to; ++g)
      for (auto k = places_[g] + 1; k < places_[g + 1]; ++k) {
        const auto symbol = sequence_.symbol[k];
        if (std::exchange(seen_in[symbol], g + 1) != g + 1)
          ++gaps_with[symbol];
      }

    return std::any_of(gaps_with.begin(), gaps_with.end(),
                       [&](const auto& of) { return of.second == to - from && where(of.first); });
  }

  template <class Count>
  Body body_of(Counts& counts, Count&& count) const {
    const auto things = counts.of.size(), gaps = places_.size() - 1;
    std::vector<std::vector<std::uint32_t>> seen(things);
    Body body(things);

    for (std::size_t g = 0; g < gaps; ++g) {
      count(g);
      for (auto thing : counts.touched) {
        if (seen[thing].empty())
          body.first[thing] = g;
        body.last[thing] = g;
        seen[thing].push_back(counts.of[thing]);
      }

      counts.clear();
    }

    for (std::size_t s = 0; s < things; ++s) {
      auto& in_gaps = seen[s];
      body.gaps[s] = static_cast<std::uint32_t>(in_gaps.size());
      if (in_gaps.empty())
        continue;

      std::sort(in_gaps.begin(), in_gaps.end());
      body.most[s] = in_gaps.back();
      const auto without = gaps - in_gaps.size(), middle = gaps / 2;
      if (middle >= without)
        body.usual[s] = in_gaps[middle - without];

      body.size += body.usual[s];
    }

    return body;
  }

  Gap compared(std::size_t g) {
    Gap gap;
    std::uint64_t common = 0, more = 0, common_pairs = 0, more_pairs = 0;
    count_symbols(g);
    for (auto k = places_[g] + 1; k < places_[g + 1]; ++k)
      ticks_[sequence_.symbol[k]] += ticks_of(k);

    gap.ticks = gap.explained = ticks_of(places_[g]);

    for (auto symbol : symbols_.touched) {
      const auto count = symbols_.of[symbol], usual = body_.usual[symbol],
                 shared = std::min(count, usual);
      common += shared, more += count - shared;
      gap.has_own |= usual == 0 && body_.gaps[symbol] == 1;
      gap.ticks += ticks_[symbol];
      gap.explained += std::exchange(ticks_[symbol], 0) * shared / count;
    }

    symbols_.clear();
    count_pairs(g);
    for (auto pair : pairs_.touched) {
      const auto shared = std::min(pairs_.of[pair], paired_.usual[pair]);
      common_pairs += shared, more_pairs += pairs_.of[pair] - shared;
    }

    pairs_.clear();
    gap.complete = body_.size ? static_cast<double>(common) / static_cast<double>(body_.size) : 1;
    gap.alike = static_cast<double>(1 + common + common_pairs) /
                static_cast<double>(1 + body_.size + more + paired_.size + more_pairs);

    return gap;
  }

  double ticks_of(std::size_t k) const {
    return static_cast<double>(sequence_.calls[k].end - sequence_.calls[k].begin);
  }

  // The gaps from first to before last that are worth the most.
  std::pair<std::size_t, std::size_t> best_run() const {
    std::pair<std::size_t, std::size_t> best{0, 0};
    double sum = 0, most = 0;
    std::size_t first = 0;
    for (std::size_t g = 0; g < gaps_.size(); ++g) {
      if (sum <= 0)
        sum = 0, first = g;
      sum += gaps_[g].has_own ? strange : gaps_[g].alike - half;
      if (sum > most)
        most = sum, best = {first, g + 1};
    }

    return best;
  }

  struct Edge {
    std::size_t calls = 0;     // that belong to the loop
    std::uint64_t common = 0;  // of the body's usual calls
    double share = 1;          // of all of those
  };

  // What belongs to the loop before its first anchor, or behind its last: calls
  // that gaps have in this order, while there are no more of them than in any gap,
  // nor more usual ones than `most`.
  Edge edge(std::size_t place, bool forward, std::uint64_t most) const {
    std::vector<std::uint32_t> seen(symbols_.of.size());
    const auto within = [&](std::size_t k) {
      return forward ? k < sequence_.symbol.size() : k > 0;
    };
    Edge out;

    for (auto k = forward ? place + 1 : place; within(k); forward ? ++k : --k) {
      const auto symbol = sequence_.symbol[forward ? k : k - 1];
      const auto count = ++seen[symbol];
      if (symbol == anchor_.symbol ? count > body_.most[symbol]
                                   : body_.gaps[symbol] < 2 || count > body_.most[symbol])
        break;

      if (paired_.gaps[sequence_.pair[k]] < 2)
        break;

      const bool usual = count <= body_.usual[symbol];
      if (usual && out.common == most)
        break;

      out.common += usual;
      ++out.calls;
    }

    if (body_.size)
      out.share = static_cast<double>(out.common) / static_cast<double>(body_.size);

    return out;
  }

  // Iterations of the gaps from first to before last. They begin with their
  // anchor, or behind the one before, or in between where the calls before the
  // first anchor do. Where calls before the loop and behind it look like one more
  // iteration than fits, those before it prepare what a pass renews at its end.
  std::optional<AnchorFit> parted(std::size_t first, std::size_t last) const {
    if (last <= first)
      return std::nullopt;

    const auto before = edge(places_[first], false, body_.size),
               behind = edge(places_[last], true, body_.size);
    AnchorFit out;
    out.anchor = anchor_;

    if (behind.share >= nearly_all ||
        (behind.share >= half && before.share + behind.share < most_of_it)) {
      out.begins.assign(places_.begin() + static_cast<std::ptrdiff_t>(first),
                        places_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
      out.end = places_[last] + 1 + behind.calls;
    } else if (before.share >= nearly_all || before.share >= half ||
               before.share + behind.share >= most_of_it) {
      const bool whole = before.share >= nearly_all;
      const auto calls =
          whole ? before.calls : edge(places_[first], false, body_.size - behind.common).calls;
      out.begins.push_back(places_[first] - calls);
      for (auto g = first; g < last; ++g)
        out.begins.push_back(whole ? places_[g] + 1 : turned(g, calls, out.begins.front()));
      out.end = places_[last] + 1 + (whole ? 0 : behind.calls);
    } else {
      out.begins.assign(places_.begin() + static_cast<std::ptrdiff_t>(first),
                        places_.begin() + static_cast<std::ptrdiff_t>(last));
      out.end = places_[last];
    }

    if (out.begins.size() < fewest_iterations)
      return std::nullopt;

    measure(out, first, last);

    return out;
  }

  // Where in a gap the next iteration begins: `calls` before its end, or where
  // next to that the same function is called as at the first begin.
  std::size_t turned(std::size_t gap, std::size_t calls, std::size_t first_begin) const {
    const auto from = places_[gap] + 1, to = places_[gap + 1],
               wanted = to - std::min(calls, to - from);
    const auto same = [&](std::size_t k) {
      return sequence_.symbol[k] == sequence_.symbol[first_begin];
    };
    for (std::size_t d = 0; d <= to - from; ++d) {
      if (wanted >= from + d && same(wanted - d))
        return wanted - d;
      if (wanted + d < to && same(wanted + d))
        return wanted + d;
    }

    return wanted;
  }

  void measure(AnchorFit& out, std::size_t first, std::size_t last) const {
    double alike = 0, ticks = 0, explained = 0;
    for (auto g = first; g < last; ++g)
      alike += gaps_[g].alike, ticks += gaps_[g].ticks, explained += gaps_[g].explained;

    out.calls = 1 + body_.size;
    out.alike = alike / static_cast<double>(last - first);
    out.explained = ticks > 0 ? explained / ticks : 1;
    out.ticks = sequence_.calls[out.end - 1].end - sequence_.calls[out.begins.front()].begin;
    std::vector<double> spent(symbols_.of.size());
    for (auto k = out.begins.front(); k < out.end; ++k)
      spent[sequence_.symbol[k]] += ticks_of(k);

    for (std::uint32_t s = 0; s < spent.size(); ++s) {
      const bool once = s == anchor_.symbol ? body_.usual[s] == 0 : body_.usual[s] == 1;
      if (once && !sequence_.alternatives[s] && spent[s] > 0 &&
          2 * spent[s] >= static_cast<double>(out.ticks))
        out.dominant = s;
    }
  }

  const CallSequence& sequence_;
  Anchor anchor_;
  std::vector<std::size_t> places_;  // of the anchor
  Body body_, paired_;
  std::vector<Gap> gaps_;
  Counts symbols_, pairs_;     // of the gap that is looked at
  std::vector<double> ticks_;  // the same, by symbol
};

}  // namespace

std::optional<AnchorFit> fit(const CallSequence& sequence, const Anchor& anchor) {
  return Fitting(sequence, anchor).result();
}

}  // namespace tracefold
