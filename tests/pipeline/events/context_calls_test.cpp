#include "pipeline/events/context_calls.hpp"

#include "model/plan.hpp"
#include "pipeline/facts/call_path_sink.hpp"
#include "tests/support/context_records.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tracefold::context_calls_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_event;
using testing::TraceBuilder;

using enum EventKind;

// Calls as "main+1" and "main-2", in the order in which they arrive.
struct CallLog {
  const FunctionTable& functions;
  std::vector<std::string> words;

  void enter(const CallBegin& call, std::span<const Attribute>) {
    words.push_back(fmt::format("{}+{}", name(call.function), call.time));
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    words.push_back(fmt::format("{}-{}", name(call.function), call.time));
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}
  std::string name(FunctionIndex function) const { return functions.functions()[function].name; }
};

class ContextCallsTest : public testing::ContextRecordsTest {
 protected:
  void end(std::uint64_t time) { add(MeasurementOnOff, time, {0}); }

  std::vector<std::string> play_calls() {
    const auto definitions = trace_.definitions();
    const FunctionTable functions(definitions, {});
    CallLog log{functions, {}};
    play(functions, log);
    return log.words;
  }
  // "main > work: VISITS, TICKS", without calls.
  std::vector<std::string> play_paths(const std::vector<FilterSection>& filters = {}) {
    const auto definitions = trace_.definitions();
    const FunctionTable functions(definitions, filters);
    CallPathSink sink;
    oddities_ = play(functions, sink);

    const auto profile = sink.take();
    std::vector<std::string> out;
    for (std::size_t k = 0; k < profile.paths.size(); ++k) {
      std::string words;
      for (auto p = profile.paths[k]; p != 0; p = sink.paths()[p].caller)
        words = functions.functions()[sink.paths()[p].function].name +
                (words.empty() ? "" : " > " + words);
      out.push_back(fmt::format("{}: {}, {}", words, profile.value(k, CallPathSink::visits_column),
                                profile.value(k, CallPathSink::time_column)));
    }

    return out;
  }

  CallOddities oddities_;
};

TEST_F(ContextCallsTest, MakesCallsOfMpiAndTimesOfSamples) {
  sample(10, "main > work", 3);
  sample(30, "main > work", 1);
  enter(40, "main > exchange > MPI_Send", 3);
  leave(50, "main > exchange > MPI_Send");
  sample(60, "main > work", 2);
  enter(70, "main > exchange > MPI_Send", 3);
  leave(75, "main > exchange > MPI_Send");
  sample(90, "main > work", 2);
  end(100);

  // What leads to MPI_Send is entered with it, and has ended where a record shows that.
  EXPECT_THAT(play_calls(),
              ElementsAre("main+40", "exchange+40", "MPI_Send+40", "MPI_Send-50", "exchange-60",
                          "exchange+70", "MPI_Send+70", "MPI_Send-75", "exchange-90", "main-100"));

  // work: 10 to 40, 50 to 70 and 75 to 100, without the calls of MPI; it was seen three times anew.
  EXPECT_THAT(play_paths(), ElementsAre("main: 1, 0", "main > work: 3, 75", "main > exchange: 2, 0",
                                        "main > exchange > MPI_Send: 2, 15"));
  EXPECT_EQ(oddities_.calls_open_at_end, 0u);
}

TEST_F(ContextCallsTest, WithoutSamplesTheSameCallsAreEntered) {
  enter(40, "main > exchange > MPI_Send", 4);
  leave(50, "main > exchange > MPI_Send");
  enter(70, "main > exchange > MPI_Send", 3);
  leave(75, "main > exchange > MPI_Send");
  enter(80, "main > exchange > MPI_Send", 2);
  leave(85, "main > exchange > MPI_Send");
  end(100);

  // The second exchange is another one, the third call of MPI_Send is in the second.
  EXPECT_THAT(play_calls(), ElementsAre("main+40", "exchange+40", "MPI_Send+40", "MPI_Send-50",
                                        "exchange-70", "exchange+70", "MPI_Send+70", "MPI_Send-75",
                                        "MPI_Send+80", "MPI_Send-85", "exchange-100", "main-100"));
  EXPECT_THAT(play_paths(), ElementsAre("main: 1, 0", "main > exchange: 2, 40",
                                        "main > exchange > MPI_Send: 3, 20"));
}

TEST_F(ContextCallsTest, CountsACallOnceThatASampleShowsBeforeItCallsMpi) {
  sample(10, "main > exchange", 3);
  enter(40, "main > exchange > MPI_Send", 2);
  leave(50, "main > exchange > MPI_Send");
  end(60);

  EXPECT_THAT(play_paths(), ElementsAre("main: 1, 0", "main > exchange: 1, 40",
                                        "main > exchange > MPI_Send: 1, 10"));
}

TEST_F(ContextCallsTest, MarkedRegionsHaveTheTimeBetweenTheirRecords) {
  sample(10, "main > idle", 3);
  enter(20, "main > step", 2);
  sample(25, "main > step > work", 2);
  leave(40, "main > step");
  sample(60, "main > idle", 2);
  end(70);

  // idle: 10 to 20, and from 40 on. step: 20 to 40, before the sample its own.
  EXPECT_THAT(play_paths(), ElementsAre("main: 1, 0", "main > idle: 2, 40", "main > step: 1, 5",
                                        "main > step > work: 1, 15"));
}

TEST_F(ContextCallsTest, LeavesOutSamplesInMpi) {
  sample(10, "main > work", 3);
  enter(40, "main > MPI_Recv", 2);
  sample(45, "main > MPI_Recv > poll", 2);
  leave(50, "main > MPI_Recv");
  end(60);

  EXPECT_THAT(play_paths(),
              ElementsAre("main: 1, 0", "main > work: 1, 40", "main > MPI_Recv: 1, 10"));
}

TEST_F(ContextCallsTest, SamplesInsideEnteredCallsAreCalledByThem) {
  call(Enter, 5, "main");
  sample(10, "main > work", 3);
  call(Enter, 20, "MPI_Send");
  call(Leave, 30, "MPI_Send");
  sample(40, "main > work > deep", 2);
  call(Enter, 50, "library");
  sample(60, "main > work > deep", 1);
  call(Leave, 70, "library");
  call(Leave, 80, "main");

  EXPECT_THAT(play_paths(),
              ElementsAre("main: 1, 5", "main > work: 1, 20", "main > MPI_Send: 1, 10",
                          "main > work > deep: 1, 20", "main > library: 1, 10",
                          "main > library > main: 1, 0", "main > library > main > work: 1, 0",
                          "main > library > main > work > deep: 1, 10"));
}

TEST_F(ContextCallsTest, DroppedFunctionsAreJoinedToTheirCallers) {
  sample(10, "main > work > inner", 4);
  enter(40, "main > exchange > MPI_Send", 3);
  leave(50, "main > exchange > MPI_Send");
  end(60);
  FilterSection filter;
  filter.drop = {"inner", "exchange"};

  EXPECT_THAT(play_paths({filter}),
              ElementsAre("main: 1, 0", "main > work: 1, 40", "main > MPI_Send: 1, 10"));
}

TEST_F(ContextCallsTest, TimeInADroppedCallIsThatOfTheSampleAroundIt) {
  call(Enter, 5, "main");
  sample(10, "main > work", 3);
  call(Enter, 20, "library");
  call(Leave, 30, "library");
  call(Leave, 80, "main");
  FilterSection filter;
  filter.drop = {"library"};

  EXPECT_THAT(play_paths({filter}), ElementsAre("main: 1, 5", "main > work: 1, 70"));
}

TEST_F(ContextCallsTest, ACallIsNewAlsoWhereItsContextIsOpen) {
  enter(10, "f", 2);
  enter(20, "f", 2);
  leave(30, "f");
  leave(40, "f");

  EXPECT_THAT(play_paths(), ElementsAre("f: 1, 20", "f > f: 1, 10"));
  EXPECT_EQ(oddities_.leaves_without_enter, 0u);
}

TEST_F(ContextCallsTest, SurvivesRecordsThatCannotBe) {
  leave(5, "main > work");                                              // never entered
  events_.push_back(make_event(CallingContextSample, 10, {99, 1, 0}));  // not defined
  events_.push_back(make_event(CallingContextEnter, 15, {99, 1}));
  sample(20, "main > work", 77);           // too far
  enter(30, "main > work > MPI_Send", 0);  // nothing new
  leave(40, "main");                       // another one
  enter(50, "main > work > MPI_Send", 1);
  end(60);

  EXPECT_THAT(play_calls(), ElementsAre("main+30", "work+30", "MPI_Send+30", "MPI_Send-40",
                                        "MPI_Send+50", "MPI_Send-60", "work-60", "main-60"));
  const auto paths = play_paths();
  EXPECT_THAT(paths, Contains("main > work > MPI_Send: 2, 20"));
  EXPECT_THAT(paths, Contains("main > work: 1, 20"));
  EXPECT_EQ(oddities_.leaves_without_enter, 1u);
  EXPECT_EQ(oddities_.calls_open_at_end, 1u);
}

TEST_F(ContextCallsTest, ContextsThatAreTheirOwnCallersEnd) {
  const auto f = region("f");
  trace_.define(DefinitionKind::CallingContext, {0, f, TraceBuilder::none, 1});
  trace_.define(DefinitionKind::CallingContext, {1, f, TraceBuilder::none, 0});
  trace_.define(DefinitionKind::CallingContext, {2'000'000, f, TraceBuilder::none, 2'000'000});
  events_.push_back(make_event(CallingContextSample, 10, {0, 3, 0}));
  events_.push_back(make_event(CallingContextSample, 20, {2'000'000, 2, 0}));
  end(30);

  EXPECT_THAT(play_paths(), ElementsAre("f: 2, 10", "f > f: 1, 10"));
}

TEST_F(ContextCallsTest, WithoutContextsThereIsNothingToDo) {
  region("f");
  const FunctionTable functions(trace_.definitions(), {});
  EXPECT_TRUE(functions.contexts().empty());
}

}  // namespace tracefold::context_calls_test
