// Finds a formula of the rank for the values that a parameter has on some ranks.
//
// The first one in the order of ColumnForm that fits all values is taken; otherwise a table. Pure.
//
// Source: signatures 3.3 (relative end points); NPB CG's exchange partners (transposes).
#pragma once

#include "model/messages/column.hpp"
#include "model/messages/communication.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// The grids to try: the given ones if they have P ranks, and P in 2 and 3 factors.
std::vector<Grid> list_grids(std::uint32_t size, const std::vector<Grid>& given);

class ColumnChooser {
 public:
  ColumnChooser(std::uint32_t size, const std::vector<Grid>& given)
      : size_(size), grids_(list_grids(size, given)) {}

  // `ranks` are ascending and not empty; values[i] is that of ranks[i]. If the values are ranks,
  // forms that move ranks are tried, otherwise those that count.
  Column choose(std::span<const std::uint32_t> ranks, std::span<const std::uint64_t> values,
                bool are_ranks) const;

 private:
  bool fits(const Column& column, std::span<const std::uint32_t> ranks,
            std::span<const std::uint64_t> values) const;

  std::uint32_t size_;
  std::vector<Grid> grids_;
};

}  // namespace tracefold
