// Lattices of processes as pictures and for other programs, and formal contexts as Burmeister's
// text. Names are quoted as each format requires. Control characters, which XML cannot hold and no
// format shows, become '?', but for .cxt, which can escape them.
#pragma once

#include "model/groups/lattice_drawing.hpp"

#include <string>

namespace tracefold {

// What is drawn: "16 processes, 17 distinct calls".
std::string describe(const LatticeDrawing& drawing);

// DOT for Graphviz, with general nodes above and special ones below. A node shows the names of its
// processes, how many stand at it or below, how many attributes it adds, and the colour of their
// paradigm. Its tooltip names the attributes.
std::string to_dot(const LatticeDrawing& drawing);

// What Graphviz makes of the DOT. Throws Error(output) where it is not installed or fails.
std::string to_svg(const LatticeDrawing& drawing);

// A row for each node, which names those right above it by their numbers; CSV also names what a
// node adds.
std::string to_table(const LatticeDrawing& drawing);
std::string to_csv(const LatticeDrawing& drawing);
std::string to_json(const LatticeDrawing& drawing);
std::string to_graphml(const LatticeDrawing& drawing);

// Burmeister's text (.cxt), which programs for formal concept analysis read and write:
//
//   B                     the name of the format
//                         the name of the context, here empty
//   2                     the number of objects
//   3                     the number of attributes
//                         an empty line
//   Master thread         a line for the name of each object, then of each attribute
//   …
//   XX.                   a line for each object: X where it has the attribute
//
// Since a name is a line, what would break a line is written as \xHH, byte by byte: control
// characters, line and paragraph separators, bytes that are no UTF-8, spaces at either end, and the
// backslash. An empty name is a lone backslash.
std::string to_cxt(const NamedContext& context);

}  // namespace tracefold
