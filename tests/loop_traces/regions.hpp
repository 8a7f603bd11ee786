// The regions of the made-up program.
#pragma once

#include "tests/loop_traces/options.hpp"

#include <otf2/otf2.h>

#include <iterator>

namespace tracefold::testing {

enum Region : std::uint32_t {
  main_region,
  mpi_init,
  mpi_finalize,
  mpi_bcast,
  mpi_allreduce,
  mpi_barrier,
  mpi_gather,
  mpi_send,
  mpi_recv,
  mpi_isend,
  mpi_irecv,
  mpi_waitall,
  read_input,
  reset_fields,
  redistribute,
  write_results,
  time_step,
  sweep,
  compute_forces,
  compute_bonds,
  compute_angles,
  compute_rotations,
  smooth_field,
  update_cells,
  rebuild_lists,
  exchange_halo,
  relax,
  write_checkpoint,
  collect_output,
  store_output,
  omp_parallel,
  omp_barrier,
};

// Where the time of a region alone belongs, besides to execution time.
enum class TimeKind : std::uint8_t {
  computing,
  mpi_management,
  mpi_point_to_point,
  mpi_collective,
  mpi_collective_synchronization,
  openmp
};

struct RegionEntry {
  const char* name;
  OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_COMPILER;
  TimeKind time = TimeKind::computing;
  std::uint64_t instructions = 0;  // per tick
};

// In the order of Region.
inline constexpr RegionEntry region_table[] = {
    {"main"},
    {"MPI_Init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, TimeKind::mpi_management},
    {"MPI_Finalize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI, TimeKind::mpi_management},
    {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI, TimeKind::mpi_collective, 1},
    {"MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI, TimeKind::mpi_collective,
     1},
    {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI,
     TimeKind::mpi_collective_synchronization, 1},
    {"MPI_Gather", OTF2_REGION_ROLE_COLL_ALL2ONE, OTF2_PARADIGM_MPI, TimeKind::mpi_collective, 1},
    {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, TimeKind::mpi_point_to_point, 1},
    {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, TimeKind::mpi_point_to_point, 1},
    {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, TimeKind::mpi_point_to_point, 1},
    {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, TimeKind::mpi_point_to_point, 1},
    {"MPI_Waitall", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, TimeKind::mpi_point_to_point,
     1},
    {"read_input"},
    {"reset_fields"},
    {"redistribute"},
    {"write_results"},
    {"time_step"},
    {"sweep"},
    {"compute_forces"},
    {"compute_bonds"},
    {"compute_angles"},
    {"compute_rotations"},
    {"smooth_field"},
    {"update_cells", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, TimeKind::computing, 3},
    {"rebuild_lists", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, TimeKind::computing, 2},
    {"exchange_halo"},
    {"relax", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, TimeKind::computing, 4},
    {"write_checkpoint"},
    {"collect_output"},
    {"store_output"},
    {"!$omp parallel @solver.c:88", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP,
     TimeKind::openmp, 3},
    {"!$omp barrier @solver.c:102", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_OPENMP,
     TimeKind::openmp},
};
static_assert(std::size(region_table) == omp_barrier + 1);

// The region of a loop, where its style has one.
inline Region region_of_loop(std::uint32_t loop) {
  return loop == 0 ? time_step : sweep;
}

}  // namespace tracefold::testing
