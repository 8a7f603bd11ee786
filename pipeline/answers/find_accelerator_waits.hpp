// What host threads wait for on the accelerators of their processes: which kernel on which stream
// runs while a call waits.
//
// A call that waits for a stream that it names (an attribute of type location) waits for that one.
// Else it waits for the stream of its process on which, among kernels that end while it waits, the
// last one ends. It has waited for the kernels of that stream that end in it, as long as these ran
// in it: a kernel that goes on behind it was not waited for. The clocks of host and accelerator may
// differ, so a kernel may end behind the call by a hundredth of its length. What is left of the
// call is not told to be for any kernel.
//
// Reads the streams, and the threads of processes that have some, in parallel; of a team each
// member those of its own processes. Memory: 24 bytes for each kernel and 32 for each call that
// waits, of up to 64 processes at a time, of at most most_accelerator_calls.
#pragma once

#include "model/summary/run_facts.hpp"
#include "pipeline/events/planned_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

inline constexpr std::size_t most_accelerator_calls = std::size_t{1} << 22;

// `types` are those of locations, by process, and `spans` the pieces of the run that are looked at,
// as in RunFacts; none where these are not known. Ordered by process, call, caller, kernel and
// stream. None where there are too many of them at a time. Throws Error(input).
std::optional<std::vector<AcceleratorWait>> find_accelerator_waits(
    const PlannedTrace& trace, std::span<const std::uint64_t> types,
    const std::vector<std::vector<Interval>>& spans);

}  // namespace tracefold
