// What the devices of a program, its accelerators, did in a part of the run: sums over all of them.
// Plain data; times are ticks of the trace's clock.
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold {

struct ProgramDevices {
  // What hosts do while their devices are idle: in a function by its caller, of which this is the
  // first path in the tree of all processes.
  struct HostTime {
    PathIndex path = 0;
    std::uint64_t ticks = 0;
  };
  static constexpr std::size_t most_hosts = 100;

  std::string part = {};      // a scope's name, or ProgramReplay::run
  std::uint64_t devices = 0;  // that are there in it
  std::uint64_t time = 0;     // of their hosts in it, as far as it is recorded
  // While any stream of a device does so. `hidden`: of these, while a kernel runs, too.
  std::uint64_t kernels = 0, copies = 0, communication = 0;
  std::uint64_t hidden_copies = 0, hidden_communication = 0;
  std::uint64_t idle = 0;            // no stream does anything
  std::uint64_t bytes = 0;           // copied, as records of one-sided operations tell it
  std::vector<HostTime> hosts = {};  // most first; at most so many

  // Of another part, or of other devices in the same one; without `hosts`.
  void add_times(const ProgramDevices& other) {
    time += other.time;
    kernels += other.kernels;
    copies += other.copies;
    communication += other.communication;
    hidden_copies += other.hidden_copies;
    hidden_communication += other.hidden_communication;
    idle += other.idle;
    bytes += other.bytes;
  }
};
auto list_members(Like<ProgramDevices::HostTime> auto& host) {
  return std::tie(host.path, host.ticks);
}
auto list_members(Like<ProgramDevices> auto& of) {
  return std::tie(of.part, of.devices, of.time, of.kernels, of.copies, of.communication,
                  of.hidden_copies, of.hidden_communication, of.idle, of.bytes, of.hosts);
}

}  // namespace tracefold
