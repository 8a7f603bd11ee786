// Pictures by Graphviz, a program that may not be installed.
#pragma once

#include <string>

namespace tracefold {

// The picture of a graph in DOT as SVG, by `dot` as found on PATH. Throws
// Error(output) where it is not installed or fails.
std::string svg_of(const std::string& dot);

}  // namespace tracefold
