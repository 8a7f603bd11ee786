#include "pipeline/verify/verify.hpp"

#include "base/text.hpp"
#include "base/version.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/messages/messages.hpp"
#include "model/program/member_metrics.hpp"
#include "otf2/name_codes.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/program/whole_program.hpp"
#include "pipeline/verify/aggregate_rules.hpp"
#include "pipeline/verify/definition_rules.hpp"
#include "pipeline/verify/derive_again.hpp"
#include "pipeline/verify/derive_plan.hpp"
#include "pipeline/verify/iteration_rules.hpp"
#include "pipeline/verify/member_rules.hpp"
#include "pipeline/verify/recorded.hpp"
#include "pipeline/verify/rules.hpp"
#include "pipeline/verify/tree_rules.hpp"
#include "pipeline/window/find_crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
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

// What filters have left out is missing in the reduced trace, and only a plan tells what that is.
void check_filters_are_known(const std::vector<FilterSection>& filters, const Archive& reduced,
                             const Archive& original) {
  if (count_filtered_reductions(reduced.facts()) <=
      count_filtered_reductions(original.facts()) + leave_out_anything(filters))
    return;

  throw Error(ErrorKind::input,
              "filters have left out a part of what was recorded, and no plan beside the trace "
              "tells which part, so that it cannot be checked")
      .in(reduced.paths().anchor.string())
      .hint(
          "put the tracefold.json beside it with which it was written, or compare it with the "
          "trace that it was made from");
}

// The same filters of functions, for all locations: both ends of each message are looked at.
std::vector<FilterSection> without_locations(std::vector<FilterSection> filters) {
  for (auto& filter : filters)
    filter.locations.clear();
  return filters;
}

// False for a trace that says nothing of a reduction, as where both were given the other way round.
bool is_reduced(const Archive& archive, const StandInsByLocation& properties) {
  return was_written_by_us(archive.facts()) ||
         std::any_of(properties.begin(), properties.end(),
                     [](const auto& one) { return one.second.source.has_value(); });
}

// False for traces of different runs: another clock, or no location that one of them names is in
// the other.
bool may_be_made_from(const Definitions& reduced, const StandInsByLocation& properties,
                      const Definitions& original, const std::set<std::uint64_t>& originals) {
  constexpr auto clock_kind = DefinitionKind::ClockProperties;
  const auto* before = find_clock(original);
  const auto* after = find_clock(reduced);
  if (before && after &&
      get_field<"globalOffset", clock_kind>(*before) !=
          get_field<"globalOffset", clock_kind>(*after))
    return false;

  return std::any_of(properties.begin(), properties.end(), [&](const auto& one) {
    const auto& source = one.second.source;
    return !source || originals.contains(*source);
  });
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
                            const StandInsByLocation& properties) {
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
                                                   const StandInsByLocation& properties) {
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
OriginalIds map_original_ids(const Definitions& original, const StandInsByLocation& properties,
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

void check_plan(RuleBook& rules, const PlanBeside& beside, const Archive& reduced,
                const Archive& original) {
  rules.add_rule("the plan beside it is the one that its anchor names");
  if (!beside.is_named)
    rules.add_violation("the anchor names no plan");
  else if (!beside.is_missing() && !beside.is_that)
    rules.add_violation("the plan has another hash than TRACEFOLD::PLAN_SHA256");
  else if (!beside.is_missing() && !beside.plan)
    rules.add_violation(beside.error ? beside.error->what() : "what is there is no plan");
  if (!beside.plan)
    return;

  const auto& write = beside.plan->write;
  if (!write)
    rules.add_violation("the plan does not say how the trace was written");
  else if (write->version != version)
    rules.add_violation(fmt::format("version {} wrote the reduced trace, and this is version {}",
                                    write->version, version));

  // A trace that was reduced again may be compared with the first original.
  const bool is_next = count_reductions(reduced.facts()) == count_reductions(original.facts()) + 1;
  if (is_next && beside.plan->trace.identity != original.identity())
    rules.add_violation("the plan names another trace");

  rules.add_rule("the profiles beside it are those that the plan names");
  if (const auto wrong = check_profiles_file(reduced, beside); !wrong.empty())
    rules.add_violation(wrong);
}

// What the plan keeps beside the trace, in words of its own: any difference is one of fields, too.
void check_kept(RuleBook& rules, const Plan& plan, const Plan& derived,
                const AggregatesContext& context) {
  if (plan.aggregates)
    check_aggregates(rules, plan, context);
  if (!plan.messages)
    return;

  rules.add_rule("the messages that are kept are those of all ranks");
  if (!derived.messages)
    rules.add_violation("no messages are known of the original");
  else if (*derived.messages != *plan.messages)
    rules.add_violation("ranks communicate something else");
}

}  // namespace

bool Verification::holds() const {
  return std::all_of(rules.begin(), rules.end(),
                     [](const auto& r) { return r.violations.empty(); });
}

Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options,
                    Diagnostics& diagnostics) {
  Verification out;
  RuleBook rules(out.rules);
  auto beside = read_plan_beside(reduced);
  if (beside.plan)
    look_at_windows(original, beside.plan->filters, options);
  auto properties = read_stand_ins(reduced.definitions());
  const auto filters = beside.plan ? beside.plan->filters : std::vector<FilterSection>{};
  const auto* window = find_window(filters);
  const auto wanted = find_wanted(original, filters);
  const FirstOriginal first(original.definitions(), wanted);
  auto obstacle = find_obstacle(beside, original);
  out.code = find_other_code(reduced.definitions(), original.definitions()).value_or("");
  if (!out.code.empty())
    obstacle = fmt::format("names in the reduced trace are codes that the original lacks ({}, …)",
                           make_printable(out.code));
  out.only_rules = obstacle.value_or("");
  const bool is_related =
      is_reduced(reduced, properties) &&
      (!obstacle || may_be_made_from(reduced.definitions(), properties, original.definitions(),
                                     first.locations()));
  if (!is_related) {
    out.is_related = false;
    rules.add_rule("it was made from this trace");
    rules.add_violation("not made from this trace");
    return out;
  }

  check_filters_are_known(filters, reduced, original);
  check_plan(rules, beside, reduced, original);
  check_definitions(rules, reduced.definitions());
  check_stand_ins(rules, properties, first.locations());
  Sources sources;
  for (auto& [id, s] : properties) {
    if (s.source)
      s.source = first.find_location(*s.source);
    sources[id] = s.source.value_or(id);
  }

  check_ranks(rules, properties, find_processes(original.definitions(), {}));

  const auto stand_ins = find_stand_ins(reduced.definitions(), original.definitions());
  const auto after = record(reduced, {}, sources, stand_ins, nullptr, options, diagnostics);

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

  std::set<std::uint64_t> kept, with_halo;
  ReducedRecords made{reduced, context, {}};
  for (const auto& [id, stand_in] : properties)
    if (stand_in.source && after.contains(id)) {
      with_halo.insert(*stand_in.source);
      if (!stand_in.is_halo())
        kept.insert(*stand_in.source);
      made.by_source.emplace(*stand_in.source,
                             ReducedLocation{id, &after.at(id), stand_in.is_halo()});
    }

  Diagnostics quiet;  // the original's oddities were told when it was reduced
  const auto before = record(original, without_locations(filters), {}, {}, &made, options, quiet);

  check_definition_hashes(rules, hashes_before, hashes_after, stand_ins);
  const bool is_next = count_reductions(reduced.facts()) == count_reductions(original.facts()) + 1;
  check_locations(rules, hashes_before, hashes_after, properties, after,
                  is_next ? ReducedHow::once : ReducedHow::again);
  check_system_tree(rules, original.facts(), reduced.facts(), hashes_before, hashes_after,
                    properties);
  check_members(rules, reduced.facts(), first, properties, before);
  check_records(rules, original.definitions(), before, after, with_halo, context.draws_messages);
  if (with_halo.size() > kept.size())
    check_halo(rules, properties, after, original.definitions());
  check_messages(rules, before, after);
  check_member_metrics(rules, reduced.definitions(), properties, after);
  check_iterations(rules, original.facts(), reduced.facts(), hashes_before, hashes_after, after,
                   window);
  check_anchor(rules, original, reduced, properties, wanted, before, after, window);
  rules.add_rule("the reduced trace is clean");
  for (const auto& line : diagnostics.warnings())
    rules.add_violation(line);

  if (!obstacle) {
    try {
      const auto derived = derive_plan(original, *beside.plan, options);
      if (derived.errors)
        out.errors = *derived.errors;
      check_kept(rules, *beside.plan, derived,
                 {original, first, kept, before, derived.aggregates.get()});
      derive_again(rules, reduced, original, beside, derived, options);
    } catch (const Error& problem) {
      if (problem.kind() != ErrorKind::usage)
        throw;
      // The plan records options that the original does not take.
      rules.add_rule("the plan can be made of the original");
      rules.add_violation(problem.what());
    }
  }

  return out;
}

}  // namespace tracefold
