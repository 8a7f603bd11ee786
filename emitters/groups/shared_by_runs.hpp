// What several runs have in common, in words: for tables and drawings of all of them.
#pragma once

#include "emitters/table.hpp"
#include "model/groups/run_share.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// "A B" for the runs that have some, where these are not all; else empty.
std::string name_some_runs(const std::vector<std::uint64_t>& of_runs);

// A line for each run.
std::string list_runs(const std::vector<RunShare>& runs);
// A line that counts things by the runs that have them: "groups: 4 in all runs, 2 only in B C".
std::string count_shared(const char* things,
                         const std::vector<std::pair<std::vector<std::uint64_t>, std::size_t>>& of);

// A column of text with the processes of each run.
void add_run_columns(const std::vector<RunShare>& runs, std::vector<TableColumn>& columns);
nlohmann::ordered_json make_runs_json(const std::vector<RunShare>& runs);

}  // namespace tracefold
