// What passes need to read the processes of a plan: the archive, the functions that its filters
// keep, how to read, and where warnings go.
//
// Immutable, thread-safe. Archive, plan and diagnostics must outlive it.
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

  // Calls step(process, read) for each process, in parallel; read(sink) passes the calls of the
  // process to a sink, and returns a LocationRead. Throws Error(input), also if the trace lacks a
  // process, and what step() throws.
  template <class Step>
  void read_each(std::span<const std::size_t> processes, Step&& step) const {
    const auto locations = find_locations(archive_, plan_, processes);
    for_each_location(
        archive_, locations, options_, diagnostics_, [&](EventReader& reader, std::size_t i) {
          step(processes[i],
               [&](auto& sink) { return read_calls(reader, locations[i], functions_, sink); });
        });
  }

  // The processes among these that this member of a team reads.
  std::vector<std::size_t> list_own(std::span<const std::size_t> processes) const {
    const Shares shares(definitions(), options_.team);
    std::vector<std::size_t> own;
    for (auto p : processes)
      if (shares.is_own(plan_.processes[p].id))
        own.push_back(p);
    return own;
  }
  // Calls read_each() for list_own(processes), and returns these.
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
