// A trace as passes read the processes of a plan: the archive, the functions that the filters of
// the plan leave, how events are read, and where warnings go. It is made once, and handed from one
// step of a pass to the next.
//
// Immutable; any thread may ask. The archive, the plan and the diagnostics must stay.
#pragma once

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

class PlannedTrace {
 public:
  PlannedTrace(const Archive& archive, const Plan& plan, ReadOptions options,
               Diagnostics& diagnostics)
      : archive_(archive),
        plan_(plan),
        functions_(archive.definitions(), plan.filters),
        options_(std::move(options)),
        diagnostics_(diagnostics) {}

  const Archive& archive() const { return archive_; }
  const Definitions& definitions() const { return archive_.definitions(); }
  const Plan& plan() const { return plan_; }
  const FunctionTable& functions() const { return functions_; }
  const ReadOptions& options() const { return options_; }
  Diagnostics& diagnostics() const { return diagnostics_; }

  // Calls step(process, read) for each of these processes, in parallel; read(sink) hands the calls
  // of the process to a sink, and returns a LocationRead. Throws Error(input), also where the trace
  // does not have a process, and what the step throws.
  template <class Step>
  void read_each(std::span<const std::size_t> processes, Step&& step) const {
    const auto locations = find_locations(archive_, plan_, processes);
    for_each_location(
        archive_, locations, options_, diagnostics_, [&](EventReader& reader, std::size_t i) {
          step(processes[i],
               [&](auto& sink) { return read_calls(reader, locations[i], functions_, sink); });
        });
  }

  // The processes among these that this process reads, where a team reads them.
  std::vector<std::size_t> list_own(std::span<const std::size_t> processes) const {
    const Shares shares(definitions(), options_.team);
    std::vector<std::size_t> own;
    for (auto p : processes)
      if (shares.is_own(plan_.processes[p].id))
        own.push_back(p);
    return own;
  }
  // read_each of these.
  template <class Step>
  std::vector<std::size_t> read_own(std::span<const std::size_t> processes, Step&& step) const {
    auto own = list_own(processes);
    read_each(own, step);
    return own;
  }

 private:
  const Archive& archive_;
  const Plan& plan_;
  const FunctionTable functions_;
  const ReadOptions options_;
  Diagnostics& diagnostics_;
};

}  // namespace tracefold
