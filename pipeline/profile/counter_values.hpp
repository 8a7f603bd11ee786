// How far the recorded metrics of one location come, from record to record.
//
// Of one that accumulates, what it grew by since the record before, and nothing for the
// first; one that went down began anew, and counts for nothing there, but an unsigned
// one that passed 2^64. Of one that is relative, each value, and nothing for a negative
// one. Numbers that are not integers are rounded, before they are subtracted.
//
// One location at a time, its records in order. Memory: 8 bytes for each member of each
// metric that it records. Source: OTF2 3.0, OTF2_MetricMode.
#pragma once

#include "otf2/event.hpp"
#include "pipeline/events/series_form.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

class CounterValues {
 public:
  explicit CounterValues(const SeriesForm& form) : form_(form) {}

  // Columns and what each of them grows by, of a Metric record; valid until the next.
  const std::vector<std::pair<std::uint32_t, std::uint64_t>>& increments(const Event& event);

 private:
  const SeriesForm& form_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> last_;  // by metric: of each member
  std::vector<std::pair<std::uint32_t, std::uint64_t>> increments_;
};

}  // namespace tracefold
