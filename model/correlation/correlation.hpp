// What a correlation of views found: for people and programs to read. Plain data.
//
// A view is one metric of one call path over the grid of processes. Shifts are steps along each
// axis of the grid: what the queried view has at one place, the other one has so many steps
// further. Sums of times are in ticks of the trace's clock.
//
// Source: frequency 2 and 3.
#pragma once

#include "model/profile/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct CorrelationAxis {
  std::string name;
  std::size_t size = 1;
  bool periodic = false;
  bool chosen = true;  // phenomena along it count
};

struct CorrelationView {
  std::string metric;
  MetricKind kind = MetricKind::count;
  bool per_second = false;  // its sum is one of rates, and says little
  std::string call_path;    // "main > solve > MPI_Wait"
  double sum = 0;           // over all processes, and iterations where these are an axis
};

// Of one view with another. Identical views are one finding.
struct CorrelationFinding {
  std::size_t view = 0;             // index into the views of the report
  std::vector<std::size_t> same;    // views with the same values everywhere
  double r = 0;                     // from -1 to 1
  std::vector<std::int32_t> shift;  // of r, by axis
  double unshifted = 0;             // the filtered correlation without shift
  double plain = 0;                 // Pearson's correlation
  std::optional<double> chance;     // of finding as much by luck; none where it was not asked for
};

struct CorrelationReport {
  std::vector<CorrelationAxis> axes;
  std::string grid;                 // where the axes come from
  std::size_t processes = 0;        // locations that are in the grid
  std::optional<std::size_t> loop;  // whose iterations are an axis, from 0

  std::vector<CorrelationView> views;
  std::size_t left_out = 0;  // views with too small a share of their metric

  std::size_t query = 0;                     // the view that the others were held against
  std::vector<CorrelationFinding> findings;  // by |r|
  std::size_t by_luck = 0;  // findings that were left out, since luck explains them
  double most_chance = 1;
};

}  // namespace tracefold
