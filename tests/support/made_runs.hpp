// Runs of programs made from numbers, to be compared: ranks that call what a test says.
#pragma once

#include "filters/groups/group.hpp"
#include "model/comparison/compared_run.hpp"
#include "tests/support/plan_builder.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

// What a rank does at a call path: ticks of a second each.
struct MadeCall {
  std::vector<std::string> path;  // "main", "solve"
  std::uint64_t time = 0, visits = 1, messages = 0, bytes = 0;
};

// A location of a rank; without numbers, the main threads of ranks 0, 1, ... follow on each other.
struct MadeLocation {
  std::uint64_t rank = 0, thread = 0, type = otf2_value::location_type_cpu;
};

// All ranks have one tree; those that do not call a path have no visits of it.
inline ComparedRun make_run(const std::vector<std::vector<MadeCall>>& ranks,
                            const std::vector<MadeLocation>& locations = {}) {
  PlanBuilder builder;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    std::vector<std::pair<std::string, std::string>> calls;
    for (const auto& call : ranks[r])
      calls.emplace_back(call.path.size() > 1 ? call.path[call.path.size() - 2] : "",
                         call.path.back());
    const auto at = locations.empty() ? MadeLocation{r} : locations[r];
    builder.thread(at.rank, at.thread, calls, 1, at.type);
  }

  ComparedRun run;
  run.name = "made";
  run.plan = builder.plan();
  group(run.plan, 1);
  auto& calls = run.calls;
  calls.columns = {{Metric::execution_time, Metric::visits, Metric::sends, Metric::bytes_sent}, {}};
  std::map<std::vector<std::string>, PathIndex> known;
  for (const auto& rank : ranks)
    for (const auto& call : rank)
      if (known.emplace(call.path, static_cast<PathIndex>(calls.paths.size())).second) {
        auto caller = call.path;
        caller.pop_back();
        FunctionIndex function = 0;
        while (run.plan.functions[function].name != call.path.back())
          ++function;
        calls.paths.push_back({caller.empty() ? no_path : known.at(caller), function});
      }

  for (const auto& rank : ranks) {
    std::map<PathIndex, const MadeCall*> rows;
    for (const auto& call : rank)
      rows[known.at(call.path)] = &call;
    auto& process = calls.processes.emplace_back();
    process.shape = static_cast<std::uint32_t>(calls.shapes.size());
    auto& shape = calls.shapes.emplace_back();
    for (const auto& [path, call] : rows) {
      shape.paths.push_back(path);
      shape.callers.push_back(no_path);
      process.values.insert(process.values.end(),
                            {call->time, call->visits, call->messages, call->bytes});
    }
  }
  return run;
}

}  // namespace tracefold::testing
