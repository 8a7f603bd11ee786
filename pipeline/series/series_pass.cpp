#include "pipeline/series/series_pass.hpp"

#include "model/profile/metric_columns.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/series/series_sink.hpp"

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

SeriesPass::SeriesPass(const Archive& archive, const Plan& plan,
                       const std::vector<ProcessLoops>& loops, std::vector<std::size_t> members,
                       const std::vector<Metric>& wanted_waits, const ReadOptions& options,
                       Diagnostics& diagnostics, CollectedWaits* collected)
    : archive_(archive),
      plan_(plan),
      loops_(loops),
      members_(std::move(members)),
      options_(options),
      diagnostics_(diagnostics),
      functions_(archive.definitions(), plan.filters),
      waits_(archive, plan, functions_, find_time_metrics(archive.definitions(), functions_),
             choose_waits(archive.definitions(), wanted_waits), options_, diagnostics_,
             WaitMatcher::most_times, collected),
      columns_(archive.definitions(), functions_, waits_.known()) {
  find_locations(archive, plan, members_);  // throws where one is missing
}

void SeriesPass::read(const std::vector<std::size_t>& members,
                      const SeriesCallbacks& callbacks) const {
  for_each_location(
      archive_, find_locations(archive_, plan_, members), options_, diagnostics_,
      [&](EventReader& reader, std::size_t i) { read_process(reader, members[i], callbacks); });
}

template <class Sink, class Loops>
void SeriesPass::read_totals_of(EventReader& reader, std::size_t process, const Loops& loops,
                                const OnTotals& on_totals) const {
  const auto id = plan_.processes[process].id;
  Sink sink(
      columns_, archive_.definitions(), id, loops, waits_.known().empty() ? nullptr : &waits_,
      [&](std::size_t iteration, const WideSums& sums) { on_totals(process, iteration, sums); });

  if (plan_.processes[process].damaged)
    sink.want_all();
  read_calls(reader, id, functions_, sink);
  sink.finish();
  note_oddities(process, sink);
}

void SeriesPass::read_totals(const std::vector<std::size_t>& members, const FindCounts& find_counts,
                             const OnTotals& on_totals) const {
  for_each_location(archive_, find_locations(archive_, plan_, members), options_, diagnostics_,
                    [&](EventReader& reader, std::size_t i) {
                      const auto m = members[i];
                      if (const auto* counts = find_counts(m))
                        read_totals_of<CountedTotalsSink>(reader, m, *counts, on_totals);
                      else
                        read_totals_of<TotalsSink>(reader, m, loops_[m], on_totals);
                    });
}

bool SeriesPass::is_not_finite(std::size_t process, std::size_t column) const {
  const auto found = not_finite_.find(process);
  return found != not_finite_.end() && found->second.contains(static_cast<std::uint32_t>(column));
}

void SeriesPass::read_process(EventReader& reader, std::size_t process,
                              const SeriesCallbacks& callbacks) const {
  const auto id = plan_.processes[process].id;
  SeriesSink sink(columns_, archive_.definitions(), id, loops_[process],
                  waits_.known().empty() ? nullptr : &waits_,
                  [&](std::size_t iteration, const CallPathProfile& profile) {
                    if (callbacks.iteration)
                      callbacks.iteration({process, iteration, profile, sink.paths()});
                  });

  if (plan_.processes[process].damaged)
    sink.want_all();
  read_calls(reader, id, functions_, sink);
  sink.finish();
  if (callbacks.end)
    callbacks.end(process, sink.paths(), sink.outside());

  if (sink.folded())
    diagnostics_.warn(
        fmt::format(
            "recursive calls beyond {} call paths were counted for the open call of their function",
            CallPathCursor::most_paths),
        fmt::format("location {}", id), sink.folded());

  note_oddities(process, sink);
}

template <class Sink>
void SeriesPass::note_oddities(std::size_t process, const Sink& sink) const {
  const auto id = plan_.processes[process].id;
  if (sink.not_finite()) {
    diagnostics_.warn(
        "values of recorded metrics that are infinite or no numbers count as not recorded; take "
        "other metrics, or leave out those processes",
        fmt::format("location {}", id), sink.not_finite());
    const std::lock_guard lock(mutex_);
    not_finite_[process] = sink.not_finite_columns();
  }

  if (sink.impossible_messages())
    diagnostics_.warn(
        "messages are received before they are sent, since clocks differ; times of waiting for "
        "late senders are wrong",
        fmt::format("location {}", id), sink.impossible_messages());

  if (sink.impossible_collectives())
    diagnostics_.warn(
        "collective operations end before all have begun that they wait for, since clocks differ; "
        "times of waiting in them are wrong",
        fmt::format("location {}", id), sink.impossible_collectives());
}

void warn_of_unknown(const SeriesPass& pass, const std::vector<Metric>& waits,
                     Diagnostics& diagnostics) {
  for (auto wait : waits)
    if (const auto* reason = pass.find_unknown(wait))
      diagnostics.warn(fmt::format("times of waiting are not known, since {}", *reason),
                       std::string(get_entry(wait).name));
}

}  // namespace tracefold
