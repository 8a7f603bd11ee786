// The profile pass: every location is read once, in parallel, into one profile each.
#pragma once

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

// The processes of a trace that the filters leave, ascending by id, without
// what only events tell.
std::vector<Process> find_processes(const Definitions& definitions,
                                    const std::vector<FilterSection>& filters);

// Describes the processes of a plan that knows only their ids, as far as definitions do. Throws
// Error(input) where the trace has others.
void describe_processes(Plan& plan, const Definitions& definitions);

struct ProfiledTrace {
  std::vector<Function> functions;
  std::vector<Process> processes;
  Profiles profiles = {};  // of each process; of a team, only the times that a plan holds
  TraceTotals totals = {};
  std::optional<Communication> communication = {};  // none: not asked for, or too large
  std::optional<CollectedCalls> calls = {};         // where anything of them was
  std::vector<GridAxis> grid = {};                  // as Plan::grid
};

// The operations of all ranks; with the gap times before their MPI calls, and what accompanies
// operations.
enum class RecordOperations : std::uint8_t { no, yes, with_gaps };

// What one reading collects besides profiles, which takes less time than to read once more.
struct ProfileExtras {
  RecordOperations operations = RecordOperations::no;
  WantedCalls calls = {};
};

// Memory: a few profiles in the making per thread, and the result; in a trace with calling contexts
// the profiles of all processes until the last is read. The result
// does not depend on the number of threads. Throws Error(input). Where anything else is recorded,
// too, no location is read in parts; so of a process alone calls are recorded only with operations.
ProfiledTrace profile_pass(const Archive& archive, const std::vector<FilterSection>& filters,
                           const ReadOptions& options, Diagnostics& diagnostics,
                           ProfileExtras extras = {});

// Makes a plan with the trace's section and the given filters; of a team all members at once.
Plan make_plan(const Archive& archive, std::vector<FilterSection> filters, Team* team = nullptr);

// Puts what was found into the plan.
void add_profiles(Plan& plan, ProfiledTrace traced);
// Profiles the trace into the plan; and gives its communication, where that is asked for, and puts
// what was collected of calls into `calls`.
std::optional<Communication> add_profiles(Plan& plan, const Archive& archive,
                                          const ReadOptions& options, Diagnostics& diagnostics,
                                          ProfileExtras extras = {},
                                          std::optional<CollectedCalls>* calls = nullptr);

}  // namespace tracefold
