#include "model/profile/time_metric.hpp"

#include "otf2/otf2_values.hpp"
#include "otf2/program_paradigms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace tracefold {

namespace {

struct Names {
  Metric metric;
  std::string_view begin;  // names begin with it; empty where `names` lists them
  std::string_view names;  // each between blanks
};

// The first that fits counts. Without the leading MPI_, in lower case; a name that is
// not here is looked up again without `_init` at its end and `i` at its beginning.
constexpr std::array<Names, 13> mpi_names{{
    {Metric::mpi_point_to_point_time, "",
     " send bsend ssend rsend recv sendrecv sendrecv_replace probe mprobe mrecv wait waitall "
     "waitany waitsome test testall testany testsome "
     "start startall psend precv pready pready_range pready_list parrived cancel request_free "},
    {Metric::mpi_collective_synchronization_time, "", " barrier "},
    {Metric::mpi_collective_time, "",
     " bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw "
     "allreduce reduce reduce_scatter "
     "reduce_scatter_block scan exscan "},
    {Metric::mpi_collective_time, "neighbor_", ""},
    {Metric::mpi_one_sided_synchronization_time, "",
     " win_fence win_start win_complete win_post win_wait win_test win_sync "},
    {Metric::mpi_one_sided_synchronization_time, "win_lock", ""},
    {Metric::mpi_one_sided_synchronization_time, "win_unlock", ""},
    {Metric::mpi_one_sided_synchronization_time, "win_flush", ""},
    {Metric::mpi_one_sided_time, "",
     " put get accumulate get_accumulate fetch_and_op compare_and_swap rput rget raccumulate "
     "rget_accumulate "},
    {Metric::mpi_management_time, "", " init init_thread initialized finalize finalized abort "},
    {Metric::mpi_management_time, "comm_", ""},
    {Metric::mpi_management_time, "win_", ""},
    {Metric::mpi_management_time, "cart_", ""},
}};

// The other names of MPI, which all manage something. They count only for functions that nothing
// but their names says to be of MPI.
constexpr std::string_view other_names =
    " wtime wtick pcontrol pack unpack pack_size pack_external unpack_external pack_external_size "
    "get_count get_elements get_elements_x get_version get_library_version get_address "
    "get_processor_name address alloc_mem free_mem buffer_attach buffer_detach buffer_flush "
    "dims_create topo_test graphdims_get request_get_status query_thread is_thread_main "
    "reduce_local register_datarep open_port close_port publish_name unpublish_name lookup_name "
    "op_create op_free op_commutative error_class error_string keyval_create keyval_free "
    "add_error_class add_error_code add_error_string ";
constexpr std::array<std::string_view, 14> other_beginnings{
    "type_",    "group_",  "info_",     "errhandler_", "attr_", "graph_", "dist_graph_",
    "session_", "status_", "grequest_", "intercomm_",  "aint_", "sizeof", "t_"};

// Collective by the standard: open, close, and what all processes do in one order or at once.
Metric choose_file_metric(std::string_view name) {
  constexpr std::string_view whole =
      " file_open file_close file_set_view file_set_size file_preallocate file_sync "
      "file_set_atomicity ";
  const bool collective = name.find("_all") != name.npos || name.find("_ordered") != name.npos ||
                          whole.find(" " + std::string(name) + " ") != whole.npos;
  return collective ? Metric::mpi_collective_file_time : Metric::mpi_individual_file_time;
}

// Whether names that are not listed count where they begin as others of MPI do.
enum class Beginnings : std::uint8_t { count, do_not_count };

std::optional<Metric> find_by_name(std::string_view name, Beginnings beginnings) {
  const bool may_begin = beginnings == Beginnings::count;
  if (may_begin && name.starts_with("file_"))
    return choose_file_metric(name);
  const auto word = " " + std::string(name) + " ";
  for (const auto& n : mpi_names)
    if (n.begin.empty() ? n.names.find(word) != n.names.npos
                        : may_begin && name.starts_with(n.begin))
      return n.metric;

  return std::nullopt;
}

// What follows MPI_ in a name, as C, Fortran, profiling interfaces or TAU spell it.
std::optional<std::string> find_mpi_name(std::string_view name) {
  std::string low;
  for (char c : name.substr(0, name.find('(')))
    low += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (low.starts_with("pmpi_"))
    low.erase(0, 1);
  if (!low.starts_with("mpi_"))
    return std::nullopt;

  low.erase(0, 4);
  for (std::string_view end : {"__", "_", "_f08", "_c"})
    if (low.ends_with(end)) {
      low.resize(low.size() - end.size());
      break;
    }

  return low.empty() ? std::nullopt : std::optional(low);
}

std::optional<Metric> choose_mpi_metric(std::string name, Beginnings beginnings) {
  if (auto found = find_by_name(name, beginnings))
    return found;
  if (name.ends_with("_init"))
    name.resize(name.size() - 5);
  if (auto found = find_by_name(name, beginnings))
    return found;

  return name.starts_with('i') ? find_by_name(std::string_view(name).substr(1), beginnings)
                               : std::nullopt;
}

// The metric of a function that only its name says to be one of MPI. "MPI_Comm_split" is one by its
// beginning; in the spelling of Fortran, mpi_comm_solver_ may be the program's, and only the listed
// names count.
std::optional<Metric> recognise_mpi(std::string_view name) {
  const auto in_mpi = find_mpi_name(name);
  if (!in_mpi)
    return std::nullopt;
  const bool is_c = name.starts_with("MPI_") || name.starts_with("PMPI_");
  if (const auto found =
          choose_mpi_metric(*in_mpi, is_c ? Beginnings::count : Beginnings::do_not_count))
    return found;

  const bool is_other =
      other_names.find(" " + *in_mpi + " ") != other_names.npos ||
      (is_c && std::any_of(other_beginnings.begin(), other_beginnings.end(),
                           [&](auto begin) { return in_mpi->starts_with(begin); }));
  return is_other ? std::optional(Metric::mpi_management_time) : std::nullopt;
}

Metric choose_mpi_metric_by_role(std::uint64_t role) {
  using enum Metric;
  using namespace otf2_value;

  switch (role) {
    case region_role_point2point: return mpi_point_to_point_time;
    case region_role_barrier:
    case region_role_implicit_barrier: return mpi_collective_synchronization_time;
    case region_role_coll_one2all:
    case region_role_coll_all2one:
    case region_role_coll_all2all:
    case region_role_coll_other: return mpi_collective_time;
    case region_role_rma: return mpi_one_sided_time;
    case region_role_file_io:
    case region_role_file_io_metadata: return mpi_individual_file_time;
    default: return mpi_management_time;
  }
}

Metric choose_openmp_metric(std::uint64_t role, std::string_view name) {
  using enum Metric;
  using namespace otf2_value;

  constexpr std::array runs_the_program{region_role_loop,
                                        region_role_code,
                                        region_role_parallel,
                                        region_role_sections,
                                        region_role_section,
                                        region_role_workshare,
                                        region_role_single_sblock,
                                        region_role_master,
                                        region_role_task,
                                        region_role_task_untied,
                                        region_role_critical_sblock,
                                        region_role_ordered_sblock};

  constexpr std::array synchronizes{region_role_single,    region_role_critical,
                                    region_role_atomic,    region_role_barrier,
                                    region_role_ordered,   region_role_implicit_barrier,
                                    region_role_task_wait, region_role_thread_wait};
  const auto is_one_of = [role](const auto& roles) {
    return std::find(roles.begin(), roles.end(), role) != roles.end();
  };

  if (is_one_of(runs_the_program))
    return execution_time;
  if (role == region_role_flush)
    return openmp_flush_time;
  const bool is_lock = name.starts_with("omp_") && name.find("_lock") != name.npos;
  return is_lock || is_one_of(synchronizes) ? openmp_synchronization_time : openmp_management_time;
}

}  // namespace

MpiKnownBy find_mpi_known_by(const Definitions& definitions) {
  const auto is_of_mpi = [](const Definition& d) {
    return d.kind == DefinitionKind::Region &&
           get_field<"paradigm", DefinitionKind::Region>(d) == otf2_value::paradigm_mpi;
  };
  const auto& all = definitions.all();
  return std::any_of(all.begin(), all.end(), is_of_mpi) ? MpiKnownBy::paradigm : MpiKnownBy::name;
}

MpiKnownBy find_mpi_known_by(std::span<const Function> functions) {
  return std::any_of(functions.begin(), functions.end(),
                     [](const Function& f) { return f.paradigm == otf2_value::paradigm_mpi; })
             ? MpiKnownBy::paradigm
             : MpiKnownBy::name;
}

Metric time_metric(std::uint64_t paradigm, std::uint64_t role, std::string_view name,
                   MpiKnownBy known_by) {
  using enum Metric;
  using namespace otf2_value;
  if (paradigm == paradigm_mpi)
    return choose_mpi_metric(find_mpi_name(name).value_or(""), Beginnings::count)
        .value_or(choose_mpi_metric_by_role(role));

  if (paradigm == paradigm_unknown || (is_user_code(paradigm) && known_by == MpiKnownBy::name))
    if (const auto in_mpi = recognise_mpi(name))
      return *in_mpi;

  if (paradigm == paradigm_openmp)
    return choose_openmp_metric(role, name);

  return role == region_role_file_io || role == region_role_file_io_metadata ? other_file_time
                                                                             : execution_time;
}

bool is_fence(std::string_view name) {
  return find_mpi_name(name) == "win_fence";
}

bool may_wait_for_receiver(std::string_view name) {
  const auto in_mpi = find_mpi_name(name);
  return in_mpi != "bsend" && in_mpi != "rsend";
}

MpiBound find_mpi_bound(std::string_view name, Metric time) {
  if (!is_mpi_time(time))
    return MpiBound::none;
  const auto in_mpi = find_mpi_name(name);
  if (in_mpi == "init" || in_mpi == "init_thread")
    return MpiBound::begin;
  return in_mpi == "finalize" ? MpiBound::end : MpiBound::none;
}

}  // namespace tracefold
