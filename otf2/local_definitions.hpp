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

// The offset is interpolated between two measurements of the clock.
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
