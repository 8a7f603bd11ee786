// The call-path profiles of a process's iterations, packed in memory, so that its events need not
// be read again.
//
// A value takes a byte for its column (two if that is far behind the one before), and one for each
// 7 bits. A row without values takes a byte. Iterations with the same call paths share their rows.
// When more than the allowed number of bytes is needed, everything is dropped, and the process
// counts as not stored.
//
// Add iterations in order, then visit them as often as wanted. One thread at a time.
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

class StoredProfiles {
 public:
  explicit StoredProfiles(std::uint64_t most_bytes = 0) : most_bytes_(most_bytes) {}

  void add(const CallPathProfile& profile);
  // Whether no profile is missing.
  bool are_complete() const { return !too_large_; }

  // Calls visit(iteration, profile) for each profile in the order of adding, from 0. The profile is
  // valid during the call.
  template <class Visit>
  void visit(Visit&& visit) const {
    CallPathProfile profile;
    std::size_t iteration = 0;
    for (const auto& block : blocks_) {
      const auto* byte = block.bytes.data();
      for (auto rows : block.rows_of_iterations) {
        byte = unpack(byte, rows, profile);
        visit(iteration++, std::as_const(profile));
      }
    }
  }

 private:
  std::uint32_t find_rows(const std::vector<PathRow>& rows);
  const std::uint8_t* unpack(const std::uint8_t* byte, std::uint32_t rows,
                             CallPathProfile& profile) const;

  // Some consecutive iterations. A single vector would be copied repeatedly as it grows.
  struct Block {
    std::vector<std::uint32_t> rows_of_iterations;  // indexes into rows_
    std::vector<std::uint8_t> bytes;                // values, by iteration
  };
  friend auto list_members(Like<Block> auto& block) {
    return std::tie(block.rows_of_iterations, block.bytes);
  }
  friend auto list_members(Like<StoredProfiles> auto& stored) {
    return std::tie(stored.most_bytes_, stored.row_bytes_, stored.too_large_, stored.held_,
                    stored.rows_, stored.blocks_);
  }

  std::uint64_t most_bytes_;
  std::uint64_t row_bytes_ = 0;
  bool too_large_ = false;
  std::uint64_t held_ = 0;                  // bytes in blocks
  std::vector<std::vector<PathRow>> rows_;  // distinct lists, with few exceptions
  std::vector<Block> blocks_;
};

}  // namespace tracefold
