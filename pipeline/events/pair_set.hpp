// The distinct call pairs of a location.
#pragma once

#include "model/profile/profile.hpp"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace tracefold {

// The set of call pairs seen: one bit for each possible pair where that fits
// into 8 MiB, else a hash table. Rows of bits are powers of two long.
class PairSet {
 public:
  explicit PairSet(std::size_t functions);
  [[gnu::always_inline]] void insert(FunctionIndex caller, FunctionIndex callee) {
    const auto bit = bit_of(caller, callee);
    if (bit / 64 >= words_ || !(bits_[bit / 64] >> bit % 64 & 1)) [[unlikely]]
      insert_new(caller, callee);
  }
  const std::vector<CallPair>& found() const { return pairs_; }  // in no order
  std::vector<FunctionIndex> take_callees(
      FunctionIndex caller);     // its pairs are no longer in the set
  std::vector<CallPair> take();  // ascending; the set is empty afterwards

 private:
  std::uint64_t bit_of(FunctionIndex caller, FunctionIndex callee) const {
    return (std::uint64_t{caller + 1} << row_) + callee;
  }  // the virtual root is row 0
  [[gnu::noinline]] void insert_new(FunctionIndex caller, FunctionIndex callee);

  unsigned row_;                            // log2 of the length of a row
  std::size_t words_ = 0;                   // of bits_
  std::vector<std::uint64_t> bits_;         // empty where there are too many
  std::unordered_set<std::uint64_t> seen_;  // then these
  std::vector<CallPair> pairs_;
};

}  // namespace tracefold
