// Finds when the operations of an expanded trace end, so that no message is received before it is
// sent, and no collective ends before all processes that it waits for have begun it. For that, the
// processes are played in turns: each goes on until it has to wait for another one.
//
// The first receive that is begun on a channel gets the first message that is sent there, the
// second one the second, and so on. A send waits for nobody. Where no process can go on, requests
// are completed too early (it is not known which call completes one, see player.hpp); then the
// first such request is left open until a later call.
//
// Which thread of a rank receives a message is not known where several receive on its channel.
// There, a receive that ends takes the next message that has been sent once nothing else can go on,
// the earliest receive first. The times of threads without calls are not known; theirs are taken to
// be spread evenly. Where a receive waits for ever then, other receives are let first
// (tried_ways.hpp), as long as that takes some seconds at most.
//
// One thread. The result depends on nothing but the arguments. Memory: 8 bytes for each message
// and for each receive and collective; where threads share channels, that of tried_ways.hpp; some
// 70 for each distinct operation of a process, 100 for each collective of a communicator, and
// 140 for each channel.
//
// Source: signatures 4; MPI 4.0, 3.5.
#pragma once

#include "pipeline/expand/player.hpp"
#include "pipeline/expand/rank_operations.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

// A process with operations, which its part has a sequence of.
struct CommunicatingProcess {
  std::uint32_t rank = 0;
  PlayedCalls part;
};

// What one process was told when it waited, in order; and its first and last time, in ticks.
struct ProcessTimes {
  std::vector<std::uint64_t> answers;
  std::uint64_t first = 0, last = 0;
};

struct OrderResult {
  std::vector<ProcessTimes> times;      // by process
  std::uint64_t left_open = 0;          // completions that came too early
  std::uint64_t short_collectives = 0;  // that did not have all of their members
};

// Throws Error(input) where messages do not fit each other, or what is held of them takes more than
// `memory` bytes.
OrderResult find_order(const Messages& messages, const OperationFinder& finder,
                       const std::vector<CommunicatingProcess>& processes, std::uint64_t memory);

}  // namespace tracefold
