// The times of one process by call path, of which any interval between two cuts can be summed up
// (call_times.hpp). Time of waiting is told from other time.
//
// Immutable once made; any thread may ask. Memory: that of the segments, and of their sums: each 32
// segments together, each 32 of these, and so on.
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
  TimeLine(const CallTimes& times, std::span<const KnownWait> waits,
           std::span<const PathIndex> path_in_all);

  // Adds what the segments that end after one time, and not after another, have.
  void sum(std::uint64_t after, std::uint64_t until, PartTimes& out) const;
  // When the call of MPI was left that was entered at a time; that time where there is none.
  std::uint64_t find_end_of_call(std::uint64_t entered) const;
  bool is_empty() const { return begins_.empty(); }

 private:
  static constexpr std::size_t together = 32;

  // Sums of so many segments that follow each other.
  struct Level {
    std::vector<std::size_t> places;  // in `sums`
    std::string sums;                 // of each: the numbers and times of its parts
  };

  void add_segment(std::uint64_t end, bool is_call, const PartTimes& times);
  void end_block();
  void add_sums(const Level& level, std::size_t place, PartTimes& out) const;
  // The last block that begins no later than a time, and the last one that begins before it; the
  // first one where there is none.
  std::size_t find_block(std::uint64_t time) const;
  std::size_t find_block_before(std::uint64_t time) const;
  // Calls visit(end, is_call, parts) for the segments from a block on, until that is false.
  template <class Visit>
  void visit_segments(std::size_t block, const Visit& visit) const;

  // By segment: how many ticks it ends after the one before, twice the bytes of its parts, plus 1
  // where it is a call of MPI, and the numbers and times of its parts.
  std::string segments_;
  std::vector<std::uint64_t> begins_;  // by block: when the segment before it ends
  std::vector<std::size_t> places_;    // by block: in `segments_`
  std::vector<Level> levels_;  // blocks that are whole, by so many, so many times so many, …
  // While it is made.
  std::uint64_t last_end_ = 0;
  std::size_t in_block_ = 0;
  std::vector<PartTimes> open_sums_;  // by level
  std::vector<std::size_t> open_counts_;
};

}  // namespace tracefold
