// Comparisons of runs as people and programs read them. What holds for all formats is in
// emitters/table.hpp. Names of runs are A and B, as they were given.
#pragma once

#include "model/comparison/run_comparison.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

// The table begins with the sentence that explains the difference. Of long lists it has the first
// rows, unless lines may have any width. `grown` are functions that took more time than was
// allowed.
std::string to_table(const RunComparison& comparison, Measure measure);
std::string to_csv(const RunComparison& comparison);
std::string to_json(const RunComparison& comparison, const std::vector<std::string>& grown);

std::string to_table(const RunTable& table, std::size_t most);
std::string to_csv(const RunTable& table);
std::string to_json(const RunTable& table);

// "1.20 ms + 30.0 us·p^0.5·log2 p", also under strong scaling.
std::string write_growth(const GrowthTable& table, const Growth& growth);

}  // namespace tracefold
