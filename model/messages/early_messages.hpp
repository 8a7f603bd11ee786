// Messages that are received before they were sent, which clocks cause that do not fit. Plain data.
#pragma once

#include <cstdint>
#include <string>

namespace tracefold {

struct EarlyMessages {
  std::uint64_t early = 0, all = 0;  // in the whole run

  // Whether times of two processes can still be told from each other.
  bool are_few() const { return 100 * early <= all; }
  double share() const {
    return all > 0 ? static_cast<double>(early) / static_cast<double>(all) : 0;
  }
};

// So many of the messages of pairs of processes.
template <class Pairs>
EarlyMessages find_early_messages(std::uint64_t early, const Pairs& pairs) {
  EarlyMessages out{early};
  for (const auto& pair : pairs)
    out.all += pair.messages;
  return out;
}

// "12 % of the messages arrive before they were sent, since clocks differ"; `whose` is put behind
// the messages, as in " of B".
std::string describe_early_messages(const EarlyMessages& messages, const std::string& whose = {});

}  // namespace tracefold
