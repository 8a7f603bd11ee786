// The times of one process by call path, of which any interval between two cuts can be summed up
// (call_times.hpp). Time of waiting is told from other time.
//
// Immutable once made; any thread may ask. Memory: that of the segments, 24 bytes for each wait,
// and that of sums: each 32 segments together, each 32 of these, and so on.
#pragma once

#include "pipeline/delays/call_times.hpp"
#include "pipeline/messages/partner_amounts.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

// Times by part: of a call path that of waiting, or the rest.
class PartTimes {
 public:
  static constexpr std::uint32_t number_part(PathIndex path, bool is_waiting) {
    return 2 * path + is_waiting;
  }
  static constexpr PathIndex find_path(std::uint32_t part) { return part / 2; }
  static constexpr bool is_waiting(std::uint32_t part) { return part % 2 == 1; }

  void add(std::uint32_t part, std::uint64_t ticks) {
    if (ticks == 0)
      return;
    if (part >= ticks_.size())
      ticks_.resize(2 * std::size_t{part} + 16);
    if (ticks_[part] == 0)
      parts_.push_back(part);
    ticks_[part] += ticks;
  }
  std::uint64_t operator[](std::uint32_t part) const {
    return part < ticks_.size() ? ticks_[part] : 0;
  }
  // Those that have time, in the order in which they were added.
  const std::vector<std::uint32_t>& parts() const { return parts_; }
  std::uint64_t sum_waiting() const;
  void clear();

 private:
  std::vector<std::uint64_t> ticks_;
  std::vector<std::uint32_t> parts_;
};

class TimeLine {
 public:
  TimeLine() = default;
  // Waits are in the order of their calls' ends; call paths get the numbers of `path_in_all`.
  TimeLine(std::string segments, std::span<const KnownWait> waits,
           std::vector<PathIndex> path_in_all);

  // Adds what the segments that end after one time, and not after another, have.
  void sum(std::uint64_t after, std::uint64_t until, PartTimes& out) const;
  // When the call of MPI was left that was entered at a time; that time where there is none.
  std::uint64_t find_end_of_call(std::uint64_t entered) const;
  bool is_empty() const { return blocks_.empty(); }

 private:
  static constexpr std::size_t together = 32;

  // What a call of MPI waited, that ends at a time.
  struct Waited {
    std::uint64_t end = 0, ticks = 0;
    PathIndex path = 0;
  };
  // The first of so many segments.
  struct Block {
    std::uint64_t begin = 0;  // when the segment before it ends
    std::size_t place = 0;    // in `segments_`
    std::size_t wait = 0;     // the first that does not end before
  };
  // Sums of so many blocks that follow each other.
  struct Level {
    std::vector<std::size_t> places;  // in `sums`
    std::string sums;                 // of each: the numbers and times of its parts
  };
  // Reads segments from the begin of a block on.
  class Segments;

  void end_block(std::vector<PartTimes>& open_sums, std::vector<std::size_t>& open_counts);
  void add_sums(const Level& level, std::size_t place, PartTimes& out) const;
  // The last block that begins no later than a time, and the last one that begins before it; the
  // first one where there is none.
  std::size_t find_block(std::uint64_t time) const;
  std::size_t find_block_before(std::uint64_t time) const;
  void add_some(std::size_t block, std::uint64_t after, std::uint64_t until, PartTimes& out) const;

  std::string segments_;  // as CallTimes has them
  std::vector<Waited> waits_;
  std::vector<PathIndex> path_in_all_;
  std::vector<Block> blocks_;
  std::vector<Level> levels_;  // blocks that are whole, by so many, so many times so many, …
};

}  // namespace tracefold
