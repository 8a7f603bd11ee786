#include "pipeline/iterations/same_calls.hpp"

#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"

#include <utility>

namespace tracefold {

std::vector<CallHash> hash_calls_pass(const Archive& archive, const Plan& plan,
                                      const std::vector<std::size_t>& processes,
                                      const ReadOptions& options, Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), plan.filters);
  const auto ids = find_locations(archive, plan, processes);
  std::vector<CallHash> hashes(plan.processes.size());

  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    CallHashSink sink;
    read_calls(reader, ids[i], functions, sink);
    hashes[processes[i]] = sink.hash();
  });

  return hashes;
}

std::map<std::size_t, IterationCounts> count_iterations_pass(
    const Archive& archive, const Plan& plan, const std::vector<ProcessLoops>& loops,
    const std::vector<std::size_t>& processes, const ReadOptions& options,
    Diagnostics& diagnostics) {
  std::vector<std::size_t> countable;
  std::map<std::size_t, IterationCounts> counts;
  for (auto p : processes)
    if (can_be_counted(loops[p])) {
      countable.push_back(p);
      counts[p] = {};
    }

  const FunctionTable functions(archive.definitions(), plan.filters);
  const auto ids = find_locations(archive, plan, countable);
  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    CountIterations sink(loops[countable[i]]);
    read_calls(reader, ids[i], functions, sink);
    counts.at(countable[i]) = std::move(sink).take();
  });

  std::erase_if(counts, [](const auto& one) { return one.second.empty(); });

  return counts;
}

}  // namespace tracefold
