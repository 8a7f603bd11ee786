// Puts the sequences of the ranks of a main cluster beside each other: one folded sequence of
// rows, where a row has the operation of each rank at that place.
#pragma once

#include "model/messages/communication.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct AlignedRanks {
  std::vector<std::size_t> members;       // indexes into Communication::ranks
  std::vector<std::uint32_t> columns;     // of each member its place in the rows
  std::size_t width = 0;                  // operations of a row
  std::vector<std::uint32_t> operations;  // of the rows, which are distinct
  FoldedSequence sequence;                // of numbers of rows

  std::size_t rows() const { return operations.size() / width; }

  const Operation& operation(const Communication& communication, std::size_t row,
                             std::size_t member) const {
    return communication.operations[operations[row * width + columns[member]]];
  }
};

// `members` are indexes into Communication::ranks; their sequences must all have one length.
AlignedRanks align_ranks(const Communication& communication, std::vector<std::size_t> members);

}  // namespace tracefold
