#include "pipeline/profile/profile_pass.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/team.hpp"
#include "model/iterations/stand_in_name.hpp"
#include "model/plan.hpp"
#include "pipeline/events/both_sinks.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/events/shared_identity.hpp"
#include "pipeline/messages/record_operations.hpp"
#include "pipeline/profile/large_locations.hpp"
#include "pipeline/profile/parts_reader.hpp"
#include "pipeline/profile/profile_part.hpp"
#include "pipeline/profile/profile_sink.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// Whether the location is in each of the lists, which ascend.
bool is_wanted(const std::vector<std::vector<std::uint64_t>>& lists, std::uint64_t id) {
  return std::all_of(lists.begin(), lists.end(), [&](const auto& ids) {
    return std::binary_search(ids.begin(), ids.end(), id);
  });
}

}  // namespace

std::vector<Process> find_processes(const Definitions& definitions,
                                    const std::vector<FilterSection>& filters) {
  std::vector<std::vector<std::uint64_t>> wanted;
  for (const auto& f : filters)
    if (!f.locations.empty())
      wanted.push_back(parse_ranges(f.locations));

  const auto earlier = find_earlier_reductions(definitions);
  std::map<std::pair<bool, std::uint64_t>, std::uint64_t> threads;  // seen so far, by owner
  std::vector<Process> processes;

  for (auto id : list_process_locations(definitions)) {
    const auto& location = *definitions.find(Ref::location, id);
    const auto group_id = get_field<"locationGroup", DefinitionKind::Location>(location);
    Process p;
    p.id = id;
    p.location_group = group_id;
    p.rank = definitions.mpi_rank(definitions.endpoint(id));
    p.thread = threads[p.owner()]++;
    if (!is_wanted(wanted, id))
      continue;

    p.name = definitions.text(get_field<"name", DefinitionKind::Location>(location));
    if (const auto* group = definitions.find(Ref::location_group, group_id)) {
      p.location_group_name =
          definitions.text(get_field<"name", DefinitionKind::LocationGroup>(*group));
      const auto creator =
          get_field<"creatingLocationGroup", DefinitionKind::LocationGroup>(*group);
      if (creator != group_id && definitions.find(Ref::location_group, creator))
        p.creator = creator;
    }

    p.is_mpi_endpoint = definitions.mpi_rank(id).has_value();
    if (auto at = earlier.find(id); at != earlier.end()) {
      p.weight = at->second.count;
      if (at->second.rank)
        p.rank = at->second.rank;
      if (at->second.thread)
        p.thread = *at->second.thread;
    }

    processes.push_back(std::move(p));
  }

  return processes;
}

void describe_processes(Plan& plan, const Definitions& definitions) {
  auto found = find_processes(definitions, plan.filters);
  const auto is_same = [](const Process& a, const Process& b) { return a.id == b.id; };
  if (!std::equal(found.begin(), found.end(), plan.processes.begin(), plan.processes.end(),
                  is_same))
    throw Error(ErrorKind::input, "the plan has other processes than the trace");

  for (std::size_t p = 0; p < found.size(); ++p) {
    found[p].has_messages = plan.processes[p].has_messages;
    found[p].damaged = plan.processes[p].damaged;
  }

  plan.processes = std::move(found);
}

namespace {

// What a thread needs and finds.
struct ProfileWorker {
  ProfileSink sink;
  ProfilePart found;
  OperationRecorder::Thread* operations = nullptr;  // null: they are not recorded
};

using ProfileAndOperations = BothSinks<ProfileSink&, OperationSink&>;

// What all members of a team recorded; none where one of them has too much.
std::optional<std::vector<OperationsPart>> share_operations(Team* team,
                                                            OperationRecorder& recorder) {
  auto own = recorder.take_parts();
  for (const auto has_parts : share(team, own.has_value()))
    if (!has_parts)
      return std::nullopt;
  return share_parts(team, std::move(*own));
}

// What all members have found. In a team they know the times of all functions in sum alone, and
// those of each process only of the functions that a plan holds; where the calls of processes
// depend on each other, or some of them are left out, of all functions.
MergedProfiles merge_profiles(std::vector<ProfilePart> found, const FunctionTable& functions,
                              Team* team, std::vector<Process>& processes) {
  const auto& all = functions.functions();
  const bool needs_all =
      !functions.contexts().empty() ||
      std::any_of(all.begin(), all.end(), [](const Function& one) { return is_stand_in(one); });
  if (!team || needs_all)
    return ProfilePart::merge(share_parts(team, std::move(found)), processes);

  IntentTimes own;
  for (const auto& part : found)
    own = add_times(std::move(own), part.sum_times());
  const auto times = share_merged(team, std::move(own), add_times);
  for (auto& part : found)
    part.keep_largest(times);
  return ProfilePart::merge(share_parts(team, std::move(found)), processes, &times);
}

// The sizes of those of these locations, given by index, that are this process's own; 0 of others.
std::vector<std::uint64_t> find_own_sizes(const std::vector<std::uint64_t>& ids,
                                          const std::vector<std::uint64_t>& sizes,
                                          const std::vector<std::size_t>& indexes,
                                          const Shares& shares) {
  std::vector<std::uint64_t> own(ids.size());
  for (auto i : indexes)
    if (shares.is_own(ids[i]))
      own[i] = sizes[i];
  return own;
}

}  // namespace

ProfiledTrace profile_pass(const Archive& archive, const std::vector<FilterSection>& filters,
                           const ReadOptions& options, Diagnostics& diagnostics,
                           ProfileExtras extras) {
  const auto& definitions = archive.definitions();
  const FunctionTable functions(definitions, filters);
  ProfiledTrace out{functions.functions(), find_processes(definitions, filters)};
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> sizes;
  for (const auto& p : out.processes) {
    const auto& location = *definitions.find(Ref::location, p.id);
    ids.push_back(p.id);
    sizes.push_back(get_field<"numberOfEvents", DefinitionKind::Location>(location));
  }

  const bool keeps_messages = extras.operations == RecordOperations::with_gaps;
  std::optional<OperationRecorder> recorder;
  if (extras.operations != RecordOperations::no)
    recorder.emplace(definitions, out.functions, keeps_messages);

  std::optional<CallCollector> calls;
  const bool is_alone = out.processes.size() == 1;
  if (drops_mpi(definitions, functions, filters))
    extras.calls.waits = RecordWaits::no;
  if (extras.calls.any() && (recorder || !is_alone))
    calls.emplace(archive, functions, ids, extras.calls, options);

  const auto threads = count_threads();
  PartsReader parts(functions, threads, diagnostics);
  oneapi::tbb::enumerable_thread_specific<ProfileWorker> workers([&] {
    return ProfileWorker{ProfileSink(definitions, functions.functions().size()),
                         {},
                         recorder ? &recorder->add_thread() : nullptr};
  });
  const auto find_type = [&](std::size_t i) {
    return get_field<"locationType", DefinitionKind::Location>(
        *definitions.find(Ref::location, ids[i]));
  };
  const auto add_profile = [&](std::size_t i, Profile profile, const LocationRead& read,
                               const std::vector<ReceiverSet::Receiver>& receivers) {
    profile.first_time = read.first_time;
    profile.last_time = read.last_time;
    profile.receivers = find_receivers(definitions, ids[i], receivers);
    warn_of_oddities(definitions, ids[i], read, profile.unknown_records, diagnostics);
    auto& found = workers.local().found;
    if (functions.contexts().empty())
      found.add(i, std::move(profile), read.whole);
    else
      found.hold(i, std::move(profile), read.whole);
  };
  // Of a location that was read in parts.
  const auto add_part = [&](std::size_t i, LocationPart& whole, std::uint64_t records) {
    auto profile = whole.take_profile(definitions, find_type(i));
    auto read = whole.read();
    read.records = records;
    add_profile(i, std::move(profile), read, whole.take_receivers());
  };

  const bool reads_parts = !recorder && !calls;
  std::vector<std::size_t> others(ids.size());  // read location by location
  std::iota(others.begin(), others.end(), std::size_t{0});
  if (reads_parts)
    others =
        read_large_locations(archive, ids, sizes, functions, parts, options, diagnostics, add_part);
  std::vector<std::uint64_t> other_ids;
  for (auto i : others)
    other_ids.push_back(ids[i]);
  const auto shares = others.size() < ids.size() ? Shares(definitions, other_ids, options.team)
                                                 : Shares(definitions, options.team);

  TailScheduler tail(find_own_sizes(ids, sizes, others, shares), threads);
  for_each_own_location(
      archive, other_ids, shares, options, diagnostics, [&](EventReader& reader, std::size_t k) {
        const auto i = others[k];
        auto& worker = workers.local();

        const auto read_whole = [&](auto& sink) {
          const auto read = calls ? calls->read(reader, i, ids[i], sink)
                                  : read_calls(reader, ids[i], functions, sink);
          auto profile = worker.sink.take(find_type(i));
          add_profile(i, std::move(profile), read, worker.sink.take_receivers());
        };

        if (worker.operations) {
          ProfileAndOperations sinks{worker.sink, worker.operations->sink};
          sinks.second.begin(ids[i]);
          read_whole(sinks);
          worker.operations->record(i);
        } else if (const auto whole =
                       reads_parts && tail.begin(i) ? parts.read(reader, ids[i]) : nullptr) {
          add_part(i, *whole, reader.records());
        } else {
          read_whole(worker.sink);
        }
      });

  std::vector<ProfilePart> found;
  for (auto& worker : workers)
    found.push_back(std::move(worker.found));
  auto merged = merge_profiles(std::move(found), functions, options.team, out.processes);
  out.profiles = std::move(merged.profiles);
  out.totals = merged.totals;
  if (find_earlier_reductions(definitions).empty())
    out.grid = propose_rank_grid(definitions, merged.receivers);
  if (auto operations = recorder ? share_operations(options.team, *recorder) : std::nullopt)
    out.communication =
        merge_operations(std::move(*operations), definitions, recorder->communicators(),
                         out.functions, out.processes, keeps_messages, diagnostics);
  if (out.communication)
    out.communication->lacks_processes =
        std::any_of(filters.begin(), filters.end(),
                    [](const auto& filter) { return !filter.locations.empty(); });
  if (calls)
    out.calls = calls->take(ids, options.team);

  return out;
}

Plan make_plan(const Archive& archive, std::vector<FilterSection> filters, Team* team) {
  Plan plan;
  const auto& definitions = archive.definitions();
  plan.trace.anchor = archive.source();
  plan.trace.locations = definitions.locations().size();
  plan.trace.identity = find_identity(archive, team);
  for (const auto& d : definitions.all()) {
    if (d.kind == DefinitionKind::ClockProperties)
      plan.trace.ticks_per_second =
          get_field<"timerResolution", DefinitionKind::ClockProperties>(d);
    if (d.kind == DefinitionKind::Location)
      plan.trace.events += get_field<"numberOfEvents", DefinitionKind::Location>(d);
  }

  plan.filters = std::move(filters);

  return plan;
}

void add_profiles(Plan& plan, ProfiledTrace traced) {
  plan.trace.events = traced.totals.events;
  plan.grid = std::move(traced.grid);
  record_profiles(plan, std::move(traced.functions), std::move(traced.processes),
                  std::move(traced.profiles));
}

std::optional<Communication> add_profiles(Plan& plan, const Archive& archive,
                                          const ReadOptions& options, Diagnostics& diagnostics,
                                          ProfileExtras extras,
                                          std::optional<CollectedCalls>* calls) {
  auto traced = profile_pass(archive, plan.filters, options, diagnostics, extras);
  auto communication = std::move(traced.communication);
  if (calls)
    *calls = std::move(traced.calls);
  add_profiles(plan, std::move(traced));

  return communication;
}

}  // namespace tracefold
