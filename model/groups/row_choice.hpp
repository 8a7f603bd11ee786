// What the rows of a matrix or a map are. Plain data.
#pragma once

#include <cstdint>

namespace tracefold {

// topology: a row for each process, in the order of the grid of ranks.
enum class RowChoice : std::uint8_t { rank, group, node, topology };

constexpr const char* to_text(RowChoice rows) {
  switch (rows) {
    case RowChoice::rank: return "rank";
    case RowChoice::group: return "group";
    case RowChoice::node: return "node";
    default: return "topology";
  }
}

}  // namespace tracefold
