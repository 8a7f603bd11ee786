#include "filters/groups/process_names.hpp"

#include "base/ranges.hpp"
#include "otf2/definition.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

using Ids = std::vector<std::uint64_t>;

// What a thread that is not the first of its process is called.
std::string thread_word(const Plan& plan, const Process& process) {
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
  int order;  // of the words
  std::string word;
  bool ranked, threaded;
  auto operator<=>(const Kind&) const = default;
};

Kind kind_of(const Plan& plan, const Process& process) {
  const bool ranked = process.rank.has_value();
  switch (plan.intents[process.intent].set.type) {
    case otf2_value::location_type_accelerator: return {2, "GPU", ranked, true};
    case otf2_value::location_type_metric: return {3, "metrics", ranked, true};
    default: break;
  }

  if (process.thread == 0 || process.listed)
    return {0, ranked ? "MPI" : "process", ranked, false};

  return {1, thread_word(plan, process), ranked, true};
}

Ids ascending(Ids ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

std::vector<std::string> condensed_names(const Plan& plan,
                                         const std::vector<std::size_t>& members) {
  std::map<Kind, std::map<std::uint64_t, Ids>> found;  // threads by process by kind

  for (auto m : members) {
    const auto& process = plan.processes[m];
    const auto kind = kind_of(plan, process);
    found[kind][process.rank.value_or(process.location_group)].push_back(
        kind.threaded ? process.thread : 0);
  }

  std::vector<std::string> names;

  for (const auto& [kind, threads_of] : found) {
    std::map<Ids, Ids> processes_of;  // those with the same threads
    for (const auto& [process, threads] : threads_of)
      processes_of[ascending(threads)].push_back(process);

    std::vector<std::pair<Ids, Ids>> in_order;
    in_order.reserve(processes_of.size());
    for (const auto& [threads, processes] : processes_of)
      in_order.emplace_back(processes, threads);

    std::sort(in_order.begin(), in_order.end());
    for (const auto& [processes, threads] : in_order)
      names.push_back(kind.word + " " + to_ranges(processes) +
                      (kind.threaded ? "/" + to_ranges(threads) : ""));
  }

  return names;
}

}  // namespace tracefold
