#include "model/messages/own_communicators.hpp"

#include <algorithm>

namespace tracefold {

OwnCommunicators::OwnCommunicators(const Messages& messages) : by_rank_(messages.size) {
  for (std::uint32_t c = 0; c < messages.communicators.size(); ++c) {
    const auto& communicator = messages.communicators[c];
    if (communicator.is_self)
      selves_.push_back(c);
    else
      for (const auto* side : {&communicator.ranks, &communicator.remote})
        for (auto rank : *side)
          if (by_rank_[rank].empty() || by_rank_[rank].back() != c)
            by_rank_[rank].push_back(c);
  }
}

std::optional<std::uint32_t> OwnCommunicators::find(std::uint32_t rank,
                                                    std::uint64_t number) const {
  const auto& own = by_rank_[rank];
  if (number >= selves_.size() + own.size())
    return std::nullopt;

  // How many of those with a lower number every rank has: both lists ascend, and have nothing
  // in common.
  auto least = number > own.size() ? number - own.size() : 0;
  auto most = std::min<std::uint64_t>(number, selves_.size());
  while (least < most) {
    const auto middle = (least + most) / 2;
    if (selves_[middle] < own[number - 1 - middle])
      least = middle + 1;
    else
      most = middle;
  }

  const auto in_own = number - least;
  if (least == selves_.size())
    return own[in_own];
  return in_own == own.size() ? selves_[least] : std::min(selves_[least], own[in_own]);
}

}  // namespace tracefold
