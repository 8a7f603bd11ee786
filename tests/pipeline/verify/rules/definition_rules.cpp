#include "tests/pipeline/verify/rules/definition_rules.hpp"

#include "base/text.hpp"
#include "model/program/member_metrics.hpp"
#include "model/time_window.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "tests/pipeline/verify/rules/tree_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

using K = DefinitionKind;

namespace {

std::string_view property_name(const Definitions& definitions, const Definition& d) {
  const auto shape = get_row(d.kind).shape();
  const bool has_name = shape.size() > 1 && shape[1].name == "name";
  return has_name ? std::string_view(definitions.text(d.fields[1])) : std::string_view();
}

bool is_group_of_reduction(const Definitions& definitions, const Definition& d) {
  return d.kind == K::Group && get_field<"groupType", K::Group>(d) == otf2_value::group_locations &&
         definitions.text(get_field<"name", K::Group>(d)).starts_with("tracefold ");
}

// Definitions that a reduction adds, or adds anew.
bool is_of_reduction(const Definitions& definitions, const Definition& d,
                     const StandInIds& stand_ins) {
  if (d.kind == K::Region)
    return stand_ins.has_region(d.id());
  if (d.kind == K::CallingContext)
    return stand_ins.has_context(d.id());
  return is_group_of_reduction(definitions, d) || is_of_members(definitions, d) ||
         property_name(definitions, d).starts_with("tracefold::");
}

// Definitions that nothing refers to: they describe what they refer to, and stay with it. Those of
// nodes of the system tree have a rule of their own.
bool describes_others(K kind) {
  if (kind == K::SystemTreeNodeProperty || kind == K::SystemTreeNodeDomain)
    return false;
  return get_row(kind).fields[0].role == FieldRole::ref || kind == K::CartTopology ||
         kind == K::Callsite || kind == K::Callpath;
}

// Whether all that a definition refers to is in the reduced archive.
bool stays_with_its_refs(const Definition& d, const DefinitionHashes& before,
                         const std::array<std::set<std::uint64_t>, ref_kinds>& present) {
  bool stays = true;
  const auto look_at = [&](Ref kind, std::uint64_t id) {
    if (kind == Ref::string || id == undefined_id(kind))
      return;
    if (kind == Ref::paradigm && !before.definitions().find(kind, id))
      return;
    if (kind == Ref::location)
      stays = stays && before.is_kept(id);
    else if (kind == Ref::location_group)
      stays = stays && before.find_group(id) == id;
    else
      stays = stays && present[static_cast<std::size_t>(kind)].contains(before.find(kind, id));
  };

  // The value of a property is not looked at: what it names stays with the property.
  const auto shape = get_row(d.kind).shape();
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i].role == FieldRole::ref)
      look_at(shape[i].target, d.fields[i]);

  if (d.kind == K::CartCoordinate) {
    const auto* topology = before.definitions().find(Ref::cart_topology, d.id());
    stays = stays && topology &&
            before.find_partner(0, get_field<"communicator", K::CartTopology>(*topology),
                                get_field<"rank", K::CartCoordinate>(d));
  }

  return stays;
}

void check_clock(RuleBook& rules, const Definitions& before, const Definitions& after) {
  rules.add_rule("the clock is the original's");
  const auto* was = find_clock(before);
  const auto* is = find_clock(after);
  if (!is) {
    rules.add_violation("there are no clock properties");
    return;
  }
  if (!was)
    return;

  auto expected = *was;
  auto& resolution = get_field<"timerResolution", K::ClockProperties>(expected);
  resolution = std::max(resolution, std::uint64_t{1});
  for (std::size_t i = 0; i < get_row(K::ClockProperties).size; ++i)
    if (expected.fields[i] != is->fields[i])
      rules.add_violation(fmt::format("{} is {}, not {}", get_row(is->kind).fields[i].name,
                                      is->fields[i], expected.fields[i]));
}

// Ids of locations may be those of the original.
void check_ids(RuleBook& rules, const Definitions& after) {
  rules.add_rule("ids are 0, 1, 2, ... of each kind");
  std::array<std::set<std::uint64_t>, ref_kinds> ids;
  for (const auto& d : after.all()) {
    const auto& first = get_row(d.kind).fields[0];
    if (first.role == FieldRole::self && first.target != Ref::paradigm &&
        first.target != Ref::location)
      ids[static_cast<std::size_t>(first.target)].insert(d.id());
  }

  for (const auto& of_kind : ids)
    if (!of_kind.empty() && *of_kind.rbegin() != of_kind.size() - 1)
      rules.add_violation(
          fmt::format("{} definitions, and id {}", of_kind.size(), *of_kind.rbegin()));
}

// A paradigm has its id in every archive.
void check_paradigms(RuleBook& rules, const Definitions& original, const Definitions& reduced) {
  rules.add_rule("paradigms are defined where they are used");
  for (const auto& d : reduced.all())
    for_each_ref(get_row(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
      if (kind == Ref::paradigm && original.find(kind, id) && !reduced.find(kind, id))
        rules.add_violation(fmt::format("{} names paradigm {}", describe(d), id));
    });
}

// Groups of regions and metrics hold those members of the original's that are in the reduced
// archive.
void check_lists_of_groups(RuleBook& rules, const DefinitionHashes& before,
                           const DefinitionHashes& after,
                           const std::array<std::set<std::uint64_t>, ref_kinds>& present) {
  rules.add_rule("groups of regions and metrics have their members");
  const auto find_kind = [](const Definition& d) -> std::optional<Ref> {
    if (d.kind != K::Group)
      return std::nullopt;
    switch (get_field<"groupType", K::Group>(d)) {
      case otf2_value::group_regions: return Ref::region;
      case otf2_value::group_metric: return Ref::metric;
      default: return std::nullopt;
    }
  };

  std::multimap<std::uint64_t, std::vector<std::uint64_t>> expected;  // members by group
  for (const auto& d : before.definitions().all())
    if (const auto kind = find_kind(d)) {
      std::vector<std::uint64_t> members;
      for (auto member : d.list)
        if (const auto meaning = before.find(*kind, member);
            present[static_cast<std::size_t>(*kind)].contains(meaning))
          members.push_back(meaning);
      expected.emplace(before.find(d), std::move(members));
    }

  for (const auto& d : after.definitions().all())
    if (const auto kind = find_kind(d)) {
      std::vector<std::uint64_t> members;
      for (auto member : d.list)
        members.push_back(after.find(*kind, member));

      const auto [first, last] = expected.equal_range(after.find(d));
      const bool fits =
          std::any_of(first, last, [&](const auto& group) { return group.second == members; });
      if (!fits || get_field<"numberOfMembers", K::Group>(d) != d.list.size())
        rules.add_violation(describe(d));
    }
}

constexpr std::string_view sign_of_count = "× ", sign_of_halo = "◌ ";

// What may stand before the name of a location, and before that of its group.
std::string make_expected_sign(const LocationProperties& stand_in) {
  if (stand_in.is_halo())
    return std::string(sign_of_halo);
  const auto count = stand_in.count.value_or(1);
  return count > 1 ? fmt::format("{}{}", count, sign_of_count) : "";
}

// Whether a name is that of the original, also with a sign before it, or without the sign of an
// earlier reduction.
bool is_name_of(const std::string& name, const std::string& original, const std::string& sign) {
  const auto is_signed = [&](std::string_view words) {
    return name == words || name == fmt::format("{}{}", sign, words);
  };
  const auto is_without = [&](std::string_view earlier) {
    const auto at = original.find(earlier);
    return at != std::string::npos &&
           is_signed(std::string_view(original).substr(at + earlier.size()));
  };

  return is_signed(original) || is_without(sign_of_count) || is_without(sign_of_halo);
}

// The group numbers of locations, by location.
std::map<std::uint64_t, std::uint64_t> read_group_numbers(const Definitions& definitions) {
  std::map<std::uint64_t, std::uint64_t> numbers;
  for (const auto& d : definitions.all())
    if (d.kind == K::LocationProperty && property_name(definitions, d) == "tracefold::group")
      numbers[d.id()] = get_field<"value", K::LocationProperty>(d);
  return numbers;
}

// Whether the groups of locations say the same as the properties.
void check_groups(RuleBook& rules, const Definitions& reduced,
                  const PropertiesByLocation& properties) {
  rules.add_rule("the groups of locations are those that the locations name");
  struct ExpectedGroup {
    std::vector<std::uint64_t> locations;
    std::uint64_t count = 0;  // processes that they stand for
    bool is_there = false;
  };
  std::map<std::string, ExpectedGroup> expected;  // by what the name begins with
  for (const auto& [location, number] : read_group_numbers(reduced)) {
    auto& group = expected[fmt::format("tracefold group {}: ", number)];
    group.locations.push_back(location);
    if (const auto at = properties.find(location); at != properties.end())
      group.count += at->second.count.value_or(1);
  }

  for (const auto& d : reduced.all()) {
    if (!is_group_of_reduction(reduced, d))
      continue;
    const auto& name = reduced.text(get_field<"name", K::Group>(d));
    const auto at = expected.find(name.substr(0, name.find(": ") + 2));
    if (at == expected.end() || std::exchange(at->second.is_there, true) ||
        !says_count(std::string_view(name).substr(at->first.size()), at->second.count) ||
        at->second.locations != d.list || get_field<"paradigm", K::Group>(d) != 0 ||
        get_field<"groupFlags", K::Group>(d) != 0)
      rules.add_violation(describe(d));
  }

  for (const auto& [name, group] : expected)
    if (!group.is_there)
      rules.add_violation(fmt::format("'{}…' is missing", name));
}

// The lowest id of the location groups with one meaning, by meaning.
std::map<std::uint64_t, std::uint64_t> find_lowest_groups(const DefinitionHashes& hashes) {
  std::map<std::uint64_t, std::uint64_t> lowest;
  for (const auto& d : hashes.definitions().all())
    if (d.kind == K::LocationGroup) {
      const auto at = lowest.emplace(hashes.find(Ref::location_group, d.id()), d.id()).first;
      at->second = std::min(at->second, d.id());
    }

  return lowest;
}

void check_location_groups(RuleBook& rules, const DefinitionHashes& before,
                           const DefinitionHashes& after,
                           const std::map<std::uint64_t, std::string>& signs, ReducedHow how) {
  rules.add_rule("location groups are those of the original");
  const auto lowest = find_lowest_groups(after);
  for (const auto& d : after.definitions().all()) {
    if (d.kind != K::LocationGroup)
      continue;
    const auto source = after.find_group(d.id());
    const auto* was = source ? before.definitions().find(Ref::location_group, *source) : nullptr;
    if (!was) {
      rules.add_violation(describe(d));
      continue;
    }

    const auto sign = signs.find(d.id());
    const auto mean_same = [&](Ref kind, std::size_t field) {
      return before.find(kind, was->fields[field]) == after.find(kind, d.fields[field]);
    };
    constexpr auto creator = field_place<"creatingLocationGroup", K::LocationGroup>();
    const auto old_creator = was->fields[creator];
    const auto stand_in = lowest.find(before.find(Ref::location_group, old_creator));
    const bool is_cut =
        d.fields[creator] == undefined_id(Ref::location_group) &&
        (how == ReducedHow::again || stand_in == lowest.end() || stand_in->second >= d.id());
    const bool creator_fits = mean_same(Ref::location_group, creator) || is_cut ||
                              old_creator == was->id() ||
                              !before.definitions().find(Ref::location_group, old_creator);
    if (!is_name_of(after.definitions().text(get_field<"name", K::LocationGroup>(d)),
                    before.definitions().text(get_field<"name", K::LocationGroup>(*was)),
                    sign == signs.end() ? "" : sign->second) ||
        get_field<"locationGroupType", K::LocationGroup>(d) !=
            get_field<"locationGroupType", K::LocationGroup>(*was) ||
        !creator_fits)
      rules.add_violation(describe(d));
  }
}

// Whether messages are recorded by wanted locations of the original that are left out, or in the
// halo.
bool leaves_out_messages(const PropertiesByLocation& properties, const RecordedLocations& before,
                         const std::set<std::uint64_t>& wanted) {
  using enum EventKind;

  std::set<std::uint64_t> kept;
  for (const auto& [id, stand_in] : properties)
    if (stand_in.source && !stand_in.is_halo())
      kept.insert(*stand_in.source);

  const auto has_messages = [](const Recorded& recorded) {
    return std::ranges::any_of(std::array{MpiSend, MpiIsend, MpiRecv, MpiIrecv}, [&](auto kind) {
      return recorded.kinds[static_cast<std::size_t>(kind)] > 0;
    });
  };

  return std::any_of(before.begin(), before.end(), [&](const auto& one) {
    return wanted.contains(one.first) && !kept.contains(one.first) && has_messages(one.second);
  });
}

bool is_comparison(const std::string& word) {
  return word == "pairs" || word == "functions" || word == "signature" || word == "names" ||
         word == "run";
}

}  // namespace

const Definition* find_clock(const Definitions& definitions) {
  for (const auto& d : definitions.all())
    if (d.kind == K::ClockProperties)
      return &d;
  return nullptr;
}

StandInIds find_stand_ins(const Definitions& reduced, const Definitions& original) {
  StandInIds found;
  if (is_collapsed(original))
    return found;

  const auto add = [](std::vector<bool>& ids, std::uint64_t id) {
    constexpr std::uint64_t most = 1 << 24;
    if (id >= most)
      return;
    if (id >= ids.size())
      ids.resize(id + 1);
    ids[id] = true;
  };
  for (const auto& d : reduced.all())
    if (d.kind == K::Region &&
        is_collapsed_iteration(reduced.text(get_field<"name", K::Region>(d))))
      add(found.regions, d.id());
  for (const auto& d : reduced.all())
    if (d.kind == K::CallingContext && found.has_region(get_field<"region", K::CallingContext>(d)))
      add(found.contexts, d.id());

  return found;
}

void check_definition_hashes(RuleBook& rules, const DefinitionHashes& before,
                             const DefinitionHashes& after, const StandInIds& stand_ins) {
  const auto& reduced = after.definitions();
  const auto& original = before.definitions();
  check_clock(rules, original, reduced);
  check_ids(rules, reduced);

  std::set<std::uint64_t> known, there;
  std::array<std::set<std::uint64_t>, ref_kinds> present;
  for (const auto& d : original.all())
    known.insert(before.find(d));
  for (const auto& [paradigm, list] : original.comm_locations())
    known.insert(before.find(list));
  for (const auto& d : reduced.all()) {
    const auto& first = get_row(d.kind).fields[0];
    there.insert(after.find(d));
    if (first.role == FieldRole::self)
      present[static_cast<std::size_t>(first.target)].insert(after.find(first.target, d.id()));
  }

  rules.add_rule("definitions mean what they mean in the original");
  const NewTreeNodes new_nodes(original, reduced);
  for (const auto& d : reduced.all())
    if ((d.kind != K::SystemTreeNode || !new_nodes.has(d)) && d.kind != K::String &&
        d.kind != K::ClockProperties && d.kind != K::Location && d.kind != K::LocationGroup &&
        !is_of_reduction(reduced, d, stand_ins) && !known.contains(after.find(d)))
      rules.add_violation(describe(d));

  rules.add_rule("what describes something that is kept is kept, too");
  for (const auto& d : original.all()) {
    if (describes_others(d.kind) && !is_of_reduction(original, d, {}) &&
        stays_with_its_refs(d, before, present) && !there.contains(before.find(d)))
      rules.add_violation(fmt::format("{} of the original", describe(d)));
  }

  check_paradigms(rules, original, reduced);
  check_lists_of_groups(rules, before, after, present);

  rules.add_rule("regions that stand for iterations are artificial");
  for (const auto& d : reduced.all()) {
    if (d.kind != K::Region || !is_of_reduction(reduced, d, stand_ins))
      continue;
    const auto name = get_field<"name", K::Region>(d);
    const bool fits =
        get_field<"canonicalName", K::Region>(d) == name &&
        !reduced.text(get_field<"description", K::Region>(d)).empty() &&
        get_field<"regionRole", K::Region>(d) == otf2_value::region_role_artificial &&
        get_field<"paradigm", K::Region>(d) == otf2_value::paradigm_measurement_system &&
        get_field<"regionFlags", K::Region>(d) == 0 &&
        get_field<"sourceFile", K::Region>(d) == undefined_id(Ref::string) &&
        get_field<"beginLineNumber", K::Region>(d) == 0 &&
        get_field<"endLineNumber", K::Region>(d) == 0;
    if (!fits)
      rules.add_violation(describe(d));
  }
  for (const auto& d : reduced.all()) {
    if (d.kind != K::CallingContext || !stand_ins.has_context(d.id()))
      continue;
    const auto parent = get_field<"parent", K::CallingContext>(d);
    const bool fits =
        get_field<"sourceCodeLocation", K::CallingContext>(d) ==
            undefined_id(Ref::source_code_location) &&
        (parent == undefined_id(Ref::calling_context) ||
         (reduced.find(Ref::calling_context, parent) && !stand_ins.has_context(parent)));
    if (!fits)
      rules.add_violation(describe(d));
  }
}

void check_locations(RuleBook& rules, const DefinitionHashes& before, const DefinitionHashes& after,
                     const PropertiesByLocation& properties, const RecordedLocations& recorded,
                     ReducedHow how) {
  rules.add_rule("locations are those of the original, with as many events as they say");
  // By location group, of the first location that is not halo, where there is one.
  std::map<std::uint64_t, std::string> signs;
  for (const auto& d : after.definitions().all()) {
    if (d.kind != K::Location)
      continue;

    const auto& stand_in = properties.at(d.id());
    const auto sign = make_expected_sign(stand_in);
    const auto group = get_field<"locationGroup", K::Location>(d);
    if (const auto at = signs.emplace(group, sign).first;
        at->second == sign_of_halo && !stand_in.is_halo())
      at->second = sign;
    const auto source = stand_in.source;
    const auto* was = source ? before.definitions().find(Ref::location, *source) : nullptr;
    if (!was)
      continue;  // there is a rule for that

    const auto events = recorded.find(d.id());
    if (!is_name_of(after.definitions().text(get_field<"name", K::Location>(d)),
                    before.definitions().text(get_field<"name", K::Location>(*was)), sign) ||
        get_field<"locationType", K::Location>(d) != get_field<"locationType", K::Location>(*was) ||
        after.find_group(group) != get_field<"locationGroup", K::Location>(*was) ||
        (events != recorded.end() &&
         events->second.records != get_field<"numberOfEvents", K::Location>(d)))
      rules.add_violation(describe(d));
  }

  check_location_groups(rules, before, after, signs, how);
  check_groups(rules, after.definitions(), properties);
}

void check_anchor(RuleBook& rules, const Archive& original, const Archive& reduced,
                  const PropertiesByLocation& properties, const std::set<std::uint64_t>& wanted,
                  const RecordedLocations& before, const RecordedLocations& after,
                  const TimeWindow* window) {
  const auto& was = original.facts();
  const auto& is = reduced.facts();
  rules.add_rule("the anchor says what the original's does");
  const auto compare = [&](const char* what, const auto& found, const auto& expected) {
    if (found != expected)
      rules.add_violation(fmt::format("{} is '{}', not '{}'", what, found, expected));
  };
  compare("the machine", is.machine, was.machine);
  compare("the creator", is.creator, was.creator);
  compare("the description", is.description, was.description);
  compare("the number of locations", is.stated_locations, properties.size());
  compare("the number of definitions", is.stated_definitions, is.definitions.all().size());

  const auto is_ours = [](const std::string& name) {
    return name.starts_with("TRACEFOLD::") || name == complete_property;
  };
  for (const auto& [name, value] : was.properties)
    if (!is_ours(name) && (!is.properties.contains(name) || is.properties.at(name) != value))
      rules.add_violation(fmt::format("the property {} is missing or another one", name));
  for (const auto& [name, value] : is.properties)
    if (!is_ours(name) && !was.properties.contains(name))
      rules.add_violation(fmt::format("the property {} is not the original's", name));
  for (const auto* name : {version_property, "TRACEFOLD::PLAN_SHA256", "TRACEFOLD::REDUCTIONS"})
    if (!is.properties.contains(name))
      rules.add_violation(fmt::format("the property {} is missing", name));

  const auto hash = is.properties.find("TRACEFOLD::PLAN_SHA256");
  if (hash != is.properties.end() && !hash->second.starts_with(fmt::format("{:016x}", is.trace_id)))
    rules.add_violation("the identifier of the trace is not made from the plan's hash");

  const auto reductions = is.properties.find("TRACEFOLD::REDUCTIONS");
  if (reductions != is.properties.end() &&
      (reductions->second != std::to_string(count_reductions(is)) ||
       count_reductions(is) <= count_reductions(was)))
    rules.add_violation(fmt::format("it was reduced '{}' times", reductions->second));

  const auto by = is.properties.find("TRACEFOLD::COMPARED_BY");
  const bool is_folded = std::any_of(properties.begin(), properties.end(), [](const auto& one) {
    return one.second.count.value_or(1) > 1;
  });
  if (by == is.properties.end() ? is_folded : !is_comparison(by->second))
    rules.add_violation("nothing says what processes were compared by");

  if (count_reductions(is) != count_reductions(was) + 1)
    return;  // what was left out before is not known

  rules.add_rule("the anchor says how many records of each kind were left out");
  std::array<std::uint64_t, event_kinds> missing{};
  for (const auto& [id, stand_in] : properties) {
    if (!stand_in.source || !before.contains(*stand_in.source) || !after.contains(id) ||
        stand_in.is_halo())
      continue;
    for (std::size_t k = 0; k < event_kinds; ++k)
      missing[k] += before.at(*stand_in.source).kinds[k] - after.at(id).kinds[k];
    if (!window)
      continue;
    if (const auto crossing = window->crossing->find(*stand_in.source);
        crossing != window->crossing->end())
      for (const auto& record : crossing->second)
        ++missing[static_cast<std::size_t>(record.kind)];
  }

  if (const auto said = is.properties.find(whole_property); said != is.properties.end()) {
    rules.add_rule("nothing is left out of a trace that says that it is whole");
    compare(whole_property, said->second, "true");
    std::set<std::uint64_t> whole;
    for (const auto& [id, stand_in] : properties)
      if (stand_in.source && before.contains(*stand_in.source) && after.contains(id) &&
          before.at(*stand_in.source).kinds == after.at(id).kinds)
        whole.insert(*stand_in.source);
    if (!is_whole(was) || whole.size() < before.size())
      rules.add_violation(fmt::format("{} is there, and not all records are", whole_property));
  }

  bool is_complete = !leaves_out_messages(properties, before, wanted);
  const auto left_out_before = count_cut_records(was);
  for (std::size_t k = 0; k < event_kinds; ++k) {
    missing[k] += left_out_before[k];
    const auto kind = static_cast<EventKind>(k);
    if (kind == EventKind::Enter || kind == EventKind::Leave)
      continue;

    const auto name = event_table[k].name;
    const auto stated = is.properties.find("TRACEFOLD::CUT::" + to_upper(name));
    const auto words = stated == is.properties.end() ? "0" : stated->second;
    if (words != std::to_string(missing[k]))
      rules.add_violation(fmt::format("{} {} are missing, not {}", missing[k], name, words));
    if (missing[k] && (name.starts_with("Mpi") || name.starts_with("Rma") ||
                       name.starts_with("NonBlockingCollective")))
      is_complete = false;
  }

  const auto was_complete = was.properties.find(complete_property);
  const auto now_complete = is.properties.find(complete_property);
  const std::string expected = !is_complete                           ? "false"
                               : was_complete == was.properties.end() ? ""
                                                                      : was_complete->second;
  compare(complete_property, now_complete == is.properties.end() ? "" : now_complete->second,
          expected);
}

}  // namespace tracefold
