#include "pipeline/profile/call_path_pass.hpp"
#include "model/run_masters.hpp"
#include "model/run_span.hpp"

#include "base/packed_values.hpp"
#include "base/team.hpp"
#include "filters/groups/group.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/facts/call_path_sink.hpp"
#include "pipeline/facts/flat_profiles.hpp"
#include "pipeline/facts/merge_call_paths.hpp"
#include "pipeline/facts/stored_calls.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/profile/profile_sink.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// Calls into a call-path profile, other records into a profile without calls.
struct PathsAndRecords {
  static constexpr bool is_hot = true;

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
  std::uint32_t sample(const SampledCalls& calls) { return paths.sample(calls); }
  void visit_sampled(const SampledCalls& calls) { paths.visit_sampled(calls); }
  void spend_sampled(std::uint32_t path, std::uint64_t from, std::uint64_t to) {
    paths.spend_sampled(path, from, to);
  }
};

// What a thread needs and finds.
struct PathWorker {
  PathsAndRecords sink;
  CallPathPart found;
};

// What is known of a process besides its call paths.
struct ProcessRecords {
  std::uint64_t events = 0;
  bool has_messages = false;
  bool is_whole = true;
  Intent intent;  // without call pairs
  std::vector<std::uint32_t> receivers;
  RunSpan run;
  std::uint64_t recording_off = 0;  // ticks
};

auto list_members(Like<ProcessRecords> auto& records) {
  return std::tie(records.events, records.has_messages, records.is_whole, records.intent,
                  records.receivers, records.run, records.recording_off);
}

struct PassResult {
  CallPathProfiles profiles;
  std::vector<ProcessRecords> records;  // by process
};

// Reads the locations of some processes, given as indexes that ascend, out of so many.
class CallPathPass {
 public:
  CallPathPass(const Archive& archive, const FunctionTable& functions, bool warns,
               const ReadOptions& options, Diagnostics& diagnostics)
      : archive_(archive),
        functions_(functions),
        warns_(warns),
        options_(options),
        diagnostics_(diagnostics) {}

  PassResult read(const std::vector<std::uint64_t>& locations,
                  const std::vector<std::size_t>& members, std::size_t processes) {
    oneapi::tbb::enumerable_thread_specific<PathWorker> workers([&] {
      return PathWorker{{CallPathSink(), ProfileSink(archive_.definitions(), 0)}, {}};
    });

    std::vector<ProcessRecords> records(processes);
    auto own = for_each_own_location(
        archive_, locations, options_, diagnostics_, [&](EventReader& reader, std::size_t i) {
          records[members[i]] = read_location(reader, locations[i], members[i], workers.local());
        });
    for (auto& place : own)
      place = members[place];
    share_found(options_.team, records, own);

    std::vector<CallPathPart> parts;
    for (auto& worker : workers) {
      worker.found.set_tree(worker.sink.paths.paths());
      parts.push_back(std::move(worker.found));
    }

    return {merge_call_paths(share_parts(options_.team, std::move(parts)), CallPathSink::columns(),
                             processes),
            std::move(records)};
  }

 private:
  ProcessRecords read_location(EventReader& reader, std::uint64_t id, std::size_t process,
                               PathWorker& worker) {
    const auto& definitions = archive_.definitions();
    const auto& location = *definitions.find(Ref::location, id);
    const auto read = read_calls(reader, id, functions_, worker.sink);
    const auto folded = worker.sink.paths.folded();
    auto paths = worker.sink.paths.take();
    auto rest =
        worker.sink.records.take(get_field<"locationType", DefinitionKind::Location>(location));

    std::uint64_t visits = 0;
    for (std::size_t k = 0; k < paths.paths.size(); ++k)
      visits += paths.values[k * CallPathSink::width + CallPathSink::visits_column];
    const bool has_calls = !paths.paths.empty();
    if (has_calls)
      rest.intent.metrics.clear();
    const auto events = rest.events + 2 * visits;
    RunSpan run;
    if (events > 0)
      run.add(has_calls, {read.first_time, read.last_time});

    worker.found.add(process, std::move(paths.paths), std::move(paths.values));
    if (warns_)
      warn_of_oddities(definitions, id, read, rest.unknown_records, diagnostics_);

    if (folded)
      diagnostics_.warn(
          fmt::format("recursive calls beyond {} call paths were counted for the open "
                      "call of their function; inclusive times may be too small",
                      CallPathCursor::most_paths),
          fmt::format("location {}", id), folded);

    return {events,
            rest.has_messages,
            read.whole,
            std::move(rest.intent),
            find_receivers(definitions, id, worker.sink.records.take_receivers()),
            run,
            read.count_recording_off()};
  }

  const Archive& archive_;
  const FunctionTable& functions_;
  const bool warns_;
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
};

std::vector<std::uint64_t> list_ids(const std::vector<Process>& processes) {
  std::vector<std::uint64_t> ids;
  ids.reserve(processes.size());
  for (const auto& process : processes)
    ids.push_back(process.id);

  return ids;
}

// Those of which nothing is stored.
std::vector<std::size_t> list_unstored(const std::vector<Process>& processes,
                                       const std::vector<std::size_t>& members,
                                       const std::optional<StoredCalls>& stored) {
  std::vector<std::size_t> out;
  for (auto m : members)
    if (!stored || !stored->has(processes[m].id))
      out.push_back(m);

  return out;
}

CallPathProfiles read_members(const Archive& archive, Plan& plan,
                              const std::vector<std::size_t>& members, const ReadOptions& options,
                              Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), plan.filters);
  if (functions.functions().size() != plan.functions.size())
    throw Error(ErrorKind::input, fmt::format("the plan names {} functions, the trace {}",
                                              plan.functions.size(), functions.functions().size()))
        .in(plan.trace.anchor);

  const auto stored =
      StoredCalls::read(archive, plan.filters, StoredColumns::time_and_visits, diagnostics);
  const auto to_read = list_unstored(plan.processes, members, stored);
  CallPathPass pass(archive, functions, false, options, diagnostics);
  auto profiles =
      pass.read(find_locations(archive, plan, to_read), to_read, plan.processes.size()).profiles;
  if (stored)
    stored->replace(profiles, list_ids(plan.processes), members, plan.functions);

  return profiles;
}

CallPathProfiles read_all(Plan& plan, const Archive& archive, const ReadOptions& options,
                          Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), plan.filters);
  auto processes = find_processes(archive.definitions(), plan.filters);
  const auto locations = list_ids(processes);
  std::vector<std::size_t> members(processes.size());
  std::iota(members.begin(), members.end(), std::size_t{0});

  // Which calls processes share that only samples show, their call paths do not tell.
  if (!functions.contexts().empty()) {
    add_profiles(plan, archive, options, diagnostics);
    return read_members(archive, plan, members, options, diagnostics);
  }

  CallPathPass pass(archive, functions, true, options, diagnostics);
  auto [profiles, records] = pass.read(locations, members, processes.size());
  auto called = functions.functions();
  if (const auto stored =
          StoredCalls::read(archive, plan.filters, StoredColumns::time_and_visits, diagnostics))
    stored->replace(profiles, locations, members, called);

  plan.trace.events = 0;
  plan.trace.messages.reset();
  RunSpan run;
  std::vector<Intent> kinds;
  std::vector<LocationReceivers> receivers;
  std::vector<std::uint64_t> recording_off;
  for (std::size_t i = 0; i < records.size(); ++i) {
    kinds.push_back(std::move(records[i].intent));
    processes[i].has_messages = records[i].has_messages;
    processes[i].damaged = !records[i].is_whole;
    processes[i].events = records[i].events;
    plan.trace.events += records[i].events;
    run.add(records[i].run);
    recording_off.push_back(records[i].recording_off);
    receivers.push_back({processes[i].id, std::move(records[i].receivers)});
  }
  plan.trace.run = run.get();
  plan.grid.clear();
  if (find_earlier_reductions(archive.definitions()).empty())
    plan.grid = propose_rank_grid(archive.definitions(), receivers);

  record_profiles(plan, std::move(called), std::move(processes),
                  make_flat_profiles(profiles, CallPathSink::time_column, std::move(kinds)));
  plan.trace.recording_off = compute_mean_of(list_run_masters(plan), recording_off);

  return std::move(profiles);
}

}  // namespace

CallPathProfiles call_path_pass(const Archive& archive, Plan& plan,
                                const std::vector<std::size_t>& members, const ReadOptions& options,
                                Diagnostics& diagnostics) {
  return read_members(archive, plan, members, options, diagnostics);
}

CallPathProfiles call_path_and_profile_pass(Plan& plan, const Archive& archive,
                                            const ReadOptions& options, Diagnostics& diagnostics) {
  return read_all(plan, archive, options, diagnostics);
}

}  // namespace tracefold
