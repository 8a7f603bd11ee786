// The call-path profiles of one process's iterations, kept in memory so that its events need
// not be read again.
//
// Many values of a profile are small: each takes a byte for its column (two, where that is far
// behind the one before), and one for each 7 bits. A row without values takes a byte.
// Rows are kept once for iterations with the same call paths. Once more bytes are needed than are
// allowed, all is dropped, and the process counts as not stored.
//
// Add iterations in their order, then visit them as often as wanted. One thread at a time.
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

  // Calls visit(iteration, profile) for each in the order of adding, numbered from 0. The
  // profile is valid during the call.
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

  // Some iterations in turn. One vector of all would be copied again and again as it grows.
  struct Block {
    std::vector<std::uint32_t> rows_of_iterations;  // indexes into rows_
    std::vector<std::uint8_t> bytes;                // values, iteration by iteration
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
  std::vector<std::vector<PathRow>> rows_;  // each different list once, or nearly so
  std::vector<Block> blocks_;
};

}  // namespace tracefold
