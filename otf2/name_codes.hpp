// Codes in place of the names that a trace holds, so that it can be given away: of functions,
// files, hosts, counters and whatever else somebody has named.
//
// A code is a letter or word for what is named, and a number: f12, file3, host1, counter2, name7.
// What a property of the anchor is called becomes NAME::P1, for the code P1.
//
// Names that say nothing of a program stay: "MPI Rank 3", "Master thread" and the like, units,
// classes of system tree nodes, paradigms, "MPI" in place of a file, MPI_COMM_WORLD, properties of
// OTF2 and of this program, and the functions of programming interfaces:
//
// - those of the MPI standard, by their names;
// - regions with the paradigm of an interface whose names begin as its functions' do, with omp_,
//   pthread_ and the like; cudaMemcpy and others of accelerators only with another role than that
//   of a function, which kernels of the program have;
// - regions without a paradigm that begin so, where there is no source file;
// - constructs of OpenMP whose words are all OpenMP's.
//
// Of "!$omp parallel @solver.c:88" and "acc_wait@solver.c:88" only the file gets a code. A name
// that stays for one region stays for all.
//
// One name has one code, in all traces that are given the same table. One thread at a time.
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
  std::set<std::string> of_interfaces_;        // names of regions of the trace
};

// The first code among the names of functions, files, hosts and counters that the other definitions
// do not have: the names of these were replaced by codes, and those of the others were not, or by
// another table. None where all codes are there.
std::optional<std::string> find_other_code(const Definitions& coded, const Definitions& others);

}  // namespace tracefold
