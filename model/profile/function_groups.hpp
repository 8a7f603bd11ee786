// Groups of functions, as people list them in a file, and what they are made by. Pure functions.
//
// The file is text. A line that begins at its first column is the name of a group; the lines below
// it that begin with blanks are patterns of its functions, one a line: globs of names, or of source
// files with "file:" before them (matches_function). A function is in the first group that one of
// its patterns matches. Empty lines, and lines whose first character is '#', are left out.
//
//   solver
//     CG*
//     file:*/solver/*.c
//   input and output
//     read_*
//     write_*
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

struct ListedFunctions {
  std::string name;
  std::vector<std::string> patterns;
  std::size_t line = 0;  // of the file, from 1: where the name is

  bool operator==(const ListedFunctions&) const = default;
};

// Throws Error(input) with the number of the line where the text is no such list.
std::vector<ListedFunctions> parse_function_groups(std::string_view text);

// What groups functions: what OTF2 says of their regions, their names, or a list.
enum class FunctionGrouping : std::uint8_t { paradigm, role, library, class_name, listed };

// What a trace defines of a function besides its name, in words; "" is not known.
struct FunctionKind {
  std::string paradigm, role;
  bool is_of_program = true;  // its paradigm is no library's
};

// Which group each function is in.
struct FunctionGroups {
  std::vector<std::string> names;
  std::vector<std::uint32_t> group_of;  // by function: its place in `names`
};

}  // namespace tracefold
