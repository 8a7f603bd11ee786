// Reads formal contexts from Burmeister's text (.cxt), as to_cxt writes it and other programs do:
// what is escaped comes back as it was, and any other backslash stands for itself.
#pragma once

#include "model/groups/lattice_drawing.hpp"

#include <string_view>

namespace tracefold::testing {

// Throws std::invalid_argument with the line and what is wrong there. The memory that it takes is
// bounded by the length of the text, whatever its counts are.
NamedContext from_cxt(std::string_view text);

}  // namespace tracefold::testing
