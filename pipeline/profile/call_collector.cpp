#include "pipeline/profile/call_collector.hpp"

#include "pipeline/messages/wait_matcher.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t part_for_times = 8, most_for_times = std::uint64_t{1} << 30;

// A script is given up once this many more locations differ from it than match it.
constexpr std::size_t most_others = 2;

}  // namespace

CallCollector::CallCollector(const Definitions& definitions, const FunctionTable& functions,
                             const std::vector<Process>& processes, const ReadOptions& options,
                             bool only_sends, std::shared_ptr<const CallScripts> scripts)
    : definitions_(definitions),
      time_metrics_(find_time_metrics(definitions, functions)),
      room_(std::min(options.memory / part_for_times, most_for_times)) {
  const auto ranks = static_cast<std::size_t>(
      std::count_if(processes.begin(), processes.end(),
                    [](const Process& process) { return process.is_mpi_endpoint; }));
  share_ = WaitMatcher::find_share(options, ranks > 0 ? ranks : processes.size(), !only_sends);
  found_.waits.processes.resize(processes.size());
  found_.waits.has_posts = !only_sends;
  if (only_sends)
    return;

  found_.waits.collectives = WaitMatcher::make_collectives(definitions, options);
  found_.hashes.resize(processes.size());
  if (!scripts || scripts->empty())
    return;

  found_.times.resize(processes.size());
  for (const auto& [events, script] : *scripts)
    uses_[&script];
  found_.scripts = std::move(scripts);
}

const CallScript* CallCollector::take_script(std::uint64_t location) {
  if (!found_.scripts)
    return nullptr;

  const auto& defined = *definitions_.find(Ref::location, location);
  const auto at =
      found_.scripts->find(get_field<"numberOfEvents", DefinitionKind::Location>(defined));
  if (at == found_.scripts->end())
    return nullptr;
  const auto& script = at->second;
  const auto& uses = uses_.at(&script);
  if (uses.other > uses.same + most_others)
    return nullptr;

  const auto bytes = CollectedTimes::count_bytes(script);
  if ((bytes_ += bytes) <= room_)
    return &script;
  bytes_ -= bytes;
  return nullptr;
}

void CallCollector::check_times(std::size_t process, const CallScript& script, bool is_same) {
  auto& times = found_.times[process];
  auto& uses = uses_.at(&script);
  if (times && is_same) {
    ++uses.same;
    return;
  }

  ++uses.other;
  bytes_ -= CollectedTimes::count_bytes(script);
  times.reset();
}

}  // namespace tracefold
