#include "pipeline/iteration_pass.hpp"

#include "filters/process_loops.hpp"
#include "pipeline/each_location.hpp"
#include "pipeline/loop_sink.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <fmt/format.h>

namespace tracefold {

std::vector<ProcessLoops> find_iterations(const Archive& archive, const Plan& plan, const std::string& region, const ReadOptions& options, Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), plan.filters);
  const LoopMarks marks(archive.definitions(), functions, region);
  std::vector<std::uint64_t> ids;
  for (const auto& process : plan.processes) {
    ids.push_back(process.id);
    if (!archive.definitions().find(Ref::location, process.id))
      throw Error(ErrorKind::input, fmt::format("the plan names process {}, which the trace does not have", process.id)).in(plan.trace.anchor);
  }
  std::vector<ProcessLoops> out(ids.size());
  oneapi::tbb::enumerable_thread_specific<LoopSink> sinks([&] { return LoopSink(marks); });
  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    auto& sink = sinks.local();
    CleanEvents<LoopSink> events(functions, sink);
    reader.read(ids[i], events);
    events.finish();
    out[i] = sink.take(events.first_time(), events.last_time());
  });
  settle(plan, out);
  share_loops(plan, out);
  return out;
}

}  // namespace tracefold
