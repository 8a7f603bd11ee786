#include "pipeline/profile/series_pass.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/messages/wait_script.hpp"
#include "pipeline/profile/column_totals.hpp"
#include "pipeline/profile/series_sink.hpp"

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

void SeriesPass::visit_collected_totals(const std::vector<std::size_t>& members,
                                        const CollectedCalls& collected,
                                        const OnTotals& on_totals) const {
  for_each_index(members.size(), [&](std::size_t m) {
    check_stop();
    visit_collected_totals_of(members[m], collected, on_totals);
  });
}

void SeriesPass::visit_collected_totals_of(std::size_t process, const CollectedCalls& collected,
                                           const OnTotals& on_totals) const {
  const auto& times = *collected.times[process];
  const auto& script = *times.script;
  std::vector<std::uint32_t> columns;  // of slots
  for (std::size_t slot = 1; slot < script.slots.size(); ++slot)
    columns.push_back(columns_.column(script.slots[slot]));

  ScriptedWaits waits(waits_, plan_.processes[process].id, script.waits,
                      collected.waits.processes[process].operations);
  ColumnTotals totals(columns_);
  WideSums sums;
  std::size_t place = 0;
  auto high = times.high.begin();
  const auto* waited = times.waited.data();
  // Of the calls up to an iteration; those in none are passed in between.
  const auto add_waits_up_to = [&](std::size_t iteration) {
    for (const auto* call = waits.next(); call; call = waits.next()) {
      if (call->iteration != WaitScript::outside && call->iteration > iteration)
        break;
      const bool is_inside = call->iteration != WaitScript::outside;
      for (const auto& [metric, time] :
           waits.end(waited->end, waited->inclusive, waited->exclusive))
        if (is_inside && time > 0)
          totals.row({})[columns_.column(metric)] += time;
      ++waited;
    }
  };

  for (std::size_t k = 0; k < script.iterations.size(); ++k) {
    for (auto column : columns) {
      totals.row({})[column] += times.ticks[place];
      if (high != times.high.end() && high->place == place) [[unlikely]]
        totals.row({})[column] += (high++)->ticks;
      ++place;
    }
    for (const auto& [metric, amount] : script.amounts_of(k))
      totals.add({}, columns_.column(metric), amount);
    add_waits_up_to(k);
    totals.take(sums);
    on_totals(process, k, sums);
  }

  add_waits_up_to(script.iterations.size());
  warn_of_impossible(process, waits);
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

  warn_of_impossible(process, sink);
}

template <class Waits>
void SeriesPass::warn_of_impossible(std::size_t process, const Waits& waits) const {
  const auto id = plan_.processes[process].id;
  if (waits.impossible_messages())
    diagnostics_.warn(
        "messages are received before they are sent, since clocks differ; times of waiting for "
        "late senders are wrong",
        fmt::format("location {}", id), waits.impossible_messages());

  if (waits.impossible_collectives())
    diagnostics_.warn(
        "collective operations end before all have begun that they wait for, since clocks differ; "
        "times of waiting in them are wrong",
        fmt::format("location {}", id), waits.impossible_collectives());
}

void warn_of_unknown(const SeriesPass& pass, const std::vector<Metric>& waits,
                     Diagnostics& diagnostics) {
  for (auto wait : waits)
    if (const auto* reason = pass.find_unknown(wait))
      diagnostics.warn(fmt::format("times of waiting are not known, since {}", *reason),
                       std::string(get_entry(wait).name));
}

}  // namespace tracefold
