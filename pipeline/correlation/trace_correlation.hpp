// What all ways to correlate a trace begin with: its views (views.hpp), the grid that its
// processes form (process_grid.hpp), and what correlates them in batches (batch_runner.hpp).
//
// Views are taken in slices where values of all of them would need more than a quarter of the
// memory limit; three eighths of it are for the batches, and an eighth for what stays meanwhile, as
// queries and leaders of clusters. A grid that one thread has no room for is refused. Results do
// not depend on the limit.
//
// Source: frequency 3.
#pragma once

#include "filters/correlation/chance.hpp"
#include "model/correlation/correlation.hpp"
#include "pipeline/correlation/batch_runner.hpp"
#include "pipeline/correlation/process_grid.hpp"
#include "pipeline/correlation/views.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct CorrelateOptions {
  ViewOptions views;
  ProcessGridOptions grid;
  // Names of those along which phenomena count, "process" for all that ranks are put on; empty:
  // all but the iterations. A level of the machine (machine_places.hpp) puts ranks there, where no
  // sizes or topology are given.
  std::vector<std::string> axes;
  std::optional<std::size_t> max_shift;
  bool wrap = false;

  // The values of the queried view are wanted, and of so many of those that correlate best.
  std::size_t pictures = 0;

  // Findings that luck makes more likely than this are left out; none: no surrogates are made.
  std::optional<double> most_chance = correlation::usual_chance;
};

class TraceCorrelation {
 public:
  // Reads the trace, or what is kept of its original. Throws Error(usage, input).
  TraceCorrelation(const CorrelatedTrace& trace, const CorrelateOptions& options);

  const Views& views() const { return views_; }
  const BatchRunner& runner() const { return runner_; }
  const CorrelationScope& scope() const { return scope_; }

  // Values of views by point of the grid.
  std::vector<ViewColumn> read_columns(const std::vector<std::size_t>& wanted) const;

  // 1 for some members, in all of their iterations.
  ViewColumn make_column(const std::vector<bool>& has) const;

  // What may stay while slices are read.
  std::uint64_t memory_beside_slices() const { return memory_ / 8; }

  // Views, in their order, in slices whose values and so many bytes more for each fit into a part
  // of the memory.
  std::vector<std::vector<std::size_t>> cut_into_slices(const std::vector<std::size_t>& views,
                                                        std::uint64_t bytes_more = 0,
                                                        std::uint64_t part = 4) const;

 private:
  void add_means(const std::vector<std::size_t>& absent, ViewColumn& column) const;
  correlation::Grid make_grid(bool has_iterations, const CorrelateOptions& options) const;

  std::uint64_t memory_;
  Views views_;
  MachinePlaces machine_;
  ProcessGrid processes_;
  correlation::Correlator correlator_;
  BatchRunner runner_;
  CorrelationScope scope_;
};

// Tells which views have the same values everywhere, by 128 bits of them.
class DistinctViews {
 public:
  // Places of those views that are unlike all that were added before.
  std::vector<std::size_t> add(const std::vector<std::size_t>& views,
                               const std::vector<ViewColumn>& columns);

  // Views that are like a distinct one.
  std::vector<std::size_t> list_same(std::size_t view) const;

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> first_;  // views by their values
  std::map<std::size_t, std::vector<std::size_t>> same_;
};

CorrelationFinding make_finding(std::size_t view, const ViewMatch& found, std::size_t axes);

// By |r|; what differs only in rounding, by the order of views.
void sort_findings(std::vector<CorrelationFinding>& findings);

// Tells the chance of each finding, leaves out those that luck explains, and counts them.
std::size_t judge_findings(std::vector<CorrelationFinding>& findings,
                           const correlation::SurrogateMaxima& maxima, double most_chance);

}  // namespace tracefold
