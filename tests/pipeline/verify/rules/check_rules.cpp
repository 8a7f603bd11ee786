#include "tests/pipeline/verify/rules/check_rules.hpp"

#include "model/program/member_metrics.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/pipeline/verify/rules/definition_rules.hpp"
#include "tests/pipeline/verify/rules/iteration_rules.hpp"
#include "tests/pipeline/verify/rules/recorded.hpp"
#include "tests/pipeline/verify/rules/rules.hpp"
#include "tests/pipeline/verify/rules/tree_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

// The locations of the original that the filters leave in.
std::set<std::uint64_t> find_wanted(const Archive& original,
                                    const std::vector<FilterSection>& filters) {
  std::set<std::uint64_t> wanted;
  for (const auto& process : find_processes(original.definitions(), filters))
    wanted.insert(process.id);
  return wanted;
}

// There are no windows of a trace that was reduced before: then the plan is of another trace.
void look_at_windows(const Archive& original, std::vector<FilterSection>& filters,
                     const ReadOptions& options) {
  if (was_reduced(original))
    for (auto& filter : filters)
      filter.time.reset();
  else
    look_at_window(original, filters, options);
}

// The same filters of functions, for all locations: both ends of each message are looked at.
std::vector<FilterSection> without_locations(std::vector<FilterSection> filters) {
  for (auto& filter : filters)
    filter.locations.clear();
  return filters;
}

std::uint64_t find_group(const Definitions& definitions, std::uint64_t location) {
  const auto* found = definitions.find(Ref::location, location);
  return found ? get_field<"locationGroup", DefinitionKind::Location>(*found)
               : undefined_id(Ref::location_group);
}

std::optional<std::uint64_t> find_creator(const Definitions& definitions, std::uint64_t group) {
  const auto* found = definitions.find(Ref::location_group, group);
  if (!found)
    return std::nullopt;

  const auto creator = get_field<"creatingLocationGroup", DefinitionKind::LocationGroup>(*found);
  return definitions.find(Ref::location_group, creator) ? std::optional(creator) : std::nullopt;
}

// A location of a reduced archive means its source. Its location group means that of the source,
// and a group without locations, which has created others, the creator of those.
OriginalIds map_reduced_ids(const Definitions& reduced, const Definitions& original,
                            const PropertiesByLocation& properties) {
  OriginalIds ids;
  for (const auto& [id, stand_in] : properties)
    if (stand_in.source) {
      ids.locations.emplace(id, *stand_in.source);
      ids.groups.emplace(find_group(reduced, id), find_group(original, *stand_in.source));
    }

  auto open = ids.groups;
  while (!open.empty()) {
    decltype(open) creators;
    for (const auto& [group, source] : open) {
      const auto creator = find_creator(reduced, group);
      const auto source_creator = find_creator(original, source);
      if (creator && source_creator && ids.groups.emplace(*creator, *source_creator).second)
        creators.emplace(*creator, *source_creator);
    }
    open = std::move(creators);
  }

  for (const auto& d : reduced.all())
    if (d.kind == DefinitionKind::Location) {
      const auto at = ids.locations.find(d.id());
      ids.first_kept = at == ids.locations.end() ? 0 : at->second;
      break;
    }

  return ids;
}

// The locations of the original that are halo, in groups of which nothing is kept otherwise.
// Sources in the properties are ids of the original.
std::unordered_set<std::uint64_t> find_halo_groups(const Definitions& original,
                                                   const PropertiesByLocation& properties) {
  std::set<std::uint64_t> kept_groups;
  for (const auto& [id, stand_in] : properties)
    if (!stand_in.is_halo() && stand_in.source)
      kept_groups.insert(find_group(original, *stand_in.source));

  std::unordered_set<std::uint64_t> found;
  for (const auto& [id, stand_in] : properties)
    if (stand_in.is_halo() && stand_in.source &&
        !kept_groups.contains(find_group(original, *stand_in.source)))
      found.insert(*stand_in.source);

  return found;
}

// A location of the original means itself where it stays, else the one that stands for it. A
// location group means itself where it is kept, else the one of the first of its locations that
// somebody stands for.
OriginalIds map_original_ids(const Definitions& original, const PropertiesByLocation& properties,
                             const FirstOriginal& first, const OriginalIds& reduced) {
  OriginalIds ids;
  ids.is_original = true;
  ids.first_kept = reduced.first_kept;

  for (const auto& [id, stand_in] : properties)
    if (stand_in.source && stand_in.members)
      for (auto member : parse_members(*stand_in.members))
        if (const auto location = first.find_source(member))
          ids.locations.emplace(*location, *stand_in.source);
  for (const auto& [id, stand_in] : properties)
    if (stand_in.is_halo() && stand_in.source)
      ids.locations[*stand_in.source] = *stand_in.source;
  ids.behind = find_halo_groups(original, properties);

  for (const auto& [group, source] : reduced.groups)
    ids.groups.emplace(source, source);
  for (auto id : original.locations())
    if (const auto at = ids.locations.find(id); at != ids.locations.end())
      ids.groups.emplace(find_group(original, id), find_group(original, at->second));

  return ids;
}

}  // namespace

std::vector<RuleVerdict> check_rules(const Archive& reduced, const Archive& original) {
  std::vector<RuleVerdict> verdicts;
  RuleBook rules(verdicts);
  const ReadOptions options;
  Diagnostics ignored;
  auto beside = read_plan_beside(reduced);
  if (beside.plan)
    look_at_windows(original, beside.plan->filters, options);
  const auto filters = beside.plan ? beside.plan->filters : std::vector<FilterSection>{};
  const auto* window = find_window(filters);
  const auto wanted = find_wanted(original, filters);
  const FirstOriginal first(original.definitions(), wanted);
  auto properties = read_stand_ins(reduced.definitions());
  for (auto& [id, s] : properties)
    if (s.source)
      s.source = first.find_location(*s.source);

  check_ranks(rules, properties, find_processes(original.definitions(), {}));

  const auto stand_ins = find_stand_ins(reduced.definitions(), original.definitions());
  const auto after = record(reduced, {}, stand_ins, nullptr, options, ignored);

  auto of_reduced = map_reduced_ids(reduced.definitions(), original.definitions(), properties);
  auto of_original = map_original_ids(original.definitions(), properties, first, of_reduced);
  const DefinitionHashes hashes_after(reduced.definitions(), std::move(of_reduced));
  const DefinitionHashes hashes_before(original.definitions(), std::move(of_original));
  const RecordRulesContext context{
      hashes_before,
      hashes_after,
      stand_ins,
      std::any_of(after.begin(), after.end(),
                  [](const auto& one) { return !one.second.stand_ins.empty(); }),
      wanted.size() + find_halo_locations(original.definitions()).size() <
          original.definitions().locations().size(),
      draws_messages(reduced.facts()),
      find_member_metrics(original.definitions()),
      find_member_metrics(reduced.definitions())};

  std::set<std::uint64_t> with_halo;
  ReducedRecords made{reduced, context, {}};
  for (const auto& [id, stand_in] : properties)
    if (stand_in.source && after.contains(id)) {
      with_halo.insert(*stand_in.source);
      made.by_source.emplace(*stand_in.source,
                             ReducedLocation{id, &after.at(id), stand_in.is_halo()});
    }

  const auto before = record(original, without_locations(filters), {}, &made, options, ignored);

  check_definition_hashes(rules, hashes_before, hashes_after, stand_ins);
  const bool is_next = count_reductions(reduced.facts()) == count_reductions(original.facts()) + 1;
  check_locations(rules, hashes_before, hashes_after, properties, after,
                  is_next ? ReducedHow::once : ReducedHow::again);
  check_system_tree(rules, original.facts(), reduced.facts(), hashes_before, hashes_after,
                    properties);
  check_records(rules, original.definitions(), before, with_halo, context.draws_messages);
  check_iterations(rules, original.facts(), reduced.facts(), hashes_before, hashes_after, after,
                   window);
  check_anchor(rules, original, reduced, properties, wanted, before, after, window);

  return verdicts;
}

std::vector<std::string> list_broken_rules(const Archive& reduced, const Archive& original) {
  std::vector<std::string> broken;
  for (const auto& verdict : check_rules(reduced, original))
    for (const auto& violation : verdict.violations)
      broken.push_back(verdict.rule + ": " + violation);

  return broken;
}

std::vector<std::string> list_violations(const Archive& reduced, const Archive& original) {
  Diagnostics warnings;
  std::vector<std::string> violations;
  for (const auto& verdict : verify(reduced, original, {}, warnings).rules)
    violations.insert(violations.end(), verdict.violations.begin(), verdict.violations.end());
  const auto broken = list_broken_rules(reduced, original);
  violations.insert(violations.end(), broken.begin(), broken.end());

  return violations;
}

}  // namespace tracefold
