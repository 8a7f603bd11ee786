#include "pipeline/iterations/script_calls.hpp"

#include "base/for_each_index.hpp"
#include "filters/iterations/align_loops.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/same_calls.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// Where fewer are alike, too little is saved for reading one of them in advance, which one thread
// does alone: at least so many, and so many for each thread.
constexpr std::size_t fewest_alike = 8, fewest_for_thread = 4;
// Rarer kinds of locations are not looked at.
constexpr std::size_t most_kinds = 8;

// Of the memory limit, for all scripts.
constexpr std::uint64_t part_for_scripts = 16;

std::uint64_t count_events(const Definitions& definitions, const Process& process) {
  const auto& location = *definitions.find(Ref::location, process.id);
  return get_field<"numberOfEvents", DefinitionKind::Location>(location);
}

// One process of each kind, ascending: not the first, which is the root of operations that the
// others are not.
std::vector<std::size_t> choose_processes(const Definitions& definitions,
                                          const std::vector<Process>& processes) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_events;
  for (std::size_t p = 0; p < processes.size(); ++p)
    by_events[count_events(definitions, processes[p])].push_back(p);

  const auto fewest = std::max(fewest_alike, fewest_for_thread * count_threads());
  std::vector<std::vector<std::size_t>> kinds;
  for (auto& [events, alike] : by_events)
    if (alike.size() >= fewest && events > 0)
      kinds.push_back(std::move(alike));
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  kinds.resize(std::min(kinds.size(), most_kinds));

  std::vector<std::size_t> chosen;
  chosen.reserve(kinds.size());
  for (const auto& alike : kinds)
    chosen.push_back(alike[alike.size() / 2]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// The loops of processes that would be folded if each were alone in its group.
std::vector<ProcessLoops> find_loops(const Archive& archive, Plan& plan,
                                     const std::vector<std::size_t>& processes,
                                     const FoldOptions& options, const ReadOptions& reading,
                                     Diagnostics& diagnostics) {
  plan.groups.emplace();
  for (auto p : processes)
    plan.groups->emplace_back().members = {p};

  auto loops = find_more_loops_pass(archive, plan, processes, options.asked, reading, diagnostics);
  remove_minor_loops(plan, loops);
  if (!options.folds_unsure)
    remove_unsure_loops(plan, loops);
  return loops;
}

}  // namespace

CallScripts script_calls(const Archive& archive, const std::vector<FilterSection>& filters,
                         const FoldOptions& options, const ReadOptions& reading) {
  const auto& definitions = archive.definitions();
  const FunctionTable functions(definitions, filters);
  if (is_collapsed(definitions) || !functions.contexts().empty())
    return {};

  auto plan = make_plan(archive, filters);
  plan.processes = find_processes(definitions, filters);
  const auto chosen = choose_processes(definitions, plan.processes);
  if (chosen.empty())
    return {};

  Diagnostics quiet;  // these processes are read again
  const auto loops = find_loops(archive, plan, chosen, options, reading, quiet);
  const auto counts = count_iterations_pass(archive, plan, loops, chosen, reading, quiet);
  std::vector<std::size_t> counted;
  counted.reserve(counts.size());
  for (const auto& [process, iterations] : counts)
    counted.push_back(process);

  const ProfileColumns columns(definitions, functions);
  const auto ids = find_locations(archive, plan, counted);
  const auto most_bytes = reading.memory / part_for_scripts / chosen.size();
  std::vector<std::optional<CallScript>> scripts(counted.size());
  for_each_location(archive, ids, reading, quiet, [&](EventReader& reader, std::size_t i) {
    CallScripter sink(columns, definitions, ids[i], counts.at(counted[i]), most_bytes);
    read_calls(reader, ids[i], functions, sink);
    scripts[i] = sink.take();
  });

  CallScripts out;
  for (std::size_t i = 0; i < counted.size(); ++i)
    if (scripts[i])
      out.emplace(count_events(definitions, plan.processes[counted[i]]), std::move(*scripts[i]));
  return out;
}

}  // namespace tracefold
