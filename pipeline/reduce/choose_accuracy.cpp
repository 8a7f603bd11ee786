#include "pipeline/reduce/choose_accuracy.hpp"

#include "base/error.hpp"
#include "base/find_least.hpp"
#include "base/text.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/facts/measure_fold.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tracefold {

Selection choose_per_group(PlanSession& session, Selection selection, const Accuracy& accuracy) {
  if (was_reduced(session.archive()))
    throw Error(ErrorKind::usage,
                "`accuracy` takes an original: of what a reduction left out nothing is measured")
        .hint("`per_group` and `iterations` say how much stays");

  auto plan = session.plan();
  const auto messages = session.find_rank_messages(selection.choice);
  select(plan, selection, messages);  // refuses a plan without groups, before anything is read
  record_program(session.archive(), plan, std::nullopt, RecordProgram::yes,
                 session.context().read_as("sum"), session.diagnostics());

  struct Try {
    std::size_t per_group = 1;
    FoldError error;
    double excess = 0;
  };
  std::optional<Try> best;
  const auto is_enough = [&](std::size_t per_group) {
    selection.per_group = per_group;
    select(plan, selection, messages);
    const auto error =
        measure_processes(*plan.program, list_representatives(plan), session.context().reading.team)
            .error;
    const auto excess = accuracy.measure_excess(error);
    if (excess == 0 || !best || excess < best->excess)
      best = Try{per_group, error, excess};
    return excess == 0;
  };

  std::size_t most = 1;
  for (const auto& group : *plan.groups)
    most = std::max(most, group.members.size());
  find_least(most, is_enough);
  selection.per_group = best->per_group;

  const auto words =
      fmt::format("at most {} process{} of each group stay{}: {} in the error of processes",
                  group_digits(best->per_group), best->per_group == 1 ? "" : "es",
                  best->per_group == 1 ? "s" : "", describe(best->error));
  if (best->excess == 0)
    session.diagnostics().note(words);
  else
    session.diagnostics().warn(words + ", the nearest to `accuracy` that was found");

  return selection;
}

}  // namespace tracefold
