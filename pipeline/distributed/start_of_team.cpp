#include "pipeline/distributed/start_of_team.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace tracefold {

namespace {

std::optional<long> read_number(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text)
    return std::nullopt;
  const std::string_view digits = text;
  long number = 0;
  const auto [end, problem] = std::from_chars(digits.begin(), digits.end(), number);
  if (problem != std::errc() || end != digits.end())
    return std::nullopt;
  return number;
}

std::optional<long> read_first_number(std::initializer_list<const char*> variables) {
  for (const auto* variable : variables)
    if (const auto number = read_number(variable))
      return number;
  return std::nullopt;
}

constexpr std::size_t most_cores = 8192;
using CoreMask = std::vector<unsigned char>;  // a byte for each core, 1 where it may be used

CoreMask read_core_mask() {
  CoreMask mask(most_cores, 0);
  cpu_set_t* cores = CPU_ALLOC(most_cores);
  const auto bytes = CPU_ALLOC_SIZE(most_cores);
  CPU_ZERO_S(bytes, cores);
  if (::sched_getaffinity(0, bytes, cores) == 0)
    for (std::size_t core = 0; core < most_cores; ++core)
      mask[core] = CPU_ISSET_S(core, bytes, cores) ? 1 : 0;
  CPU_FREE(cores);
  return mask;
}

}  // namespace

// On one node all are started at once; many nodes may be seconds apart, and more the more they are.
double choose_start_limit() {
  const auto all = read_first_number(
      {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
  const auto here = read_first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  const auto rank =
      read_first_number({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"});
  const auto behind_first = 0.7 * static_cast<double>(std::clamp(rank.value_or(0), 0L, 3L));
  constexpr double on_one_node = 12, on_many = 60, for_each_process = 0.1;
  if (all && here && *all == *here)
    return behind_first + on_one_node + for_each_process * static_cast<double>(*all);
  return behind_first + on_many + for_each_process * static_cast<double>(all.value_or(0));
}

namespace {

long count_slurm_tasks() {
  return read_first_number({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}).value_or(1);
}

std::string describe_wrong_plugin() {
  return "Slurm has " + std::to_string(count_slurm_tasks()) +
         " tasks, but this process is alone: MPI was not told of the others (start it with 'srun "
         "`mpi`=pmix', or 'srun `mpi`=pmi2' for MPICH)";
}

}  // namespace

std::optional<std::string> find_missing_plugin() {
  if (count_slurm_tasks() <= 1 || !std::getenv("SLURM_PROCID"))
    return std::nullopt;
  for (const auto* of_launchers :
       {"PMIX_RANK", "PMI_RANK", "PMI_FD", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE"})
    if (std::getenv(of_launchers))
      return std::nullopt;
  return describe_wrong_plugin();
}

std::optional<std::string> find_wrong_start(int size) {
  // Launchers of MPI say of how many processes they know, which may be one.
  if (size != 1 || count_slurm_tasks() <= 1 ||
      read_first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) == 1)
    return std::nullopt;
  return describe_wrong_plugin();
}

bool is_first_of_start() {
  return read_number("SLURM_PROCID").value_or(0) == 0;
}

NodeShare measure_node_share(MPI_Comm members) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(members, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  int count = 1;
  MPI_Comm_size(node, &count);
  const auto own = read_core_mask();
  std::vector<int> users(own.begin(), own.end());  // of each core
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, users.data(), static_cast<int>(users.size()), MPI_INT,
                          MPI_SUM, node));
  MPI_Comm_free(&node);

  double cores = 0;
  for (std::size_t core = 0; core < own.size(); ++core)
    if (own[core])
      cores += 1.0 / users[core];
  constexpr double rounding = 1e-6;
  return {static_cast<std::size_t>(count),
          std::max<std::size_t>(1, static_cast<std::size_t>(cores + rounding))};
}

}  // namespace tracefold
