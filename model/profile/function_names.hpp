// Names of functions, as people read and type them. Pure functions.
//
// Several functions may have the same name: static ones of several source files, or methods of
// scripts. Tables and drawings then distinguish them by their files.
#pragma once

#include "model/profile/intent.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// Gives each function whose name is not unique a unique one: with its file, "init (solver.c)", and
// as much of the path as is necessary; with the line, where a file has several such functions; or
// with the canonical name, where only that differs.
void make_names_unique(std::vector<Function>& functions);

// Whether a pattern matches a function: a glob of its name, or "file:" with a glob of its source
// file; a glob without a slash may match the last part of the path. A function without a known file
// matches no "file:" pattern.
bool matches_function(std::string_view pattern, const Function& function);
bool matches_any(const std::vector<std::string>& patterns, const Function& function);

// "did you mean …?" for a pattern that matches none of the functions; "" where nothing is similar.
std::string suggest_function(const std::string& pattern, const std::vector<Function>& functions);

// What to say of patterns that match none of the functions, which are "to be dropped" or the like:
// a sentence for each, with what may be meant, or one for all where they are many.
std::vector<std::string> describe_idle_patterns(const std::vector<std::string>& patterns,
                                                const std::vector<Function>& functions,
                                                const std::string& purpose);

// A name of at most so many characters, printable: "Solver<…>::run" for "void Solver<double,
// 3>::run(const Mesh&) const". The content of brackets is removed first, then all but the last
// parts, then the end.
inline constexpr std::size_t longest_short_name = 30;
std::string shorten_function_name(const std::string& name);

}  // namespace tracefold
