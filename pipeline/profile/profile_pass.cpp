#include "pipeline/profile/profile_pass.hpp"

#include "base/ranges.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/each_location.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/last_locations.hpp"
#include "pipeline/events/report_location.hpp"
#include "pipeline/profile/parts_reader.hpp"
#include "pipeline/profile/profile_sink.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

bool passes(const std::vector<std::vector<std::uint64_t>>& wanted, std::uint64_t id) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& ids) {
    return std::binary_search(ids.begin(), ids.end(), id);
  });
}

std::size_t threads_at_work() {
  return std::min<std::size_t>(
      static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency()),
      oneapi::tbb::global_control::active_value(
          oneapi::tbb::global_control::max_allowed_parallelism));
}

}  // namespace

std::vector<Process> processes_of(const Definitions& definitions,
                                  const std::vector<FilterSection>& filters) {
  std::vector<std::vector<std::uint64_t>> wanted;
  for (const auto& f : filters)
    if (!f.locations.empty())
      wanted.push_back(from_ranges(f.locations));

  const auto earlier = earlier_reductions(definitions);
  std::unordered_map<std::uint64_t, std::uint64_t> threads;  // seen so far, by location group
  std::vector<Process> processes;

  for (auto id : definitions.locations()) {
    const auto& d = *definitions.find(Ref::location, id);
    const auto thread = threads[d.fields[4]]++;
    if (!passes(wanted, id))
      continue;

    Process p;
    p.id = id;
    p.name = definitions.text(d.fields[1]);
    p.location_group = d.fields[4];
    if (const auto* group = definitions.find(Ref::location_group, p.location_group))
      p.location_group_name = definitions.text(group->fields[1]);

    p.rank = definitions.mpi_rank(definitions.endpoint(id));
    p.is_mpi_endpoint = definitions.mpi_rank(id).has_value();
    p.thread = thread;
    if (auto at = earlier.find(id); at != earlier.end())
      p.weight = at->second.count;

    processes.push_back(std::move(p));
  }

  return processes;
}

void TraceTotals::add(const Profile& profile) {
  for (std::size_t k = 0; k < event_kinds; ++k)
    records[k] += profile.records[k];

  unknown_records += profile.unknown_records;
  events += profile.events;
  if (profile.events == 0)
    return;

  first_time = std::min(first_time, profile.first_time);
  last_time = std::max(last_time, profile.last_time);
}

void TraceTotals::add(const TraceTotals& other) {
  for (std::size_t k = 0; k < event_kinds; ++k)
    records[k] += other.records[k];
  unknown_records += other.unknown_records;
  events += other.events;
  first_time = std::min(first_time, other.first_time);
  last_time = std::max(last_time, other.last_time);
}

namespace {

// What one thread finds. Intents are told apart here first, so that threads need
// not wait for each other.
struct Findings {
  ProfileSink sink;
  std::set<Intent> intents;
  TraceTotals totals;
};

// The profile of a process, by the findings that hold its intent.
struct Found {
  const Intent* intent = nullptr;
  std::vector<std::uint64_t> exclusive;
};

Profiles collected(std::vector<Found> found) {
  Profiles out;
  std::map<Intent, std::uint32_t> known;
  std::unordered_map<const Intent*, std::uint32_t> places;

  for (auto& f : found) {
    auto [at, fresh] = places.try_emplace(f.intent, 0);
    if (fresh) {
      const auto [place, unknown] =
          known.try_emplace(*f.intent, static_cast<std::uint32_t>(known.size()));
      if (unknown)
        out.intents.push_back(*f.intent);
      at->second = place->second;
    }

    out.processes.push_back({at->second, std::move(f.exclusive)});
  }

  return out;
}

}  // namespace

ProfiledTrace profile(const Archive& archive, const std::vector<FilterSection>& filters,
                      const ReadOptions& options, Diagnostics& diagnostics) {
  const auto& definitions = archive.definitions();
  const FunctionTable functions(definitions, filters);
  ProfiledTrace out{functions.functions(), processes_of(definitions, filters), {}, {}};
  oneapi::tbb::enumerable_thread_specific<Findings> threads([&] {
    return Findings{ProfileSink(definitions, functions.functions().size()), {}, {}};
  });
  std::vector<std::uint64_t> ids, sizes;
  for (const auto& p : out.processes) {
    ids.push_back(p.id);
    sizes.push_back(definitions.find(Ref::location, p.id)->fields[3]);
  }

  std::vector<Found> found(ids.size());
  const auto at_work = threads_at_work();
  LastLocations last(std::move(sizes), at_work);
  PartsReader parts(functions, at_work, diagnostics);

  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    auto& mine = threads.local();
    std::optional<CleanEvents<ProfileSink>> events(std::in_place, functions, mine.sink);
    bool whole = last.begin(i) && parts.read(reader, ids[i], *events);
    if (!whole) {
      mine.sink.take({});  // what parts have left
      events.emplace(functions, mine.sink);
      whole = reader.read(ids[i], *events);
    }

    events->finish();
    auto profile = mine.sink.take(definitions.find(Ref::location, ids[i])->fields[2]);
    profile.first_time = events->first_time();
    profile.last_time = events->last_time();
    report_location(definitions, ids[i], reader.records(), profile.unknown_records, whole, *events,
                    diagnostics);
    auto& process = out.processes[i];
    process.exchanges_messages = profile.exchanges_messages;
    process.damaged = !whole;
    process.events = profile.events;
    mine.totals.add(profile);
    found[i].intent = &*mine.intents.insert(std::move(profile.intent)).first;
    found[i].exclusive.reserve(profile.functions.size());
    for (const auto& f : profile.functions)
      found[i].exclusive.push_back(f.exclusive);
  });

  out.profiles = collected(std::move(found));
  for (const auto& t : threads)
    out.totals.add(t.totals);

  return out;
}

Plan plan_of(const Archive& archive, std::vector<FilterSection> filters) {
  Plan plan;
  const auto& definitions = archive.definitions();
  plan.trace.anchor = archive.paths().anchor.lexically_normal().string();
  plan.trace.locations = definitions.locations().size();
  plan.trace.identity = archive.identity();
  for (const auto& d : definitions.all()) {
    if (d.kind == DefinitionKind::ClockProperties)
      plan.trace.ticks_per_second = d.fields[0];
    if (d.kind == DefinitionKind::Location)
      plan.trace.events += d.fields[3];
  }

  plan.filters = std::move(filters);

  return plan;
}

void profile_into(Plan& plan, const Archive& archive, const ReadOptions& options,
                  Diagnostics& diagnostics) {
  auto traced = profile(archive, plan.filters, options, diagnostics);
  plan.trace.events = traced.totals.events;
  record_profiles(plan, std::move(traced.functions), std::move(traced.processes),
                  std::move(traced.profiles));
}

}  // namespace tracefold
