// Matches functions of several runs that compilers and tools name differently: foo_ and foo,
// MPI_Send and mpi_send_, mangled and demangled C++ names, clones such as foo.constprop.0, modules
// of Fortran, and functions whose line has changed. A kernel of an accelerator is not the function
// of the program that launches it, whatever their names. Pure.
#pragma once

#include "model/profile/intent.hpp"
#include "model/profile/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

using ClassIndex = std::uint32_t;
inline constexpr ClassIndex no_class = 0xffffffffu;

// Functions of several runs that count as the same.
struct FunctionClass {
  std::vector<std::string> names;  // by run; "" where it has none; the first of several
  Function first;                  // as the first run has it
  Metric time;                     // what its exclusive time counts for there
};

struct FunctionClasses {
  std::vector<FunctionClass> classes;
  std::vector<std::vector<ClassIndex>> class_of;  // by run and function; no_class: not called

  // Merges class `other` into class `one`.
  void unite(ClassIndex one, ClassIndex other);
};

// The functions of a run, and which of them are called.
struct RunFunctions {
  const std::vector<Function>* functions = nullptr;
  std::vector<bool> is_called;
};

// The forms of names that are compared, from the most to the least exact.
enum class NameForm : std::uint8_t {
  identity,  // with file and line
  in_file,   // without the line
  name,
  without_clones,  // without suffixes of copies (".constprop.0"); OpenMP regions
                   // without line
  demangled,       // of C++
  base,            // without arguments, Fortran's underscores, and case
  last,            // without namespaces and modules
};
std::string write_name(const Function& function, NameForm form);
// The base form of a name without file.
std::string simplify_name(const std::string& name);

FunctionClasses match_functions(const std::vector<RunFunctions>& runs);

}  // namespace tracefold
