#include "tests/pipeline/verify/rules/rules.hpp"

#include "base/ranges.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

constexpr EventKind message_kinds[] = {EventKind::MpiSend, EventKind::MpiIsend, EventKind::MpiRecv,
                                       EventKind::MpiIrecv};

// `incomplete` are endpoints of ranks of which a location that is not kept sends or receives.
void check_folded_operations(RuleBook& rules, const RecordedLocations& before,
                             const std::set<std::uint64_t>& kept,
                             const std::set<std::uint64_t>& incomplete, bool draws_messages) {
  std::vector<const LocationParts*> locations;
  for (const auto& [id, recorded] : before)
    if (!recorded.operations.parts.empty())
      locations.push_back(&recorded.operations);
  if (locations.empty())
    return;

  rules.add_rule("messages and collectives outside of collapsed iterations are there");
  check_operation_parts(
      locations,
      [&](std::uint64_t endpoint) {
        return draws_messages && kept.contains(endpoint) && !incomplete.contains(endpoint);
      },
      [&](std::string words) { rules.add_violation(std::move(words)); });
}

}  // namespace

std::vector<std::uint64_t> parse_members(const std::string& members, std::size_t most) {
  try {
    return parse_ranges(members, most);
  } catch (const Error&) {
    return {};
  }
}

PropertiesByLocation read_stand_ins(const Definitions& definitions) {
  PropertiesByLocation properties;
  for (auto id : definitions.locations())
    properties[id];
  for (auto& [id, stand_in] : read_location_properties(definitions))
    properties[id] = std::move(stand_in);

  return properties;
}

void check_ranks(RuleBook& rules, const PropertiesByLocation& properties,
                 const std::vector<Process>& originals) {
  std::unordered_map<std::uint64_t, std::optional<std::uint64_t>> ranks;
  for (const auto& process : originals)
    ranks.emplace(process.id, process.rank);

  rules.add_rule("every location says which rank it was");
  for (const auto& [id, s] : properties)
    if (const auto at = ranks.find(s.source.value_or(id));
        !s.is_halo() && at != ranks.end() && at->second != s.rank)
      rules.add_violation(fmt::format("location {}", id));
}

void check_records(RuleBook& rules, const Definitions& original, const RecordedLocations& before,
                   const std::set<std::uint64_t>& kept, bool draws_messages) {
  rules.add_rule("kept processes have the original's events in the original order");
  for (const auto& [id, recorded] : before)
    for (const auto& violation : recorded.violations)
      rules.add_violation(violation);

  // The endpoints of ranks of which a location that is not kept sends or receives.
  std::set<std::uint64_t> incomplete;
  for (const auto& [id, recorded] : before) {
    const auto& kinds = recorded.kinds;
    const bool has_messages =
        std::any_of(std::begin(message_kinds), std::end(message_kinds),
                    [&](EventKind kind) { return kinds[static_cast<std::size_t>(kind)] > 0; });
    if (has_messages && !kept.contains(id))
      incomplete.insert(original.endpoint(id));
  }

  rules.add_rule("messages between processes that are kept whole are there");
  for (const auto& [id, recorded] : before)
    for (const auto& message : recorded.missing_messages)
      if (!incomplete.contains(message.from) && !incomplete.contains(message.to))
        rules.add_violation(fmt::format("location {}", id));

  check_folded_operations(rules, before, kept, incomplete, draws_messages);
}

}  // namespace tracefold
