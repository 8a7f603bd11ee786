// Puts the call paths of two runs on one tree: renamed functions become one, and a function that
// one run has inlined counts for its caller in both. Pure.
//
// A function that only one run calls is a renamed function that only the other one calls if
// callers, callees, numbers of calls and times are alike. It was inlined if its caller in the other
// run makes its calls or takes its time.
//
// Two runs with hardly a call pair in common may be recorded in other detail: where nearly all
// functions of one are in the other, what only one of them has counts for its caller.
//
// Source: structural VII (subsumption), thesis 3.2 (subsumption of functions).
#pragma once

#include "filters/comparison/function_names.hpp"
#include "model/comparison/compared_run.hpp"
#include "model/comparison/run_comparison.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

using Amounts = std::array<double, measures>;  // by Measure; times in seconds
constexpr std::size_t place_of(Measure measure) {
  return static_cast<std::size_t>(measure);
}

// The amounts of one process, for a call path or a function.
struct MemberAmounts {
  std::size_t process = 0;
  Amounts amounts{};
};
// By call path or function: the processes with non-zero amounts, ascending.
using AmountTable = std::vector<std::vector<MemberAmounts>>;

struct CommonNode {
  std::size_t caller = 0;  // index of a node; no_node: none
  ClassIndex of = 0;
};
inline constexpr std::size_t no_node = static_cast<std::size_t>(-1);

struct Renamed {
  std::string a, b;
  ClassIndex of = 0;
};
struct Inlined {
  std::string function, caller;
  bool is_in_b = true;  // false: it was inlined in the first run
  double time = 0;      // of the function where it was not inlined, in seconds per process
};

struct CommonCalls {
  FunctionClasses names;
  std::vector<CommonNode> nodes;                  // callers before callees
  std::vector<std::vector<std::size_t>> node_of;  // by run and path; no_node: in no node
  std::vector<std::vector<bool>> is_inlined;      // by run and path: counts for its caller
  std::vector<std::vector<Amounts>> totals;       // by run and node, over all processes
  std::vector<Renamed> renamed;
  std::vector<Inlined> inlined;
  double common_share = 1;  // of the call pairs of the smaller set, before guesses
  // Of two runs: the share of the functions of each that the other one calls, too.
  std::array<double, 2> functions_in_other{1, 1};
  std::optional<std::size_t> less_detailed;  // the run that is recorded with less detail

  // "main > solve > MPI_Send", with the names of the first run that has it.
  std::string name_path(std::size_t node) const;
  const std::string& name_class(ClassIndex of) const;
};

// `runs` has at least one run. Renaming and inlining are looked for only between two runs that have
// enough calls in common (least_common_share).
CommonCalls join_calls(const std::vector<const ComparedRun*>& runs);

inline constexpr double least_common_share = 0.25;
inline constexpr double least_subsumption = 0.9;  // of a run with less detail

// Adds up the amounts of a run by key_of[path], which is below `keys`, or no_node to skip the path.
// Visits of paths in `is_inlined` (may be empty) do not count.
AmountTable collect_amounts(const ComparedRun& run, const std::vector<std::size_t>& key_of,
                            std::size_t keys, const std::vector<bool>& is_inlined);
std::vector<std::size_t> list_path_classes(const CommonCalls& calls, std::size_t run);

// Whether a function communicates or waits, so that other processes or an accelerator influence its
// time.
bool is_waiting_function(const FunctionClass& function);

}  // namespace tracefold
