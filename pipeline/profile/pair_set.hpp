// The distinct call pairs of a location.
#pragma once

#include "model/profile/intent.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace tracefold {

// A set of call pairs: one bit for each possible pair if these fit into 8 MiB, otherwise a hash
// table. The lengths of rows of bits are powers of two.
class PairSet {
 public:
  explicit PairSet(std::size_t functions);

  [[gnu::always_inline]] void insert(FunctionIndex caller, FunctionIndex callee) {
    const auto bit = find_bit(caller, callee);
    if (bit / 64 >= words_ || !(bits_[bit / 64] >> bit % 64 & 1)) [[unlikely]]
      insert_new(caller, callee);
  }

  const std::vector<CallPair>& pairs() const { return pairs_; }  // unordered
  // Removes the pairs of one caller and returns their callees.
  std::vector<FunctionIndex> take_callees(FunctionIndex caller);
  // Removes all pairs and returns them, ascending.
  std::vector<CallPair> take();

 private:
  // The virtual root is row 0.
  std::uint64_t find_bit(FunctionIndex caller, FunctionIndex callee) const {
    return (std::uint64_t{caller + 1} << row_) + callee;
  }
  [[gnu::noinline]] void insert_new(FunctionIndex caller, FunctionIndex callee);

  unsigned row_;                            // log2 of the length of a row
  std::size_t words_ = 0;                   // of bits_
  std::vector<std::uint64_t> bits_;         // empty if there are too many
  std::unordered_set<std::uint64_t> seen_;  // used if bits_ is empty
  std::vector<CallPair> pairs_;
};

}  // namespace tracefold
