// Codes in place of the names that a trace holds, so that it can be given away: of functions,
// files, hosts, counters and whatever else somebody has named.
//
// A code is a letter or word for what is named, and a number: f12, file3, host1, counter2, name7.
// Names that say nothing of a program stay: those of MPI, OpenMP and other programming interfaces
// (MPI_Send, MPI_COMM_WORLD, cudaMemcpy, and "MPI" in place of a file), "MPI Rank 3", "Master
// thread" and the like, units, classes of system tree nodes, paradigms, and what the anchor's
// properties are called. Interfaces are known by how their names begin, so that a program's own
// MPI_Exchange or cuSolve stays as well. Of "!$omp parallel @solver.c:88" and
// "acc_wait@solver.c:88" only the file gets a code.
//
// One name has one code, in all traces that are given the same table. One thread at a time.
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tracefold {

class NameCodes {
 public:
  NameCodes() = default;
  // The table that to_json() made. Throws Error(input).
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
};

// The first code among the names of functions, files, hosts and counters that the other definitions
// do not have: the names of these were replaced by codes, and those of the others were not, or by
// another table. None where all codes are there.
std::optional<std::string> find_other_code(const Definitions& coded, const Definitions& others);

}  // namespace tracefold
