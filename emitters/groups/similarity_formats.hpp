// How alike groups are, and which two processes of a group differ most: as tables for people, and
// as CSV and JSON for programs.
#pragma once

#include "model/groups/similarity.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// The table is of the plan's groups. A list of them and, where they are at most largest_matrix, a
// table of each with each.
std::string to_table(const Plan& plan, const SimilarityTable& table);
// A row for each group with its number, count, names, ids and ranks, and all values.
std::string to_csv(const Plan& plan, const SimilarityTable& table);
std::string to_json(const Plan& plan, const SimilarityTable& table);

// The same of the groups of several runs: how many processes of each run a group has, and which
// groups are in some runs only.
std::string to_table(const SimilarityTable& table);
std::string to_csv(const SimilarityTable& table);
std::string to_json(const SimilarityTable& table);

// A row for each pair, at most two for a group. Differences are times.
std::string to_table(const Plan& plan, const std::vector<GroupPairs>& pairs);
std::string to_csv(const Plan& plan, const std::vector<GroupPairs>& pairs);
std::string to_json(const Plan& plan, const std::vector<GroupPairs>& pairs);

}  // namespace tracefold
