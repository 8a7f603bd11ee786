// Replaces the names in a trace by codes, so that it can be given away: names of functions, files,
// hosts, counters and all else that somebody has named.
//
// A code is a word for the kind and a number: f12, file3, host1, counter2, name7. A property of the
// anchor becomes NAME::P1 for the code P1.
//
// Names that say nothing about the program stay: "MPI Rank 3", "Master thread" and the like, usual
// units, classes of system tree nodes and names of programming interfaces, "MPI" as the name of a
// file, MPI_COMM_WORLD, properties of OTF2 and of this program, and the functions of programming
// interfaces:
//
// - functions of the MPI standard, by their names;
// - regions with the paradigm of an interface and a name with its prefix, such as omp_ or pthread_;
//   those of accelerators, such as cudaMemcpy, only where their role is not that of a function, as
//   kernels of the program have it;
// - regions without a paradigm and without a source file, with such a prefix;
// - constructs of OpenMP whose words are all OpenMP's.
//
// In "!$omp parallel @solver.c:88" and "acc_wait@solver.c:88" only the file is replaced. A name
// that stays for one region stays for all.
//
// A name has the same code in all traces that use the same table. One thread at a time.
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace tracefold {

class NameCodes {
 public:
  NameCodes() = default;
  // Reads a table that to_json() has written. Throws Error(input).
  explicit NameCodes(std::string_view json);

  // {"tracefold_names": 1, "names": {"f1": "solve", …}}, with a line for each code.
  std::string to_json() const;

  // Replaces all names; those that have no code yet get one.
  void apply(ArchiveFacts& facts);

 private:
  const std::string& find_code(const std::string& kind, const std::string& name);
  std::string replace(const std::string& kind, const std::string& name);

  std::map<std::string, std::string> codes_;   // by name
  std::map<std::string, std::uint64_t> last_;  // the largest number, by kind
  std::set<std::string> of_interfaces_;        // names of regions of the trace
};

// The first code in `coded` that is no string of `others`. It shows that `others` has no codes, or
// those of another table. None where `others` has all of them.
std::optional<std::string> find_other_code(const Definitions& coded, const Definitions& others);

}  // namespace tracefold
