// Which functions of several runs are the same, though compilers and tools name them in different
// ways: foo_ and foo, MPI_Send and mpi_send_, mangled and demangled names of C++, clones as
// foo.constprop.0, modules of Fortran, and lines that have moved. Pure.
#pragma once

#include "model/profile/intent.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

using ClassIndex = std::uint32_t;
inline constexpr ClassIndex no_class = 0xffffffffu;

// Functions of several runs that count as one.
struct FunctionClass {
  std::vector<std::string> names;  // by run, "" where it has none; of several the first
  Function first;                  // of the first run that has one
};

struct FunctionClasses {
  std::vector<FunctionClass> classes;
  std::vector<std::vector<ClassIndex>> class_of;  // by run and function; no_class: not called

  // Makes `other` a part of `one`.
  void unite(ClassIndex one, ClassIndex other);
};

// By run its functions, and which of them are called.
struct RunFunctions {
  const std::vector<Function>* functions = nullptr;
  std::vector<bool> is_called;
};

// The names that are tried, from the most to the least exact.
enum class NameForm : std::uint8_t {
  identity,  // with file and line
  in_file,   // without the line
  name,
  without_clones,  // without what compilers add to copies: ".constprop.0"; regions of OpenMP
                   // without line
  demangled,       // of C++
  base,            // without arguments, Fortran's underscores, and case
  last,            // without namespaces and modules
};
std::string write_name(const Function& function, NameForm form);
// The base form of a name without a file.
std::string simplify_name(const std::string& name);

FunctionClasses match_functions(const std::vector<RunFunctions>& runs);

}  // namespace tracefold
