#include "pipeline/events/read_locations.hpp"

#include "model/plan.hpp"

#include <fmt/format.h>

namespace tracefold {

std::vector<std::uint64_t> find_locations(const Archive& archive, const Plan& plan,
                                          std::span<const std::size_t> processes) {
  std::vector<std::uint64_t> locations;
  locations.reserve(processes.size());

  for (auto p : processes) {
    const auto id = plan.processes[p].id;
    if (!archive.definitions().find(Ref::location, id))
      throw Error(ErrorKind::input,
                  fmt::format("the plan names process {}, which the trace does not have", id))
          .in(plan.trace.anchor);
    locations.push_back(id);
  }

  return locations;
}

void warn_of_oddities(const Definitions& definitions, std::uint64_t location,
                      const LocationRead& read, std::uint64_t unknown_records,
                      Diagnostics& diagnostics) {
  read.oddities.warn(diagnostics, location);

  const auto where = fmt::format("location {}", location);
  const auto& definition = *definitions.find(Ref::location, location);
  if (read.whole &&
      read.records != get_field<"numberOfEvents", DefinitionKind::Location>(definition))
    diagnostics.warn("the definitions declare another number of events than there are", where);

  if (unknown_records)
    diagnostics.warn("records of kinds that this version of OTF2 does not know are left out", where,
                     unknown_records);
}

}  // namespace tracefold
