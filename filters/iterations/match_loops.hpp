// Finds the loops of a process that another run has folded: by the names of the calls around them
// and of the function that separates iterations; several such loops by their order in time. If the
// calls around a loop differ, the function alone decides. Names are compared without additions of
// compilers (filters/comparison/function_names.hpp).
//
// Thread-safe, deterministic.
#pragma once

#include "model/iterations/loop_rule.hpp"
#include "model/iterations/loops.hpp"
#include "model/profile/intent.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct IterationSection;

// For each loop of the process, the rule that it matches; each rule is matched at most once.
std::vector<std::optional<std::size_t>> match_loops(const std::vector<LoopRule>& rules,
                                                    const std::vector<Function>& functions,
                                                    const std::vector<Loop>& loops);

// Keeps only loops that match a rule.
void keep_matching_loops(const std::vector<LoopRule>& rules, const std::vector<Function>& functions,
                         std::vector<ProcessLoops>& loops);

// The loops that a section of a plan folds, as rules for other runs. `functions` are those of the
// plan.
std::vector<LoopRule> list_loop_rules(const IterationSection& section,
                                      const std::vector<Function>& functions);

// "main > solve > MPI_Send"
std::string name_loop(const LoopRule& rule);
std::string name_loop(const Loop& loop, const std::vector<Function>& functions);

}  // namespace tracefold
