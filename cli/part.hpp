// A part of a trace: which functions, processes and times count. All commands that take one have
// the same options for it.
#pragma once

#include "cli/session.hpp"
#include "model/location_list.hpp"
#include "model/plan.hpp"
#include "model/time_window.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::cli {

struct PartOptions {
  std::vector<std::string> drop, keep, inside;  // globs of functions
  LocationList locations;                       // empty: all
  std::string time;                             // as it was given; empty: all
  std::optional<AskedWindow> window;            // what that means
  std::vector<std::uint64_t> iterations;        // of the main loop; empty: all
  std::string shorter_than;                     // as it was given; empty: any length
  double shortest = 0;                          // that in seconds
  std::optional<std::uint64_t> max_depth;

  bool asks_for_times() const { return window || !inside.empty() || !iterations.empty(); }
  bool empty() const {
    return drop.empty() && keep.empty() && locations.empty() && shorter_than.empty() &&
           !max_depth && !asks_for_times();
  }
};

// The options that say what the part is, in a section of their own, and what the words in them
// mean.
void add_part(CLI::App* command, PartOptions& options);

// Adds a filter to the plan, which leaves the part; one that leaves all where no part is asked for.
// Warns of what matches nothing. Throws Error(usage) where the plan is grouped already, where
// nothing of the time is left, and where the trace was reduced and a part of the time is asked for.
void add_filter_of_part(PlanSession& opened, const PartOptions& options);
// The same, but that nothing changes where no part is asked for.
void apply_part(PlanSession& opened, const PartOptions& options);
// A new plan of the part of this trace. Throws what open_given_trace() does, too.
PlanSession open_part(Session& session, const std::string& trace, const PartOptions& options);

// What a summary of the part is of: all of it where it is a part of the time, unless a scope is
// asked for.
RunPartOptions choose_run_part(const PartOptions& options,
                               const std::optional<RunPart>& scope = std::nullopt);
void add_scope(CLI::App* command, std::optional<RunPart>& scope);

}  // namespace tracefold::cli
