// The profile pass: reads every location once, in parallel, into a profile.
#pragma once

#include "filters/groups/early_ends.hpp"
#include "filters/groups/group.hpp"
#include "model/messages/communication.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/iterations/collected_calls.hpp"
#include "pipeline/profile/profile_part.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

class Team;

// The processes that the filters keep, ascending by id, without what only events tell.
std::vector<Process> find_processes(const Definitions& definitions,
                                    const std::vector<FilterSection>& filters);

// Fills in what definitions say about the processes of a plan that has only their ids. Throws
// Error(input) if the trace has other ones.
void describe_processes(Plan& plan, const Definitions& definitions);

struct ProfiledTrace {
  std::vector<Function> functions;
  std::vector<Process> processes;
  Profiles profiles = {};  // by process; in a team, only times that a plan stores
  TraceTotals totals = {};
  std::optional<Communication> communication = {};  // none: not asked for, or too large
  std::optional<CollectedCalls> calls = {};         // if anything was collected
  std::vector<GridAxis> grid = {};                  // as Plan::grid
  std::vector<RecordEnd> ends = {};                 // by process
};

// The operations of all ranks; with_gaps also has the gap times before MPI calls, and records that
// accompany operations.
enum class RecordOperations : std::uint8_t { no, yes, with_gaps };

// What one reading collects besides profiles, which takes less time than another reading.
struct ProfileExtras {
  RecordOperations operations = RecordOperations::no;
  WantedCalls calls = {};
};

// Memory: a few profiles for each thread, and the result; in a trace with calling contexts, the
// profiles of all processes until the last one is read. The result does not depend on the number of
// threads. Throws Error(input). With any extras, no location is read in parts; so calls of a single
// process are recorded only together with operations.
ProfiledTrace profile_pass(const Archive& archive, const std::vector<FilterSection>& filters,
                           const ReadOptions& options, Diagnostics& diagnostics,
                           ProfileExtras extras = {});

// Makes a plan with the trace's section and the given filters. Collective in a team.
Plan make_plan(const Archive& archive, std::vector<FilterSection> filters, Team* team = nullptr);

// Adds the result to the plan.
void add_profiles(Plan& plan, ProfiledTrace traced);
// Profiles the trace and adds the result to the plan. Returns its communication, if asked for, and
// sets `calls` to what was collected.
std::optional<Communication> add_profiles(Plan& plan, const Archive& archive,
                                          const ReadOptions& options, Diagnostics& diagnostics,
                                          ProfileExtras extras = {},
                                          std::optional<CollectedCalls>* calls = nullptr);

}  // namespace tracefold
