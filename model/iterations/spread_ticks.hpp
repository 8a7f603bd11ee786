// How much of the time something takes, by interval: in which of them recording is off, say. At
// most a few thousand intervals are kept. When there are more, neighbours are merged, and the
// amount of a merged interval counts as spread evenly over it.
//
// Plain data, one owner at a time. Times are in ticks.
#pragma once

#include "base/packed_values.hpp"
#include "model/iterations/loops.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace tracefold {

class SpreadTicks {
 public:
  static constexpr std::size_t most_pieces = 4096;

  // Call in the order of time; `ticks` may be more than the interval is long.
  void add(Interval interval, std::uint64_t ticks) {
    if (ticks == 0)
      return;
    if (pieces_.size() == most_pieces)
      merge_neighbours();
    pieces_.push_back({interval, ticks});
  }
  void add(Interval interval) { add(interval, interval.end - interval.begin); }

  bool empty() const { return pieces_.empty(); }
  // The amount within an interval.
  std::uint64_t count_inside(const Interval& interval) const {
    std::uint64_t sum = 0;
    for (const auto& piece : pieces_)
      sum += piece.count_inside(interval);
    return sum;
  }
  // When any of it is, in the order of time.
  std::vector<Interval> list_intervals() const {
    std::vector<Interval> out;
    for (const auto& piece : pieces_)
      out.push_back(piece.interval);
    return out;
  }

 private:
  struct Piece {
    Interval interval;
    std::uint64_t ticks = 0;

    std::uint64_t count_inside(const Interval& other) const {
      const auto begin = std::max(interval.begin, other.begin);
      const auto end = std::min(interval.end, other.end);
      if (end <= begin)
        return 0;
      __extension__ using Product = unsigned __int128;
      return static_cast<std::uint64_t>(Product{ticks} * (end - begin) /
                                        (interval.end - interval.begin));
    }
  };
  friend auto list_members(Like<Piece> auto& piece) {
    return std::tie(piece.interval, piece.ticks);
  }
  friend auto list_members(Like<SpreadTicks> auto& all) { return std::tie(all.pieces_); }

  void merge_neighbours() {
    for (std::size_t k = 0; 2 * k < pieces_.size(); ++k) {
      const auto &first = pieces_[2 * k], &last = pieces_[2 * k + 1];
      pieces_[k] = {{first.interval.begin, last.interval.end}, first.ticks + last.ticks};
    }
    pieces_.resize(pieces_.size() / 2);
  }

  std::vector<Piece> pieces_;
};

// What of a location's time no call of it has alone.
struct SetAsideTimes {
  SpreadTicks off;      // recording is off: what happens is not known
  SpreadTicks flushes;  // the recorder writes its buffer to a file
  // On accelerators: where several calls run at the same time, that of all but one.
  SpreadTicks overlaps;

  bool empty() const { return off.empty() && flushes.empty() && overlaps.empty(); }
};
auto list_members(Like<SetAsideTimes> auto& times) {
  return std::tie(times.off, times.flushes, times.overlaps);
}

// Each of these, and its name in files.
struct SetAsideKind {
  const char* name;
  SpreadTicks SetAsideTimes::*ticks;
};
inline constexpr SetAsideKind recording_off{"recording off", &SetAsideTimes::off},
    buffer_flushes{"buffer flushes", &SetAsideTimes::flushes},
    call_overlaps{"overlaps", &SetAsideTimes::overlaps};

}  // namespace tracefold
