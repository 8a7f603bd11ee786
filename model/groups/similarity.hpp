// How similar processes are: a table between groups, and for each group the two processes that are
// most worth comparing. Plain data.
//
// Source: structural V, VIII (two processes to compare) and VIII.A (the table of groups).
#pragma once

#include "model/groups/run_share.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct SimilarityTable {
  struct Group {
    std::uint64_t count = 0;       // number of processes, with their weights
    std::uint64_t attributes = 0;  // number of attributes of the group's first process
    // Where several runs are compared: by run how many these are, and which.
    std::vector<std::uint64_t> of_runs = {};
    std::vector<std::string> places = {};
  };

  std::string measure;    // "similarity" or "subsumption"
  std::string attribute;  // what was compared: "pairs" or "functions"
  std::vector<Group> groups;
  // By row and column, which are groups: 0 to 1. A subsumption is the share of the column's
  // attributes that the row has, too.
  std::vector<std::vector<double>> values;
  std::vector<RunShare> runs = {};  // empty: all groups are of one run
};

struct ProcessPair {
  std::size_t first = 0, second = 0;  // indexes into Plan::processes, ascending
  double similarity = 1;              // Jaccard similarity of their call pairs
  std::uint64_t difference = 0;       // Manhattan distance of their exclusive times, in ticks
  std::uint64_t error = 0;            // the largest error of `difference`, in ticks

  bool is_within_error() const { return error > 0 && difference <= error; }
};

struct GroupPairs {
  std::uint32_t group = 0;
  std::optional<ProcessPair> least_similar;   // none where all processes have equal call pairs
  std::optional<ProcessPair> most_different;  // none where all processes take equal times
};

}  // namespace tracefold
