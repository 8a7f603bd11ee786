#include "pipeline/profile/info.hpp"

#include <algorithm>

namespace tracefold {

TraceInfo read_info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics) {
  const auto traced = profile_pass(archive, {}, options, diagnostics);
  const auto& facts = archive.facts();

  TraceInfo out;
  out.creator = facts.creator;
  out.machine = facts.machine;
  out.bytes = archive.bytes();
  out.functions = traced.functions.size();

  for (const auto& d : facts.definitions.all()) {
    if (d.kind == DefinitionKind::Location)
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
