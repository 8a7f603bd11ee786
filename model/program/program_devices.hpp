// What the devices of a program, its accelerators, did in a part of the run: sums over all of them.
// Plain data; times are ticks of the trace's clock.
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/call_path_profile.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

// A host thread waits in a call for a kernel that ends on a stream, both as processes. The call is
// a function by its caller, as in ProgramDevices::hosts.
struct AcceleratorWait {
  std::size_t process = 0, stream = 0;
  PathIndex call = 0;
  std::string kernel;  // as people see it

  auto operator<=>(const AcceleratorWait&) const = default;
};
auto list_members(Like<AcceleratorWait> auto& wait) {
  return std::tie(wait.process, wait.stream, wait.call, wait.kernel);
}

struct ProgramDevices {
  std::string part = {};      // a scope's name, or ProgramReplay::run
  std::uint64_t devices = 0;  // that are there in it
  std::uint64_t time = 0;     // of their hosts in it, as far as it is recorded
  // While any stream of a device does so. `hidden`: of these, while a kernel runs, too.
  std::uint64_t kernels = 0, copies = 0, communication = 0;
  std::uint64_t hidden_copies = 0, hidden_communication = 0;
  std::uint64_t idle = 0;   // no stream does anything
  std::uint64_t bytes = 0;  // copied, as records of one-sided operations tell it
  // What hosts do while their devices are idle, from a thousandth of that time on: in a function by
  // its caller, of which this is the first path in the tree of all processes.
  std::map<PathIndex, std::uint64_t> hosts = {};
  std::map<AcceleratorWait, std::uint64_t> waits = {};  // not stored

  void add(const ProgramDevices& other);
};
auto list_members(Like<ProgramDevices> auto& of) {
  return std::tie(of.part, of.devices, of.time, of.kernels, of.copies, of.communication,
                  of.hidden_copies, of.hidden_communication, of.idle, of.bytes, of.hosts, of.waits);
}

// The numbers, by the names that they have in files.
inline constexpr std::array<std::pair<const char*, std::uint64_t ProgramDevices::*>, 9>
    device_numbers{{{"devices", &ProgramDevices::devices},
                    {"time", &ProgramDevices::time},
                    {"kernels", &ProgramDevices::kernels},
                    {"copies", &ProgramDevices::copies},
                    {"communication", &ProgramDevices::communication},
                    {"hidden_copies", &ProgramDevices::hidden_copies},
                    {"hidden_communication", &ProgramDevices::hidden_communication},
                    {"idle", &ProgramDevices::idle},
                    {"copied_bytes", &ProgramDevices::bytes}}};

inline void ProgramDevices::add(const ProgramDevices& other) {
  for (const auto& [name, number] : device_numbers)
    this->*number += other.*number;
  for (const auto& [path, ticks] : other.hosts)
    hosts[path] += ticks;
  for (const auto& [wait, ticks] : other.waits)
    waits[wait] += ticks;
}

}  // namespace tracefold
