// Chooses the metric for the exclusive time of a function. Thread-safe.
//
// Names of MPI functions are used before OTF2's roles, since roles do not separate put from fence
// or individual from collective file I/O, and some tools do not set them; a role is used where the
// name is unknown. A function that no tool declares as MPI's is recognised by its name, since
// programs must not use names that begin with MPI_. OpenMP regions that run the program's own code
// (parallel regions, loops, tasks) are execution time; barriers, critical sections, runtime
// functions and the like are OpenMP time.
//
// Source: dynamics Table 1.1, and as Scalasca defines its metrics; OTF2 3.0,
// OTF2_RegionRole and OTF2_Paradigm; MPI 4.0 (names of functions).
#pragma once

#include "model/profile/metric.hpp"

#include <cstdint>
#include <string_view>

namespace tracefold {

// `paradigm` and `role` are OTF2's. The result is never a time of waiting, which single calls do
// not show.
Metric time_metric(std::uint64_t paradigm, std::uint64_t role, std::string_view name);

constexpr bool is_mpi_time(Metric metric) {
  return metric >= Metric::mpi_management_time && metric <= Metric::mpi_collective_file_time;
}

// For a time of waiting: whether it is in collective operations, and not for a message.
constexpr bool is_collective_wait(Metric metric) {
  return is_waiting(metric) && metric != Metric::mpi_late_sender_time &&
         metric != Metric::mpi_late_receiver_time;
}

// Whether a point-to-point function may wait for its receiver. Buffered and ready sends do not.
bool may_wait_for_receiver(std::string_view name);

// Whether MPI can be used only after this function (MPI_Init, MPI_Init_thread), or only before it
// (MPI_Finalize).
enum class MpiBound : std::uint8_t { none, begin, end };
MpiBound find_mpi_bound(std::string_view name);

}  // namespace tracefold
