// Finds chains of processes in which each waits for the one before. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace tracefold {

// By who is waited for and who waits, in any unit.
using OneWayWaits = std::map<std::pair<std::size_t, std::size_t>, double>;

struct WaitChain {
  std::vector<std::size_t> processes = {};  // from the first one
  double waiting = 0;                       // along it
};

// The longest chain without repeated processes, of waits that are over a tenth of the longest. It
// begins earlier where shorter waits lead to it, since waits grow along a chain. The search ends
// after 20,000 steps, with the longest one so far.
WaitChain find_chain(const OneWayWaits& waits);

}  // namespace tracefold
