#include "pipeline/profile/profile_pass.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/team.hpp"
#include "model/iterations/collapsed_name.hpp"
#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "model/run_masters.hpp"
#include "pipeline/events/both_sinks.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
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
      !functions.contexts().empty() || std::any_of(all.begin(), all.end(), [](const Function& one) {
        return is_collapsed_iteration(one);
      });
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

// One reading of the processes that filters leave.
class ProfilePass {
 public:
  ProfilePass(const Archive& archive, const std::vector<FilterSection>& filters,
              const ReadOptions& options, Diagnostics& diagnostics, ProfileExtras extras)
      : archive_(archive),
        filters_(filters),
        options_(options),
        diagnostics_(diagnostics),
        extras_(std::move(extras)),
        definitions_(archive.definitions()),
        functions_(definitions_, filters),
        out_{functions_.functions(), find_processes(definitions_, filters)},
        threads_(count_threads()),
        parts_(functions_, threads_, diagnostics),
        workers_([this] {
          return ProfileWorker{ProfileSink(definitions_, functions_.functions().size()),
                               {},
                               recorder_ ? &recorder_->add_thread() : nullptr};
        }) {
    for (const auto& p : out_.processes) {
      ids_.push_back(p.id);
      sizes_.push_back(get_field<"numberOfEvents", DefinitionKind::Location>(find_location(p.id)));
    }
    choose_what_is_recorded();
  }

  ProfiledTrace run() {
    const bool reads_parts = !recorder_ && !calls_;
    std::vector<std::size_t> others(ids_.size());  // read location by location
    std::iota(others.begin(), others.end(), std::size_t{0});
    if (reads_parts)
      others =
          read_large_locations(archive_, ids_, sizes_, functions_, parts_, options_, diagnostics_,
                               [this](std::size_t i, LocationPart& whole, std::uint64_t records) {
                                 add_part(i, whole, records);
                               });
    read_locations(others, reads_parts);
    merge();

    return std::move(out_);
  }

 private:
  const Definition& find_location(std::uint64_t id) const {
    return *definitions_.find(Ref::location, id);
  }
  std::uint64_t find_type(std::size_t i) const {
    return get_field<"locationType", DefinitionKind::Location>(find_location(ids_[i]));
  }
  bool keeps_messages() const { return extras_.operations == RecordOperations::with_gaps; }

  void choose_what_is_recorded() {
    if (extras_.operations != RecordOperations::no)
      recorder_.emplace(definitions_, out_.functions, keeps_messages());
    if (drops_mpi(definitions_, functions_, filters_))
      extras_.calls.waits = RecordWaits::no;
    const bool is_alone = out_.processes.size() == 1;
    if (extras_.calls.any() && (recorder_ || !is_alone))
      calls_.emplace(definitions_, functions_, ids_.size(), extras_.calls);
  }

  // Those of these that are this member's own.
  void read_locations(const std::vector<std::size_t>& indexes, bool reads_parts) {
    std::vector<std::uint64_t> ids;
    for (auto i : indexes)
      ids.push_back(ids_[i]);
    const auto shares = ids.size() < ids_.size() ? Shares(definitions_, ids, options_.team)
                                                 : Shares(definitions_, options_.team);
    TailScheduler tail(find_own_sizes(ids_, sizes_, indexes, shares), threads_);
    for_each_own_location(
        archive_, ids, shares, options_, diagnostics_, [&](EventReader& reader, std::size_t k) {
          const auto i = indexes[k];
          const auto whole = reads_parts && tail.begin(i) ? parts_.read(reader, ids_[i]) : nullptr;
          if (whole)
            add_part(i, *whole, reader.records());
          else
            read_location(reader, i);
        });
  }

  void read_location(EventReader& reader, std::size_t i) {
    auto& worker = workers_.local();
    if (!worker.operations) {
      read_into(worker.sink, reader, i);
      return;
    }
    ProfileAndOperations sinks{worker.sink, worker.operations->sink};
    sinks.second.begin(ids_[i]);
    read_into(sinks, reader, i);
    worker.operations->record(i);
  }

  template <class Sink>
  void read_into(Sink& sink, EventReader& reader, std::size_t i) {
    const auto read = calls_ ? calls_->read(reader, i, ids_[i], sink)
                             : read_calls(reader, ids_[i], functions_, sink);
    auto& own = workers_.local().sink;
    auto profile = own.take(find_type(i));
    add_profile(i, std::move(profile), read, own.take_receivers());
  }

  // Adds a location that was read in parts.
  void add_part(std::size_t i, LocationPart& whole, std::uint64_t records) {
    auto profile = whole.take_profile(definitions_, find_type(i));
    auto read = whole.read();
    read.records = records;
    add_profile(i, std::move(profile), read, whole.take_receivers());
  }

  void add_profile(std::size_t i, Profile profile, const LocationRead& read,
                   const std::vector<ReceiverSet::Receiver>& receivers) {
    profile.first_time = read.first_time;
    profile.last_time = read.last_time;
    profile.recording_off = read.count_recording_off();
    profile.is_open = read.oddities.calls_open_at_end > 0 && !calls_finalize(profile);
    profile.receivers = find_receivers(definitions_, ids_[i], receivers);
    warn_of_oddities(definitions_, ids_[i], read, profile.unknown_records, diagnostics_);
    auto& found = workers_.local().found;
    if (functions_.contexts().empty())
      found.add(i, std::move(profile), read.whole);
    else
      found.hold(i, std::move(profile), read.whole);
  }

  bool calls_finalize(const Profile& profile) const {
    return std::any_of(profile.functions.begin(), profile.functions.end(), [&](const auto& one) {
      return find_mpi_bound(functions_.functions()[one.function].name,
                            Metric::mpi_management_time) == MpiBound::end;
    });
  }

  void merge() {
    std::vector<ProfilePart> found;
    for (auto& worker : workers_)
      found.push_back(std::move(worker.found));
    auto merged = merge_profiles(std::move(found), functions_, options_.team, out_.processes);
    out_.profiles = std::move(merged.profiles);
    out_.totals = merged.totals;
    out_.ends = std::move(merged.ends);
    if (find_earlier_reductions(definitions_).empty())
      out_.grid = propose_rank_grid(definitions_, merged.receivers);
    if (recorder_)
      merge_recorded();
    if (calls_)
      out_.calls = calls_->take(ids_, options_.team);
  }

  void merge_recorded() {
    auto operations = share_operations(options_.team, *recorder_);
    if (!operations)
      return;
    out_.communication =
        merge_operations(std::move(*operations), definitions_, recorder_->communicators(),
                         out_.functions, out_.processes, keeps_messages(), diagnostics_);
    if (out_.communication)
      out_.communication->lacks_processes =
          std::any_of(filters_.begin(), filters_.end(),
                      [](const auto& filter) { return !filter.locations.empty(); });
  }

  const Archive& archive_;
  const std::vector<FilterSection>& filters_;
  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  ProfileExtras extras_;
  const Definitions& definitions_;
  const FunctionTable functions_;
  ProfiledTrace out_;
  std::vector<std::uint64_t> ids_, sizes_;  // by process: its location, and how many events it has
  std::optional<OperationRecorder> recorder_;
  std::optional<CallCollector> calls_;
  const std::size_t threads_;
  PartsReader parts_;
  oneapi::tbb::enumerable_thread_specific<ProfileWorker> workers_;
};

}  // namespace

ProfiledTrace profile_pass(const Archive& archive, const std::vector<FilterSection>& filters,
                           const ReadOptions& options, Diagnostics& diagnostics,
                           ProfileExtras extras) {
  return ProfilePass(archive, filters, options, diagnostics, std::move(extras)).run();
}

Plan make_plan(const Archive& archive, std::vector<FilterSection> filters, Team* team) {
  Plan plan;
  const auto& definitions = archive.definitions();
  plan.trace.anchor = archive.source();
  plan.trace.locations = definitions.locations().size();
  plan.trace.identity = find_identity(archive, team);
  if (archive.source() != "-")  // names may be codes there
    plan.trace.parts = archive.read_parts();
  for (const auto& d : definitions.all()) {
    if (d.kind == DefinitionKind::ClockProperties)
      plan.trace.ticks_per_second =
          get_field<"timerResolution", DefinitionKind::ClockProperties>(d);
    if (d.kind == DefinitionKind::Location)
      plan.trace.events += get_field<"numberOfEvents", DefinitionKind::Location>(d);
  }

  plan.filters = std::move(filters);
  if (count_filtered_reductions(archive.facts()) > 0)
    if (const auto beside = read_plan_beside(archive); beside.is_that && beside.plan)
      plan.chosen = beside.plan->chosen;

  return plan;
}

void add_profiles(Plan& plan, ProfiledTrace traced) {
  plan.trace.events = traced.totals.events;
  plan.trace.messages = count_sends(traced.totals.records);
  plan.trace.run = traced.totals.run.get();
  plan.grid = std::move(traced.grid);
  record_profiles(plan, std::move(traced.functions), std::move(traced.processes),
                  std::move(traced.profiles));
  std::vector<std::uint64_t> recording_off;
  for (const auto& end : traced.ends)
    recording_off.push_back(end.recording_off);
  plan.trace.recording_off = compute_mean_of(list_run_masters(plan), recording_off);
  mark_early_ends(plan, traced.ends);
}

std::optional<Communication> add_profiles(Plan& plan, const Archive& archive,
                                          const ReadOptions& options, Diagnostics& diagnostics,
                                          ProfileExtras extras,
                                          std::optional<CollectedCalls>* calls) {
  auto traced = profile_pass(archive, plan.filters, options, diagnostics, std::move(extras));
  auto communication = std::move(traced.communication);
  if (calls)
    *calls = std::move(traced.calls);
  add_profiles(plan, std::move(traced));

  return communication;
}

}  // namespace tracefold
