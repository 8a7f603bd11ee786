#include "pipeline/verify/make_again.hpp"

#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/reduced_trace.hpp"
#include "pipeline/rewrite/write_trace.hpp"
#include "pipeline/verify/comparing_output.hpp"

namespace tracefold {

std::uint64_t make_again(RuleBook& rules, const Archive& reduced, const Archive& original,
                         const PlanBeside& beside, const Plan& derived, const TraceWords& words,
                         const ReadOptions& options) {
  auto plan = *beside.plan;
  if (plan.processes.empty())
    plan.processes = find_processes(original.definitions(), plan.filters);
  else if (plan.lacks_profiles)
    describe_processes(plan, original.definitions());
  plan.program = derived.program;
  plan.carried_program = derived.carried_program;

  Diagnostics ignored;
  ReducedTrace again(original, plan, options, ignored);
  ComparingOutput output(rules, reduced, words, options);
  const auto copied = again.copy(output, false, options, ignored);
  output.write(again.make_metadata(copied, {beside.text, {}, {}}));

  return add_up(copied).read;
}

}  // namespace tracefold
