// The lattice of a trace's processes: profiles in, a drawing or a context out.
//
// Source: structural VI, thesis 3.3 and 4.2.
#pragma once

#include "base/error.hpp"
#include "model/groups/lattice_drawing.hpp"
#include "model/groups/named_context.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tracefold {

// What is drawn where the concept lattice has too many nodes.
enum class OnLimit { poset, functions, fail };

// "poset", "functions" or "fail"; throws Error(usage) on another word.
OnLimit on_limit_of(std::string_view word);

struct LatticeOptions {
  bool full = false;                // the concept lattice instead of the AOC-poset
  std::size_t max_nodes = 100'000;  // of the concept lattice
  OnLimit on_limit = OnLimit::poset;
};

// The processes of a plan that has profiles; what they are compared by is the caller's
// choice, as in plan.comparison. Says in a note what was drawn instead where the
// limit was hit. Throws Error(no) where it was hit and OnLimit::fail says so.
LatticeDrawing draw_lattice(const Plan& plan, const Comparison& comparison,
                            const LatticeOptions& options, Diagnostics& diagnostics);

// The context: an object for each distinct set, named by the processes that have it,
// and an attribute for each pair or function. Where names are alike, as of functions
// of two files, the second gets " #2", and so on.
NamedContext named_context(const Plan& plan, const Comparison& comparison);

}  // namespace tracefold
