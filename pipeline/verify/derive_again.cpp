#include "pipeline/verify/derive_again.hpp"

#include "base/version.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/reduced_trace.hpp"
#include "pipeline/rewrite/write_trace.hpp"
#include "pipeline/verify/comparing_output.hpp"
#include "pipeline/verify/derive_plan.hpp"

#include <fmt/format.h>

namespace tracefold {

namespace {

void add_verdict(RuleBook& rules, const char* words, const std::vector<std::string>& differences) {
  rules.add_rule(words);
  for (const auto& difference : differences)
    rules.add_violation(difference);
}

}  // namespace

std::optional<std::string> find_obstacle(const PlanBeside& beside, const Archive& original) {
  if (beside.is_missing())
    return "there is no plan beside the reduced trace";
  if (beside.is_that && beside.error)
    return beside.error->what();
  if (!beside.plan || !beside.is_that)
    return "the plan beside the reduced trace is not the one that it was made by";
  if (!beside.plan->write)
    return "the plan beside the reduced trace does not say how that was written";
  if (beside.plan->write->version != version)
    return fmt::format("version {} wrote the reduced trace, and this is version {}",
                       beside.plan->write->version, version);

  const auto& made_from = beside.plan->trace.identity;
  const auto given = original.identity();
  if (made_from.size != given.size || made_from.sha256 != given.sha256)
    return "the reduced trace was made from another trace than this one";

  return std::nullopt;
}

void derive_again(RuleBook& rules, const Archive& reduced, const Archive& original,
                  const PlanBeside& beside, const Plan& derived, const ReadOptions& options) {
  auto plan = *beside.plan;
  if (plan.processes.empty())
    plan.processes = find_processes(original.definitions(), plan.filters);
  else if (plan.lacks_profiles)
    describe_processes(plan, original.definitions());
  plan.program = derived.program;
  plan.carried_program = derived.carried_program;

  Diagnostics ignored;
  ReducedTrace again(original, plan, options, ignored);
  ComparingOutput output(reduced, options);
  const auto copied = again.copy(output, false, options, ignored);
  output.write(again.make_metadata(copied, {beside.text, {}, {}}));

  check_plan_fields(rules, beside, original, derived, add_up(copied).read);
  const auto found = output.take_differences();
  add_verdict(rules, "made again by its plan, it has these events", found.events);
  add_verdict(rules, "made again by its plan, it has these definitions", found.definitions);
  add_verdict(rules, "made again by its plan, it has this anchor and these markers", found.rest);
}

}  // namespace tracefold
