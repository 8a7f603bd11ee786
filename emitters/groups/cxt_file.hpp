// Formal contexts as Burmeister's text (.cxt), which programs for formal concept
// analysis read and write. Pure functions of strings.
//
//   B                     the format's name
//                         a name, here empty
//   2                     how many objects
//   3                     how many attributes
//                         an empty line
//   Master thread         a line for each object's name, then for each attribute's
//   …
//   XX.                   a line for each object: X where it has the attribute
//
// Since a name is a line, what would break one is written as \xHH, byte by byte:
// control characters, line and paragraph separators, what is no UTF-8, spaces at
// either end, and the backslash. An empty name is a lone backslash. The reader takes
// these back; any other backslash stands for itself.
#pragma once

#include "model/groups/named_context.hpp"

#include <string>
#include <string_view>

namespace tracefold {

std::string to_cxt(const NamedContext& context);

// Throws std::invalid_argument with the line and what is wrong there. Memory is
// bounded by the text's, whatever its counts say.
NamedContext from_cxt(std::string_view text);

}  // namespace tracefold
