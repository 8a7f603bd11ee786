#include "pipeline/reduce/choose_accuracy.hpp"

#include "base/find_least.hpp"
#include "base/text.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/program/measure_fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

Selection choose_per_group(PlanSession& session, Selection selection, const Accuracy& accuracy) {
  if (was_reduced(session.archive()))
    throw Error(ErrorKind::usage,
                "`accuracy` takes an original: of what a reduction left out nothing is measured")
        .hint("`per_group` and `iterations` say how much stays");

  auto plan = session.plan();
  record_program(session.archive(), plan, std::nullopt, session.context().read_as("sum"),
                 session.diagnostics());
  const auto messages = session.find_rank_messages(selection.choice);

  struct Try {
    std::size_t per_group = 1;
    FoldError error;
  };
  std::optional<Try> best;
  const auto is_enough = [&](std::size_t per_group) {
    selection.per_group = per_group;
    select(plan, selection, messages);
    const auto error = measure_processes(*plan.program, list_stand_ins(plan)).error;
    const bool is_met = accuracy.is_met_by(error);
    if (is_met || !best || error.computation.of_own < best->error.computation.of_own)
      best = Try{per_group, error};
    return is_met;
  };

  std::size_t most = 1;
  for (const auto& group : *plan.groups)
    most = std::max(most, group.members.size());
  const bool is_met = find_least(most, is_enough).has_value();
  selection.per_group = best->per_group;
  session.diagnostics().note(fmt::format(
      "{} process{} of each group {} kept: {} in the error of processes{}",
      group_digits(best->per_group), best->per_group == 1 ? "" : "es",
      best->per_group == 1 ? "is" : "are", describe(best->error),
      is_met ? "" : ", which is the least that was found, and more than `accuracy` allows"));

  return selection;
}

}  // namespace tracefold
