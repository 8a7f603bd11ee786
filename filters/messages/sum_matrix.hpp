// The communication matrix of a program, out of its folded messages. Nothing is unfolded: an
// operation of a main cluster counts as often as its loops say, for each rank of the cluster.
//
// Sends count, not receives, so that a message is counted once; collective and one-sided
// operations are not in it.
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

// Which row each rank belongs to.
struct RowsOfRanks {
  MatrixRows rows = MatrixRows::rank;
  std::vector<std::string> names;     // of rows
  std::vector<std::uint32_t> row_of;  // by rank
};

RowsOfRanks list_rank_rows(const Messages& messages);
RowsOfRanks list_node_rows(const Messages& messages);
// A row for each rank, in the order in which `order` has them all; names are by rank.
RowsOfRanks list_placed_rows(const std::vector<std::size_t>& order,
                             const std::vector<std::string>& names);
// A row for each group; `group_of` has the group of each rank. All ranks whose group is
// `unknown_row` share a row of their own.
RowsOfRanks list_group_rows(const std::vector<std::uint32_t>& group_of);

// How many messages are sent.
std::uint64_t sum_messages(const Messages& messages);

// Who has to do with whom, of all processes: times are in ticks of such a clock.
struct RankPairs {
  std::vector<ProgramPair> pairs;
  std::vector<std::optional<std::uint64_t>> ranks;  // by process, which pairs name
  std::uint64_t ticks_per_second = 0;

  // For whom others waited in collective operations, and what made processes late
  // (ProgramProfiles); none where that is not known. These name processes, and paths functions.
  std::optional<std::map<Metric, std::vector<std::uint64_t>>> caused = {};
  std::optional<std::vector<ProgramDelay>> delays = {};
  std::vector<std::string> names = {};  // of processes
  std::vector<CallPath> paths = {};
  std::vector<std::string> functions = {};
  std::vector<Metric> time_metrics = {};  // by function
};

// Fills names and ranks of processes, and what paths mean; the rest is left as it is.
void name_pairs(const std::vector<Process>& processes, const Aggregates& calls, RankPairs& pairs);

// With times of waiting. Processes without a rank that has a row are left out.
MessageMatrix sum_pairs(const RankPairs& of, const RowsOfRanks& rows);

MessageMatrix sum_matrix(const Messages& messages, const RowsOfRanks& rows, MatrixSplit split);

}  // namespace tracefold
