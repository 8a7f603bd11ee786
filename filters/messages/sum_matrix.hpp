// Computes the communication matrix of a program from its folded messages, without unfolding them:
// an operation of a main cluster counts as often as its loops repeat it, for each rank of the
// cluster.
//
// Only sends are counted, so that each message counts once; collective and one-sided operations are
// not in the matrix.
#pragma once

#include "model/messages/message_matrix.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// The row of each rank.
struct RowsOfRanks {
  MatrixRows rows = MatrixRows::rank;
  std::vector<std::string> names;     // of rows
  std::vector<std::uint32_t> row_of;  // by rank
};

RowsOfRanks list_rank_rows(const Messages& messages);
RowsOfRanks list_node_rows(const Messages& messages);
// A row for each rank. `order` has all ranks in the order of rows; names are by rank.
RowsOfRanks list_placed_rows(const std::vector<std::size_t>& order,
                             const std::vector<std::string>& names);
// A row for each group; `group_of` has the group of each rank. Ranks whose group is `unknown_row`
// share a row.
RowsOfRanks list_group_rows(const std::vector<std::uint32_t>& group_of);

// The number of messages that are sent.
std::uint64_t sum_messages(const Messages& messages);

// What pairs of processes have to do with each other, for all processes. Times are in ticks.
struct RankPairs {
  std::vector<ProgramPair> pairs;
  std::vector<std::optional<std::uint64_t>> ranks;  // by process
  std::uint64_t ticks_per_second = 0;

  // How long others waited for each process in collective operations, and what made processes late
  // (see ProgramProfiles); none where not known. Processes, paths and functions refer to the lists
  // below.
  std::optional<std::map<Metric, std::vector<std::uint64_t>>> caused = {};
  std::optional<std::vector<ProgramDelay>> delays = {};
  std::vector<std::string> names = {};  // of processes
  std::vector<CallPath> paths = {};
  std::vector<std::string> functions = {};
  std::vector<Metric> time_metrics = {};  // by function
  std::vector<Metric> unknown = {};       // kinds of waiting in collective operations
};

// Fills in names and ranks of processes, and paths and functions; leaves the rest unchanged.
void name_pairs(const std::vector<Process>& processes, const Aggregates& calls, RankPairs& pairs);

// The matrix with times of waiting. Processes without a rank, or whose rank has no row, are left
// out.
MessageMatrix sum_pairs(const RankPairs& of, const RowsOfRanks& rows);

MessageMatrix sum_matrix(const Messages& messages, const RowsOfRanks& rows, MatrixSplit split);

}  // namespace tracefold
