// Values of OTF2's enumerations, for code that does not include OTF2's headers, and the names of
// paradigms. otf2_values.cpp compares them with the headers at compile time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracefold {

namespace otf2_value {
inline constexpr std::uint64_t paradigm_unknown = 0, paradigm_user = 1, paradigm_compiler = 2,
                               paradigm_openmp = 3, paradigm_mpi = 4, paradigm_cuda = 5,
                               paradigm_measurement_system = 6, paradigm_pthread = 7,
                               paradigm_openacc = 18, paradigm_opencl = 19, paradigm_hip = 23;
inline constexpr std::uint64_t group_locations = 1, group_regions = 2, group_metric = 3,
                               group_comm_locations = 4, group_comm_group = 5, group_comm_self = 6;
inline constexpr std::uint64_t group_flag_global_members = 1;
inline constexpr std::uint64_t location_type_cpu = 1, location_type_accelerator = 2,
                               location_type_metric = 3;
inline constexpr std::uint64_t location_group_process = 1, location_group_accelerator = 2;
inline constexpr std::uint64_t scope_location = 0, scope_location_group = 1,
                               scope_system_tree_node = 2, scope_group = 3;
inline constexpr std::uint64_t region_role_function = 1, region_role_loop = 3, region_role_code = 4,
                               region_role_parallel = 5, region_role_sections = 6,
                               region_role_section = 7, region_role_workshare = 8,
                               region_role_single = 9, region_role_single_sblock = 10,
                               region_role_master = 11, region_role_critical = 12,
                               region_role_critical_sblock = 13, region_role_atomic = 14,
                               region_role_barrier = 15, region_role_implicit_barrier = 16,
                               region_role_flush = 17, region_role_ordered = 18,
                               region_role_ordered_sblock = 19, region_role_task = 20,
                               region_role_task_wait = 22, region_role_coll_one2all = 23,
                               region_role_coll_all2one = 24, region_role_coll_all2all = 25,
                               region_role_coll_other = 26, region_role_file_io = 27,
                               region_role_point2point = 28, region_role_rma = 29,
                               region_role_data_transfer = 30, region_role_artificial = 31,
                               region_role_thread_wait = 33, region_role_task_untied = 34,
                               region_role_file_io_metadata = 38;
inline constexpr std::uint64_t region_flag_dynamic = 1, region_flag_phase = 2;
inline constexpr std::uint64_t collective_barrier = 0, collective_bcast = 1, collective_gather = 2,
                               collective_gatherv = 3, collective_scatter = 4,
                               collective_scatterv = 5, collective_allgather = 6,
                               collective_allreduce = 11, collective_reduce = 12,
                               collective_reduce_scatter = 13, collective_reduce_scatter_block = 16,
                               collective_create_handle = 17;
inline constexpr std::uint64_t sync_process = 1;  // of OTF2_RmaSyncLevel
inline constexpr std::uint64_t io_read = 0, io_write = 1, io_flag_collective = 2;
inline constexpr std::uint64_t metric_value_mask = 15, metric_accumulated = 0, metric_relative = 2;
inline constexpr std::uint64_t metric_absolute_next = 1 | 3 << 4;
inline constexpr std::uint64_t metric_type_other = 0, metric_synchronous = 1;
inline constexpr std::uint64_t base_binary = 0, base_decimal = 1;
inline constexpr std::uint64_t root_none = 0xffffffff, root_self = 0xfffffffe,
                               root_this_group = 0xfffffffd;
inline constexpr std::uint64_t type_uint32 = 3, type_uint64 = 4, type_int64 = 8, type_double = 10,
                               type_string = 11;
}  // namespace otf2_value

// A name for people, such as "MPI"; "paradigm 99" where this version of OTF2 has none.
std::string paradigm_name(std::uint64_t paradigm);
// The MPI name of an OTF2_CollectiveOp, such as "allreduce"; "" where OTF2 has none.
std::string_view name_collective(std::uint64_t operation);

}  // namespace tracefold
