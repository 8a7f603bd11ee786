#include "pipeline/profile/info.hpp"

namespace tracefold {

TraceInfo info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics) {
  const auto traced = profile(archive, {}, options, diagnostics);
  const auto& facts = archive.facts();
  TraceInfo out;
  out.creator = facts.creator;
  out.machine = facts.machine;
  out.bytes = archive.bytes();
  out.functions = traced.functions.size();

  for (const auto& d : facts.definitions.all()) {
    if (d.kind == DefinitionKind::Location)
      ++out.locations[d.fields[2]];
    if (d.kind == DefinitionKind::Region)
      ++out.regions;
    if (d.kind == DefinitionKind::Comm || d.kind == DefinitionKind::InterComm)
      ++out.communicators;
    if (d.kind == DefinitionKind::ClockProperties)
      out.ticks_per_second = d.fields[0];
  }

  out.records = traced.totals.records;
  out.unknown_records = traced.totals.unknown_records;
  out.events = traced.totals.events;
  out.last_time = traced.totals.last_time;
  out.first_time = std::min(traced.totals.first_time, out.last_time);

  return out;
}

}  // namespace tracefold
