// Which kernels host threads wait for, of traces in which that is known.
#include "pipeline/answers/find_accelerator_waits.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

namespace tracefold::find_accelerator_waits_test {

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;

constexpr std::uint64_t host = 0, first_stream = 10, second_stream = 11;
constexpr std::uint64_t stream_attribute = 5, type_location = 13;

// A process with a thread and two streams.
class Program {
 public:
  Program() {
    trace_.add_location_group(0, {host});
    for (auto stream : {first_stream, second_stream}) {
      trace_.define(DefinitionKind::Location,
                    {stream, trace_.string("stream"), otf2_value::location_type_accelerator, 0, 0});
      trace_.content().events[stream];
    }
    trace_.define(DefinitionKind::Attribute,
                  {stream_attribute, trace_.string("stream"), trace_.string(""), type_location});
    call(host, "main", 0, 0, false);
  }

  // `names`: the stream that the call names.
  void call(std::uint64_t location, const std::string& function, std::uint64_t begin,
            std::uint64_t end, bool has_end = true, std::uint64_t names = 0) {
    const auto [at, is_new] = regions_.try_emplace(function, regions_.size());
    if (is_new)
      trace_.add_region(at->second, function);
    std::vector<Attribute> attributes;
    if (names)
      attributes.push_back({stream_attribute, type_location, names});
    trace_.record(location, Enter, begin, {at->second}, {}, attributes);
    if (has_end)
      trace_.record(location, Leave, end, {at->second});
  }

  // "caller > call: kernel on stream: ticks"
  std::vector<std::string> find(const std::vector<std::vector<Interval>>& spans = {}) {
    const testing::TestFolder folder;
    trace_.write(folder.path());
    Diagnostics ignored;
    const Context context{ignored};
    PlanSession session(open_trace((folder.path() / "traces.otf2").string(), ignored), context);
    session.profile();
    const auto& plan = session.plan();
    std::vector<std::uint64_t> types;
    for (const auto& process : plan.processes)
      types.push_back(plan.intents[process.intent].set.type);
    const PlannedTrace trace{session.archive(), plan, {}, ignored};
    std::vector<std::string> out;
    const auto found = find_accelerator_waits(trace, types, spans);
    for (const auto& wait : found.value())
      out.push_back(wait.caller + " > " + wait.call + ": " + wait.kernel + " on " +
                    std::to_string(plan.processes[wait.stream].id) + ": " +
                    std::to_string(wait.ticks));
    return out;
  }

 private:
  TraceBuilder trace_;
  std::map<std::string, std::uint64_t> regions_;
};

TEST(AcceleratorWaits, AreForTheKernelThatEndsInTheCall) {
  Program of;
  of.call(first_stream, "dot", 100, 400);
  of.call(host, "cudaStreamSynchronize", 200, 410);
  EXPECT_THAT(of.find(), ElementsAre("main > cudaStreamSynchronize: dot on 10: 200"));
}

TEST(AcceleratorWaits, AreForAllKernelsOfTheStreamThatEndsLast) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(first_stream, "axpy", 300, 400);
  of.call(second_stream, "other", 100, 390);
  of.call(host, "cuCtxSynchronize", 200, 410);
  EXPECT_THAT(of.find(), ElementsAre("main > cuCtxSynchronize: axpy on 10: 100",
                                     "main > cuCtxSynchronize: dot on 10: 100"));
}

TEST(AcceleratorWaits, AreNotForKernelsThatGoOn) {
  Program of;
  of.call(first_stream, "short", 100, 300);
  of.call(second_stream, "long", 100, 900);
  of.call(host, "cudaStreamSynchronize", 200, 310);
  EXPECT_THAT(of.find(), ElementsAre("main > cudaStreamSynchronize: short on 10: 100"));
}

TEST(AcceleratorWaits, AreForTheStreamThatTheCallNames) {
  Program of;
  of.call(first_stream, "short", 100, 300);
  of.call(second_stream, "longer", 100, 305);
  of.call(host, "cudaStreamSynchronize", 200, 310, true, first_stream);
  EXPECT_THAT(of.find(), ElementsAre("main > cudaStreamSynchronize: short on 10: 100"));
}

TEST(AcceleratorWaits, AreAlsoBeforeCopies) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(host, "cuMemcpyDtoHAsync_v2", 150, 160);
  of.call(host, "cuMemcpyDtoH_v2", 200, 400);
  EXPECT_THAT(of.find(), ElementsAre("main > cuMemcpyDtoH_v2: dot on 10: 100"));
}

TEST(AcceleratorWaits, AreNoneWhereNothingRuns) {
  Program of;
  of.call(first_stream, "dot", 100, 150);
  of.call(first_stream, "COMPUTE IDLE", 150, 400);
  of.call(host, "cudaDeviceSynchronize", 200, 410);
  of.call(host, "solve", 410, 500);
  EXPECT_THAT(of.find(), IsEmpty());
}

TEST(AcceleratorWaits, ForgiveClocksAHundredthOfTheCall) {
  Program of;
  of.call(first_stream, "dot", 1000, 2010);
  of.call(host, "cudaDeviceSynchronize", 1000, 2000);
  of.call(first_stream, "dot", 3000, 4011);
  of.call(host, "cudaDeviceSynchronize", 3000, 4000);
  EXPECT_THAT(of.find(), ElementsAre("main > cudaDeviceSynchronize: dot on 10: 1000"));
}

TEST(AcceleratorWaits, AreThoseOfThePartOfTheRun) {
  Program of;
  for (std::uint64_t begin : {100, 1100, 2100}) {
    of.call(first_stream, "dot", begin, begin + 100);
    of.call(host, "cudaDeviceSynchronize", begin + 50, begin + 110);
  }
  EXPECT_THAT(of.find({{{1000, 2000}, {}, {}}}),
              ElementsAre("main > cudaDeviceSynchronize: dot on 10: 50"));
}

}  // namespace tracefold::find_accelerator_waits_test
