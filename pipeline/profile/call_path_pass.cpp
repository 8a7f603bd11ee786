#include "pipeline/profile/call_path_pass.hpp"

#include "filters/groups/group.hpp"
#include "pipeline/events/each_location.hpp"
#include "pipeline/events/report_location.hpp"
#include "pipeline/profile/call_path_sink.hpp"
#include "pipeline/profile/merge_call_trees.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/profile/profile_sink.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

// Calls into a call tree, other records into a profile without calls.
struct PathsAndRecords {
  CallPathSink paths;
  ProfileSink records;

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    paths.enter(call, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    paths.leave(call, attributes);
  }
  [[gnu::always_inline]] void other(const Event& event) { records.other(event); }
  void unknown(std::uint64_t time) { records.unknown(time); }
};

// What one thread finds. Sets of paths are told apart here first, so that
// threads need not wait for each other.
struct Findings {
  PathsAndRecords sink;
  std::set<std::vector<PathIndex>> shapes;
};

// The paths of a process, by the findings that hold them.
struct Found {
  const Findings* by = nullptr;
  const std::vector<PathIndex>* shape = nullptr;
  std::vector<std::uint64_t> visits, exclusive;
  // What other records tell.
  std::uint64_t events = 0;
  bool whole = true, exchanges_messages = false;
  Intent intent;  // without call pairs
};

using Threads = oneapi::tbb::enumerable_thread_specific<Findings>;

void read_location(EventReader& reader, const Archive& archive, const FunctionTable& functions,
                   std::uint64_t id, bool report, Findings& mine, Found& found,
                   Diagnostics& diagnostics) {
  CleanEvents<PathsAndRecords> events(functions, mine.sink);
  found.whole = reader.read(id, events);
  events.finish();
  auto paths = mine.sink.paths.take();
  auto rest = mine.sink.records.take(archive.definitions().find(Ref::location, id)->fields[2]);
  found.events =
      rest.events + 2 * std::accumulate(paths.visits.begin(), paths.visits.end(), std::uint64_t{0});
  found.exchanges_messages = rest.exchanges_messages;
  found.intent = std::move(rest.intent);
  if (!paths.paths.empty())
    found.intent.metrics.clear();

  found.by = &mine;
  found.shape = &*mine.shapes.insert(std::move(paths.paths)).first;
  found.visits = std::move(paths.visits);
  found.exclusive = std::move(paths.exclusive);
  if (report)
    report_location(archive.definitions(), id, reader.records(), rest.unknown_records, found.whole,
                    events, diagnostics);

  if (paths.folded)
    diagnostics.warn(fmt::format("recursive calls beyond {} call paths were counted for the open "
                                 "call of their function; inclusive times may be too small",
                                 CallPathSink::most_paths),
                     fmt::format("location {}", id), paths.folded);
}

std::vector<std::uint64_t> in_order(const std::vector<std::uint64_t>& values,
                                    const std::vector<std::uint32_t>& places) {
  std::vector<std::uint64_t> out;
  out.reserve(places.size());
  for (auto place : places)
    out.push_back(values[place]);
  return out;
}

// Translates what threads have found into one call-path profile.
CallProfile collected(std::vector<Found>& found, const Threads& threads) {
  std::vector<std::span<const CallPath>> trees;
  std::map<const Findings*, std::size_t> tree_of;
  for (const auto& thread : threads) {
    tree_of.emplace(&thread, trees.size());
    trees.push_back(thread.sink.paths.paths());
  }

  auto merged = merge_call_trees(trees);
  CallProfile out{std::move(merged.paths), {}, {}};
  std::map<std::vector<PathIndex>, std::uint32_t> known;
  std::map<const std::vector<PathIndex>*, std::pair<std::uint32_t, std::vector<std::uint32_t>>>
      translated;  // the shape, and its places
  static const std::vector<PathIndex> none;

  for (auto& f : found) {
    const auto& set = f.shape ? *f.shape : none;
    auto [at, fresh] = translated.try_emplace(&set);
    if (fresh) {
      auto [shape, places] = shape_of(set, f.by ? merged.from[tree_of[f.by]] : none, out.paths);
      const auto [place, unknown] =
          known.try_emplace(shape.paths, static_cast<std::uint32_t>(known.size()));
      if (unknown)
        out.shapes.push_back(std::move(shape));
      at->second = {place->second, std::move(places)};
    }

    const auto& [shape, places] = at->second;
    out.processes.push_back({shape, in_order(f.visits, places), in_order(f.exclusive, places)});
    f.visits = {}, f.exclusive = {};
  }

  return out;
}

CallProfile read_all(const Archive& archive, const FunctionTable& functions,
                     const std::vector<std::uint64_t>& ids, const std::vector<std::size_t>& members,
                     bool report, std::vector<Found>& found, const ReadOptions& options,
                     Diagnostics& diagnostics) {
  Threads threads([&] {
    return Findings{{CallPathSink(), ProfileSink(archive.definitions(), 0)}, {}};
  });
  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    read_location(reader, archive, functions, ids[i], report, threads.local(), found[members[i]],
                  diagnostics);
  });

  return collected(found, threads);
}

// The call pairs of a shape, ascending.
std::vector<CallPair> pairs_of(const CallShape& shape, const std::vector<CallPath>& paths) {
  std::vector<CallPair> pairs;
  for (auto path : shape.paths) {
    const auto caller = paths[path].caller;
    pairs.push_back(
        {caller == no_path ? virtual_root : paths[caller].function, paths[path].function});
  }

  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());

  return pairs;
}

// The exclusive times of the functions that a process calls, summed over its paths.
std::vector<std::uint64_t> flat_times(const CallProfile& profile, std::size_t process,
                                      const std::vector<FunctionIndex>& called) {
  std::vector<std::uint64_t> times(called.size());
  const auto& paths = profile.shape_of(process).paths;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const auto at =
        std::lower_bound(called.begin(), called.end(), profile.paths[paths[k]].function);
    times[static_cast<std::size_t>(at - called.begin())] += profile.processes[process].exclusive[k];
  }

  return times;
}

// The profiles that a pass without call paths would have given.
Profiles flat_profiles(const CallProfile& profile, std::vector<Found>& found) {
  Profiles out;
  std::vector<std::vector<CallPair>> pairs;
  for (const auto& shape : profile.shapes)
    pairs.push_back(pairs_of(shape, profile.paths));

  std::map<Intent, std::uint32_t> known;
  std::map<std::pair<std::uint32_t, std::pair<std::uint64_t, std::vector<std::string>>>,
           std::uint32_t>
      of_shape;  // by type and metrics, too

  for (std::size_t i = 0; i < found.size(); ++i) {
    auto& intent = found[i].intent;
    const auto shape = profile.processes[i].shape;
    auto [at, fresh] = of_shape.try_emplace({shape, {intent.type, intent.metrics}});
    if (fresh) {
      intent.pairs = pairs[shape];
      at->second =
          known.try_emplace(intent, static_cast<std::uint32_t>(known.size())).first->second;
      if (at->second == out.intents.size())
        out.intents.push_back(intent);
    }

    out.processes.push_back(
        {at->second, flat_times(profile, i, functions_called(out.intents[at->second]))});
  }

  return out;
}

}  // namespace

CallProfile call_paths(const Archive& archive, const Plan& plan,
                       const std::vector<std::size_t>& members, const ReadOptions& options,
                       Diagnostics& diagnostics) {
  std::vector<std::uint64_t> ids;

  for (auto m : members) {
    ids.push_back(plan.processes[m].id);
    if (!archive.definitions().find(Ref::location, ids.back()))
      throw Error(
          ErrorKind::input,
          fmt::format("the plan names process {}, which the trace does not have", ids.back()))
          .in(plan.trace.anchor);
  }

  const FunctionTable functions(archive.definitions(), plan.filters);
  if (functions.functions().size() != plan.functions.size())
    throw Error(ErrorKind::input, fmt::format("the plan names {} functions, the trace {}",
                                              plan.functions.size(), functions.functions().size()))
        .in(plan.trace.anchor);

  std::vector<Found> found(plan.processes.size());

  return read_all(archive, functions, ids, members, false, found, options, diagnostics);
}

CallProfile call_paths_and_profiles(Plan& plan, const Archive& archive, const ReadOptions& options,
                                    Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), plan.filters);
  auto processes = processes_of(archive.definitions(), plan.filters);
  std::vector<std::uint64_t> ids;
  ids.reserve(processes.size());
  for (const auto& p : processes)
    ids.push_back(p.id);

  std::vector<std::size_t> members(ids.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  std::vector<Found> found(ids.size());
  auto calls = read_all(archive, functions, ids, members, true, found, options, diagnostics);
  plan.trace.events = 0;

  for (std::size_t i = 0; i < found.size(); ++i) {
    processes[i].exchanges_messages = found[i].exchanges_messages;
    processes[i].damaged = !found[i].whole;
    processes[i].events = found[i].events;
    plan.trace.events += found[i].events;
  }

  record_profiles(plan, functions.functions(), std::move(processes), flat_profiles(calls, found));

  return calls;
}

}  // namespace tracefold
