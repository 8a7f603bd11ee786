#include "pipeline/verify/verify.hpp"

#include "pipeline/iterations/collapse.hpp"
#include "pipeline/verify/derive_again.hpp"
#include "pipeline/verify/plan_beside.hpp"
#include "pipeline/verify/recorded.hpp"
#include "pipeline/verify/rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

// The same filters of functions, for all locations: both ends of each message are looked at.
std::vector<FilterSection> without_locations(std::vector<FilterSection> filters) {
  for (auto& filter : filters)
    filter.locations.clear();
  return filters;
}

// Gives `add` the ticks of each function on each location, times the weight of the location.
template <class Weight, class Add>
void for_each_time(const RecordedLocations& locations, Weight&& weight, Add&& add) {
  for (const auto& [id, recorded] : locations)
    for (const auto& [function, ticks] : recorded.exclusive)
      add(function, static_cast<double>(ticks) * static_cast<double>(weight(id)));
}

void compare_profiles(Verification& out, const FirstOriginal& first, const Standings& standings,
                      const std::set<std::uint64_t>& wanted, const RecordedLocations& before,
                      const RecordedLocations& after) {
  std::map<Function, double> difference;
  double all = 0, folded = 0;

  for_each_time(
      before, [&](auto id) { return wanted.contains(id) ? first.count_members(id) : 0; },
      [&](const Function& function, double ticks) {
        difference[function] += ticks;
        all += ticks;
      });
  for_each_time(
      after, [&](auto id) { return standings.at(id).count.value_or(1); },
      [&](const Function& function, double ticks) {
        if (is_stand_in(function.name))
          folded += ticks;
        else
          difference[function] -= ticks;
      });

  if (all <= 0)
    return;

  double wrong = 0;
  for (const auto& [function, ticks] : difference)
    wrong += std::abs(ticks);

  out.folded = folded / all;
  out.profile_error = std::max(0.0, wrong - folded) / (2 * all);
}

const Definition* find_clock(const Definitions& definitions) {
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::ClockProperties)
      return &d;
  return nullptr;
}

// False for traces of different runs: another clock, or no location that one of them names is in
// the other.
bool may_be_made_from(const Definitions& reduced, const Standings& standings,
                      const Definitions& original, const std::set<std::uint64_t>& originals) {
  constexpr auto clock_kind = DefinitionKind::ClockProperties;
  const auto* before = find_clock(original);
  const auto* after = find_clock(reduced);
  if (before && after &&
      get_field<"globalOffset", clock_kind>(*before) !=
          get_field<"globalOffset", clock_kind>(*after))
    return false;

  return std::any_of(standings.begin(), standings.end(), [&](const auto& one) {
    const auto& source = one.second.source;
    return !source || originals.contains(*source);
  });
}

void check_plan(RuleBook& rules, const PlanBeside& beside) {
  rules.add_rule("the plan beside it is the one that its anchor names");
  if (!beside.is_named)
    rules.add_violation("the anchor names no plan");
  else if (!beside.is_missing() && !beside.is_that)
    rules.add_violation("the plan has another hash than TRACEFOLD::PLAN_SHA256");
  else if (!beside.is_missing() && !beside.plan)
    rules.add_violation("what is there is no plan");
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
  const auto beside = read_plan_beside(reduced);
  auto standings = read_standings(reduced.definitions());
  const auto filters = beside.plan ? beside.plan->filters : std::vector<FilterSection>{};
  const auto wanted = find_wanted(original, filters);
  const FirstOriginal first(original.definitions(), wanted);
  const auto obstacle = find_obstacle(beside, original);
  out.only_rules = obstacle.value_or("");
  if (obstacle && !may_be_made_from(reduced.definitions(), standings, original.definitions(),
                                    first.locations())) {
    out.is_related = false;
    rules.add_rule("it was made from this trace");
    rules.add_violation("not made from this trace");
    return out;
  }

  check_plan(rules, beside);
  check_definitions(rules, reduced.definitions());
  check_standings(rules, standings, first.locations());
  Sources sources;
  for (auto& [id, s] : standings) {
    if (s.source)
      s.source = first.find_location(*s.source);
    sources[id] = s.source.value_or(id);
  }

  Diagnostics quiet;  // the original's oddities were told when it was reduced
  const auto after = record(reduced, {}, sources, {}, options, diagnostics);
  std::map<std::uint64_t, const Recorded*> collapsed;  // by source
  for (const auto& [id, a] : after)
    if (!a.stand_ins.empty())
      collapsed.emplace(sources.at(id), &a);

  const auto before = record(original, without_locations(filters), {}, collapsed, options, quiet);
  const bool is_filtered = wanted.size() < original.definitions().locations().size();
  check_records(rules, standings, before, after, is_filtered);
  check_messages(rules, before, after);
  rules.add_rule("the reduced trace is clean");
  for (const auto& line : diagnostics.warnings())
    rules.add_violation(line);

  if (!obstacle)
    derive_again(rules, reduced, original, beside, options);
  compare_profiles(out, first, standings, wanted, before, after);

  return out;
}

}  // namespace tracefold
