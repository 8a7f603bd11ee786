// Collects what folding iterations needs of all processes (collected_calls.hpp), while their events
// are read for other aims.
//
// By a script, times in iterations are collected of locations with as many events as the one that
// it was made of, for as long as most of them turn out to do the same. Memory: for these times at
// most an eighth of the memory limit and 1 GiB; and what message_matcher.hpp and
// collective_matcher.hpp say. What is collected may depend on the number of threads, but not what
// follows from it.
#pragma once

#include "model/plan.hpp"
#include "otf2/event_reader.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/both_sinks.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/messages/wait_sink.hpp"
#include "pipeline/profile/collected_calls.hpp"
#include "pipeline/profile/record_hash.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

class CallCollector {
 public:
  // What waiting for others takes, or only late senders; in the first case also which calls are
  // made and, where there are scripts, how long they take in iterations. All that is referred to
  // must stay.
  CallCollector(const Definitions& definitions, const FunctionTable& functions,
                const std::vector<Process>& processes, const ReadOptions& options, bool only_sends,
                std::shared_ptr<const CallScripts> scripts);

  // Reads a process for another sink, too. Different processes at the same time.
  template <class Sink>
  LocationRead read(EventReader& reader, std::size_t process, std::uint64_t location,
                    const FunctionTable& functions, Sink& also) {
    auto& waits = found_.waits;
    MessageCollector messages(definitions_, location, share_, waits.has_posts ? share_ : 0);
    std::optional<CollectiveMatcher::Location> collectives;
    if (waits.collectives)
      collectives.emplace(*waits.collectives, location);
    WaitSink waiting(time_metrics_, &messages, collectives ? &*collectives : nullptr);

    const auto* script = take_script(location);
    LocationRead read;
    CallHashes hashes;
    if (script) {
      RecordHashSink hashing(definitions_, location, waiting);
      TimesCollector times(*script);
      BothSinks<Sink&, BothSinks<RecordHashSink&, TimesCollector&>> sinks{also, {hashing, times}};
      read = read_calls(reader, location, functions, sinks);
      hashes = hashing.hashes();
      found_.times[process] = std::move(times).take();
    } else if (!found_.hashes.empty()) {
      BothSinks<Sink&, BothSinks<WaitSink&, CallHashSink>> sinks{also, {waiting, {}}};
      read = read_calls(reader, location, functions, sinks);
      hashes.calls = sinks.second.second.hash();
    } else {
      BothSinks<Sink&, WaitSink&> sinks{also, waiting};
      read = read_calls(reader, location, functions, sinks);
    }

    if (!found_.hashes.empty())
      found_.hashes[process] = hashes.calls;
    auto& of_process = waits.processes[process];
    of_process = {messages.take(), waiting.parts(), waiting.nonblocking()};
    if (collectives) {
      collectives->finish();
      of_process.operations = collectives->operations();
    }
    if (script)
      check_times(process, *script,
                  hashes == script->hashes && read.whole && of_process.messages.are_in_order());

    return read;
  }
  // Call once, after the last.
  CollectedCalls take() { return std::move(found_); }

 private:
  // How many locations did what a script says, and how many did not.
  struct Uses {
    std::atomic<std::size_t> same = 0, other = 0;
  };

  // Null where there is none, where it is of no use, and where there is no room for what is
  // collected by it.
  const CallScript* take_script(std::uint64_t location);
  // Forgets the times of a process that does something else.
  void check_times(std::size_t process, const CallScript& script, bool is_same);

  const Definitions& definitions_;
  std::vector<Metric> time_metrics_;        // by function
  std::size_t share_ = 0;                   // messages of a process that are kept
  std::map<const CallScript*, Uses> uses_;  // of all scripts
  const std::uint64_t room_;                // bytes, for times in iterations
  std::atomic<std::uint64_t> bytes_ = 0;    // of it
  CollectedCalls found_;
};

}  // namespace tracefold
