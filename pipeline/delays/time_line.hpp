// The times of one process by call path, of which any interval between two cuts can be summed up
// (call_times.hpp). Time of waiting is told from other time.
//
// Immutable once made; any thread may ask. Memory: that of the segments, 16 bytes for each 16 of
// them, and sums: each 256 segments together, each 16 of these, and so on.
#pragma once

#include "pipeline/delays/call_times.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// Times by part: of a call path that of waiting, or the rest.
class PartTimes {
 public:
  static constexpr PathIndex find_path(std::uint32_t part) { return part / 2; }
  static constexpr bool is_waiting(std::uint32_t part) { return part % 2 == 1; }

  [[gnu::always_inline]] void add(std::uint32_t part, std::uint64_t ticks) {
    if (part >= ticks_.size() || count_ == parts_.size()) [[unlikely]]
      make_room(part);
    parts_[count_] = part;
    count_ += ticks_[part] == 0 && ticks > 0;
    ticks_[part] += ticks;
  }
  std::uint64_t operator[](std::uint32_t part) const {
    return part < ticks_.size() ? ticks_[part] : 0;
  }
  // Those that have time, in the order in which they were added.
  std::span<const std::uint32_t> parts() const { return std::span(parts_).first(count_); }
  std::uint64_t sum_waiting() const;
  // The part with most time; none: there is no time.
  std::optional<std::uint32_t> find_longest() const;
  void clear();

 private:
  void make_room(std::uint32_t part);

  std::vector<std::uint64_t> ticks_;
  std::vector<std::uint32_t> parts_;  // and room for more
  std::size_t count_ = 0;             // of parts
};

// Reads segments one after the other.
class SegmentReader {
 public:
  // `segments` are those of CallTimes, from one of them on; they must outlive this.
  SegmentReader(std::string_view segments, std::uint64_t begin)
      : at_(segments.data()),
        behind_(at_ + segments.size() - (segments.empty() ? 0 : PackedPairs::beyond)),
        end_(begin) {}

  // Goes to the first, or to the next one; false where there is none.
  bool next() {
    if (at_ == behind_)
      return false;
    const auto [bytes_and_kind, ticks] = PackedPairs::take(at_);
    begin_ = end_;
    end_ += ticks;
    kind_ = static_cast<SegmentKind>(bytes_and_kind % segment_kinds);
    parts_ = {at_, static_cast<std::size_t>(bytes_and_kind / segment_kinds)};
    at_ += parts_.size();
    return true;
  }
  // The segment.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return end_; }
  SegmentKind kind() const { return kind_; }
  bool is_call() const { return kind_ == SegmentKind::call; }
  // Calls visit(part, ticks) for its parts.
  template <class Visit>
  void visit_parts(const Visit& visit) const {
    const auto* at = parts_.data();
    for (const auto* const end = at + parts_.size(); at != end;) {
      const auto [part, ticks] = PackedPairs::take(at);
      visit(static_cast<std::uint32_t>(part), ticks);
    }
  }
  std::string_view parts() const { return parts_; }

 private:
  const char* at_;
  const char* behind_;
  std::uint64_t begin_ = 0, end_ = 0;
  SegmentKind kind_ = SegmentKind::between;
  std::string_view parts_;
};

class TimeLine {
 public:
  TimeLine() = default;
  // Call paths get the numbers of `path_in_all`, and 0 where they have none there.
  TimeLine(std::string segments, std::vector<PathIndex> path_in_all);

  // Adds what the segments that end after one time, and not after another, have.
  void sum(std::uint64_t after, std::uint64_t until, PartTimes& out) const;
  SegmentReader read() const { return {segments_, 0}; }
  // The number in the tree of all processes of a path of the process's own, plus 1; 0: none.
  PathIndex find_in_all(PathIndex path) const {
    return path < path_in_all_.size() ? path_in_all_[path] : PathIndex{0};
  }
  // When the call of MPI was left that was entered at a time; that time where there is none.
  std::uint64_t find_end_of_call(std::uint64_t entered) const;

 private:
  static constexpr std::size_t together = 16;

  // So many segments that follow each other.
  struct Block {
    std::uint64_t begin = 0;  // when the segment before it ends
    std::size_t place = 0;    // in `segments_`
  };
  // Sums of so many blocks, or sums of the level before, that follow each other.
  struct Level {
    std::vector<std::size_t> ends;  // in `sums`
    std::string sums;               // of each: the numbers and times of its parts, as packed pairs
  };

  // Adds so many sums of the level before, of which there may be more.
  void add_level(std::size_t sums);
  // The last block that begins no later than a time; the first one where there is none.
  std::size_t find_block(std::uint64_t time) const;
  // Calls visit(end, is_call, parts) for the segments from a block on, until that is false.
  template <class Visit>
  void visit_segments(std::size_t block, const Visit& visit) const;
  // Calls visit(part, ticks) for the sums of a level, or for the parts of a block at level 0.
  template <class Visit>
  void visit_parts(std::size_t level, std::size_t place, const Visit& visit) const;

  std::string segments_;
  std::vector<PathIndex> path_in_all_;
  std::vector<Block> blocks_;
  std::vector<Level> levels_;  // that are whole: by so many blocks, so many times so many, …
};

}  // namespace tracefold
