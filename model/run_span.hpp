// When a run takes place: from the first to the last record of any location that has calls, or of
// any location where none has. Metrics of a node may be recorded before and after the program runs.
// Plain data.
#pragma once

#include "base/packed_values.hpp"
#include "model/time_window.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tracefold {

class RunSpan {
 public:
  // A location with its first and last record.
  void add(bool has_calls, const TimeSpan& of_location) {
    unite(has_calls ? of_calls_ : of_others_, of_location);
  }
  void add(const RunSpan& other) {
    if (other.of_calls_)
      unite(of_calls_, *other.of_calls_);
    if (other.of_others_)
      unite(of_others_, *other.of_others_);
  }
  // None without records.
  std::optional<TimeSpan> get() const { return of_calls_ ? of_calls_ : of_others_; }

 private:
  static void unite(std::optional<TimeSpan>& all, const TimeSpan& one) {
    if (!all)
      all = one;
    all->begin = std::min(all->begin, one.begin);
    all->end = std::max(all->end, one.end);
  }

  std::optional<TimeSpan> of_calls_, of_others_;

  friend auto list_members(Like<RunSpan> auto& span) {
    return std::tie(span.of_calls_, span.of_others_);
  }
};

}  // namespace tracefold
