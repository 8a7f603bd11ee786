// The time-series call-path profiles of a plan's processes: each process read once, in
// parallel, and the profile of each of its iterations handed on as soon as it is known.
//
// One process is read by one thread, so what is said of it comes from that thread, in
// order; of different processes at the same time. What is said does not depend on the
// number of threads, and is the same in each reading. Calls are Enter and Leave records;
// samples of calling contexts are not. Where the trace has messages, all processes are
// read once before, so that it is known which receives wait for late senders. Memory: what
// pipeline/series_sink.hpp says, for each thread, and what pipeline/sent_messages.hpp says.
//
// Source: dynamics 3 (time-series call-path profiles).
#pragma once

#include "model/iterations/loops.hpp"
#include "model/plan.hpp"
#include "model/profile/call_profile.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/series_form.hpp"
#include "pipeline/messages/sent_messages.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

// What a process did in one iteration. Processes are indexes into the plan's.
struct SeriesIteration {
  std::size_t process = 0;
  std::size_t iteration = 0;  // numbered through all loops of the process
  const IterationProfile& profile;
  std::span<const CallPath> paths;  // of the process, so far, by number
};

// What is referred to is valid during the call.
struct SeriesCallbacks {
  // Each iteration of a process's loops once, ascending, also where the process did nothing.
  std::function<void(const SeriesIteration&)> iteration;
  // After the last: the process's call paths, by number, and what is outside of iterations.
  std::function<void(std::size_t process, std::span<const CallPath> paths,
                     const IterationProfile& outside)>
      end;
};

class SeriesPass {
 public:
  // `members` are indexes of processes, `loops` of all processes of the plan. Throws
  // Error(input) where the plan is of another trace. The archive, the plan's
  // loops and the diagnostics must stay.
  SeriesPass(const Archive& archive, const Plan& plan, const std::vector<ProcessLoops>& loops,
             std::vector<std::size_t> members, const ReadOptions& options,
             Diagnostics& diagnostics);

  const MetricColumns& columns() const { return form_.columns(); }
  bool sampled() const { return form_.sampled(); }
  const std::vector<Function>& functions() const {
    return functions_.functions();
  }  // that call paths name

  // As often as wanted; one that is empty is not called. `members` are of those that the
  // pass was made for. Throws Error(input), and what the callbacks throw.
  void read(const SeriesCallbacks& callbacks) const { read(members_, callbacks); }
  void read(const std::vector<std::size_t>& members, const SeriesCallbacks& callbacks) const;

 private:
  void read_process(EventReader& reader, std::size_t process,
                    const SeriesCallbacks& callbacks) const;

  const Archive& archive_;
  const Plan& plan_;
  const std::vector<ProcessLoops>& loops_;
  std::vector<std::size_t> members_;
  ReadOptions options_;
  Diagnostics& diagnostics_;
  FunctionTable functions_;
  SeriesForm form_;
  std::optional<SentMessages> sent_;
};

}  // namespace tracefold
