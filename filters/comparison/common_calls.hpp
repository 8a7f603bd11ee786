// Call paths of two runs on one tree: functions that are named otherwise are one, and what one run
// has inlined counts for its caller in both. Pure.
//
// A function that only one run calls is the same as one that only the other one calls where who
// calls it, whom it calls, how often and how long are alike. It was inlined where the other run's
// caller calls what it called, or takes the time that it took: that caller does its work.
//
// Source: structural VII (subsumption).
#pragma once

#include "filters/comparison/function_names.hpp"
#include "model/comparison/compared_run.hpp"
#include "model/comparison/run_comparison.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tracefold {

using Amounts = std::array<double, measures>;  // by Measure; times in seconds

// What a process did, of a call path or a function.
struct MemberAmounts {
  std::size_t process = 0;
  Amounts amounts{};
};
// By call path or function: processes, ascending, that have any of it.
using AmountTable = std::vector<std::vector<MemberAmounts>>;

struct CommonNode {
  std::size_t caller = 0;  // of nodes; no_node: nobody calls it
  ClassIndex of = 0;
};
inline constexpr std::size_t no_node = static_cast<std::size_t>(-1);

struct Renamed {
  std::string a, b;
  ClassIndex of = 0;
};
struct Inlined {
  std::string function, caller;
  bool is_in_b = true;  // else it was inlined in A
  double time = 0;      // that it took where it was not, in seconds per process
};

struct CommonCalls {
  FunctionClasses names;
  std::vector<CommonNode> nodes;                  // callers before callees
  std::vector<std::vector<std::size_t>> node_of;  // by run and path; no_node: of no node
  std::vector<std::vector<bool>> is_inlined;      // by run and path: it counts for its caller
  std::vector<std::vector<Amounts>> totals;       // by run and node, over all processes
  std::vector<Renamed> renamed;
  std::vector<Inlined> inlined;
  double common_share = 1;  // of call pairs of the smaller set, before anything was guessed

  // "main > solve > MPI_Send", by the names of the first run that has it.
  std::string name_path(std::size_t node) const;
  const std::string& name_class(ClassIndex of) const;
};

// Of at least one run. Names are guessed, and inlining is looked for, of two runs only, and not
// where these have hardly anything in common.
CommonCalls join_calls(const std::vector<const ComparedRun*>& runs);

inline constexpr double least_common_share = 0.25;

// The amounts of a run by what `key_of` says of its paths, below `keys`; no_node: nothing. Visits
// of what `is_inlined` (empty: nothing) do not count.
AmountTable collect_amounts(const ComparedRun& run, const std::vector<std::size_t>& key_of,
                            std::size_t keys, const std::vector<bool>& is_inlined);
std::vector<std::size_t> list_path_classes(const CommonCalls& calls, std::size_t run);

// Whether a function of MPI or OpenMP communicates or waits, so that its time depends on others.
bool is_waiting_function(const Function& function);

}  // namespace tracefold
