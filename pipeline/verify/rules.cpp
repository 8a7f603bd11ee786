#include "pipeline/verify/rules.hpp"

#include "base/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

// True for kinds whose records may be left out with their partner. Records of collectives are left
// out only where iterations are collapsed: `folded`; metrics of other locations only where those
// were filtered out.
bool may_be_cut(EventKind kind, bool folded, bool is_filtered) {
  if (is_filtered && kind == EventKind::Metric)
    return true;

  const auto name = get_row(kind).name;
  if (folded && name.starts_with("NonBlockingCollective"))
    return true;
  if (!folded && (kind == EventKind::MpiCollectiveBegin || kind == EventKind::MpiCollectiveEnd))
    return false;

  return name.starts_with("Mpi") || name.starts_with("Rma") || name.starts_with("ThreadTask");
}

// Empty where the text is no list, or a list of more ids than there are.
std::vector<std::uint64_t> parse_members(const std::string& members, std::size_t most) {
  try {
    return parse_ranges(members, most);
  } catch (const Error&) {
    return {};
  }
}

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

}  // namespace

Standings read_standings(const Definitions& definitions) {
  Standings standings;
  for (auto id : definitions.locations())
    standings[id];
  for (auto& [id, standing] : read_standing_properties(definitions))
    standings[id] = std::move(standing);

  return standings;
}

void check_definitions(RuleBook& rules, const Definitions& definitions) {
  rules.add_rule("definitions refer to what is there");
  for (const auto& d : definitions.all())
    for_each_ref(get_row(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
      if (kind != Ref::paradigm && id != undefined_id(kind) && !definitions.find(kind, id))
        rules.add_violation(fmt::format("{} {} names {}", get_row(d.kind).name, d.id(), id));
    });
}

void check_standings(RuleBook& rules, const Standings& standings,
                     const std::set<std::uint64_t>& originals) {
  std::map<std::uint64_t, std::uint64_t> times;
  rules.add_rule("every location says what it stands for, and is one of its members");

  for (const auto& [id, s] : standings) {
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

void check_records(RuleBook& rules, const Standings& standings, const RecordedLocations& before,
                   const RecordedLocations& after, bool is_filtered) {
  const auto each = [&](auto&& check) {
    for (const auto& [id, s] : standings)
      if (s.source && before.contains(*s.source) && after.contains(id))
        check(id, before.at(*s.source), after.at(id));
  };

  rules.add_rule(
      "kept locations have every call of the original, at its time, but for those in collapsed "
      "iterations");
  each([&](auto id, const auto& b, const auto& a) {
    if (a.stand_ins.empty() ? a.calls != b.calls : b.lost > 0)
      rules.add_violation(fmt::format("location {}", id));
  });

  const bool folded = std::any_of(after.begin(), after.end(),
                                  [](const auto& one) { return !one.second.stand_ins.empty(); });
  rules.add_rule("as many records of each kind that names no partner, and no others appear");

  each([&](auto id, const auto& b, const auto& a) {
    for (std::size_t k = 0; k < event_kinds; ++k)
      if (a.kinds[k] > b.kinds[k] || (a.kinds[k] < b.kinds[k] && a.stand_ins.empty() &&
                                      !may_be_cut(static_cast<EventKind>(k), folded, is_filtered)))
        rules.add_violation(fmt::format("location {}: {} {} of {}", id, event_table[k].name,
                                        a.kinds[k], b.kinds[k]));
  });

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
