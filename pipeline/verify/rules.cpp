#include "pipeline/verify/rules.hpp"

#include "base/ranges.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

constexpr EventKind message_kinds[] = {EventKind::MpiSend, EventKind::MpiIsend, EventKind::MpiRecv,
                                       EventKind::MpiIrecv};

// The number of messages that were sent and received, by sender, receiver, tag and length.
using Traffic = std::map<std::array<std::uint64_t, 4>, std::pair<std::int64_t, std::int64_t>>;

Traffic count_messages(const RecordedLocations& locations) {
  Traffic traffic;

  for (const auto& [id, recorded] : locations) {
    for (const auto& [message, times] : recorded.sent)
      traffic[message].first += times;
    for (const auto& [message, times] : recorded.received)
      traffic[message].second += times;
  }

  return traffic;
}

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

StandInsByLocation read_stand_ins(const Definitions& definitions) {
  StandInsByLocation properties;
  for (auto id : definitions.locations())
    properties[id];
  for (auto& [id, stand_in] : read_stand_in_properties(definitions))
    properties[id] = std::move(stand_in);

  return properties;
}

void check_definitions(RuleBook& rules, const Definitions& definitions) {
  rules.add_rule("definitions refer to what is there");
  for (const auto& d : definitions.all())
    for_each_ref(get_row(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
      if (kind != Ref::paradigm && id != undefined_id(kind) && !definitions.find(kind, id))
        rules.add_violation(fmt::format("{} {} names {}", get_row(d.kind).name, d.id(), id));
    });
}

void check_stand_ins(RuleBook& rules, const StandInsByLocation& properties,
                     const std::set<std::uint64_t>& originals) {
  std::map<std::uint64_t, std::uint64_t> times;
  rules.add_rule("every location says what it stands for, and is one of its members");

  for (const auto& [id, s] : properties) {
    if (s.is_halo())
      continue;
    if (!s.source || !s.count || !s.members) {
      rules.add_violation(fmt::format("location {}", id));
      continue;
    }

    const auto members = parse_members(*s.members, originals.size());
    for (auto m : members)
      ++times[m];
    if (members.size() != *s.count ||
        !std::binary_search(members.begin(), members.end(), *s.source))
      rules.add_violation(fmt::format("location {}", id));
  }

  rules.add_rule("every original location is stood for exactly once");
  for (auto id : originals)
    if (times[id] != 1)
      rules.add_violation(fmt::format("location {}: {} times", id, times[id]));

  for (auto [id, n] : times)
    if (!originals.contains(id))
      rules.add_violation(fmt::format("location {} is not in the original", id));
}

void check_ranks(RuleBook& rules, const StandInsByLocation& properties,
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

void check_halo(RuleBook& rules, const StandInsByLocation& properties,
                const RecordedLocations& after, const Definitions& original) {
  rules.add_rule("halo processes say where they come from, and how many messages they record");
  for (const auto& [id, s] : properties) {
    if (!s.halo)
      continue;

    const auto recorded = after.find(id);
    std::uint64_t messages = 0;
    for (const auto kind : message_kinds)
      if (recorded != after.end())
        messages += recorded->second.kinds[static_cast<std::size_t>(kind)];
    if (s.count || s.group || s.members || !s.source || *s.halo != messages ||
        !original.find(Ref::location, *s.source))
      rules.add_violation(fmt::format("location {}", id));
  }
}

void check_records(RuleBook& rules, const Definitions& original, const RecordedLocations& before,
                   const RecordedLocations& after, const std::set<std::uint64_t>& kept,
                   bool draws_messages) {
  rules.add_rule(
      "kept locations record what the original does, in its order, but for what had to go");
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

  rules.add_rule("events refer to what is there");
  for (const auto& [id, a] : after)
    if (a.dangling)
      rules.add_violation(fmt::format("location {}: {} times", id, a.dangling));
}

void check_messages(RuleBook& rules, const RecordedLocations& before,
                    const RecordedLocations& after) {
  auto was = count_messages(before);
  rules.add_rule("messages stay matched, and none appears");

  for (const auto& [key, now] : count_messages(after)) {
    const auto [sent, received] = was[key];
    if (now.first > sent || now.second > received || (now.first != now.second && sent == received))
      rules.add_violation(fmt::format("{} to {} tag {}: {} sent, {} received", key[0], key[1],
                                      key[2], now.first, now.second));
  }
}

}  // namespace tracefold
