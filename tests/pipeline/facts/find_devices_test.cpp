// What devices and their hosts do, and which kernels these wait for, of traces in which that is
// known.
#include "pipeline/facts/find_devices.hpp"

#include "model/summary/run_facts.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold::find_devices_test {

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;
using ::testing::UnorderedElementsAre;

constexpr std::uint64_t host = 0, first_stream = 10, second_stream = 11, other_device = 12;
constexpr std::uint64_t stream_attribute = 5, type_location = 13;

// A process with a thread, a device with two streams, and another device, from 0 to 1000.
class Program {
 public:
  Program() {
    trace_.add_location_group(0, {host, 1});
    define_stream(first_stream, "CUDA[0:7]");
    define_stream(second_stream, "CUDA[0:13]");
    define_stream(other_device, "CUDA[1:7]");
    trace_.define(DefinitionKind::Attribute,
                  {stream_attribute, trace_.string("stream"), trace_.string(""), type_location});
    begin(host, "main", 0);
  }

  // `names`: the stream that the call names.
  void begin(std::uint64_t location, const std::string& function, std::uint64_t time,
             std::optional<std::uint64_t> names = {}) {
    const auto [at, is_new] = regions_.try_emplace(function, regions_.size());
    if (is_new)
      trace_.add_region(at->second, function);
    std::vector<Attribute> attributes;
    if (names)
      attributes.push_back({stream_attribute, type_location, *names});
    trace_.record(location, Enter, time, {at->second}, {}, attributes);
  }
  void end(std::uint64_t location, const std::string& function, std::uint64_t time) {
    trace_.record(location, Leave, time, {regions_.at(function)});
  }
  void call(std::uint64_t location, const std::string& function, std::uint64_t from,
            std::uint64_t to, std::optional<std::uint64_t> names = {}) {
    begin(location, function, from, names);
    end(location, function, to);
  }
  void record(std::uint64_t location, EventKind kind, std::uint64_t time,
              std::initializer_list<std::uint64_t> fields) {
    trace_.record(location, kind, time, fields);
  }

  RunFacts read(const std::vector<FilterSection>& filters = {}, RunPart part = RunPart::run) {
    end(host, "main", 1000);
    const testing::TestFolder folder;
    trace_.write(folder.path());
    Diagnostics ignored;
    const Context context{ignored};
    PlanSession session(open_trace((folder.path() / "traces.otf2").string(), ignored), context);
    session.plan().filters = filters;
    RunPartOptions options;
    options.part = part;
    return read_run(session, options).facts;
  }
  ProgramDevices find() { return read().devices.value(); }
  // "function: ticks", in which the host is meanwhile.
  std::vector<std::string> find_hosts() {
    const auto facts = read();
    std::vector<std::string> out;
    for (const auto& [path, ticks] : facts.devices.value().hosts)
      out.push_back(facts.calls.functions[facts.calls.profiles.paths[path].function].name + ": " +
                    std::to_string(ticks));
    return out;
  }
  // "caller > call: kernel on stream: ticks"
  std::vector<std::string> find_waits(const std::vector<FilterSection>& filters = {},
                                      RunPart part = RunPart::run) {
    const auto facts = read(filters, part);
    const auto& [functions, paths] = std::tie(facts.calls.functions, facts.calls.profiles.paths);
    std::vector<std::string> out;
    for (const auto& [wait, ticks] : facts.devices.value().waits)
      out.push_back(functions[paths[paths[wait.call].caller].function].name + " > " +
                    functions[paths[wait.call].function].name + ": " + wait.kernel + " on " +
                    std::to_string(facts.processes[wait.stream].id) + ": " + std::to_string(ticks));
    return out;
  }

 private:
  void define_stream(std::uint64_t stream, const std::string& name) {
    trace_.define(DefinitionKind::Location,
                  {stream, trace_.string(name), otf2_value::location_type_accelerator, 0, 0});
    trace_.content().events[stream];
  }

  TraceBuilder trace_;
  std::map<std::string, std::uint64_t> regions_;
};

TEST(FindDevices, AddsUpStreamsOfADevice) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(second_stream, "axpy", 200, 400);
  const auto found = of.find();
  EXPECT_EQ(found.devices, 1);
  EXPECT_EQ(found.time, 1000);
  EXPECT_EQ(found.kernels, 300);
  EXPECT_EQ(found.idle, 700);
}

TEST(FindDevices, TellsDevicesApart) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(other_device, "axpy", 200, 400);
  const auto found = of.find();
  EXPECT_EQ(found.devices, 2);
  EXPECT_EQ(found.time, 2000);
  EXPECT_EQ(found.kernels, 400);
  EXPECT_EQ(found.idle, 1600);
}

TEST(FindDevices, HidesCopiesOnlyBehindKernelsOfTheSameDevice) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(second_stream, "Memcpy HtoD", 200, 600);
  of.call(other_device, "axpy", 200, 600);
  const auto found = of.find();
  EXPECT_EQ(found.copies, 400);
  EXPECT_EQ(found.hidden_copies, 100);
  EXPECT_EQ(found.idle, 500 + 600);
}

TEST(FindDevices, ReadsCopiesFromOneSidedOperations) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.record(second_stream, RmaPut, 200, {0, 0, 64, 5});
  of.record(second_stream, RmaGet, 250, {0, 0, 32, 6});
  of.record(second_stream, RmaOpCompleteBlocking, 350, {0, 6});
  of.record(second_stream, RmaOpCompleteBlocking, 400, {0, 5});
  of.record(second_stream, RmaGet, 500, {0, 0, 8, 7});  // whose end is not recorded
  const auto found = of.find();
  EXPECT_EQ(found.copies, 200);
  EXPECT_EQ(found.hidden_copies, 100);
  EXPECT_EQ(found.bytes, 64 + 32 + 8);
  EXPECT_EQ(found.idle, 700);
}

TEST(FindDevices, EndsCopiesWithTheFirstRecordOfTheirCompletion) {
  Program of;
  of.record(first_stream, RmaPut, 100, {0, 0, 64, 5});
  of.record(first_stream, RmaOpTest, 120, {0, 5});  // not yet
  of.record(first_stream, RmaOpCompleteNonBlocking, 150, {0, 5});
  of.record(first_stream, RmaOpCompleteRemote, 170, {0, 5});
  of.record(first_stream, RmaGet, 300, {0, 0, 64, 6});
  of.record(first_stream, RmaOpCompleteRemote, 400, {0, 6});
  EXPECT_EQ(of.find().copies, 50 + 100);
}

TEST(FindDevices, TellsCollectiveOperationsFromKernels) {
  Program of;
  of.call(first_stream, "gemm", 100, 300);
  of.call(second_stream, "ncclDevKernel_AllReduce_Sum", 200, 600);
  const auto found = of.find();
  EXPECT_EQ(found.kernels, 200);
  EXPECT_EQ(found.communication, 400);
  EXPECT_EQ(found.hidden_communication, 100);
}

TEST(FindDevices, AreIdleWhereRecordersSaySo) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(first_stream, "COMPUTE IDLE", 300, 900);
  EXPECT_EQ(of.find().idle, 800);
}

TEST(FindDevices, FollowTheHostWhileNothingRuns) {
  Program of;
  of.call(host, "read_input", 100, 500);
  of.call(host, "cudaLaunchKernel", 500, 510);
  of.call(first_stream, "dot", 400, 900);
  EXPECT_THAT(of.find_hosts(), ElementsAre("main: 200", "read_input: 300"));
}

TEST(FindDevices, TakeTheThreadThatCallsTheAccelerator) {
  Program of;
  of.call(1, "prepare", 0, 700);
  of.call(1, "cudaLaunchKernel", 700, 800);
  of.call(first_stream, "dot", 750, 1000);
  EXPECT_THAT(of.find_hosts(), ElementsAre("prepare: 700", "cudaLaunchKernel: 50"));
}

TEST(FindDevices, CountEachIdleDeviceOfTheHost) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(other_device, "axpy", 200, 400);
  of.call(host, "cudaLaunchKernel", 450, 500);
  EXPECT_THAT(of.find_hosts(), ElementsAre("main: 1500", "cudaLaunchKernel: 100"));
}

TEST(FindDevices, KnowNothingWhileRecordingIsOff) {
  Program of;
  of.record(host, MeasurementOnOff, 200, {2});
  of.record(host, MeasurementOnOff, 600, {1});
  of.call(first_stream, "dot", 0, 100);
  const auto found = of.find();
  EXPECT_EQ(found.time, 600);
  EXPECT_EQ(found.idle, 500);
}

TEST(FindDevices, AreNotIdleSinceFiltersDropKernels) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(host, "solve", 0, 50);
  const auto facts = of.read({{{"dot", "solve"}, {}, "", {}, {}}});
  EXPECT_EQ(facts.devices.value().kernels, 200);
  EXPECT_EQ(facts.devices.value().hosts.size(), 1);  // main
}

TEST(FindDevices, TellWhichKernelEndsInACallThatWaits) {
  Program of;
  of.call(first_stream, "dot", 100, 400);
  of.call(host, "cudaStreamSynchronize", 200, 410);
  EXPECT_THAT(of.find_waits(), ElementsAre("main > cudaStreamSynchronize: dot on 10: 200"));
}

TEST(FindDevices, TellAllKernelsOfTheStreamThatEndsLast) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(first_stream, "axpy", 300, 400);
  of.call(second_stream, "other", 100, 390);
  of.call(host, "cuCtxSynchronize", 200, 410);
  EXPECT_THAT(of.find_waits(), UnorderedElementsAre("main > cuCtxSynchronize: axpy on 10: 100",
                                                    "main > cuCtxSynchronize: dot on 10: 100"));
}

TEST(FindDevices, TellAlsoWhatThreadsBesideTheHostWaitFor) {
  Program of;
  of.call(host, "cudaLaunchKernel", 50, 60);
  of.call(1, "work", 0, 100);
  of.begin(1, "work", 100);
  of.call(1, "cuStreamSynchronize", 200, 410);
  of.end(1, "work", 500);
  of.call(first_stream, "dot", 100, 400);
  EXPECT_THAT(of.find_waits(), ElementsAre("work > cuStreamSynchronize: dot on 10: 200"));
}

TEST(FindDevices, DoNotLetHostsWaitForKernelsThatGoOn) {
  Program of;
  of.call(first_stream, "short", 100, 300);
  of.call(second_stream, "long", 100, 900);
  of.call(host, "cudaStreamSynchronize", 200, 310);
  EXPECT_THAT(of.find_waits(), ElementsAre("main > cudaStreamSynchronize: short on 10: 100"));
}

TEST(FindDevices, FollowTheStreamThatTheCallNames) {
  Program of;
  of.call(first_stream, "short", 100, 300);
  of.call(second_stream, "longer", 100, 305);
  of.call(host, "cudaStreamSynchronize", 200, 310, first_stream);
  EXPECT_THAT(of.find_waits(), ElementsAre("main > cudaStreamSynchronize: short on 10: 100"));
}

TEST(FindDevices, LetHostsWaitBeforeCopies) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(host, "cuMemcpyDtoHAsync_v2", 150, 160);
  of.call(host, "cuMemcpyDtoH_v2", 200, 400);
  EXPECT_THAT(of.find_waits(), ElementsAre("main > cuMemcpyDtoH_v2: dot on 10: 100"));
}

TEST(FindDevices, DoNotLetHostsWaitWhereNothingRuns) {
  Program of;
  of.call(first_stream, "dot", 100, 150);
  of.call(first_stream, "COMPUTE IDLE", 150, 400);
  of.call(host, "cudaDeviceSynchronize", 200, 410);
  of.call(host, "solve", 410, 500);
  EXPECT_THAT(of.find_waits(), IsEmpty());
}

TEST(FindDevices, ForgiveClocksAHundredthOfACallThatWaits) {
  Program of;
  of.call(first_stream, "dot", 100, 301);
  of.call(host, "cudaDeviceSynchronize", 200, 300);
  of.call(first_stream, "dot", 500, 702);
  of.call(host, "cudaDeviceSynchronize", 600, 700);
  EXPECT_THAT(of.find_waits(), ElementsAre("main > cudaDeviceSynchronize: dot on 10: 100"));
}

TEST(FindDevices, FindTheKernelThatEndsAmongOthersThatOverlapIt) {
  Program of;
  of.begin(first_stream, "long", 100);
  of.call(first_stream, "dot", 150, 300);
  of.call(first_stream, "axpy", 350, 400);
  of.end(first_stream, "long", 800);
  of.call(host, "cudaDeviceSynchronize", 200, 310);
  EXPECT_THAT(of.find_waits(), ElementsAre("main > cudaDeviceSynchronize: dot on 10: 100"));
}

TEST(FindDevices, CountTimeInWhichAKernelRunsTwiceOnce) {
  Program of;
  of.begin(first_stream, "dot", 100);
  of.begin(first_stream, "dot", 150);
  of.end(first_stream, "dot", 800);
  of.end(first_stream, "dot", 900);
  of.call(host, "cudaDeviceSynchronize", 50, 1000);
  EXPECT_THAT(of.find_waits(), ElementsAre("main > cudaDeviceSynchronize: dot on 10: 800"));
}

TEST(FindDevices, DoNotTellKernelsThatFiltersDrop) {
  Program of;
  of.call(first_stream, "dot", 100, 300);
  of.call(second_stream, "axpy", 100, 290);
  of.call(host, "cudaDeviceSynchronize", 200, 310);
  EXPECT_THAT(of.find_waits({{{"dot"}, {}, "", {}, {}}}),
              ElementsAre("main > cudaDeviceSynchronize: axpy on 11: 90"));
}

TEST(FindDevices, TellWaitingInThePartOfTheRun) {
  Program of;
  const auto wait = [&](std::uint64_t begin) {
    of.call(first_stream, "dot", begin, begin + 50);
    of.call(host, "cudaDeviceSynchronize", begin + 30, begin + 60);
  };
  wait(100);
  of.call(host, "MPI_Init", 200, 300);
  wait(400);
  of.call(host, "MPI_Finalize", 600, 700);
  wait(800);
  EXPECT_THAT(of.find_waits({}, RunPart::mpi),
              ElementsAre("main > cudaDeviceSynchronize: dot on 10: 20"));
}

TEST(FindDevices, AreNoneWithoutStreams) {
  Program of;
  EXPECT_FALSE(of.read().devices.has_value());
}

}  // namespace tracefold::find_devices_test
