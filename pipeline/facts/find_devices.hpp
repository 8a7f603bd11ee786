// What devices, the accelerators of processes, do in each part of the run: how long kernels run,
// how much of the time of copies is hidden behind these, how long nothing runs, and what the host
// does meanwhile.
//
// A device has the streams of one location group, or where they are in that of their process, those
// whose names have the same device, as in CUDA[0:7] and CUDA[0:13]. A copy is a call
// (accelerator_calls.hpp), or goes from the record of a one-sided operation to that of its end. The
// host is the first thread of the process that calls functions of accelerators, or else its first
// one. Of a device nothing is known while recording is off, or a buffer is written to a file.
// Kernels and copies of all functions count, whatever filters drop; hosts are in what these keep.
//
// Reads the streams and these threads once more, in parallel; of a team each member those of its
// own processes. Memory: up to 64 bytes for each kernel and copy of some processes at a time, with
// at most most_device_intervals of these. The result does not depend on threads and members.
#pragma once

#include "model/program/program_devices.hpp"
#include "model/program/program_profiles.hpp"
#include "pipeline/events/planned_trace.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

inline constexpr std::uint64_t most_device_intervals = std::uint64_t{1} << 23;

// Of each scope of the program, and of the whole run. Empty: there are no devices with a host, a
// process has too many kernels, or the trace has only some iterations. Throws Error(input).
std::vector<ProgramDevices> find_devices(const PlannedTrace& trace, const ProgramProfiles& program);

}  // namespace tracefold
