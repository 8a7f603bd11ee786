// The lattice of a plan's processes: profiles in, a drawing or a formal context out.
//
// Source: structural VI, thesis 3.3 and 4.2.
#pragma once

#include "base/error.hpp"
#include "model/groups/lattice_drawing.hpp"

#include <cstddef>

namespace tracefold {

struct Comparison;
struct Plan;

// What happens where the concept lattice has too many nodes: draw the AOC-poset, compare
// functions instead of pairs, or fail.
enum class OnLimit { poset, functions, fail };

struct LatticeOptions {
  bool full = false;  // draw the concept lattice instead of the AOC-poset
  // Of the transitive closures of call pairs: who calls whom, also through others. A process above
  // another does a part of its work, whatever functions lie between. Source: structural VII.
  bool closed = false;
  std::size_t max_nodes = 100'000;  // of the concept lattice
  OnLimit on_limit = OnLimit::poset;
};

// The plan has profiles. How its processes are compared is the caller's choice, for example
// plan.comparison. Where the limit was hit, a note names what was drawn instead, and which
// functions to leave out, where few are enough. Throws Error(no) where it was hit with
// OnLimit::fail, Error(usage) where closed sets of functions are asked for.
LatticeDrawing draw_lattice(const Plan& plan, const Comparison& comparison,
                            const LatticeOptions& options, Diagnostics& diagnostics);

// An object for each distinct set, named by the processes that have it, and an attribute for each
// attribute of some set. Of equal names (functions of two files may share one) the second gets
// " #2", and so on.
NamedContext make_named_context(const Plan& plan, const Comparison& comparison);

}  // namespace tracefold
