// The matrix between groups as text.
#pragma once

#include "model/groups/similarity_table.hpp"

#include <string>

namespace tracefold {

// For people: who the groups are, and two decimals where a table can hold the matrix.
std::string to_table(const SimilarityTable& table);
// A row for each group: its number, count of processes, and all values in full.
std::string to_csv(const SimilarityTable& table);
std::string to_json(const SimilarityTable& table);

}  // namespace tracefold
