#include "pipeline/facts/stored_calls.hpp"

#include "model/plan.hpp"
#include "model/profile/function_names.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/facts/merge_call_paths.hpp"
#include "pipeline/facts/whole_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

// The old column that a new one is; none: it is 0. Counters may count in other steps.
struct ColumnSource {
  std::optional<std::size_t> column;
  const Counter* from = nullptr;
  const Counter* to = nullptr;

  std::uint64_t convert(std::uint64_t value) const {
    return to ? from->convert(value, *to) : value;
  }
};
using ColumnSources = std::vector<ColumnSource>;  // by new column

// What is handed in must stay.
ColumnSources find_columns(const MetricColumns& from, const MetricColumns& to) {
  ColumnSources sources;
  for (auto metric : to.measured)
    sources.push_back({from.find(metric)});
  for (const auto& counter : to.counters) {
    const auto column = from.find(counter.name);
    sources.push_back({column, column ? from.counter(*column) : nullptr, &counter});
  }

  return sources;
}

// A process of some profiles, and the one that it becomes.
struct Moved {
  std::size_t from = 0;
  std::size_t to = 0;
};

// The profiles of some processes over a tree that has only what they call.
CallPathPart make_part(const CallPathProfiles& profiles, const std::vector<Moved>& moved,
                       const std::vector<FunctionIndex>& functions, const ColumnSources& sources) {
  std::vector<bool> is_used(profiles.paths.size());
  for (const auto& [from, to] : moved)
    for (auto path : profiles.shape(from).paths)
      is_used[path] = true;

  std::vector<CallPath> tree(1);
  std::vector<PathIndex> number(profiles.paths.size());
  for (std::size_t p = 0; p < profiles.paths.size(); ++p) {
    if (!is_used[p])
      continue;
    const auto [caller, function] = profiles.paths[p];
    number[p] = static_cast<PathIndex>(tree.size());
    tree.push_back({caller == no_path ? 0 : number[caller], functions[function]});
  }

  CallPathPart part;
  part.set_tree(tree);
  for (const auto& [from, to] : moved) {
    const auto& paths = profiles.shape(from).paths;
    CallPathPart::Paths numbers;
    std::vector<std::uint64_t> values;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      numbers.push_back(number[paths[k]]);
      for (const auto& source : sources)
        values.push_back(source.column ? source.convert(profiles.value(from, k, *source.column))
                                       : 0);
    }

    std::vector<std::uint64_t> outside;
    if (const auto& known = profiles.processes[from].outside; !known.empty())
      for (const auto& source : sources)
        outside.push_back(source.column ? source.convert(known[*source.column]) : 0);
    if (std::all_of(outside.begin(), outside.end(), [](auto value) { return value == 0; }))
      outside.clear();
    part.add(to, std::move(numbers), std::move(values), std::move(outside));
  }

  return part;
}

// The index in `functions` of each of those that are stored; those that are missing are added.
std::vector<FunctionIndex> find_functions(const std::vector<Function>& stored,
                                          std::vector<Function>& functions) {
  std::map<Function, FunctionIndex> known;
  for (std::size_t f = 0; f < functions.size(); ++f)
    known.try_emplace(functions[f], static_cast<FunctionIndex>(f));

  std::vector<FunctionIndex> indexes;
  for (const auto& function : stored) {
    const auto next = static_cast<FunctionIndex>(functions.size());
    const auto [at, is_new] = known.try_emplace(function, next);
    if (is_new)
      functions.push_back(function);
    indexes.push_back(at->second);
  }

  return indexes;
}

// By path: whether filters drop its calls.
std::vector<bool> find_dropped_paths(const Aggregates& calls,
                                     const std::vector<FilterSection>& filters) {
  const auto max_depth = find_max_depth(filters);
  std::vector<bool> is_dropped;
  std::vector<std::uint64_t> depths;  // number of calls around
  for (const auto& path : calls.profiles.paths) {
    const auto& function = calls.functions[path.function];
    const auto depth = path.caller == no_path ? 0 : depths[path.caller] + 1;
    depths.push_back(depth);
    is_dropped.push_back(tracefold::is_dropped(function, filters) ||
                         (max_depth && depth >= *max_depth &&
                          is_dropped_when_deep(function, calls.time_metrics[path.function])));
  }
  return is_dropped;
}

std::vector<FunctionIndex> list_all_functions(std::size_t count) {
  std::vector<FunctionIndex> all(count);
  for (std::size_t f = 0; f < count; ++f)
    all[f] = static_cast<FunctionIndex>(f);
  return all;
}

}  // namespace

std::optional<StoredCalls> StoredCalls::read(const Archive& archive,
                                             const std::vector<FilterSection>& filters,
                                             StoredColumns columns, Diagnostics& diagnostics) {
  const auto earlier = find_earlier_reductions(archive.definitions());
  if (earlier.empty() || is_whole(archive.facts()))
    return std::nullopt;
  const auto program = read_stored_program(archive, diagnostics);
  if (!program) {
    if (is_collapsed(archive.definitions()))
      diagnostics.note(
          "iterations that were folded count as 'iteration ≈ #K' only: nothing is stored of them "
          "beside the trace");
    return std::nullopt;
  }

  const auto locations = list_process_locations(archive.definitions());
  std::vector<std::uint64_t> sources;
  for (auto location : locations)
    sources.push_back(find_first_original(earlier, location));
  std::sort(sources.begin(), sources.end());
  StoredCalls out;
  out.calls_ = keep_locations(program->read_calls(columns), sources);
  out.calls_ = drop_paths(out.calls_, find_dropped_paths(out.calls_, filters));
  for (auto location : locations)
    if (const auto place = out.calls_.find(find_first_original(earlier, location)))
      out.places_.emplace(location, *place);
  if (!out.places_.empty())
    diagnostics.note(fmt::format("what was folded and left out is counted, too: counts exactly, {}",
                                 describe_detail(*program)));
  return out;
}

bool StoredCalls::replace(CallPathProfiles& profiles, const std::vector<std::uint64_t>& locations,
                          const std::vector<std::size_t>& processes,
                          std::vector<Function>& functions) const {
  std::vector<Moved> read, stored;
  for (std::size_t p = 0; p < profiles.processes.size(); ++p) {
    const auto at = places_.find(locations[p]);
    if (at != places_.end() && std::binary_search(processes.begin(), processes.end(), p))
      stored.push_back({at->second, p});
    else
      read.push_back({p, p});
  }
  if (stored.empty())
    return false;

  auto all_columns = calls_.profiles.columns;
  if (!read.empty())
    all_columns.cut_off(profiles.columns.cut);
  const auto known = list_all_functions(functions.size());
  std::vector<CallPathPart> parts;
  parts.push_back(make_part(profiles, read, known, find_columns(profiles.columns, all_columns)));
  parts.push_back(make_part(calls_.profiles, stored, find_functions(calls_.functions, functions),
                            find_columns(calls_.profiles.columns, all_columns)));
  profiles = merge_call_paths(std::move(parts), all_columns, locations.size());
  make_names_unique(functions);

  return true;
}

}  // namespace tracefold
