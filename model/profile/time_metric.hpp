// Chooses the metric that the exclusive time of a function goes to. Thread-safe.
//
// The names of MPI's functions say more than OTF2's roles, which do not separate put from
// fence nor individual from collective file I/O, and which some tools do not set; a role
// counts where a name is not known. Functions that no tool declares as MPI's are so by
// name: programs must not have names that begin with MPI_. What of OpenMP runs the
// program's own code (parallel regions, loops, tasks) is execution time; barriers, critical
// sections, the runtime's functions and the like are OpenMP time.
//
// Source: dynamics Table 1.1, and as Scalasca defines its metrics; OTF2 3.0,
// OTF2_RegionRole and OTF2_Paradigm; MPI 4.0 (names of functions).
#pragma once

#include "model/profile/metric.hpp"

#include <cstdint>
#include <string_view>

namespace tracefold {

// `paradigm` and `role` are OTF2's. It is never a time of waiting, since such parts are not known
// from single calls.
Metric time_metric(std::uint64_t paradigm, std::uint64_t role, std::string_view name);

constexpr bool is_mpi_time(Metric metric) {
  return metric >= Metric::mpi_management_time && metric <= Metric::mpi_collective_file_time;
}

// Of times of waiting: whether it is in collective operations, and not for a message.
constexpr bool is_collective_wait(Metric metric) {
  return is_waiting(metric) && metric != Metric::mpi_late_sender_time &&
         metric != Metric::mpi_late_receiver_time;
}

// Whether a function of point-to-point communication may wait for a receiver: all but buffered
// and ready sends, which do not.
bool may_wait_for_receiver(std::string_view name);

// Whether MPI can be used from the end of a function on, or only until it begins: MPI_Init and
// MPI_Init_thread, and MPI_Finalize.
enum class MpiBound : std::uint8_t { none, begin, end };
MpiBound find_mpi_bound(std::string_view name);

}  // namespace tracefold
