#include "filters/iterations/split_iterations.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr double half = 0.5;

// A segment is worth its similarity beyond a half. One with calls of its own near the beginning
// costs a bit more than four perfect ones are worth, since what is before it may be warm-up; later
// ones are worth little, since an iteration may do something only once.
constexpr double worth_of_own_calls_before = -2.25;
constexpr double worth_of_own_calls = 0.1;
// Where a step is one call, one more behind it, as some steps have it, is half of their segments,
// so that they would be worth nothing. Any worth above 0 keeps the first of them in the loop.
constexpr double worth_of_one_more = 0.01;
constexpr std::size_t most_warm_up = 3;

// Shares of a typical segment that are found at one end of the loop, or at both together.
constexpr double nearly_all = 0.9;
constexpr double part_of_it = 0.25;

constexpr std::size_t most_splitting_rounds = 8;

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
  Splitter(SegmentComparer& comparer, const LoopMarker& marker)
      : comparer_(comparer),
        sequence_(comparer.sequence()),
        marker_(marker),
        places_(find_places(sequence_, marker)) {}

  // Splits a loop whose iterations begin at places that are known.
  Splitter(SegmentComparer& comparer, std::vector<std::size_t> begins)
      : comparer_(comparer),
        sequence_(comparer.sequence()),
        marker_{sequence_.symbol[begins.front()], any_symbol},
        places_(std::move(begins)),
        statistics_(comparer.compare(places_)) {}

  std::size_t find_end() const {
    return places_.back() + 1 + find_edge(places_.back(), true, statistics_.symbols.size).calls;
  }

  std::optional<LoopSplit> split() {
    if (places_.size() < fewest_iterations)
      return std::nullopt;

    compare();
    if (auto longest = find_longest_loop(); longest.size() < places_.size()) {
      places_ = std::move(longest);
      compare();
    }

    // What segments have in common changes when some of them are left out.
    for (std::size_t round = 0; round < most_splitting_rounds; ++round) {
      const auto run = leave_out_set_up(find_best_run());
      if (run.last - run.first + 2 < fewest_iterations)
        return std::nullopt;
      if (run.first == 0 && run.last == statistics_.segments.size())
        break;
      cut(run);
    }

    add_place_before();

    return split_all();
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

  // What was found of other places goes first: both together would need much memory.
  void compare() {
    statistics_ = {};
    statistics_ = comparer_.compare(places_);
  }

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
                            [&](auto symbol) { return symbols[symbol].last <= segment; }) &&
           have_common_call({segment + 1, segment + 1 + neighbours},
                            [&](auto symbol) { return symbols[symbol].first >= segment; });
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

  double get_worth(std::size_t s) const {
    const auto worth = statistics_.segments[s].compute_similarity() - half;
    if (!statistics_.segments[s].has_own_calls) {
      const bool has_one_more = statistics_.symbols.size == 0 && places_[s + 1] - places_[s] == 2;
      return has_one_more ? std::max(worth, worth_of_one_more) : worth;
    }
    return s < most_warm_up ? worth_of_own_calls_before : std::min(worth, worth_of_own_calls);
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

      sum += get_worth(s);
      if (sum > most) {
        most = sum;
        best = {first, s + 1};
      }
    }

    return best;
  }

  // The edge before a marker call, or behind it: calls that segments make, in an order that
  // they have there too, as long as there are no more of them than any segment makes, and
  // no more typical ones than `most_typical`. `to_marker`: the call that the marker is, without
  // what must come before it, is the last one.
  Edge find_edge(std::size_t place, bool is_behind, std::uint64_t most_typical,
                 bool to_marker = false) const {
    const auto& typical = statistics_.symbols;
    const auto& typical_pairs = statistics_.pairs;
    const auto several = std::min<std::size_t>(2, statistics_.segments.size());
    std::vector<std::uint32_t> counts(sequence_.functions.size());
    Edge edge;
    double weight = 0;

    for (auto k = is_behind ? place + 1 : place; is_behind ? k < sequence_.symbol.size() : k > 0;
         is_behind ? ++k : --k) {
      const auto symbol = sequence_.symbol[is_behind ? k : k - 1];
      const auto count = ++counts[symbol];
      const bool is_marker = symbol == marker_.symbol;
      if (to_marker && is_marker && count == typical[symbol].largest + 1) {
        ++edge.calls;
        break;
      }

      const bool is_usual = is_marker || typical[symbol].segments >= several;
      if (!is_usual || count > typical[symbol].largest)
        break;

      if (typical_pairs[sequence_.pair[k]].segments < several)
        break;

      const bool is_typical = count <= typical[symbol].median;
      if (is_typical && edge.typical == most_typical)
        break;

      if (is_typical) {
        ++edge.typical;
        weight += weigh_count(count) - weigh_count(count - 1);
      }
      ++edge.calls;
    }

    if (typical.size > 0)
      edge.share = weight / typical.weight;

    return edge;
  }

  // A run without its first segments that lack what nearly all others have.
  Run leave_out_set_up(Run run) const {
    while (run.first < run.last && run.last - run.first + 1 >= fewest_iterations &&
           !statistics_.is_whole(run.first))
      ++run.first;
    return run;
  }

  // Goes on with a run of the segments alone.
  void cut(Run run) {
    is_cut_ |= run.first > 0;
    bool is_cut_by_own_calls = false;
    for (std::size_t s = 0; s < run.first; ++s)
      is_cut_by_own_calls |= statistics_.segments[s].has_own_calls;
    if (is_cut_by_own_calls)
      before_.insert(before_.end(), places_.begin(),
                     places_.begin() + static_cast<std::ptrdiff_t>(run.first));

    places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(run.last) + 1, places_.end());
    places_.erase(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(run.first));
    compare();
  }

  // A marker that counts only behind another call may miss the first pass, since something else
  // comes before the loop.
  void add_place_before() {
    if (marker_.before == any_symbol)
      return;

    const auto edge = find_edge(places_.front(), false, statistics_.symbols.size, true);
    if (edge.share < nearly_all || edge.calls == 0)
      return;

    const auto place = places_.front() - edge.calls;
    if (sequence_.symbol[place] != marker_.symbol)
      return;

    places_.insert(places_.begin(), place);
    compare();
  }

  // The iterations of all segments, and what belongs to them at both ends.
  std::optional<LoopSplit> split_all() const {
    const Run run{0, statistics_.segments.size()};
    const auto size = statistics_.symbols.size;
    const auto before = find_edge(places_.front(), false, size);
    const auto behind = find_edge(places_.back(), true, size);

    LoopSplit out;
    out.marker = marker_;
    out.has_part_beside = size > 0 && before.share >= part_of_it;
    for (auto s = run.first; s < run.last; ++s)
      out.whole += statistics_.is_whole(s);

    if (behind.share >= nearly_all) {
      // Iterations begin with their marker calls, and the last one is whole.
      out.begins = places_;
      out.end = places_.back() + 1 + behind.calls;
      ++out.whole;
    } else if (before.share + behind.share >= nearly_all && behind.share < half) {
      // Marker calls are inside iterations, or end them.
      const auto calls = find_edge(places_.front(), false, size - behind.typical).calls;
      out.begins.push_back(places_.front() - calls);
      for (auto s = run.first; s < run.last; ++s)
        out.begins.push_back(find_begin_inside(s, calls, out.begins.front()));
      out.end = places_.back() + 1 + behind.calls;
      out.has_part_beside = false;
      ++out.whole;
    } else if (behind.share >= half) {
      // The last iteration ended early.
      out.begins = places_;
      out.end = places_.back() + 1 + behind.calls;
      out.is_partial = true;
    } else {
      // The last marker call begins none.
      out.has_part_beside |= size > 0 && behind.share >= part_of_it;
      out.begins.assign(places_.begin(), places_.end() - 1);
      out.end = places_.back();
    }

    if (out.begins.size() < fewest_iterations)
      return std::nullopt;

    measure(out);

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

  void measure(LoopSplit& out) const {
    double in_both = 0;
    double in_either = 0;
    double work = 0;
    double typical_work = 0;
    double own_work = 0;
    for (const auto& segment : statistics_.segments) {
      in_both += segment.in_both;
      in_either += segment.in_either;
      work += segment.work;
      typical_work += segment.typical_work;
      own_work += segment.own_work;
    }

    out.calls = 1 + statistics_.symbols.size;
    const auto& symbols = statistics_.symbols;
    out.kinds = static_cast<std::size_t>(
        std::count_if(symbols.kinds.begin(), symbols.kinds.end(),
                      [](const auto& symbol) { return symbol.median > 0; }));
    out.kinds += symbols[marker_.symbol].median == 0;
    out.similarity = in_both / in_either;
    out.explained = work > 0 ? 1 - own_work / work : 1;
    out.strict = work > 0 ? typical_work / work : 1;
    out.ticks = sequence_.calls[out.end - 1].end - sequence_.calls[out.begins.front()].begin;
    measure_work(out);
    find_dominant(out);
    out.warm_up = count_warm_up();
    out.is_cut = is_cut_;
  }

  void measure_work(LoopSplit& out) const {
    double ticks = static_cast<double>(out.ticks);
    double largest = 0;
    double sum = 0;

    for (std::size_t i = 0; i < out.begins.size(); ++i) {
      const auto end = i + 1 < out.begins.size() ? out.begins[i + 1] : out.end;
      double work = 0;
      std::uint64_t subcalls = 0;
      for (auto k = out.begins[i]; k < end; ++k) {
        work += sequence_.work[k];
        subcalls += sequence_.calls[k].calls;
        if (sequence_.once[sequence_.symbol[k]])
          ticks -= get_ticks(sequence_, k);
      }

      out.subcalls += subcalls;
      out.fewest_subcalls = i == 0 ? subcalls : std::min(out.fewest_subcalls, subcalls);
      largest = std::max(largest, work);
      sum += work;
    }

    out.work =
        (ticks / sequence_.ticks + static_cast<double>(out.subcalls) / sequence_.subcalls) / 2;
    const auto n = static_cast<double>(out.begins.size());
    out.is_dominated = largest > (1 + 1 / n) / 2 * sum;
  }

  // Segments that were cut off before the loop and yet hold a whole body.
  std::size_t count_warm_up() const {
    std::size_t passes = 0;

    for (std::size_t s = 0; s < before_.size(); ++s) {
      const auto end = s + 1 < before_.size() ? before_[s + 1] : places_.front();
      std::unordered_map<std::uint32_t, std::uint32_t> counts;
      double made = 1;
      for (auto k = before_[s] + 1; k < end; ++k) {
        const auto symbol = sequence_.symbol[k];
        if (const auto count = ++counts[symbol]; count <= statistics_.symbols[symbol].usual)
          made += weigh_count(count) - weigh_count(count - 1);
      }
      passes += made >= SegmentStatistics::whole_from * statistics_.usual_calls;
    }

    return passes;
  }

  // The symbol that takes most of the time of those that each iteration has once.
  void find_dominant(LoopSplit& split) const {
    std::vector<double> ticks(sequence_.functions.size());
    for (auto k = split.begins.front(); k < split.end; ++k)
      ticks[sequence_.symbol[k]] += get_ticks(sequence_, k);

    for (std::uint32_t symbol = 0; symbol < ticks.size(); ++symbol) {
      const auto median = statistics_.symbols[symbol].median;
      const bool is_called_once = symbol == marker_.symbol ? median == 0 : median == 1;
      const bool takes_half =
          ticks[symbol] > 0 && 2 * ticks[symbol] >= static_cast<double>(split.ticks);
      if (is_called_once && takes_half && !sequence_.alternatives[symbol]) {
        split.dominant = symbol;
        split.dominant_share =
            ticks[symbol] / static_cast<double>(std::max<std::uint64_t>(split.ticks, 1));
      }
    }
  }

  SegmentComparer& comparer_;
  const CallSequence& sequence_;
  LoopMarker marker_;
  bool is_cut_ = false;              // at the front
  std::vector<std::size_t> places_;  // of the marker's calls
  std::vector<std::size_t> before_;  // of those that were cut off, where a segment has own calls
  SegmentStatistics statistics_;     // of the segments between them
};

}  // namespace

std::optional<LoopSplit> split_by_marker(SegmentComparer& comparer, const LoopMarker& marker) {
  return Splitter(comparer, marker).split();
}

std::size_t find_loop_end(const CallSequence& sequence, std::vector<std::size_t> begins) {
  SegmentComparer comparer(sequence);
  return Splitter(comparer, std::move(begins)).find_end();
}

}  // namespace tracefold
