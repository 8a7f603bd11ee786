#include "pipeline/profile/series_pass.hpp"

#include "pipeline/events/each_location.hpp"
#include "pipeline/profile/call_path_sink.hpp"
#include "pipeline/profile/series_sink.hpp"

#include <fmt/format.h>

#include <utility>

namespace tracefold {

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
      form_(archive.definitions(), functions_) {
  for (auto m : members_) {
    const auto id = plan.processes[m].id;
    if (!archive.definitions().find(Ref::location, id))
      throw Error(ErrorKind::input,
                  fmt::format("the plan names process {}, which the trace does not have", id))
          .in(plan.trace.anchor);
  }

  if (form_.column(Metric::mpi_late_sender_time) != SeriesForm::no_column)
    sent_.emplace(archive, plan, members_, functions_, form_, options_, diagnostics_);
}

void SeriesPass::read(const std::vector<std::size_t>& members,
                      const SeriesCallbacks& callbacks) const {
  std::vector<std::uint64_t> ids;
  ids.reserve(members.size());
  for (auto m : members)
    ids.push_back(plan_.processes[m].id);
  each_location(archive_, ids, options_, diagnostics_, [&](EventReader& reader, std::size_t i) {
    read_process(reader, members[i], callbacks);
  });
}

void SeriesPass::read_process(EventReader& reader, std::size_t process,
                              const SeriesCallbacks& callbacks) const {
  const auto id = plan_.processes[process].id;
  SeriesSink sink(form_, archive_.definitions(), id, loops_[process], sent_ ? &*sent_ : nullptr,
                  [&](std::size_t iteration, const IterationProfile& profile) {
                    if (callbacks.iteration)
                      callbacks.iteration({process, iteration, profile, sink.paths()});
                  });

  CleanEvents<SeriesSink> events(functions_, sink);
  reader.read(id, events);
  events.finish();
  sink.finish();
  if (callbacks.end)
    callbacks.end(process, sink.paths(), sink.outside());

  if (sink.folded())
    diagnostics_.warn(
        fmt::format(
            "recursive calls beyond {} call paths were counted for the open call of their function",
            CallPathSink::most_paths),
        fmt::format("location {}", id), sink.folded());

  if (sink.impossible())
    diagnostics_.warn(
        "messages are received before they are sent, since clocks differ; times of waiting for "
        "late senders are wrong",
        fmt::format("location {}", id), sink.impossible());
}

}  // namespace tracefold
