// The program of a group of ranks as people write it: its operations in order, and what repeats
// them, with sizes and times. Plain data.
//
//   147 × {              SkeletonLine{depth 0, count 147}
//     Irecv -1           {depth 1, call "Irecv", peer "-1"}
//     2 × Allreduce      {depth 1, count 2, call "Allreduce"}
//   }
//
// Source: signatures 2 (RSDs and PRSDs), 3.3 (one trace for all members of a cluster).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct SkeletonLine {
  std::size_t depth = 0;    // number of loops around it
  std::uint64_t count = 1;  // how often in a row
  std::string call = {};    // empty: a loop, whose lines follow, one deeper
  std::string peer = {};    // "+1" and "-4" are relative to the own rank; empty: it has none
  std::string call_path = {};
  // The smallest and the largest size; none where the operation has none.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> bytes = {};
  // Of a call of this call path, which several lines may share: mean over calls and processes.
  std::optional<double> seconds = {}, waiting_seconds = {};
  // Other loops beside the one that it is in have most lines in common with that, but not this one,
  // or not as often.
  bool differs = false;

  bool is_loop() const { return call.empty(); }
  bool operator==(const SkeletonLine&) const = default;
};

struct Skeleton {
  std::size_t group = 0;
  std::size_t ranks = 0;   // that have just these operations
  std::size_t others = 0;  // ranks of the group that have others, or in another order
  std::vector<SkeletonLine> lines;
  // Calls that wait and begin no operation, such as MPI_Wait. Their count is that of a process.
  std::vector<SkeletonLine> waits;
};

}  // namespace tracefold
