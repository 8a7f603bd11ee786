// The global definitions of a made-up trace.
#pragma once

#include "tests/loop_traces/program.hpp"

namespace tracefold::testing {

inline constexpr std::uint64_t ticks_per_second = 1'000'000'000;

// `events` are those of each location of the program, in their order.
void write_definitions(OTF2_Archive* archive, const Options& options, Program& program,
                       const std::vector<std::uint64_t>& events);

}  // namespace tracefold::testing
