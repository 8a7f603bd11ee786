#include "filters/iterations/split_iterations.hpp"

#include "filters/iterations/segment_statistics.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr double half = 0.5;

// A segment is worth its similarity beyond a half. One with calls of its own costs a bit more
// than four perfect ones are worth, so that fewer than that beyond it are not in the loop.
constexpr double worth_of_own_calls = -2.25;

// Shares of a typical segment that are found at one end of the loop, or at both together.
constexpr double nearly_all = 0.9;
constexpr double most_of_it = 0.75;

std::vector<std::size_t> find_places(const CallSequence& sequence, const LoopMarker& marker) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < sequence.symbol.size(); ++k) {
    if (sequence.symbol[k] != marker.symbol)
      continue;
    if (marker.before == any_symbol || (k > 0 && sequence.symbol[k - 1] == marker.before))
      places.push_back(k);
  }

  return places;
}

class Splitter {
 public:
  Splitter(const CallSequence& sequence, const LoopMarker& marker)
      : sequence_(sequence), marker_(marker), places_(find_places(sequence, marker)) {}

  std::optional<LoopSplit> split() {
    if (places_.size() < fewest_iterations)
      return std::nullopt;

    statistics_ = SegmentStatistics(sequence_, places_);
    if (auto longest = find_longest_loop(); longest.size() < places_.size()) {
      places_ = std::move(longest);
      statistics_ = SegmentStatistics(sequence_, places_);
    }

    const auto best = find_best_run();
    if (auto found = split_run(best))
      return found;

    // With so few segments, what looks like set-up may be an iteration.
    const auto& segments = statistics_.segments;
    const bool all_are_complete =
        std::all_of(segments.begin(), segments.end(),
                    [](const ComparedSegment& s) { return s.completeness >= half; });

    return all_are_complete ? split_run({0, segments.size()}) : std::nullopt;
  }

 private:
  // Segments, from `first` to before `last`.
  struct Run {
    std::size_t first = 0, last = 0;
  };

  // What belongs to the loop beyond its first or its last marker call.
  struct Edge {
    std::size_t calls = 0;
    std::uint64_t typical = 0;  // of these, calls of a typical segment
    double share = 1;           // of all calls of a typical segment
  };

  // The places of the longest of several loops that come one after the other.
  std::vector<std::size_t> find_longest_loop() const {
    std::vector<std::size_t> longest;
    auto first = places_.begin();
    const auto take_until = [&](auto end) {
      if (longest.empty() || *(end - 1) - *first > longest.back() - longest.front())
        longest.assign(first, end);
      first = end;
    };

    for (std::size_t s = 0; s < statistics_.segments.size(); ++s)
      if (separates_loops(s))
        take_until(places_.begin() + static_cast<std::ptrdiff_t>(s) + 1);

    take_until(places_.end());

    return longest;
  }

  // Whether one loop ends and another one begins in a segment: it has calls of its own, and
  // on each side there is a call that all segments next to it make, and that no segment on
  // the other side makes.
  bool separates_loops(std::size_t segment) const {
    constexpr auto neighbours = fewest_iterations;
    const auto& symbols = statistics_.symbols;
    const auto& segments = statistics_.segments;
    const bool is_inside = segment >= neighbours && segment + neighbours < segments.size();
    if (!segments[segment].has_own_calls || !is_inside)
      return false;

    return have_common_call({segment - neighbours, segment},
                            [&](auto symbol) { return symbols.last[symbol] <= segment; }) &&
           have_common_call({segment + 1, segment + 1 + neighbours},
                            [&](auto symbol) { return symbols.first[symbol] >= segment; });
  }

  // Whether all segments of a run make a call for which `counts(symbol)`.
  template <class Counts>
  bool have_common_call(Run run, Counts&& counts) const {
    std::unordered_map<std::uint32_t, std::size_t> segments_with;
    std::unordered_map<std::uint32_t, std::size_t> last_seen;  // segment + 1

    for (auto s = run.first; s < run.last; ++s)
      for (auto k = places_[s] + 1; k < places_[s + 1]; ++k) {
        const auto symbol = sequence_.symbol[k];
        if (std::exchange(last_seen[symbol], s + 1) != s + 1)
          ++segments_with[symbol];
      }

    return std::any_of(segments_with.begin(), segments_with.end(), [&](const auto& entry) {
      const auto& [symbol, segments] = entry;
      return segments == run.last - run.first && counts(symbol);
    });
  }

  // The run of segments that is worth most.
  Run find_best_run() const {
    const auto& segments = statistics_.segments;
    Run best;
    double sum = 0;
    double most = 0;
    std::size_t first = 0;

    for (std::size_t s = 0; s < segments.size(); ++s) {
      if (sum <= 0) {
        sum = 0;
        first = s;
      }

      sum += segments[s].has_own_calls ? worth_of_own_calls : segments[s].similarity - half;
      if (sum > most) {
        most = sum;
        best = {first, s + 1};
      }
    }

    return best;
  }

  // The edge before a marker call, or behind it: calls that segments make, in an order that
  // they have there too, as long as there are no more of them than any segment makes, and
  // no more typical ones than `most_typical`.
  Edge find_edge(std::size_t place, bool is_behind, std::uint64_t most_typical) const {
    const auto& [typical, typical_pairs, segments] = statistics_;
    std::vector<std::uint32_t> counts(sequence_.functions.size());
    Edge edge;

    for (auto k = is_behind ? place + 1 : place; is_behind ? k < sequence_.symbol.size() : k > 0;
         is_behind ? ++k : --k) {
      const auto symbol = sequence_.symbol[is_behind ? k : k - 1];
      const auto count = ++counts[symbol];
      const bool is_usual = symbol == marker_.symbol || typical.segments[symbol] >= 2;
      if (!is_usual || count > typical.largest[symbol])
        break;

      if (typical_pairs.segments[sequence_.pair[k]] < 2)
        break;

      const bool is_typical = count <= typical.median[symbol];
      if (is_typical && edge.typical == most_typical)
        break;

      edge.typical += is_typical;
      ++edge.calls;
    }

    if (typical.size > 0)
      edge.share = static_cast<double>(edge.typical) / static_cast<double>(typical.size);

    return edge;
  }

  // The iterations of a run of segments. If the calls before the loop and those behind it
  // look like one more iteration than there can be, those before it prepare what each
  // iteration renews at its end.
  std::optional<LoopSplit> split_run(Run run) const {
    const auto [first, last] = run;
    if (last <= first)
      return std::nullopt;

    const auto size = statistics_.symbols.size;
    const auto before = find_edge(places_[first], false, size);
    const auto behind = find_edge(places_[last], true, size);
    const auto both = before.share + behind.share;

    LoopSplit out;
    out.marker = marker_;

    if (behind.share >= nearly_all || (behind.share >= half && both < most_of_it)) {
      // Iterations begin with their marker calls, and the last one is whole.
      out.begins.assign(places_.begin() + static_cast<std::ptrdiff_t>(first),
                        places_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
      out.end = places_[last] + 1 + behind.calls;
    } else if (before.share >= nearly_all) {
      // Iterations end with their marker calls.
      out.begins.push_back(places_[first] - before.calls);
      for (auto s = first; s < last; ++s)
        out.begins.push_back(places_[s] + 1);
      out.end = places_[last] + 1;
    } else if (before.share >= half || both >= most_of_it) {
      // Marker calls are inside iterations.
      const auto calls = find_edge(places_[first], false, size - behind.typical).calls;
      out.begins.push_back(places_[first] - calls);
      for (auto s = first; s < last; ++s)
        out.begins.push_back(find_begin_inside(s, calls, out.begins.front()));
      out.end = places_[last] + 1 + behind.calls;
    } else {
      // Iterations begin with their marker calls, and the last marker call begins none.
      out.begins.assign(places_.begin() + static_cast<std::ptrdiff_t>(first),
                        places_.begin() + static_cast<std::ptrdiff_t>(last));
      out.end = places_[last];
    }

    if (out.begins.size() < fewest_iterations)
      return std::nullopt;

    measure(out, run);

    return out;
  }

  // Where in a segment the next iteration begins: `calls` before its end, or at the nearest
  // call to that which is the same as the first iteration begins with.
  std::size_t find_begin_inside(std::size_t segment, std::size_t calls,
                                std::size_t first_begin) const {
    const auto from = places_[segment] + 1;
    const auto to = places_[segment + 1];
    const auto wanted = to - std::min(calls, to - from);
    const auto is_same = [&](std::size_t k) {
      return sequence_.symbol[k] == sequence_.symbol[first_begin];
    };

    for (std::size_t distance = 0; distance <= to - from; ++distance) {
      if (wanted >= from + distance && is_same(wanted - distance))
        return wanted - distance;
      if (wanted + distance < to && is_same(wanted + distance))
        return wanted + distance;
    }

    return wanted;
  }

  void measure(LoopSplit& out, Run run) const {
    double similarity = 0;
    double ticks = 0;
    double typical_ticks = 0;
    for (auto s = run.first; s < run.last; ++s) {
      const auto& segment = statistics_.segments[s];
      similarity += segment.similarity;
      ticks += segment.ticks;
      typical_ticks += segment.typical_ticks;
    }

    out.calls = 1 + statistics_.symbols.size;
    out.similarity = similarity / static_cast<double>(run.last - run.first);
    out.explained = ticks > 0 ? typical_ticks / ticks : 1;
    out.ticks = sequence_.calls[out.end - 1].end - sequence_.calls[out.begins.front()].begin;
    out.dominant = find_dominant(out);
  }

  std::uint32_t find_dominant(const LoopSplit& split) const {
    const auto& median = statistics_.symbols.median;
    std::vector<double> ticks(sequence_.functions.size());
    for (auto k = split.begins.front(); k < split.end; ++k)
      ticks[sequence_.symbol[k]] += get_ticks(sequence_, k);

    auto dominant = any_symbol;

    for (std::uint32_t symbol = 0; symbol < ticks.size(); ++symbol) {
      const bool is_called_once =
          symbol == marker_.symbol ? median[symbol] == 0 : median[symbol] == 1;
      const bool takes_half =
          ticks[symbol] > 0 && 2 * ticks[symbol] >= static_cast<double>(split.ticks);
      if (is_called_once && takes_half && !sequence_.alternatives[symbol])
        dominant = symbol;
    }

    return dominant;
  }

  const CallSequence& sequence_;
  LoopMarker marker_;
  std::vector<std::size_t> places_;  // of the marker's calls
  SegmentStatistics statistics_;     // of the segments between them
};

}  // namespace

std::optional<LoopSplit> split_by_marker(const CallSequence& sequence, const LoopMarker& marker) {
  return Splitter(sequence, marker).split();
}

}  // namespace tracefold
