// What a location's own definition file says about reading its events: which
// global id each local id is, and how far the location's clock was off.
//
// Source: OTF2 3.0 reference manual, "MappingTable" and "ClockOffset"; the
// correction is that of OTF2's readers, to the tick.
#pragma once

#include "model/record.hpp"
#include "pipeline/chunk_file.hpp"

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
  std::uint64_t find(std::uint64_t id) const;                       // of the others
  bool is_set() const { return set_; }
  void set_dense(std::vector<std::uint64_t> ids);
  void set_sparse(std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs);
  void clear();

 private:
  std::vector<std::uint64_t> dense_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sparse_;  // ascending
  bool set_ = false;
};

// Between two measurements of the clock the offset is interpolated.
struct ClockInterval {
  std::uint64_t begin = 0, end = 0;  // ticks, before correction
  std::int64_t offset = 0;           // ticks, at the beginning
  double slope = 0;

  std::uint64_t corrected(std::uint64_t time) const {
    const auto distance = static_cast<std::int64_t>(time - begin);
    const double ticks = distance >= 0 ? static_cast<double>(distance) : far(time);
    return time + static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(std::llrint(slope * ticks));
  }

 private:
  // From the beginning to a time before it, or 2^63 ticks and more behind it.
  [[gnu::cold]] double far(std::uint64_t time) const {
    return time < begin ? -static_cast<double>(begin - time) : static_cast<double>(time - begin);
  }
};

inline constexpr std::size_t mapped_kinds = 15;  // the first kinds of Ref

struct LocalDefinitions {
  std::array<IdMap, mapped_kinds> maps;
  std::vector<ClockInterval> clock;

  std::uint64_t global(Ref kind, std::uint64_t id) const {
    return static_cast<std::size_t>(kind) < mapped_kinds ? maps[static_cast<std::size_t>(kind)].of(id) : id;
  }
  void clear();
};

// Corrects the times of one location, in their order.
class ClockCorrection {
 public:
  // `interval` is where the location's events have come to: it only advances,
  // since times are expected to ascend.
  ClockCorrection(const std::vector<ClockInterval>& intervals, std::size_t interval) : intervals_(intervals), interval_(interval) { take(); }

  std::uint64_t operator()(std::uint64_t time) {
    if (time > now_.end) [[unlikely]] advance(time);
    return now_.corrected(time);
  }
  std::size_t interval() const { return interval_; }

 private:
  void take() {
    if (!intervals_.empty()) now_ = intervals_[interval_];  // else nothing is corrected
    if (interval_ + 1 >= intervals_.size()) now_.end = ~std::uint64_t{0};  // the last holds for all that follows
  }
  void advance(std::uint64_t time) {
    while (time > now_.end) ++interval_, take();
  }
  const std::vector<ClockInterval>& intervals_;
  std::size_t interval_;
  ClockInterval now_;
};

enum class LocalFile {
  read,
  foreign,  // holds definitions that are not looked at here, and which libotf2 may refuse
  damaged   // `out` is not to be used
};
// Throws Error(input) where the file cannot be read.
LocalFile read_local_definitions(const ChunkFile& file, ChunkBuffer& buffer, LocalDefinitions& out);

}  // namespace tracefold
