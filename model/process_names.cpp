#include "model/process_names.hpp"

#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// How a process is named: what its numbers are of, and these.
enum class Kind : std::uint8_t { rank, process, location };

Kind find_kind(const Process& process) {
  if (process.rank)
    return Kind::rank;
  return process.creator ? Kind::location : Kind::process;
}

std::uint64_t find_number(const Process& process) {
  switch (find_kind(process)) {
    case Kind::rank: return *process.rank;
    case Kind::process: return process.location_group;
    case Kind::location: break;
  }
  return process.id;
}

const char* name_kind(Kind kind) {
  switch (kind) {
    case Kind::rank: return "rank ";
    case Kind::process: return "process ";
    case Kind::location: break;
  }
  return "location ";
}

// Measurement systems name a stream of an accelerator after its device: "CUDA[3:0]".
bool is_named_stream(const Process& process) {
  const std::string_view name = process.name;
  const auto begin = name.rfind('[');
  return begin != name.npos && begin > 0 && name.ends_with(']') &&
         name.find(':', begin) != name.npos;
}

// "CUDA[3:" and 0 of "CUDA[3:0]"; without a number the whole name.
std::pair<std::string, std::optional<std::uint64_t>> split_stream(const std::string& name) {
  const auto colon = name.rfind(':');
  std::uint64_t number = 0;
  const auto* const last = name.data() + name.size() - 1;
  const auto [end, problem] = std::from_chars(name.data() + colon + 1, last, number);
  if (problem != std::errc() || end != last)
    return {name, std::nullopt};
  return {name.substr(0, colon + 1), number};
}

}  // namespace

std::string name_process(const Process& process) {
  if (is_named_stream(process))
    return process.name + (process.rank ? fmt::format(" of rank {}", *process.rank) : "");
  const auto kind = find_kind(process);
  const bool has_thread = process.thread > 0 && kind != Kind::location;
  return fmt::format("{}{}", name_kind(kind), find_number(process)) +
         (has_thread ? fmt::format(" thread {}", process.thread) : "");
}

namespace {

// Places that are told together: threads of ranks or of processes, or locations.
struct Places {
  Kind kind;
  std::string numbers, threads;  // as ranges; without threads: the first ones
};

std::vector<Places> find_places(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::map<std::pair<Kind, std::uint64_t>, std::vector<std::uint64_t>> numbers_of_threads;
  for (const auto p : processes) {
    const auto& process = plan.processes.at(p);
    const auto kind = find_kind(process);
    const auto thread = kind == Kind::location ? 0 : process.thread;
    numbers_of_threads[{kind, thread}].push_back(find_number(process));
  }

  // Threads of the same ranks are named together, but first threads are ranks.
  std::map<std::tuple<Kind, bool, std::string>, std::vector<std::uint64_t>> threads_of;
  for (auto& [place, numbers] : numbers_of_threads) {
    sort_and_unite(numbers);
    threads_of[{place.first, place.second > 0, to_ranges(numbers)}].push_back(place.second);
  }

  std::vector<Places> places;
  for (const auto& [place, threads] : threads_of) {
    const auto& [kind, has_threads, numbers] = place;
    places.push_back({kind, numbers, has_threads ? to_ranges(threads) : ""});
  }
  return places;
}

// "CUDA[0:7,13-14] of rank 0", "CUDA[1:7] of ranks 1-3".
void add_streams(const Plan& plan, const std::vector<std::size_t>& streams,
                 std::vector<std::string>& texts) {
  std::map<std::string, std::vector<std::uint64_t>> ranks_of;
  for (const auto p : streams) {
    const auto& stream = plan.processes.at(p);
    auto& ranks = ranks_of[stream.name];
    if (stream.rank)
      ranks.push_back(*stream.rank);
  }

  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> numbers_of;
  for (auto& [name, ranks] : ranks_of) {
    sort_and_unite(ranks);
    const auto of_ranks = ranks.empty() ? std::string()
                                        : fmt::format(" of rank{} {}", ranks.size() == 1 ? "" : "s",
                                                      to_ranges(ranks));
    const auto [begin, number] = split_stream(name);
    auto& numbers = numbers_of[{begin, of_ranks}];
    if (number)
      numbers.push_back(*number);
  }

  for (auto& [place, numbers] : numbers_of) {
    sort_and_unite(numbers);
    texts.push_back(place.first + (numbers.empty() ? "" : to_ranges(numbers) + "]") + place.second);
  }
}

// Whether all that the plan has are threads of one process without a rank.
bool is_single_process(const Plan& plan) {
  return std::all_of(plan.processes.begin(), plan.processes.end(), [&](const Process& process) {
    return find_kind(process) == Kind::process &&
           process.location_group == plan.processes.front().location_group;
  });
}

std::vector<std::uint64_t> list_threads(const Plan& plan,
                                        const std::vector<std::size_t>& processes) {
  std::vector<std::uint64_t> threads;
  for (const auto p : processes)
    threads.push_back(plan.processes.at(p).thread);
  sort_and_unite(threads);
  return threads;
}

// `says_rank`: whether ranks are called so.
std::vector<std::string> write_places(const Plan& plan, const std::vector<std::size_t>& processes,
                                      bool says_rank) {
  auto threads_of_cpus = processes;
  const auto first_stream =
      std::stable_partition(threads_of_cpus.begin(), threads_of_cpus.end(),
                            [&](std::size_t p) { return !is_named_stream(plan.processes.at(p)); });
  const std::vector<std::size_t> streams(first_stream, threads_of_cpus.end());
  threads_of_cpus.erase(first_stream, threads_of_cpus.end());

  std::vector<std::string> texts;
  if (!threads_of_cpus.empty() && is_single_process(plan))
    texts.push_back("thread " + to_ranges(list_threads(plan, threads_of_cpus)));
  else
    for (const auto& [kind, numbers, threads] : find_places(plan, threads_of_cpus))
      texts.push_back((kind == Kind::rank && !says_rank ? "" : name_kind(kind)) + numbers +
                      (threads.empty() ? "" : " thread " + threads));
  add_streams(plan, streams, texts);
  return texts;
}

}  // namespace

std::string list_places(const Plan& plan, const std::vector<std::size_t>& processes) {
  return fmt::format("{}", fmt::join(write_places(plan, processes, false), ", "));
}

std::vector<std::string> name_places(const Plan& plan, const std::vector<std::size_t>& processes) {
  return write_places(plan, processes, true);
}

}  // namespace tracefold
