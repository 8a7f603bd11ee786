// Puts functions into groups. Pure functions.
//
//   paradigm, role   as OTF2 says of their regions
//   library          what is no part of the program: the paradigm (MPI, OpenMP, CUDA), the
//                    outermost namespace of a name in C++ or package of one in Python, or the
//                    source file where that is a name alone, as wrappers of libraries set it;
//                    all else is "program"
//   class_name       what stands before the last "::" of a name in C++, or before the ":" of one
//                    in Python; all else is "no class"
//   listed           the first group of a list that has a pattern for the function; all else is
//                    "others"
#pragma once

#include "model/profile/function_groups.hpp"
#include "model/profile/intent.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// `kinds` has one for each function. Names are in the order in which functions come to them; those
// without functions are left out.
FunctionGroups group_functions(const std::vector<Function>& functions,
                               const std::vector<FunctionKind>& kinds, FunctionGrouping by,
                               const std::vector<ListedFunctions>& listed = {});

// Patterns of the list that match none of the functions.
std::vector<std::string> find_idle_patterns(const std::vector<Function>& functions,
                                            const std::vector<ListedFunctions>& listed);

// "Domain" for "void Domain<T>::resize(int)"; "" where there is none.
std::string find_class_name(std::string_view function);

}  // namespace tracefold
