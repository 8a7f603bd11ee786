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

namespace {

// Places that are told together: threads of ranks, or locations that are in none.
struct Places {
  std::string ranks, threads;  // as ranges; without threads: the first ones
  std::string locations = {};
};

std::vector<Places> find_places(const Plan& plan, const std::vector<std::size_t>& processes) {
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

  std::vector<Places> places;
  for (const auto& [ranks, threads] : threads_of_ranks)
    places.push_back({ranks.second, ranks.first ? to_ranges(threads) : ""});
  if (!locations.empty())
    places.push_back({"", "", to_ranges(locations)});

  return places;
}

std::string write_places(const Places& places) {
  if (!places.locations.empty())
    return "location " + places.locations;
  return places.ranks + (places.threads.empty() ? "" : " thread " + places.threads);
}

}  // namespace

std::string list_places(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::string list;
  for (const auto& places : find_places(plan, processes))
    list += (list.empty() ? "" : ", ") + write_places(places);

  return list;
}

std::vector<std::string> name_places(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::vector<std::string> names;
  for (const auto& places : find_places(plan, processes))
    names.push_back((places.locations.empty() ? "rank " : "") + write_places(places));

  return names;
}

}  // namespace tracefold
