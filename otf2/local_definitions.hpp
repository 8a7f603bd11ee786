// What the definition file of a location tells about its events: the global id of each local id,
// and the offsets of its clock.
//
// Source: OTF2 3.0 reference manual, "MappingTable" and "ClockOffset"; times are corrected as
// OTF2's readers do, to the tick.
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

// Maps local to global ids; an id that is not in the table maps to itself.
class IdMap {
 public:
  std::uint64_t of(std::uint64_t id) const { return id < dense_.size() ? dense_[id] : find(id); }
  std::span<const std::uint64_t> dense() const { return dense_; }  // for the ids below its size
  // The global id of an id beyond the dense table.
  [[gnu::always_inline]] std::uint64_t find(std::uint64_t id) const {
    return sparse_.empty() && !has_others_ ? id : find_sparse(id);
  }
  bool is_set() const { return set_; }
  void set_dense(std::vector<std::uint64_t> ids);
  void set_sparse(std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs);
  // What ids that are not in the table map to from now on, in place of themselves.
  void set_others(std::uint64_t id);
  // From now on, ids map to what `next` maps their global ids to.
  void append(const IdMap& next);
  void clear();

 private:
  [[gnu::noinline]] std::uint64_t find_sparse(std::uint64_t id) const;

  std::vector<std::uint64_t> dense_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sparse_;  // ascending
  std::uint64_t others_ = 0;
  bool has_others_ = false;
  bool set_ = false;
};

// The offset is interpolated between two measurements of the clock.
struct ClockInterval {
  std::uint64_t begin = 0, end = 0;  // ticks, before correction
  std::int64_t offset = 0;           // ticks, at the beginning
  double slope = 0;
};

// Turns times of one clock into those of another one that runs evenly beside it.
struct ClockShift {
  std::uint64_t origin = 0;  // a tick of the first clock
  std::uint64_t begin = 0;   // the tick of the other one at the same time
  double scale = 1;          // ticks of the other one in a tick of the first

  std::uint64_t of(std::uint64_t time) const;
  // Makes these corrections to the first clock corrections to the other one.
  void apply(std::vector<ClockInterval>& intervals) const;
};

// The first kinds of Ref, of which an archive may have local ids. In an archive that others make
// up, all kinds may be mapped (merge_archives.hpp).
inline constexpr std::size_t mapped_kinds = 15;

struct LocalDefinitions {
  std::array<IdMap, ref_kinds> maps;
  std::vector<ClockInterval> clock;

  std::uint64_t global(Ref kind, std::uint64_t id) const {
    return maps[static_cast<std::size_t>(kind)].of(id);
  }
  void clear();
};

// Corrects the times of one location, in ascending order.
//
// A correction is a whole number of ticks and rarely changes, since clocks drift little. So it is
// computed once for a range of times and then only added.
class ClockCorrection {
 public:
  // `interval` is the index of the interval that the location has reached; it only grows. The
  // intervals must outlive this.
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
  // The drift after `distance` ticks from the beginning of the interval.
  std::int64_t measure_drift(double distance) const { return std::llrint(now_.slope * distance); }
  std::uint64_t find_last_alike(std::uint64_t distance) const;

  std::uint64_t first_ = 0;       // of the range
  std::uint64_t size_ = 0;        // ticks in it
  std::uint64_t correction_ = 0;  // of all times in it, modulo 2^64
  const std::vector<ClockInterval>& intervals_;
  std::size_t interval_;
  ClockInterval now_;
  std::uint64_t span_ = 0;  // the distance of the interval's last tick from its first
};

// `out` is not valid where the file is damaged. An empty file defines nothing.
enum class LocalFile { read, damaged };
// Other definitions in the file must be complete, and are skipped. Throws Error(input) where the
// file cannot be read.
LocalFile read_local_definitions(const ChunkFile& file, ChunkBuffer& buffer, LocalDefinitions& out);

}  // namespace tracefold
