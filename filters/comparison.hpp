// By what processes are compared.
#pragma once

#include "lattice/context.hpp"
#include "model/plan.hpp"

#include <string>
#include <string_view>

namespace tracefold {

enum class Compared { pairs, functions };

// "pairs" or "functions"; throws Error(usage) on another word.
Compared compared_of(std::string_view word);
std::string_view word_of(Compared by);

// The set of an intent, ascending.
lattice::Set compared_set(const PlanIntent& intent, Compared by);

// All processes of the plan with their sets; objects are indexes into plan.processes.
lattice::Context compared_context(const Plan& plan, Compared by);

// "main -> MPI_Init", or "MPI_Init".
std::string name_of(const Plan& plan, lattice::Element attribute, Compared by);
// The function called.
const Function& callee_of(const Plan& plan, lattice::Element attribute);

}  // namespace tracefold
