// correlate: which views of a trace behave alike, and which explains another one.
//
// The trace is read into views (views.hpp), the processes are put into a grid
// (process_grid.hpp), and views are correlated in batches (batch_runner.hpp). What was found
// does not depend on the number of threads. Views are taken in slices where values of all of them
// would need more than a quarter of the memory limit; the rest is for the batches.
//
// Source: frequency 3.
#pragma once

#include "filters/correlation/chance.hpp"
#include "model/correlation/correlation.hpp"
#include "pipeline/correlation/process_grid.hpp"
#include "pipeline/correlation/views.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct CorrelateOptions {
  ViewOptions views;
  ProcessGridOptions grid;
  // Names of those along which phenomena count, "process" for all that ranks are put on; empty:
  // all but the iterations.
  std::vector<std::string> axes;
  std::optional<std::size_t> max_shift;
  bool wrap = false;

  // Findings that luck makes more likely than this are left out; none: luck is not tried.
  std::optional<double> most_chance = correlation::usual_chance;
};

// One view, `options.views.query`, with all others: findings by |r|. Throws Error(usage, input).
CorrelationReport correlate_view(const Archive& archive, const Plan& plan,
                                 const std::vector<std::size_t>& members,
                                 std::optional<ViewLoop> loop, const CorrelateOptions& options,
                                 const ReadOptions& reading, Diagnostics& diagnostics);

}  // namespace tracefold
