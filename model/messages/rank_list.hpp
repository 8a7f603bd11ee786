// Lists of MPI ranks as nested arithmetic series, which are short where a program divides its ranks
// in a regular way.
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

// `ranks` are ascending.
RankList make_rank_list(std::span<const std::uint32_t> ranks);

// The ranks whose endpoints (by rank) are among the locations, which are ascending.
RankList make_rank_list(std::span<const std::uint64_t> locations,
                        std::span<const std::uint64_t> endpoints);

// The ranks of a list, ascending. Throws Error(input) where a rank is not below `limit`, or
// repeated.
std::vector<std::uint32_t> list_ranks(const RankList& list, std::uint64_t limit);

// "2 5 2 4 2 1": the numbers of a block. Blocks are separated by ", ".
std::string rank_list_text(const RankList& list);
// Throws Error(input) for other texts.
RankList parse_rank_list(std::string_view text);

}  // namespace tracefold
