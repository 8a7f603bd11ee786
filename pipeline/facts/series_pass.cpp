#include "pipeline/facts/series_pass.hpp"

#include "base/team.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/series_sink.hpp"
#include "pipeline/messages/wait_matcher.hpp"

#include <fmt/format.h>

#include <utility>

namespace tracefold {

namespace {

// Those that the trace may have.
std::vector<Metric> choose_waits(const Definitions& definitions,
                                 const std::vector<Metric>& wanted) {
  std::vector<Metric> waits;
  for (auto metric : choose_metric_columns(definitions, wanted).measured)
    if (is_waiting(metric))
      waits.push_back(metric);
  return waits;
}

}  // namespace

SeriesPass::SeriesPass(PlannedTrace trace, const std::vector<ProcessLoops>& loops,
                       std::vector<std::size_t> members, const std::vector<Metric>& wanted_waits,
                       CollectedWaits* collected, const std::vector<std::size_t>& read_again)
    : trace_(std::move(trace)),
      loops_(loops),
      members_(std::move(members)),
      waits_(trace_.archive(), trace_.plan(), trace_.functions(),
             find_time_metrics(trace_.definitions(), trace_.functions()),
             choose_waits(trace_.definitions(), wanted_waits), trace_.options(),
             trace_.diagnostics(), collected, read_again),
      columns_(trace_.definitions(), trace_.functions(), waits_.known(),
               find_cut_metrics(trace_.archive().facts())) {
  find_locations(trace_.archive(), trace_.plan(), members_);  // throws where one is missing
}

void SeriesPass::read(const std::vector<std::size_t>& members, const SeriesCallbacks& callbacks,
                      const FindCounts& find_counts) const {
  trace_.read_each(members, [&](std::size_t process, const auto& read_calls_to) {
    if (const auto* counts = find_counts ? find_counts(process) : nullptr)
      read_profiles<CountedSeriesSink>(process, *counts, read_calls_to, callbacks);
    else
      read_profiles<SeriesSink>(process, loops_[process], read_calls_to, callbacks);
  });
}

std::vector<std::size_t> SeriesPass::read_own(const std::vector<std::size_t>& members,
                                              const SeriesCallbacks& callbacks,
                                              const FindCounts& find_counts) const {
  auto own = trace_.list_own(members);
  read(own, callbacks, find_counts);
  return own;
}

template <class Sink, class Loops, class Read>
void SeriesPass::read_profiles(std::size_t process, const Loops& loops, const Read& read,
                               const SeriesCallbacks& callbacks) const {
  const auto id = trace_.plan().processes[process].id;
  Sink sink(columns_, trace_.definitions(), id, loops, known_waits(),
            [&](std::size_t iteration, const CallPathProfile& profile) {
              if (callbacks.iteration)
                callbacks.iteration({process, iteration, profile, sink.paths(), sink.span()});
            });
  if (callbacks.keeps_times)
    sink.keep_times();
  const auto done = fill(sink, process, read);
  auto partners = sink.take_partners();
  auto times = sink.take_times().value_or(CallTimes());
  auto dependencies = sink.take_dependencies();
  auto files = sink.take_files();
  if (callbacks.end)
    callbacks.end(
        {process,
         sink.paths(),
         sink.outside(),
         sink.beyond_mpi(),
         {sink.mpi_begin().value_or(done.first_time), sink.mpi_end().value_or(done.last_time)},
         done.first_time,
         done.last_time,
         partners,
         times,
         dependencies,
         files,
         done.set_aside});

  if (sink.folded())
    trace_.diagnostics().warn(fmt::format("recursive calls beyond {} call paths were counted for "
                                          "the open call of their function",
                                          CallPathCursor::most_paths),
                              fmt::format("location {}", id), sink.folded());
}

void SeriesPass::read_own_totals(const std::vector<std::size_t>& members,
                                 const FindCounts& find_counts, const OnTotals& on_totals) const {
  trace_.read_own(members, [&](std::size_t process, const auto& read_calls_to) {
    const auto id = trace_.plan().processes[process].id;
    const auto pass_on = [&](std::size_t iteration, const WideSums& sums) {
      on_totals(process, iteration, sums);
    };
    if (const auto* counts = find_counts(process)) {
      CountedTotalsSink sink(columns_, trace_.definitions(), id, *counts, known_waits(), pass_on);
      fill(sink, process, read_calls_to);
    } else {
      TotalsSink sink(columns_, trace_.definitions(), id, loops_[process], known_waits(), pass_on);
      fill(sink, process, read_calls_to);
    }
  });
}

template <class Sink, class Loops, class Read>
void SeriesPass::read_totals(std::size_t process, const Loops& loops, const Read& read,
                             const OnTotals& on_totals) const {
  const auto& known = trace_.plan().processes[process];
  Sink sink(columns_, trace_.definitions(), known.id, loops, known_waits(),
            [&](std::size_t part, const WideSums& sums) { on_totals(process, part, sums); });
  if (known.damaged)
    sink.want_all();
  read(sink);
  sink.finish();
}

std::vector<std::size_t> SeriesPass::read_own_totals(
    const std::map<std::size_t, ProcessLoops>& loops, const OnTotals& on_totals) const {
  std::vector<std::size_t> processes;
  for (const auto& [process, own] : loops)
    processes.push_back(process);
  return trace_.read_own(processes, [&](std::size_t process, const auto& read_calls_to) {
    read_totals<TotalsSink>(process, loops.at(process), read_calls_to, on_totals);
  });
}

void SeriesPass::read_own_slices(const std::vector<std::size_t>& members, const TimeSlices& slices,
                                 const OnTotals& on_totals) const {
  trace_.read_own(members, [&](std::size_t process, const auto& read_calls_to) {
    read_totals<SlicedTotalsSink>(process, slices, read_calls_to, on_totals);
  });
}

void SeriesPass::share_oddities() const {
  auto* team = trace_.options().team;
  if (!team)
    return;
  for (const auto& of_member : share(team, not_finite_))
    not_finite_.insert(of_member.begin(), of_member.end());
  for (const auto& of_member : share(team, early_messages_))
    early_messages_.insert(of_member.begin(), of_member.end());
}

std::uint64_t SeriesPass::count_early_messages(std::size_t process) const {
  const auto found = early_messages_.find(process);
  return found == early_messages_.end() ? 0 : found->second;
}

bool SeriesPass::is_not_finite(std::size_t process, std::size_t column) const {
  const auto found = not_finite_.find(process);
  return found != not_finite_.end() && found->second.contains(static_cast<std::uint32_t>(column));
}

template <class Sink, class Read>
LocationRead SeriesPass::fill(Sink& sink, std::size_t process, const Read& read) const {
  if (trace_.plan().processes[process].damaged)
    sink.want_all();
  const auto done = read(sink);
  sink.finish();
  warn_of_oddities(process, sink);
  return done;
}

template <class Sink>
void SeriesPass::warn_of_oddities(std::size_t process, const Sink& sink) const {
  const auto place = fmt::format("location {}", trace_.plan().processes[process].id);
  if (sink.not_finite()) {
    trace_.diagnostics().warn(
        "values of recorded metrics that are infinite or no numbers count as not recorded; take "
        "other metrics, or leave out those processes",
        place, sink.not_finite());
    const std::lock_guard lock(mutex_);
    not_finite_[process] = sink.not_finite_columns();
  }

  if (sink.impossible_messages()) {
    trace_.diagnostics().warn(
        "messages are received before they are sent, since clocks differ; times of waiting for "
        "late senders are wrong",
        place, sink.impossible_messages());
    const std::lock_guard lock(mutex_);
    early_messages_[process] = sink.impossible_messages();
  }

  if (sink.impossible_collectives())
    trace_.diagnostics().warn(
        "collective operations end before all have begun that they wait for, since clocks differ; "
        "times of waiting in them are wrong",
        place, sink.impossible_collectives());
}

void warn_of_cut_metrics(const MetricColumns& columns, Diagnostics& diagnostics) {
  for (auto metric : columns.cut)
    diagnostics.warn(
        "metrics are not known, since their records were left out when the trace was reduced",
        std::string(get_entry(metric).name));
}

void warn_of_unknown_wait(Metric wait, const std::string& reason, Diagnostics& diagnostics) {
  const auto words = fmt::format("times of waiting are not known, since {}", reason);
  if (reason == clocks_not_in_step)
    diagnostics.note(words);
  else
    diagnostics.warn(words, std::string(get_entry(wait).name));
}

void warn_of_unknown_waits(const SeriesPass& pass, const std::vector<Metric>& waits,
                           Diagnostics& diagnostics) {
  for (auto wait : waits)
    if (const auto* reason = pass.find_unknown(wait))
      warn_of_unknown_wait(wait, *reason, diagnostics);
}

}  // namespace tracefold
