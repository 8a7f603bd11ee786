// Which loops of a process are the ones that another run has folded: by the names of the calls
// around them and of the function where iterations part, and of several such loops by their order
// in time. Where the calls around a loop are others, the function alone tells it. Names are
// compared without what compilers add to them (filters/comparison/function_names.hpp).
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

// By loop of the process the rule that it meets, each rule once.
std::vector<std::optional<std::size_t>> match_loops(const std::vector<LoopRule>& rules,
                                                    const std::vector<Function>& functions,
                                                    const std::vector<Loop>& loops);

// Leaves the loops that meet a rule.
void keep_matching_loops(const std::vector<LoopRule>& rules, const std::vector<Function>& functions,
                         std::vector<ProcessLoops>& loops);

// The loops that a section of a plan folds, as rules for other runs. `functions` are the plan's.
std::vector<LoopRule> list_loop_rules(const IterationSection& section,
                                      const std::vector<Function>& functions);

// "main > solve > MPI_Send"
std::string name_loop(const LoopRule& rule);
std::string name_loop(const Loop& loop, const std::vector<Function>& functions);

}  // namespace tracefold
