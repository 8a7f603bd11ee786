// Makes the lattice of a plan's processes, as a drawing or a formal context.
//
// Source: structural VI, thesis 3.3 and 4.2.
#pragma once

#include "base/error.hpp"
#include "model/groups/lattice_drawing.hpp"

#include <cstddef>

namespace tracefold {

struct Comparison;
struct Plan;
struct UnitedRuns;

// What to do if the concept lattice has too many nodes: draw the AOC-poset, compare functions
// instead of pairs, or fail.
enum class OnLimit { poset, functions, fail };

struct LatticeOptions {
  bool full = false;  // draw the concept lattice instead of the AOC-poset
  // Use the transitive closure of call pairs: who calls whom, directly or not. Then a process that
  // is above another one does a part of its work, whatever functions lie in between. Source:
  // structural VII.
  bool closed = false;
  std::size_t max_nodes = 100'000;  // of the concept lattice
  OnLimit on_limit = OnLimit::poset;
};

// The plan must have profiles. `comparison` may be plan.comparison or another one. If the limit was
// exceeded, a note says what was drawn instead, and which few functions to ignore, if that helps.
// Throws Error(no) if it was exceeded with OnLimit::fail, and Error(usage) for closed sets of
// functions.
LatticeDrawing draw_lattice(const Plan& plan, const Comparison& comparison,
                            const LatticeOptions& options, Diagnostics& diagnostics);

// The same of all runs; nodes say how many processes of each run they have.
LatticeDrawing draw_lattice(const UnitedRuns& runs, const Comparison& comparison,
                            const LatticeOptions& options, Diagnostics& diagnostics);

// An object for each distinct set, named by its processes, and an attribute for each attribute of
// any set. Equal names (of functions in two files) get " #2" and so on.
NamedContext make_named_context(const Plan& plan, const Comparison& comparison);
NamedContext make_named_context(const UnitedRuns& runs, const Comparison& comparison);

}  // namespace tracefold
