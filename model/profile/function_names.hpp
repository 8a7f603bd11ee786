// Names of functions as people read and type them. Pure functions.
//
// Several functions may have one name: static ones of several source files, methods of scripts.
// Tables and drawings then tell them apart by their files.
#pragma once

#include "model/profile/intent.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// Gives each function whose name others have as well a name of its own: with the file,
// "init (solver.c)", of whose path as much is shown as tells the files apart; with the line where
// one file has several of them; with the canonical name where that alone differs.
void tell_apart(std::vector<Function>& functions);

// Whether a pattern means a function: a glob that matches its name, or "file:" with a glob that
// matches its source file; a glob without a slash may match the last part of the path. A function
// whose file is not known matches no pattern of files.
bool matches_function(std::string_view pattern, const Function& function);
bool matches_any(const std::vector<std::string>& patterns, const Function& function);

// "did you mean …?" for a pattern that matches none of these functions; "" where nothing is like
// it.
std::string suggest_function(const std::string& pattern, const std::vector<Function>& functions);

// In few words where it has more than so many characters:
// "Solver<…>::run" of "void Solver<double, 3>::run(const Mesh&) const": what is in the brackets
// is left out, then what is before its last parts, then its end. It can be printed.
inline constexpr std::size_t longest_short_name = 30;
std::string shorten_function_name(const std::string& name);

}  // namespace tracefold
