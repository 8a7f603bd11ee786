// What was odd about a location, after its events were read for the first time.
#pragma once

#include "otf2/definitions.hpp"
#include "pipeline/events/clean_events.hpp"

#include <fmt/format.h>

namespace tracefold {

template <class Next>
void report_location(const Definitions& definitions, std::uint64_t id, std::uint64_t records,
                     std::uint64_t unknown_records, bool whole, const CleanEvents<Next>& clean,
                     Diagnostics& diagnostics) {
  const auto where = fmt::format("location {}", id);
  clean.report(diagnostics, id);
  if (whole && records != definitions.find(Ref::location, id)->fields[3])
    diagnostics.warn("the definitions declare another number of events than there are", where);
  if (unknown_records)
    diagnostics.warn("records of kinds that this version of OTF2 does not know are left out", where,
                     unknown_records);
}

}  // namespace tracefold
