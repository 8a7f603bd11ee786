#include "pipeline/profile/info.hpp"

#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace tracefold {

namespace {

// A location without a count stands for itself, unless it is halo.
std::uint64_t count_represented(const Definitions& definitions) {
  std::uint64_t count = definitions.locations().size();
  for (const auto& [id, stand_in] : read_stand_in_properties(definitions))
    if (stand_in.is_halo())
      --count;
    else if (stand_in.count)
      count += *stand_in.count - 1;

  return count;
}

// Bytes of the plan beside a trace, with its other files; 0 where there is none.
std::uint64_t measure_plan(const Archive& archive) {
  std::uint64_t bytes = 0;
  for (const auto* name : {plan_name, messages_name, profiles_name}) {
    std::error_code missing;
    const auto size =
        std::filesystem::file_size(archive.paths().anchor.parent_path() / name, missing);
    bytes += missing ? 0 : size;
  }
  return bytes;
}

}  // namespace

TraceInfo read_info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics) {
  const auto traced = profile_pass(archive, {}, options, diagnostics);
  const auto& facts = archive.facts();

  TraceInfo out;
  out.creator = facts.creator;
  out.machine = facts.machine;
  if (const auto version = facts.properties.find("TRACEFOLD::VERSION");
      version != facts.properties.end()) {
    out.written_by = version->second;
    out.represented = count_represented(facts.definitions);
    out.is_expanded = facts.properties.contains("TRACEFOLD::EXPANDED") &&
                      !facts.properties.contains("TRACEFOLD::REDUCTIONS");
  }

  if (out.written_by)
    if (const auto beside = read_plan_beside(archive);
        beside.is_that && beside.plan && beside.plan->program_file)
      out.profiles = beside.plan->program_file->detail;
  out.bytes = archive.bytes() + (out.written_by ? measure_plan(archive) : 0);
  out.functions = traced.functions.size();

  const auto halo = find_halo_locations(facts.definitions);
  out.halo = halo.size();
  for (const auto& d : facts.definitions.all()) {
    if (d.kind == DefinitionKind::Location && !halo.contains(d.id()))
      ++out.locations[get_field<"locationType", DefinitionKind::Location>(d)];
    if (d.kind == DefinitionKind::Region)
      ++out.regions;
    if (d.kind == DefinitionKind::Comm || d.kind == DefinitionKind::InterComm)
      ++out.communicators;
    if (d.kind == DefinitionKind::ClockProperties)
      out.ticks_per_second = get_field<"timerResolution", DefinitionKind::ClockProperties>(d);
  }

  out.records = traced.totals.records;
  out.unknown_records = traced.totals.unknown_records;
  out.events = traced.totals.events;
  out.last_time = traced.totals.last_time;
  out.first_time = std::min(traced.totals.first_time, out.last_time);

  return out;
}

}  // namespace tracefold
