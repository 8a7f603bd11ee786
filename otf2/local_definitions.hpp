// What a location's own definition file says about reading its events: which
// global id each local id is, and how far the location's clock was off.
//
// Source: OTF2 3.0 reference manual, "MappingTable" and "ClockOffset"; the
// correction is that of OTF2's readers, to the tick.
#pragma once

#include "otf2/chunk_file.hpp"
#include "otf2/record.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// Global ids by local id; an id that is not in the table is itself.
class IdMap {
 public:
  std::uint64_t of(std::uint64_t id) const { return id < dense_.size() ? dense_[id] : find(id); }
  std::span<const std::uint64_t> dense() const { return dense_; }  // of the ids below its size
  // The global id of an id that the dense table does not have.
  [[gnu::always_inline]] std::uint64_t find(std::uint64_t id) const {
    return sparse_.empty() ? id : find_sparse(id);
  }
  bool is_set() const { return set_; }
  void set_dense(std::vector<std::uint64_t> ids);
  void set_sparse(std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs);
  void clear();

 private:
  [[gnu::noinline]] std::uint64_t find_sparse(std::uint64_t id) const;

  std::vector<std::uint64_t> dense_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sparse_;  // ascending
  bool set_ = false;
};

// Between two measurements of the clock the offset is interpolated.
struct ClockInterval {
  std::uint64_t begin = 0, end = 0;  // ticks, before correction
  std::int64_t offset = 0;           // ticks, at the beginning
  double slope = 0;
};

inline constexpr std::size_t mapped_kinds = 15;  // the first kinds of Ref

struct LocalDefinitions {
  std::array<IdMap, mapped_kinds> maps;
  std::vector<ClockInterval> clock;

  std::uint64_t global(Ref kind, std::uint64_t id) const {
    return static_cast<std::size_t>(kind) < mapped_kinds
               ? maps[static_cast<std::size_t>(kind)].of(id)
               : id;
  }
  void clear();
};

// Corrects the times of one location, in their order.
//
// A correction is a whole number of ticks, and it stays the same for many ticks, since clocks drift
// little. So it is worked out once for a range of times, and then only added.
class ClockCorrection {
 public:
  // `interval` is where the location's events have come to: it only advances,
  // since times are expected to ascend. The intervals must stay.
  ClockCorrection(const std::vector<ClockInterval>& intervals, std::size_t interval)
      : intervals_(intervals), interval_(interval) {
    begin_interval();
  }

  [[gnu::always_inline]] std::uint64_t operator()(std::uint64_t time) {
    if (time - first_ < size_) [[likely]]
      return time + correction_;
    return correct(time);
  }
  std::size_t interval() const { return interval_; }

 private:
  [[gnu::cold, gnu::noinline]] std::uint64_t correct(std::uint64_t time);
  void begin_interval();
  // What the drift adds at so many ticks from the beginning of the interval.
  std::int64_t measure_drift(double distance) const { return std::llrint(now_.slope * distance); }
  std::uint64_t find_last_alike(std::uint64_t distance) const;

  std::uint64_t first_ = 0;       // of the range
  std::uint64_t size_ = 0;        // ticks in it
  std::uint64_t correction_ = 0;  // of all times in it, modulo 2^64
  const std::vector<ClockInterval>& intervals_;
  std::size_t interval_;
  ClockInterval now_;
  std::uint64_t span_ = 0;  // the most ticks from its beginning that are in it
};

// Where a file is damaged, `out` is not to be used. A file without a byte defines nothing.
enum class LocalFile { read, damaged };
// Definitions of other things than these must be whole, and are not looked at. Throws Error(input)
// where the file cannot be read.
LocalFile read_local_definitions(const ChunkFile& file, ChunkBuffer& buffer, LocalDefinitions& out);

}  // namespace tracefold
