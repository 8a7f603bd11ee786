// Finds the formula of the rank behind the values that a parameter has on some ranks.
//
// The first that fits all values counts, in the order of ColumnForm; else a table. Pure.
//
// Source: signatures 3.3 (relative end points); NPB CG's exchange partners (transposes).
#pragma once

#include "model/messages/column.hpp"
#include "model/messages/communication.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// The grids that are tried: those given, if P ranks fit them, and P in 2 and 3 factors.
std::vector<Grid> list_grids(std::uint32_t size, const std::vector<Grid>& given);

class ColumnChooser {
 public:
  ColumnChooser(std::uint32_t size, const std::vector<Grid>& given)
      : size_(size), grids_(list_grids(size, given)) {}

  // `ranks` ascend and are not empty, values[i] belongs to ranks[i]. Where the values are
  // ranks, they are told by the forms that move ranks, else by those that count.
  Column choose(std::span<const std::uint32_t> ranks, std::span<const std::uint64_t> values,
                bool are_ranks) const;

 private:
  bool fits(const Column& column, std::span<const std::uint32_t> ranks,
            std::span<const std::uint64_t> values) const;

  std::uint32_t size_;
  std::vector<Grid> grids_;
};

}  // namespace tracefold
