// Lists of MPI ranks as nested arithmetic series, which stay short where a program
// divides its ranks regularly.
//
// A block <dimension start (length stride)...> stands for the ranks start + i·stride + ...,
// where each i goes from 0 to length − 1 and the outermost dimension comes first:
// <2 5 2 4 2 1> is 5, 6, 9, 10. A list is any number of blocks. Plain data.
//
// Source: signatures 3.1 (ranklists).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

struct RankBlock {
  struct Dimension {
    std::uint32_t length = 0, stride = 0;

    bool operator==(const Dimension&) const = default;
  };

  std::uint32_t start = 0;
  std::vector<Dimension> dimensions;  // the outermost first; none: the start alone

  bool operator==(const RankBlock&) const = default;
};

using RankList = std::vector<RankBlock>;

// The list of ranks that ascend.
RankList make_rank_list(std::span<const std::uint32_t> ranks);

// The list of the ranks whose endpoints, by rank, are among the locations, which ascend.
RankList make_rank_list(std::span<const std::uint64_t> locations,
                        std::span<const std::uint64_t> endpoints);

// The ranks of a list, ascending. Throws Error(input) where one is not below `limit`, or
// stands in the list twice.
std::vector<std::uint32_t> list_ranks(const RankList& list, std::uint64_t limit);

// "2 5 2 4 2 1": the numbers of a block; blocks are parted by a comma and a space.
std::string rank_list_text(const RankList& list);
// Throws Error(input) on another text.
RankList parse_rank_list(std::string_view text);

}  // namespace tracefold
