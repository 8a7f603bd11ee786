// How alike groups of processes are, as it is printed. Plain data.
//
// Source: structural V and VIII.A.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct SimilarityTable {
  struct Group {
    std::vector<std::string> processes;  // condensed, as in "MPI 1-15"
    std::uint64_t count = 0;             // of processes, weighted
    std::uint64_t attributes = 0;        // of the first of its sets
  };
  std::string measure;    // "similarity" or "subsumption"
  std::string attribute;  // "pairs" or "functions"
  std::vector<Group> groups;
  std::vector<std::vector<double>>
      values;  // row, column; of subsumption: how much of the column's work the row's does
};

}  // namespace tracefold
