// A made trace of four processes of MPI, two of each kind: all take the same number of steps, in
// each of which the two of a kind send each other a message while they compute; the later two write
// output in it as well.
#pragma once

#include "tests/support/trace_builder.hpp"

#include <array>
#include <cstdint>

namespace tracefold::testing {

namespace two_kinds {

inline constexpr std::uint64_t processes = 4, iterations = 12;
inline constexpr std::uint64_t main_region = 0, step = 1, compute = 2, output = 3;
inline constexpr std::uint64_t tag = 7, bytes_of_a_message = 100;

}  // namespace two_kinds

// `measure` gives the ticks that a process computes in an iteration: measure(process, iteration).
template <class Measure>
TraceBuilder build_two_kinds_trace(Measure&& measure) {
  using namespace two_kinds;
  using enum EventKind;

  TraceBuilder builder;
  builder.add_mpi_processes(processes);
  constexpr std::array names{"main", "step", "compute", "output"};
  for (std::uint64_t region = 0; region < names.size(); ++region)
    builder.add_region(region, names[region]);

  for (std::uint64_t process = 0; process < processes; ++process) {
    const auto partner = process ^ 1;
    std::uint64_t time = 0;
    builder.record(process, Enter, time, {main_region});
    for (std::uint64_t i = 0; i < two_kinds::iterations; ++i) {
      builder.record(process, Enter, ++time, {step});
      builder.record(process, Enter, ++time, {compute});
      builder.record(process, MpiSend, ++time,
                     {partner, TraceBuilder::world, tag, bytes_of_a_message});
      time += measure(process, i);
      builder.record(process, MpiRecv, time,
                     {partner, TraceBuilder::world, tag, bytes_of_a_message});
      builder.record(process, Leave, ++time, {compute});
      if (process >= 2) {
        builder.record(process, Enter, ++time, {output});
        builder.record(process, Leave, ++time, {output});
      }
      builder.record(process, Leave, ++time, {step});
    }
    builder.record(process, Leave, ++time, {main_region});
  }

  return builder;
}

}  // namespace tracefold::testing
