#include "otf2/otf2_values.hpp"

#include <otf2/otf2.h>

#include <array>
#include <string_view>

namespace tracefold {

static_assert(otf2_value::paradigm_mpi == OTF2_PARADIGM_MPI &&
              otf2_value::group_locations == OTF2_GROUP_TYPE_LOCATIONS &&
              otf2_value::group_regions == OTF2_GROUP_TYPE_REGIONS &&
              otf2_value::group_metric == OTF2_GROUP_TYPE_METRIC &&
              otf2_value::group_comm_locations == OTF2_GROUP_TYPE_COMM_LOCATIONS &&
              otf2_value::group_comm_group == OTF2_GROUP_TYPE_COMM_GROUP &&
              otf2_value::group_comm_self == OTF2_GROUP_TYPE_COMM_SELF);
static_assert(otf2_value::location_type_cpu == OTF2_LOCATION_TYPE_CPU_THREAD &&
              otf2_value::location_type_accelerator == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM &&
              otf2_value::location_type_metric == OTF2_LOCATION_TYPE_METRIC &&
              otf2_value::location_group_accelerator == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR &&
              otf2_value::group_flag_global_members == OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
static_assert(otf2_value::root_none == OTF2_COLLECTIVE_ROOT_NONE &&
              otf2_value::root_self == OTF2_COLLECTIVE_ROOT_SELF &&
              otf2_value::root_this_group == OTF2_COLLECTIVE_ROOT_THIS_GROUP &&
              otf2_value::scope_group == OTF2_SCOPE_GROUP &&
              otf2_value::type_uint32 == OTF2_TYPE_UINT32 &&
              otf2_value::type_uint64 == OTF2_TYPE_UINT64 &&
              otf2_value::type_string == OTF2_TYPE_STRING &&
              otf2_value::type_int64 == OTF2_TYPE_INT64 &&
              otf2_value::type_double == OTF2_TYPE_DOUBLE);
static_assert(otf2_value::paradigm_unknown == OTF2_PARADIGM_UNKNOWN &&
              otf2_value::paradigm_user == OTF2_PARADIGM_USER &&
              otf2_value::paradigm_compiler == OTF2_PARADIGM_COMPILER &&
              otf2_value::paradigm_openmp == OTF2_PARADIGM_OPENMP &&
              otf2_value::paradigm_cuda == OTF2_PARADIGM_CUDA &&
              otf2_value::paradigm_openacc == OTF2_PARADIGM_OPENACC &&
              otf2_value::paradigm_opencl == OTF2_PARADIGM_OPENCL &&
              otf2_value::paradigm_hip == OTF2_PARADIGM_HIP);
static_assert(otf2_value::region_role_function == OTF2_REGION_ROLE_FUNCTION &&
              otf2_value::region_role_loop == OTF2_REGION_ROLE_LOOP &&
              otf2_value::region_role_code == OTF2_REGION_ROLE_CODE &&
              otf2_value::region_role_parallel == OTF2_REGION_ROLE_PARALLEL &&
              otf2_value::region_role_sections == OTF2_REGION_ROLE_SECTIONS &&
              otf2_value::region_role_section == OTF2_REGION_ROLE_SECTION &&
              otf2_value::region_role_workshare == OTF2_REGION_ROLE_WORKSHARE &&
              otf2_value::region_role_single_sblock == OTF2_REGION_ROLE_SINGLE_SBLOCK &&
              otf2_value::region_role_master == OTF2_REGION_ROLE_MASTER &&
              otf2_value::region_role_critical_sblock == OTF2_REGION_ROLE_CRITICAL_SBLOCK &&
              otf2_value::region_role_single == OTF2_REGION_ROLE_SINGLE &&
              otf2_value::region_role_critical == OTF2_REGION_ROLE_CRITICAL &&
              otf2_value::region_role_atomic == OTF2_REGION_ROLE_ATOMIC &&
              otf2_value::region_role_flush == OTF2_REGION_ROLE_FLUSH &&
              otf2_value::region_role_ordered == OTF2_REGION_ROLE_ORDERED &&
              otf2_value::region_role_task_wait == OTF2_REGION_ROLE_TASK_WAIT &&
              otf2_value::region_role_thread_wait == OTF2_REGION_ROLE_THREAD_WAIT &&
              otf2_value::region_role_barrier == OTF2_REGION_ROLE_BARRIER &&
              otf2_value::region_role_implicit_barrier == OTF2_REGION_ROLE_IMPLICIT_BARRIER &&
              otf2_value::region_role_ordered_sblock == OTF2_REGION_ROLE_ORDERED_SBLOCK &&
              otf2_value::region_role_task == OTF2_REGION_ROLE_TASK);
static_assert(otf2_value::region_role_coll_one2all == OTF2_REGION_ROLE_COLL_ONE2ALL &&
              otf2_value::region_role_coll_all2one == OTF2_REGION_ROLE_COLL_ALL2ONE &&
              otf2_value::region_role_coll_all2all == OTF2_REGION_ROLE_COLL_ALL2ALL &&
              otf2_value::region_role_coll_other == OTF2_REGION_ROLE_COLL_OTHER &&
              otf2_value::region_role_file_io == OTF2_REGION_ROLE_FILE_IO &&
              otf2_value::region_role_point2point == OTF2_REGION_ROLE_POINT2POINT &&
              otf2_value::region_role_rma == OTF2_REGION_ROLE_RMA &&
              otf2_value::region_role_data_transfer == OTF2_REGION_ROLE_DATA_TRANSFER &&
              otf2_value::region_role_artificial == OTF2_REGION_ROLE_ARTIFICIAL &&
              otf2_value::region_role_task_untied == OTF2_REGION_ROLE_TASK_UNTIED &&
              otf2_value::region_role_file_io_metadata == OTF2_REGION_ROLE_FILE_IO_METADATA);
static_assert(otf2_value::collective_barrier == OTF2_COLLECTIVE_OP_BARRIER &&
              otf2_value::collective_bcast == OTF2_COLLECTIVE_OP_BCAST &&
              otf2_value::collective_gather == OTF2_COLLECTIVE_OP_GATHER &&
              otf2_value::collective_gatherv == OTF2_COLLECTIVE_OP_GATHERV &&
              otf2_value::collective_scatter == OTF2_COLLECTIVE_OP_SCATTER &&
              otf2_value::collective_scatterv == OTF2_COLLECTIVE_OP_SCATTERV &&
              otf2_value::collective_allgather == OTF2_COLLECTIVE_OP_ALLGATHER &&
              otf2_value::collective_allreduce == OTF2_COLLECTIVE_OP_ALLREDUCE &&
              otf2_value::collective_reduce == OTF2_COLLECTIVE_OP_REDUCE &&
              otf2_value::collective_reduce_scatter == OTF2_COLLECTIVE_OP_REDUCE_SCATTER &&
              otf2_value::collective_reduce_scatter_block ==
                  OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK &&
              otf2_value::collective_create_handle == OTF2_COLLECTIVE_OP_CREATE_HANDLE);
static_assert(otf2_value::io_read == OTF2_IO_OPERATION_MODE_READ &&
              otf2_value::io_write == OTF2_IO_OPERATION_MODE_WRITE &&
              otf2_value::io_flag_collective == OTF2_IO_OPERATION_FLAG_COLLECTIVE &&
              otf2_value::metric_value_mask == OTF2_METRIC_VALUE_MASK &&
              otf2_value::metric_accumulated == OTF2_METRIC_VALUE_ACCUMULATED &&
              otf2_value::metric_relative == OTF2_METRIC_VALUE_RELATIVE);
static_assert(otf2_value::base_binary == OTF2_BASE_BINARY);

std::string paradigm_name(std::uint64_t paradigm) {
  constexpr std::array<std::string_view, 25> names{
      "unknown",   "user",     "compiler", "OpenMP",   "MPI",     "CUDA",   "measurement",
      "Pthreads",  "HMPP",     "OmpSs",    "hardware", "GASPI",   "UPC",    "SHMEM",
      "WinThread", "QtThread", "ACE",      "TBB",      "OpenACC", "OpenCL", "MTAPI",
      "sampling",  "none",     "HIP",      "Kokkos"};

  return paradigm < names.size() ? std::string(names[paradigm])
                                 : "paradigm " + std::to_string(paradigm);
}

std::string_view name_collective(std::uint64_t operation) {
  constexpr std::array<std::string_view, 23> names{"barrier",
                                                   "bcast",
                                                   "gather",
                                                   "gatherv",
                                                   "scatter",
                                                   "scatterv",
                                                   "allgather",
                                                   "allgatherv",
                                                   "alltoall",
                                                   "alltoallv",
                                                   "alltoallw",
                                                   "allreduce",
                                                   "reduce",
                                                   "reduce_scatter",
                                                   "scan",
                                                   "exscan",
                                                   "reduce_scatter_block",
                                                   "create_handle",
                                                   "destroy_handle",
                                                   "allocate",
                                                   "deallocate",
                                                   "create_handle_and_allocate",
                                                   "destroy_handle_and_deallocate"};
  static_assert(OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE + 1 == names.size());

  return operation < names.size() ? names[operation] : std::string_view();
}

}  // namespace tracefold
