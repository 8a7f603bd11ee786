#include "filters/groups/process_names.hpp"

#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <utility>

namespace tracefold {

namespace {

using Ids = std::vector<std::uint64_t>;

// The word for a thread that is not the first of its process, by the paradigm of what it calls.
std::string choose_thread_word(const Plan& plan, const Process& process) {
  for (const auto& pair : plan.intents[process.intent].set.pairs) {
    const auto paradigm = plan.functions[pair.callee].paradigm;
    if (paradigm == otf2_value::paradigm_openmp)
      return "OMP";
    if (paradigm == otf2_value::paradigm_pthread)
      return "PTHREAD";
  }

  return "thread";
}

struct Kind {
  int order;  // of the texts; the first member is compared first
  std::string word;
  bool has_rank;
  bool is_thread;  // named by process and thread, else by process alone

  auto operator<=>(const Kind&) const = default;
};

Kind find_kind(const Plan& plan, const Process& process) {
  const bool has_rank = process.rank.has_value();

  switch (plan.intents[process.intent].set.type) {
    case otf2_value::location_type_accelerator: return {2, "GPU", has_rank, true};
    case otf2_value::location_type_metric: return {3, "metrics", has_rank, true};
    default: break;
  }

  if (process.thread == 0 || process.is_mpi_endpoint)
    return {0, has_rank ? "MPI" : "process", has_rank, false};

  return {1, choose_thread_word(plan, process), has_rank, true};
}

}  // namespace

std::vector<std::string> condense_names(const Plan& plan, const std::vector<std::size_t>& members) {
  std::map<Kind, std::map<std::uint64_t, Ids>> threads_by_kind;  // and by number of the owner

  for (auto member : members) {
    const auto& process = plan.processes[member];
    const auto kind = find_kind(plan, process);
    const auto number = process.owner().second;
    threads_by_kind[kind][number].push_back(kind.is_thread ? process.thread : 0);
  }

  std::vector<std::string> names;

  for (auto& [kind, threads_by_process] : threads_by_kind) {
    std::map<Ids, Ids> processes_by_threads;  // processes with the same threads
    for (auto& [process, threads] : threads_by_process) {
      sort_and_unite(threads);
      processes_by_threads[threads].push_back(process);
    }

    std::vector<std::pair<Ids, Ids>> in_order;  // processes, their threads
    in_order.reserve(processes_by_threads.size());
    for (const auto& [threads, processes] : processes_by_threads)
      in_order.emplace_back(processes, threads);

    std::sort(in_order.begin(), in_order.end());

    for (const auto& [processes, threads] : in_order)
      names.push_back(kind.word + " " + to_ranges(processes) +
                      (kind.is_thread ? "/" + to_ranges(threads) : ""));
  }

  return names;
}

}  // namespace tracefold
