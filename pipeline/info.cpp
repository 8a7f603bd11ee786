#include "pipeline/info.hpp"

namespace tracefold {

TraceInfo info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics) {
  const auto traced = profile(archive, {}, options, diagnostics);
  const auto& facts = archive.facts();
  TraceInfo out;
  out.creator = facts.creator;
  out.machine = facts.machine;
  out.bytes = facts.bytes;
  out.functions = traced.functions.size();
  for (const auto& d : facts.definitions.all()) {
    if (d.kind == DefinitionKind::Location) ++out.locations[d.fields[2]];
    if (d.kind == DefinitionKind::Region) ++out.regions;
    if (d.kind == DefinitionKind::Comm || d.kind == DefinitionKind::InterComm) ++out.communicators;
    if (d.kind == DefinitionKind::ClockProperties) out.ticks_per_second = d.fields[0];
  }
  out.first_time = ~std::uint64_t{0};
  for (const auto& p : traced.profiles) {
    for (std::size_t k = 0; k < event_kinds; ++k) out.records[k] += p.records[k];
    out.unknown_records += p.unknown_records;
    out.events += p.events;
    if (p.events == 0) continue;
    out.first_time = std::min(out.first_time, p.first_time);
    out.last_time = std::max(out.last_time, p.last_time);
  }
  out.first_time = std::min(out.first_time, out.last_time);
  return out;
}

}  // namespace tracefold
