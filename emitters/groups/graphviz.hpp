// Pictures by Graphviz, another program, which may not be installed.
#pragma once

#include <string>

namespace tracefold {

// The picture of a graph, given as DOT, as SVG. Runs `dot` as found on PATH and waits for it.
// Throws Error(output) where it is not installed or fails.
std::string draw_svg(const std::string& dot);

}  // namespace tracefold
