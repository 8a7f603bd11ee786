// What folding needs to know of all processes. It is collected while they are profiled, so that
// they need not be read again.
//
// Different processes at the same time. The result does not depend on the number of threads.
// Memory: that of message_matcher.hpp, collective_matcher.hpp and searched_loops.hpp.
#pragma once

#include "model/iterations/asked_iterations.hpp"
#include "pipeline/events/both_sinks.hpp"
#include "pipeline/events/call_hash.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/iterations/loop_finder.hpp"
#include "pipeline/iterations/searched_loops.hpp"
#include "pipeline/messages/collected_waits.hpp"
#include "pipeline/messages/wait_sink.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

// Whether to record times for waiting, and hashes of calls.
enum class RecordWaits : bool { no, all };

struct WantedCalls {
  RecordWaits waits = RecordWaits::no;
  bool searches_loops = false;  // for these iterations
  AskedIterations asked = {};

  bool any() const { return waits != RecordWaits::no || searches_loops; }
};

struct CollectedCalls {
  CollectedWaits waits;
  std::vector<CallHash> hashes;          // by process; empty if not asked for
  std::unique_ptr<SearchedLoops> loops;  // null if no process was searched
};

// Whether filters drop MPI calls in which processes wait. Waits are then not collected.
bool drops_mpi(const Definitions& definitions, const FunctionTable& functions,
               const std::vector<FilterSection>& filters);

class CallCollector {
 public:
  // For so many processes. The first two arguments must outlive this.
  CallCollector(const Definitions& definitions, const FunctionTable& functions,
                std::size_t processes, const WantedCalls& wanted);

  // Reads a process, for another sink as well.
  template <class Sink>
  LocationRead read(EventReader& reader, std::size_t process, std::uint64_t location, Sink& also) {
    const bool searches = finders_ && !found_.loops->is_searched(process);
    LoopFinder* finder = searches ? &finders_->local() : nullptr;
    const auto read = collects_waits_ ? read_waits(reader, process, location, also, finder)
                                      : read_loops(reader, location, also, finder);
    if (finder)
      found_.loops->add(process, *finder, read);
    return read;
  }

  // Call once, after all processes were read. In a team, the result has all processes, which are
  // given by location.
  CollectedCalls take(const std::vector<std::uint64_t>& locations, Team* team);

 private:
  using Finders = oneapi::tbb::enumerable_thread_specific<LoopFinder>;

  template <class Sink>
  LocationRead read_loops(EventReader& reader, std::uint64_t location, Sink& also,
                          LoopFinder* finder) {
    BothSinks<Sink&, OptionalSink<LoopFinder>> sinks{also, {finder}};
    return read_calls(reader, location, functions_, sinks);
  }
  template <class Sink>
  LocationRead read_waits(EventReader& reader, std::size_t process, std::uint64_t location,
                          Sink& also, LoopFinder* finder) {
    auto& waits = found_.waits;
    MessageCollector messages(definitions_, location, true);
    CollectiveMatcher::Location collectives(*waits.collectives, location);
    WaitSink waiting(definitions_, time_metrics_, &messages, &collectives);
    using Calls = BothSinks<CallHashSink, OptionalSink<LoopFinder>>;
    BothSinks<Sink&, BothSinks<WaitSink&, Calls>> sinks{also, {waiting, {{}, {finder}}}};
    const auto read = read_calls(reader, location, functions_, sinks);
    found_.hashes[process] = sinks.second.second.first.hash();
    collectives.finish();
    waits.processes[process] = std::make_unique<CollectedWaits::OfProcess>(
        CollectedWaits::OfProcess{messages.take(), waiting.parts(), waiting.nonblocking(),
                                  waiting.on_windows(), waiting.one_sided()});

    return read;
  }

  const Definitions& definitions_;
  const FunctionTable& functions_;
  std::vector<Metric> time_metrics_;  // by function
  bool collects_waits_;
  std::optional<LoopMarks> marks_;
  std::optional<Finders> finders_;  // by thread; none if no process is searched
  CollectedCalls found_;
};

}  // namespace tracefold
