#include "pipeline/series_pass.hpp"

#include "pipeline/call_path_sink.hpp"
#include "pipeline/each_location.hpp"
#include "pipeline/series_sink.hpp"

#include <fmt/format.h>

#include <utility>

namespace tracefold {

SeriesPass::SeriesPass(const Archive& archive, const Plan& plan, const std::vector<ProcessLoops>& loops, std::vector<std::size_t> members,
                       const ReadOptions& options, Diagnostics& diagnostics)
    : archive_(archive), loops_(loops), members_(std::move(members)), options_(options), diagnostics_(diagnostics),
      functions_(archive.definitions(), plan.filters), form_(archive.definitions(), functions_) {
  for (auto m : members_) {
    ids_.push_back(plan.processes[m].id);
    if (!archive.definitions().find(Ref::location, ids_.back()))
      throw Error(ErrorKind::input, fmt::format("the plan names process {}, which the trace does not have", ids_.back())).in(plan.trace.anchor);
  }
}

void SeriesPass::read(const SeriesCallbacks& callbacks) const {
  each_location(archive_, ids_, options_, diagnostics_, [&](EventReader& reader, std::size_t i) { read_process(reader, i, callbacks); });
}

void SeriesPass::read_process(EventReader& reader, std::size_t i, const SeriesCallbacks& callbacks) const {
  const auto process = members_[i];
  SeriesSink sink(form_, archive_.definitions(), ids_[i], loops_[process], [&](std::size_t iteration, const IterationProfile& profile) {
    if (callbacks.iteration) callbacks.iteration(process, iteration, profile);
  });
  CleanEvents<SeriesSink> events(functions_, sink);
  reader.read(ids_[i], events);
  events.finish();
  sink.finish();
  if (callbacks.end) callbacks.end(process, sink.paths(), sink.outside());
  if (sink.folded())
    diagnostics_.warn(fmt::format("recursive calls beyond {} call paths were counted for the open call of their function", CallPathSink::most_paths),
                      fmt::format("location {}", ids_[i]), sink.folded());
}

}  // namespace tracefold
