#include "pipeline/profile/info.hpp"

#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/messages/communicator_ranks.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <span>
#include <system_error>
#include <vector>

namespace tracefold {

namespace {

// A location without a count stands for itself, unless it is halo.
std::uint64_t count_represented(const Definitions& definitions) {
  std::uint64_t count = definitions.locations().size();
  for (const auto& [id, stand_in] : read_location_properties(definitions))
    if (stand_in.is_halo())
      --count;
    else if (stand_in.count)
      count += *stand_in.count - 1;

  return count;
}

// Counts the records of a location by their kinds.
class RecordCounter {
 public:
  explicit RecordCounter(RecordCounts& counts) : counts_(counts) {}

  void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) { add(EventKind::Enter); }
  void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) { add(EventKind::Leave); }
  void other(Event& event) { add(event.kind); }
  void unknown(std::uint64_t) {}

 private:
  void add(EventKind kind) { ++counts_[static_cast<std::size_t>(kind)]; }

  RecordCounts& counts_;
};

// Each member of a team reads all of them: they are few, as in every trace that was reduced.
void count_halo_records(const Archive& archive, ReadOptions options, Diagnostics& diagnostics,
                        TraceInfo& out) {
  std::vector<std::uint64_t> locations;
  for (const auto& [location, source] : find_halo_locations(archive.definitions()))
    locations.push_back(location);
  out.halo = locations.size();

  options.progress = nullptr;  // it has been told of the processes
  std::vector<RecordCounts> counts(locations.size());
  std::vector<std::uint64_t> events(locations.size());
  for_each_location(archive, locations, options, diagnostics,
                    [&](EventReader& reader, std::size_t i) {
                      RecordCounter counter(counts[i]);
                      reader.read(locations[i], counter);
                      events[i] = reader.records();
                    });
  for (std::size_t i = 0; i < locations.size(); ++i) {
    out.halo_events += events[i];
    for (std::size_t k = 0; k < event_kinds; ++k)
      out.halo_records[k] += counts[i][k];
  }
}

// From nanoseconds. Traces before OTF2 3.0 have none.
std::optional<std::uint64_t> find_date(std::uint64_t nanoseconds) {
  constexpr std::uint64_t second = 1'000'000'000;
  if (nanoseconds == 0 || nanoseconds == std::numeric_limits<std::uint64_t>::max())
    return std::nullopt;
  return nanoseconds / second;
}

}  // namespace

std::uint64_t measure_files_beside(const Archive& archive) {
  std::uint64_t bytes = 0;
  for (const auto* name : {plan_name, messages_name, profiles_name}) {
    std::error_code missing;
    const auto size =
        std::filesystem::file_size(archive.paths().anchor.parent_path() / name, missing);
    bytes += missing ? 0 : size;
  }
  return bytes;
}

TraceInfo read_info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics) {
  Plan plan;
  auto traced = profile_pass(archive, {}, options, diagnostics);
  const auto& facts = archive.facts();

  TraceInfo out;
  out.creator = facts.creator;
  out.machine = facts.machine;
  if (const auto version = facts.properties.find(version_property);
      version != facts.properties.end()) {
    out.written_by = version->second;
    out.represented = count_represented(facts.definitions);
    out.is_expanded = facts.properties.contains("TRACEFOLD::EXPANDED") &&
                      !facts.properties.contains(reductions_property);
  }

  std::shared_ptr<const WholeProgram> whole;
  if (out.written_by)
    if (const auto beside = read_plan_beside(archive);
        beside.is_that && beside.plan && beside.plan->program_file)
      whole = read_whole_program(archive, diagnostics);
  if (whole)
    out.profiles = whole->stored;
  out.bytes = archive.bytes() + (out.written_by ? measure_files_beside(archive) : 0);
  out.functions = traced.functions.size();

  count_halo_records(archive, options, diagnostics, out);
  const auto halo = find_halo_locations(facts.definitions);
  for (const auto& d : facts.definitions.all()) {
    if (d.kind == DefinitionKind::Location && !halo.contains(d.id()))
      ++out.locations[get_field<"locationType", DefinitionKind::Location>(d)];
    if (d.kind == DefinitionKind::Region)
      ++out.regions;
    if (d.kind == DefinitionKind::Comm || d.kind == DefinitionKind::InterComm)
      ++out.communicators;
    if (d.kind == DefinitionKind::ClockProperties) {
      out.ticks_per_second = get_field<"timerResolution", DefinitionKind::ClockProperties>(d);
      out.date = find_date(get_field<"realtimeTimestamp", DefinitionKind::ClockProperties>(d));
    }
  }
  const auto endpoints = list_endpoints(facts.definitions);
  out.ranks =
      endpoints.size() - static_cast<std::size_t>(std::count(endpoints.begin(), endpoints.end(),
                                                             undefined_id(Ref::location)));
  out.nodes = list_nodes(facts.definitions).size();

  out.records = traced.totals.records;
  out.unknown_records = traced.totals.unknown_records;
  out.events = traced.totals.events;
  add_profiles(plan, std::move(traced));
  const auto& timed = whole ? whole->plan.trace : plan.trace;
  const auto run = timed.run.value_or(TimeSpan{});
  out.run_ticks = run.end - run.begin;
  out.recording_off = timed.recording_off;

  return out;
}

}  // namespace tracefold
