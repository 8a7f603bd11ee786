// A drawn lattice as files: DOT for Graphviz, JSON, and GraphML. Names are quoted as
// each format asks; what is no UTF-8 becomes U+FFFD, and control characters, which
// none of them shows and XML cannot hold, become '?'.
#pragma once

#include "model/groups/lattice_drawing.hpp"

#include <string>

namespace tracefold {

// General nodes above, special ones below; a node has the names of its processes, how
// many reach it, and how many attributes it introduces, and the colour of their
// paradigm. Its attributes are its tooltip.
std::string to_dot(const LatticeDrawing& drawing);
std::string to_json(const LatticeDrawing& drawing);
std::string to_graphml(const LatticeDrawing& drawing);

}  // namespace tracefold
