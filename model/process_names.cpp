#include "model/process_names.hpp"

#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <utility>

namespace tracefold {

std::string name_process(const Process& process) {
  if (!process.rank)
    return fmt::format("location {}", process.id);

  return fmt::format("rank {}", *process.rank) +
         (process.thread ? fmt::format(" thread {}", process.thread) : "");
}

std::string list_places(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::map<std::uint64_t, std::vector<std::uint64_t>> ranks_of_threads;
  std::vector<std::uint64_t> locations;
  for (const auto p : processes) {
    const auto& process = plan.processes.at(p);
    if (process.rank)
      ranks_of_threads[process.thread].push_back(*process.rank);
    else
      locations.push_back(process.id);
  }

  // Threads of the same ranks are named together, but first threads are ranks.
  std::map<std::pair<bool, std::string>, std::vector<std::uint64_t>> threads_of_ranks;
  for (auto& [thread, ranks] : ranks_of_threads) {
    sort_and_unite(ranks);
    threads_of_ranks[{thread > 0, to_ranges(ranks)}].push_back(thread);
  }

  std::vector<std::string> places;
  for (const auto& [ranks, threads] : threads_of_ranks)
    places.push_back(ranks.second + (ranks.first ? " thread " + to_ranges(threads) : ""));
  if (!locations.empty())
    places.push_back("location " + to_ranges(locations));

  return fmt::format("{}", fmt::join(places, ", "));
}

}  // namespace tracefold
