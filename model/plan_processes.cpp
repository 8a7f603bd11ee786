#include "model/plan_processes.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/whole_number.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

// Runs of location groups: so many processes, the group of the first, and from each to the next.
Json location_groups_json(const std::vector<Process>& processes) {
  const auto group = [&](std::size_t p) { return processes[p].location_group; };
  Json runs = Json::array();

  for (std::size_t begin = 0, end = 0; begin < processes.size(); begin = end) {
    end = begin + 1;
    std::uint64_t step = 0;
    if (end < processes.size() && group(end) >= group(begin))
      step = group(end) - group(begin);
    while (end < processes.size() && group(end) - group(end - 1) == step)
      ++end;

    runs.push_back({end - begin, group(begin), step});
  }

  return runs;
}

// Runs of names: so many processes, their name, and whether the number of the location group
// follows it.
template <class GetName>
Json names_json(const std::vector<Process>& processes, GetName&& get_name) {
  Json runs = Json::array();
  std::size_t count = 0;
  std::pair<std::string, bool> last;
  const auto put = [&] {
    if (count > 0)
      runs.push_back({count, last.first, last.second});
    count = 0;
  };

  for (const auto& process : processes) {
    std::pair<std::string, bool> name{get_name(process), false};
    const auto number = std::to_string(process.location_group);
    if (name.first.ends_with(number))
      name = {name.first.substr(0, name.first.size() - number.size()), true};
    if (name != last)
      put();
    last = std::move(name);
    ++count;
  }

  put();

  return runs;
}

[[noreturn]] void throw_unfit_runs() {
  throw Error(ErrorKind::input, "the processes of the plan do not fit together");
}

// Calls use(process, place in the run) for each process of a run, and returns the process behind.
template <class Use>
std::size_t read_run(const Json& run, std::size_t first, std::vector<Process>& processes,
                     Use&& use) {
  const auto count = read_whole(run.at(0));
  if (count > processes.size() - first)
    throw_unfit_runs();
  for (std::size_t k = 0; k < count; ++k)
    use(processes[first + k], k);

  return first + count;
}

void read_location_groups(const Json& in, std::vector<Process>& processes) {
  std::size_t next = 0;
  for (const auto& run : in) {
    const auto group = read_whole(run.at(1)), step = read_whole(run.at(2));
    next = read_run(run, next, processes, [&](Process& process, std::size_t k) {
      process.location_group = group + k * step;
    });
  }

  if (next != processes.size())
    throw_unfit_runs();
}

void read_names(const Json& in, std::vector<Process>& processes, std::string Process::*name) {
  std::size_t next = 0;
  auto left = most_process_name_bytes;
  for (const auto& run : in) {
    const auto& text = run.at(1).get_ref<const std::string&>();
    const bool has_number = run.at(2);
    const auto count = read_whole<std::size_t>(run.at(0));
    if (count > left / std::max<std::size_t>(text.size(), 1))
      throw_unfit_runs();
    left -= count * text.size();
    next = read_run(run, next, processes, [&](Process& process, std::size_t) {
      process.*name = has_number ? text + std::to_string(process.location_group) : text;
    });
  }

  if (next != processes.size())
    throw_unfit_runs();
}

// The ids of the processes that have something.
std::string list_ids(const std::vector<Process>& processes, bool Process::*has) {
  std::vector<std::uint64_t> ids;
  for (const auto& process : processes)
    if (process.*has)
      ids.push_back(process.id);
  return to_ranges(ids);
}

void read_ids(const Json& in, std::vector<Process>& processes, bool Process::*has) {
  const auto& text = in.get_ref<const std::string&>();
  if (text.empty())
    return;
  for (auto id : parse_ranges(text, processes.size())) {
    const auto at = std::lower_bound(processes.begin(), processes.end(), id,
                                     [](const Process& p, std::uint64_t of) { return p.id < of; });
    if (at == processes.end() || at->id != id)
      throw_unfit_runs();
    (*at).*has = true;
  }
}

}  // namespace

Json named_processes_to_json(const std::vector<Process>& processes) {
  std::vector<std::uint64_t> ids;
  for (const auto& process : processes)
    ids.push_back(process.id);

  return {{"ids", to_ranges(ids)},
          {"talks", list_ids(processes, &Process::has_messages)},
          {"damaged", list_ids(processes, &Process::damaged)},
          {"location_groups", location_groups_json(processes)},
          {"names", names_json(processes, [](const auto& p) { return p.name; })},
          {"location_group_names",
           names_json(processes, [](const auto& p) { return p.location_group_name; })}};
}

std::vector<Process> named_processes_from_json(const Json& in, std::size_t most) {
  std::vector<Process> processes;
  for (auto id : parse_ranges(in.at("ids").get_ref<const std::string&>(), most)) {
    if (!processes.empty() && processes.back().id >= id)
      throw Error(ErrorKind::input, "the processes of the plan are not in ascending order");
    processes.emplace_back().id = id;
  }

  read_location_groups(in.at("location_groups"), processes);
  read_names(in.at("names"), processes, &Process::name);
  read_names(in.at("location_group_names"), processes, &Process::location_group_name);
  read_ids(in.at("talks"), processes, &Process::has_messages);
  read_ids(in.at("damaged"), processes, &Process::damaged);

  return processes;
}

}  // namespace tracefold
