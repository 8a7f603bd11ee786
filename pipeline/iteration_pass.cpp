#include "pipeline/iteration_pass.hpp"

#include "filters/process_loops.hpp"
#include "pipeline/each_location.hpp"
#include "pipeline/loop_sink.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <fmt/format.h>

namespace tracefold {

Creators creators_of(const Definitions& definitions) {
  Creators creators;
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::LocationGroup && d.fields[4] != d.id() && definitions.find(Ref::location_group, d.fields[4])) creators.emplace(d.id(), d.fields[4]);
  return creators;
}

std::vector<ProcessLoops> find_iterations(const Archive& archive, const Plan& plan, const std::vector<std::size_t>& members, const std::string& region,
                                          const ReadOptions& options, Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), plan.filters);
  const LoopMarks marks(archive.definitions(), functions, region);
  std::vector<std::uint64_t> ids;
  for (auto m : members) {
    ids.push_back(plan.processes[m].id);
    if (!archive.definitions().find(Ref::location, ids.back()))
      throw Error(ErrorKind::input, fmt::format("the plan names process {}, which the trace does not have", ids.back())).in(plan.trace.anchor);
  }
  std::vector<ProcessLoops> out(plan.processes.size());
  oneapi::tbb::enumerable_thread_specific<LoopSink> sinks([&] { return LoopSink(marks); });
  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    auto& sink = sinks.local();
    CleanEvents<LoopSink> events(functions, sink);
    reader.read(ids[i], events);
    events.finish();
    out[members[i]] = sink.take(events.first_time(), events.last_time());
  });
  settle(plan, out);
  share_loops(plan, creators_of(archive.definitions()), out);
  return out;
}

}  // namespace tracefold
