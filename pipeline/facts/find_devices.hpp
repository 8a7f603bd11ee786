// What devices, the accelerators of processes, do in each part of the run: how long kernels run,
// how much of the time of copies is hidden behind these, how long nothing runs, and what the host
// does meanwhile; and for which kernels threads wait.
//
// A device has the streams of one location group, or where they are in that of their process, those
// whose names have the same device, as in CUDA[0:7] and CUDA[0:13]. A copy is a call
// (accelerator_calls.hpp), or goes from the record of a one-sided operation to the first one that
// it is complete. The host is the first thread of the process that calls functions of accelerators,
// or else its first one. Of a device nothing is known while recording is off, or a buffer is
// written to a file. Kernels and copies of all functions count, whatever filters drop; hosts are in
// what these keep.
//
// A call that waits for a stream that it names (an attribute of type location) waits for that one.
// Else it waits for the stream of its process on which, among kernels that end while it waits, the
// last one ends. It has waited for the kernels of that stream that end in it, as long as these ran
// in it, once where two of one name do: a kernel that goes on behind it was not waited for, nor one
// in which another one is called, nor one of a function that filters drop. The clocks of host and
// accelerator may differ, so a kernel may end behind the call by a
// hundredth of its length. What is left of the call is not told to be for any kernel.
//
// Reads the streams, these hosts and the threads that may wait once more, in parallel; of a team
// each member those of its own processes. Memory: up to 96 bytes for each kernel and copy of some
// processes at a time, with at most most_device_intervals of these. The result does not depend on
// threads and members.
#pragma once

#include "model/program/program_devices.hpp"
#include "model/program/program_profiles.hpp"
#include "pipeline/events/planned_trace.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

inline constexpr std::uint64_t most_device_intervals = std::uint64_t{1} << 23;

// Of each scope of the program, and of the whole run. Empty: there are no devices with a host, or a
// process has too many kernels. Where the trace has only some iterations, nothing but waiting is
// known. Throws Error(input).
std::vector<ProgramDevices> find_devices(const PlannedTrace& trace, const ProgramProfiles& program);

}  // namespace tracefold
