// Groups of functions: those that people list in a file, and other ways to group. Pure functions.
//
// The file is text. A line that begins in the first column is the name of a group; the indented
// lines below it are patterns of functions: globs of names, or of source files with the prefix
// "file:" (matches_function()). A function belongs to the first group with a matching pattern.
// Empty lines and lines that begin with '#' are skipped.
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
  std::size_t line = 0;  // the line of the name in the file, from 1

  bool operator==(const ListedFunctions&) const = default;
};

// Throws Error(input) with the line number where the text is no such list.
std::vector<ListedFunctions> parse_function_groups(std::string_view text);

// The property that groups functions: of their regions in OTF2, their names, or a list.
enum class FunctionGrouping : std::uint8_t { paradigm, role, library, class_name, listed };

// What a trace says of a function besides its name, in words; "" is not known.
struct FunctionKind {
  std::string paradigm, role;
  bool is_of_program = true;  // its paradigm is not that of a library
};

// The group of each function.
struct FunctionGroups {
  std::vector<std::string> names;
  std::vector<std::uint32_t> group_of;  // by function: index into `names`
};

}  // namespace tracefold
