// What folding iterations needs to know of all processes, collected while they are profiled, so
// that they need not be read once more for it.
//
// Different processes at the same time. The result does not depend on the number of threads.
// Memory: what message_matcher.hpp, collective_matcher.hpp and searched_loops.hpp say.
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

// For times of waiting, and hashes of calls.
enum class RecordWaits : bool { no, all };

struct WantedCalls {
  RecordWaits waits = RecordWaits::no;
  std::optional<AskedIterations> loops = {};  // all processes are searched for these

  bool any() const { return waits != RecordWaits::no || loops; }
};

struct CollectedCalls {
  CollectedWaits waits;
  std::vector<CallHash> hashes;          // by process; none where they were not asked for
  std::unique_ptr<SearchedLoops> loops;  // null where none were
};

// Whether filters drop calls of MPI, in which others are waited for: then waits are not collected.
bool drops_mpi(const Definitions& definitions, const FunctionTable& functions,
               const std::vector<FilterSection>& filters);

class CallCollector {
 public:
  // The definitions and the table must stay.
  CallCollector(const Definitions& definitions, const FunctionTable& functions,
                std::size_t processes, const WantedCalls& wanted);

  // Reads a process, for another sink as well.
  template <class Sink>
  LocationRead read(EventReader& reader, std::size_t process, std::uint64_t location, Sink& also) {
    LoopFinder* finder = finders_ ? &finders_->local() : nullptr;
    const auto read = collects_waits_ ? read_waits(reader, process, location, also, finder)
                                      : read_loops(reader, location, also, finder);
    if (finder)
      found_.loops->add(process, *finder, read);
    return read;
  }

  // Call once, when all were read.
  CollectedCalls take() { return std::move(found_); }

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
    WaitSink waiting(time_metrics_, &messages, &collectives);
    using Calls = BothSinks<CallHashSink, OptionalSink<LoopFinder>>;
    BothSinks<Sink&, BothSinks<WaitSink&, Calls>> sinks{also, {waiting, {{}, {finder}}}};
    const auto read = read_calls(reader, location, functions_, sinks);
    found_.hashes[process] = sinks.second.second.first.hash();
    collectives.finish();
    waits.processes[process] = {messages.take(), waiting.parts(), waiting.nonblocking()};

    return read;
  }

  const Definitions& definitions_;
  const FunctionTable& functions_;
  std::vector<Metric> time_metrics_;  // by function
  bool collects_waits_;
  std::optional<LoopMarks> marks_;
  std::optional<Finders> finders_;  // by thread; none where no loops are wanted
  CollectedCalls found_;
};

}  // namespace tracefold
