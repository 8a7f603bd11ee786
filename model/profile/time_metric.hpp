// Chooses the metric for the exclusive time of a function. Thread-safe.
//
// Names of MPI functions are used before OTF2's roles, since roles do not separate put from fence
// or individual from collective file I/O, and some tools do not set them; a role is used where the
// name is unknown. A function of the program (paradigm user or compiler) is never one of MPI,
// whatever its name, unless the tool declares no function as MPI's; then those that are in the list
// of MPI's names are. OpenMP regions that run the program's own code
// (parallel regions, loops, tasks) are execution time; barriers, critical sections, runtime
// functions and the like are OpenMP time.
//
// Source: dynamics Table 1.1, and as Scalasca defines its metrics; OTF2 3.0,
// OTF2_RegionRole and OTF2_Paradigm; MPI 4.0 (names of functions).
#pragma once

#include "model/profile/intent.hpp"
#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace tracefold {

// How functions of MPI are known: by their paradigm, or, in traces without a region of that
// paradigm, by their names.
enum class MpiKnownBy : std::uint8_t { paradigm, name };
MpiKnownBy find_mpi_known_by(const Definitions& definitions);
MpiKnownBy find_mpi_known_by(std::span<const Function> functions);

// `paradigm` and `role` are OTF2's. The result is never a time of waiting, which single calls do
// not show.
Metric time_metric(std::uint64_t paradigm, std::uint64_t role, std::string_view name,
                   MpiKnownBy known_by);

constexpr bool is_openmp_time(Metric metric) {
  return metric >= Metric::openmp_flush_time && metric <= Metric::openmp_synchronization_time;
}
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

// Whether it is MPI_Win_fence.
bool is_fence(std::string_view name);

// Whether MPI can be used only after this function (MPI_Init, MPI_Init_thread), or only before it
// (MPI_Finalize). None for functions whose time is not that of MPI.
enum class MpiBound : std::uint8_t { none, begin, end };
MpiBound find_mpi_bound(std::string_view name, Metric time);

}  // namespace tracefold
