// Puts functions into groups. Pure functions.
//
//   paradigm, role   those that OTF2 has for their regions
//   library          for what is not part of the program: its paradigm (MPI, OpenMP, CUDA), the
//                    outermost namespace in C++ or package in Python, or the source file where that
//                    is a single name, as wrappers of libraries set it; "program" for all others
//   class_name       what precedes the last "::" of a name in C++, or the ":" in Python; "no class"
//                    for all others
//   listed           the first group of a list with a matching pattern; "others" for all others
#pragma once

#include "model/profile/function_groups.hpp"
#include "model/profile/intent.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// `kinds` has an entry for each function. Groups are in the order of their first functions; empty
// groups are left out.
FunctionGroups group_functions(const std::vector<Function>& functions,
                               const std::vector<FunctionKind>& kinds, FunctionGrouping by,
                               const std::vector<ListedFunctions>& listed = {});

// The patterns of the list that match none of the functions.
std::vector<std::string> find_idle_patterns(const std::vector<Function>& functions,
                                            const std::vector<ListedFunctions>& listed);

// "Domain" for "void Domain<T>::resize(int)"; "" where there is no class.
std::string find_class_name(std::string_view function);

}  // namespace tracefold
