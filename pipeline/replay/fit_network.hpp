// How long messages take: a latency and a time for each byte, fitted on half of the messages that
// somebody waited for, and how well they tell the times of the others. By construction a run that
// is played without a change takes as long as it did; this says how far a network of two numbers
// does.
//
// The time of a message is from when the call was entered that sent it to the end of the call that
// waited for it; of a call that receives several messages, that of the last one. The fit is
// weighted so that messages of any size count as much by their relative error.
//
// Pure. Memory: 24 KiB for each process, and while one is read 16 bytes for each of its calls that
// communicate.
//
// Source: Hockney 1994 (latency and bandwidth); docs/science.md, Playing a run.
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/delays/timed_processes.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

struct MessageTime {
  std::uint64_t bytes = 0, ticks = 0;
};

// None where there are fewer than 20.
std::optional<NetworkFit> fit_network(const std::vector<MessageTime>& messages);
std::optional<NetworkFit> fit_network(const std::vector<TimedProcess>& processes);

}  // namespace tracefold
