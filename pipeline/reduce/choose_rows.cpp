#include "pipeline/reduce/choose_rows.hpp"

#include "base/error.hpp"
#include "base/find_least.hpp"
#include "base/text.hpp"
#include "filters/groups/name_groups.hpp"
#include "pipeline/facts/measure_fold.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/find_halo.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

std::shared_ptr<const ProgramProfiles> record_times(PlanSession& session) {
  if (!session.plan().groups)
    throw Error(ErrorKind::usage, "the plan has no groups")
        .hint("run 'tracefold group' before 'tracefold select'");
  if (was_reduced(session.archive()))
    throw Error(ErrorKind::usage,
                "`to` and `accuracy` take an original: of what a reduction left out nothing is "
                "measured")
        .hint("`per_group` and `iterations` say how much stays");
  auto recorded = session.plan();
  record_program(session.archive(), recorded, std::nullopt, RecordProgram::yes,
                 session.context().read_as("sum"), session.diagnostics());
  return recorded.program;
}

std::string describe_rows(std::size_t rows) {
  return fmt::format("{} row{}", group_digits(rows), rows == 1 ? "" : "s");
}

}  // namespace

ChosenRows::ChosenRows(PlanSession& session, const Selection& selection, const HaloOptions& halo)
    : session_(session),
      program_(record_times(session)),
      grouped_(session.plan()),
      selector_(grouped_, selection,
                list_fitted_times(grouped_, *program_, session.context().reading.team)),
      halo_(halo) {}

void ChosenRows::take(std::size_t processes) {
  session_.plan() = grouped_;
  auto& plan = session_.plan();
  lost_ = selector_.select(plan, processes);
  if (plan.groups->size() < grouped_.groups->size())
    name_groups(plan, session_.find_places());
  ask_for_halo(plan, halo_);
}

// With the halo of so many.
std::size_t ChosenRows::count_rows(std::size_t processes) {
  take(processes);
  auto& plan = session_.plan();
  auto count = plan.representatives->size();
  if (!plan.halo)
    return count;
  find_halo(session_.archive(), plan, session_.context().read_as("halo"));
  for (const auto& rank : plan.halo->ranks)
    count += rank.locations.size();
  ask_for_halo(plan, halo_);
  return count;
}

void ChosenRows::fit(std::size_t rows) {
  auto wanted = std::min(rows, selector_.most());
  auto least = selector_.least();
  // The number that fits; a larger one has at least as many rows.
  while (wanted >= least && wanted > 0) {
    const auto count = count_rows(wanted);
    if (count <= rows)
      return;
    wanted -= std::max<std::size_t>(1, (count - rows) / 2);
  }
  if (wanted < least)
    least = count_rows(least);
  throw Error(ErrorKind::no,
              fmt::format("`to` {}: {} are the fewest, one for each kind of process{}", rows,
                          describe_rows(least), halo_.most_per_process > 0 ? " and its halo" : ""))
      .hint("nothing was written");
}

FoldError ChosenRows::measure() const {
  return measure_processes(*program_, list_representatives(session_.plan()),
                           session_.context().reading.team)
      .error;
}

void ChosenRows::reach(const Accuracy& accuracy) {
  const auto groups = selector_.groups();
  std::size_t rows = groups;
  const auto is_enough = [&](std::size_t number) {
    rows = groups - 1 + number;
    take(rows);
    return accuracy.is_met_by(measure());
  };
  const auto all = selector_.most();
  if (!find_least(all - groups + 1, is_enough) || (rows == all && groups < all)) {
    take(std::max(groups, all / 2));
    const auto half = session_.plan().representatives->size();
    throw Error(
        ErrorKind::no,
        fmt::format("all {} processes are needed for `accuracy` {:.4g} %; {} "
                    "of them have an error of {}",
                    group_digits(all), 100 * accuracy.all, group_digits(half), describe(measure())))
        .hint("nothing was written");
  }
  session_.diagnostics().note(fmt::format("{} {}: {} in the error of processes",
                                          describe_rows(rows), rows == 1 ? "stays" : "stay",
                                          describe(measure())));
}

}  // namespace tracefold
