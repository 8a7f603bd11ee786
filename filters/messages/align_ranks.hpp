// Aligns the sequences of the ranks of a main cluster: into one folded sequence of rows, each with
// the operation of every rank at that place.
#pragma once

#include "model/messages/communication.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct AlignedRanks {
  std::vector<std::size_t> members;       // indexes into Communication::ranks
  std::vector<std::uint32_t> columns;     // by member: its column in the rows
  std::size_t width = 0;                  // number of operations in a row
  std::vector<std::uint32_t> operations;  // of the distinct rows, row by row
  FoldedSequence sequence;                // its symbols are rows

  std::size_t rows() const { return operations.size() / width; }

  const Operation& operation(const Communication& communication, std::size_t row,
                             std::size_t member) const {
    return communication.operations[operations[row * width + columns[member]]];
  }
};

// `members` are indexes into Communication::ranks; their sequences must have the same length.
AlignedRanks align_ranks(const Communication& communication, std::vector<std::size_t> members);

}  // namespace tracefold
