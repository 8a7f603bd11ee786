#include "pipeline/profile/series_pass.hpp"

#include "pipeline/events/read_locations.hpp"
#include "pipeline/profile/series_sink.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace tracefold {

namespace {

std::vector<std::size_t> list_all(const Plan& plan) {
  std::vector<std::size_t> all(plan.processes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

SeriesPass::SeriesPass(const Archive& archive, const Plan& plan,
                       const std::vector<ProcessLoops>& loops, std::vector<std::size_t> members,
                       const ReadOptions& options, Diagnostics& diagnostics)
    : archive_(archive),
      plan_(plan),
      loops_(loops),
      members_(std::move(members)),
      options_(options),
      diagnostics_(diagnostics),
      functions_(archive.definitions(), plan.filters),
      columns_(archive.definitions(), functions_) {
  find_locations(archive, plan, members_);  // throws where one is missing
  if (columns_.column(Metric::mpi_late_sender_time) != ProfileColumns::no_column)
    messages_.emplace(archive, plan, list_all(plan), functions_, columns_.time_metrics(), options_,
                      diagnostics_);
}

void SeriesPass::read(const std::vector<std::size_t>& members,
                      const SeriesCallbacks& callbacks) const {
  for_each_location(
      archive_, find_locations(archive_, plan_, members), options_, diagnostics_,
      [&](EventReader& reader, std::size_t i) { read_process(reader, members[i], callbacks); });
}

void SeriesPass::read_process(EventReader& reader, std::size_t process,
                              const SeriesCallbacks& callbacks) const {
  const auto id = plan_.processes[process].id;
  SeriesSink sink(columns_, archive_.definitions(), id, loops_[process],
                  messages_ ? &*messages_ : nullptr,
                  [&](std::size_t iteration, const CallPathProfile& profile) {
                    if (callbacks.iteration)
                      callbacks.iteration({process, iteration, profile, sink.paths()});
                  });

  read_clean_events(reader, id, functions_, sink);
  sink.finish();
  if (callbacks.end)
    callbacks.end(process, sink.paths(), sink.outside());

  if (sink.folded())
    diagnostics_.warn(
        fmt::format(
            "recursive calls beyond {} call paths were counted for the open call of their function",
            CallPathCursor::most_paths),
        fmt::format("location {}", id), sink.folded());

  if (sink.not_finite())
    diagnostics_.warn(
        "values of recorded metrics that are infinite or no numbers count as not recorded",
        fmt::format("location {}", id), sink.not_finite());

  if (sink.impossible())
    diagnostics_.warn(
        "messages are received before they are sent, since clocks differ; times of waiting for "
        "late senders are wrong",
        fmt::format("location {}", id), sink.impossible());
}

}  // namespace tracefold
