#include "pipeline/verify/make_again.hpp"

#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/reduced_trace.hpp"
#include "pipeline/rewrite/write_trace.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// Which program has written the archive is told by the plan.
void set_version(TraceMetadata& metadata, const std::string& version) {
  for (auto& [name, value] : metadata.properties)
    if (name == version_property)
      value = version;
}

}  // namespace

MadeAgain make_again(const Archive& reduced, const Archive& original, const PlanBeside& beside,
                     const Plan& derived, const TraceWords& words, const ReadOptions& options) {
  auto plan = *beside.plan;
  if (plan.processes.empty())
    plan.processes = find_processes(original.definitions(), plan.filters);
  else if (plan.lacks_profiles)
    describe_processes(plan, original.definitions());
  plan.program = derived.program;
  plan.carried_program = derived.carried_program;

  Diagnostics ignored;
  ReducedTrace again(original, plan, options, ignored);
  ComparingOutput output(reduced, words, options);
  const auto copied = again.copy(output, false, options, ignored);
  auto metadata = again.make_metadata(copied, {beside.text, {}, {}});
  set_version(metadata, plan.write->version);
  output.write(metadata);

  return {output.take_differences(), add_up(copied).read};
}

}  // namespace tracefold
