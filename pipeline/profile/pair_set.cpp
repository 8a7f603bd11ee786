#include "pipeline/profile/pair_set.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tracefold {

PairSet::PairSet(std::size_t functions) : row_(static_cast<unsigned>(std::bit_width(functions))) {
  const auto bits = (functions + 1) << row_;
  if (bits <= std::size_t{64} << 20)
    bits_.resize((bits + 63) / 64);
  words_ = bits_.size();
}

void PairSet::insert_new(FunctionIndex caller, FunctionIndex callee) {
  const auto bit = find_bit(caller, callee);
  if (bit / 64 < words_)
    bits_[bit / 64] |= std::uint64_t{1} << bit % 64;
  else if (!seen_.insert(bit).second)
    return;
  pairs_.push_back({caller, callee});
}

std::vector<FunctionIndex> PairSet::take_callees(FunctionIndex caller) {
  const auto first = std::partition(pairs_.begin(), pairs_.end(),
                                    [&](const auto& pair) { return pair.caller != caller; });
  std::vector<FunctionIndex> callees;
  for (auto at = first; at != pairs_.end(); ++at) {
    const auto bit = find_bit(at->caller, at->callee);
    if (bit / 64 < words_)
      bits_[bit / 64] &= ~(std::uint64_t{1} << bit % 64);
    else
      seen_.erase(bit);
    callees.push_back(at->callee);
  }

  pairs_.erase(first, pairs_.end());

  return callees;
}

std::vector<CallPair> PairSet::take() {
  for (auto [caller, callee] : pairs_)
    if (!bits_.empty())
      bits_[find_bit(caller, callee) / 64] = 0;
  seen_.clear();
  std::sort(pairs_.begin(), pairs_.end());

  return std::exchange(pairs_, {});
}

}  // namespace tracefold
