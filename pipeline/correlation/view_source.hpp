// Where views get the values of call paths from: from a trace that is read, or from what is kept
// beside a reduced trace of all processes of its original.
//
// Members are places in the members of what is correlated. Call paths name functions().
#pragma once

#include "pipeline/correlation/call_order.hpp"
#include "pipeline/facts/series_sums.hpp"
#include "pipeline/facts/whole_program.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// What is correlated. What is referred to must stay.
struct CorrelatedTrace {
  const Archive& archive;
  const Plan& plan;
  std::vector<std::size_t> members;  // indexes of the plan's processes, ascending
  std::optional<SeriesLoop> loop;    // whose iterations are an axis; none: they are not
  ReadOptions reading;
  Diagnostics& diagnostics;
  // Null: the trace is read. Else the plan is the one of the program, and there is no loop.
  const WholeProgram* program = nullptr;
};

class ViewSource {
 public:
  virtual ~ViewSource() = default;

  virtual const MetricColumns& columns() const = 0;
  virtual const std::vector<Function>& functions() const = 0;
  virtual bool is_mpi(FunctionIndex function) const = 0;
  // Why a time of waiting that is wanted is not known; null where it is.
  virtual const std::string* find_unknown(Metric wait) const = 0;

  // What members did in all iterations of the loop, or in the whole trace: some columns, ascending.
  virtual CallPathProfiles sum(const std::vector<std::size_t>& columns) const = 0;
  // Whether a member recorded values for a column that were infinite or no numbers; after sum().
  virtual bool is_not_finite(std::size_t member, std::size_t column) const = 0;
  // What members did in each iteration of the loop; only where there is one. Callbacks come from
  // several threads, as SeriesPass says.
  virtual void read_iterations(const std::function<void(const SeriesProfile&)>& body) const = 0;

  // Who sends to whom, as indexes of processes of the plan; ends that cannot be told are left out.
  virtual std::vector<std::pair<std::size_t, std::size_t>> list_neighbours() const = 0;
  // Whether calls of some paths of a tree can be why calls of others wait.
  virtual CallOrder find_call_order(const std::vector<CallPath>& tree,
                                    OrderedPaths paths) const = 0;
};

// Late senders are always looked for where the trace is read: neighbours are told by the same
// messages.
std::unique_ptr<const ViewSource> make_view_source(const CorrelatedTrace& trace,
                                                   std::vector<Metric> wanted_waits);

}  // namespace tracefold
