#include "pipeline/iterations/collapse.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tracefold {
namespace {

using ::testing::ElementsAre;

Loop loop(LoopSource source, FunctionIndex function, std::vector<Interval> iterations) {
  Loop out;
  out.source = source;
  out.function = function;
  out.path = {0};  // all loops here are in the first call
  out.iterations = std::move(iterations);

  return out;
}

// A plan of one process, whose loops keep the iterations in `kept`; each stands for
// those behind it.
Plan plan_of(std::vector<Loop> loops, std::vector<std::vector<std::uint32_t>> kept,
             bool taken = false) {
  Plan plan;
  plan.processes.resize(1);
  auto& section = plan.iterations.emplace();

  for (std::size_t l = 0; l < loops.size(); ++l) {
    FoldedLoop folded;
    folded.choice.kept = kept[l];
    for (std::uint32_t i = 0, k = 0; i < loops[l].iterations.size(); ++i) {
      if (k + 1 < kept[l].size() && kept[l][k + 1] == i)
        ++k;
      folded.choice.kept_of.push_back(k);
    }

    section.loops.push_back(folded);
  }

  section.processes.push_back(
      {0, {std::move(loops), 0, 0, taken ? std::optional<std::size_t>(0) : std::nullopt}});

  return plan;
}

// Writes down what it is given: f10 is an Enter of f, .12 a Leave, m11:3 a record
// with a value, x what is left out, <K10 and >K12 a stand-in.
struct Words {
  std::string text;
  void add(std::string word) { text += (text.empty() ? "" : " ") + word; }
  void enter(const CallBegin& c, std::span<const Attribute>) {
    add(static_cast<char>('a' + c.region) + std::to_string(c.time));
  }
  void leave(const CallEnd& c, std::span<const Attribute>) { add("." + std::to_string(c.time)); }
  void other(Event& e) { add("m" + std::to_string(e.time) + ":" + std::to_string(e.fields[0])); }
  void left_out(Event& e) { add("x" + std::to_string(e.time)); }
  void stand_in(EventKind kind, std::uint64_t time, std::uint32_t which) {
    add((kind == EventKind::Enter ? "<" : ">") + std::to_string(which) + "@" +
        std::to_string(time));
  }
  void unknown(std::uint64_t) {}
};

Definitions regions() {
  Definitions definitions;
  for (std::uint64_t id = 0; id < 26; ++id) {
    Definition string, region;
    string.kind = DefinitionKind::String;
    string.fields[0] = id;
    string.text = std::string(1, static_cast<char>('a' + id));
    region.kind = DefinitionKind::Region;
    region.fields = {id, id, id, id};
    definitions.add(string);
    definitions.add(region);
  }

  definitions.finish();

  return definitions;
}

// In `words` a letter enters a region, "." leaves the innermost, "m" records metric 1,
// "M" metric 2, "h" makes a handle of a file, "s" sends a message, "+" and "!" create and complete
// a task, "|" switches measurement; "-" is a time that passes.
// Each word takes one tick, "=" none.
std::string collapsed(const Plan& plan, const std::string& words) {
  const auto definitions = regions();
  const FunctionTable functions(definitions, {});
  const Collapse collapse(plan);
  Words out;
  CollapsedEvents<Words> sink(collapse, *collapse.find_loops(0), out);
  CleanEvents<CollapsedEvents<Words>> events(functions, sink);
  std::uint64_t time = 0;
  std::string open;
  bool same = true;

  for (char c : words) {
    if (c == '=') {
      same = true;
      continue;
    }

    if (!std::exchange(same, false))
      ++time;

    Event event;
    event.time = time;

    switch (c) {
      case '-': break;
      case 'm':
      case 'M':
        event.kind = EventKind::Metric, event.fields[0] = c == 'm' ? 1 : 2, events.other(event);
        break;
      case 'h':
        event.kind = EventKind::IoCreateHandle, event.fields[0] = 7, events.other(event);
        break;
      case '+':
      case '!':
        event.kind = c == '+' ? EventKind::OmpTaskCreate : EventKind::OmpTaskComplete;
        event.fields[0] = 5;
        events.other(event);
        break;
      case '|':
        event.kind = EventKind::MeasurementOnOff;
        event.fields[0] = 2;
        events.other(event);
        break;
      case 's': event.kind = EventKind::MpiSend, events.other(event); break;
      case '.':
        events.leave(time, static_cast<std::uint64_t>(open.back() - 'a'), {}), open.pop_back();
        break;
      default: events.enter(time, static_cast<std::uint64_t>(c - 'a'), {}), open += c;
    }
  }

  events.finish();
  sink.finish();

  return out.text;
}

TEST(Collapse, MakesOneCallOfAnIteration) {
  //                     0123456789…: a is around three iterations that each begin with b
  const auto plan = plan_of({loop(LoopSource::sequence, 1, {{1, 5}, {5, 9}, {9, 12}})}, {{0, 2}});
  EXPECT_EQ(collapsed(plan, "ab.c.b.c.b.c.."), "a0 b1 .2 c3 .4 <0@5 >0@8 b9 .10 c11 .12 .13");
}

TEST(Collapse, NamesTheIterationThatStandsForIt) {
  const Collapse one(
      plan_of({loop(LoopSource::marked, 1, {{0, 1}, {1, 2}, {2, 3}, {3, 4}})}, {{0, 2}}));
  EXPECT_THAT(one.names(), ElementsAre("iteration ≈ #0", "iteration ≈ #2"));
  EXPECT_THAT(one.stand_ins(), ElementsAre(Collapse::kept, 0, Collapse::kept, 1));
  const Collapse two(plan_of({loop(LoopSource::marked, 1, {{0, 1}, {1, 2}}),
                              loop(LoopSource::marked, 2, {{3, 4}, {4, 5}})},
                             {{0}, {0}}));
  EXPECT_THAT(two.names(), ElementsAre("iteration ≈ #0 of loop 1", "iteration ≈ #0 of loop 2"));
  EXPECT_FALSE(Collapse(plan_of({loop(LoopSource::marked, 1, {{0, 1}})}, {{0}})).any());
}

TEST(Collapse, KeepsWhatLiesBetweenMarkedInstances) {
  const auto plan = plan_of({loop(LoopSource::marked, 1, {{1, 4}, {6, 9}, {11, 14}})}, {{0, 2}});
  EXPECT_EQ(collapsed(plan, "abc..mbc..dbc...."),
            "a0 b1 c2 .3 .4 m5:1 <0@6 >0@9 d10 b11 c12 .13 .14 .15 .16");
  EXPECT_EQ(collapsed(plan, "abc..dbc...bc..."),
            "a0 b1 c2 .3 .4 d5 <0@6 >0@9 .10 b11 c12 .13 .14 .15");
}

TEST(Collapse, TellsIterationsApartWhereTimeStampsAreEqual) {
  // Every second record has the time of the one before it: the last c of an iteration ends when the
  // next b begins.
  auto three = loop(LoopSource::sequence, 1, {{1, 2}, {2, 3}, {3, 5}});
  three.orders = {0, 1, 1};
  const auto plan = plan_of({three}, {{0, 2}});
  EXPECT_EQ(collapsed(plan, "ab=.c=.=b=.c=.=b=.c..."), "a0 b1 .1 c2 .2 <0@2 >0@3 b3 .3 c4 .5 .6");
}

TEST(Collapse, KeepsWhatLaterIterationsReferTo) {
  const auto plan = plan_of({loop(LoopSource::sequence, 1, {{1, 5}, {5, 11}, {11, 14}})}, {{0, 2}});
  EXPECT_EQ(collapsed(plan, "ab.c.bhh.c.b.c.."),
            "a0 b1 .2 c3 .4 <0@5 m6:7 m7:7 >0@10 b11 .12 c13 .14 .15")
      << "both, at their times";
}

TEST(Collapse, KeepsTheLastValueOfEachMetric) {
  const auto plan = plan_of({loop(LoopSource::sequence, 1, {{1, 4}, {4, 11}, {11, 12}})}, {{0, 2}});
  EXPECT_EQ(collapsed(plan, "abm.bmMmMs.b.."),
            "a0 b1 m2:1 .3 <0@4 x5 x6 x9 m7:1 m8:2 >0@10 b11 .12 .13");
}

TEST(Collapse, TakesCallsOfAThreadByTheTimeTheyBegin) {
  // A worker's calls under w, while the main thread's iterations are 2-6, 6-10 and 10-14.
  const auto plan =
      plan_of({loop(LoopSource::sequence, 25, {{2, 6}, {6, 10}, {10, 14}})}, {{0, 2}}, true);
  EXPECT_EQ(collapsed(plan, "w--c.c-.c.-c.--."), "w0 c3 .4 c5 .7 <0@8 >0@9 c11 .12 .15");
  EXPECT_EQ(collapsed(plan, "wd-c.--.c.-c.-."), "w0 d1 c3 .4 .7 <0@8 >0@9 c11 .12 .14")
      << "d was open when the loop began";
}

TEST(Collapse, MakesOneCallOfOtherRecordsWithoutCalls) {
  // A thread that records parameters or messages only, in iterations of the main thread.
  const auto plan =
      plan_of({loop(LoopSource::sequence, 25, {{2, 6}, {6, 10}, {10, 14}})}, {{0, 2}}, true);
  EXPECT_EQ(collapsed(plan, "--s-----s-s--s"), "m2:0 <0@8 x8 >0@8 m10:0 m13:0");
  EXPECT_EQ(collapsed(plan, "--s---s-s---s"), "m2:0 <0@6 x6 x8 >0@8 m12:0");
}

TEST(Collapse, KeepsTasksThatCrossTheBorderOfAnIteration) {
  const auto plan = plan_of({loop(LoopSource::sequence, 1, {{1, 4}, {4, 9}, {9, 12}})}, {{0, 2}});
  EXPECT_EQ(collapsed(plan, "ab.-b+!-.b.."), "a0 b1 .2 <0@4 x5 x6 >0@8 b9 .10 .11")
      << "begins and ends in it";
  EXPECT_EQ(collapsed(plan, "ab.-b+--.b!.."), "a0 b1 .2 <0@4 m5:5 >0@8 b9 m10:5 .11 .12");
  EXPECT_EQ(collapsed(plan, "ab+.b!--.b.."), "a0 b1 m2:5 .3 <0@4 m5:5 >0@8 b9 .10 .11");
}

TEST(Collapse, KeepsWhetherMeasurementIsOn) {
  const auto plan = plan_of({loop(LoopSource::sequence, 1, {{1, 4}, {4, 9}, {9, 12}})}, {{0, 2}});
  EXPECT_EQ(collapsed(plan, "ab.-b||-.b.."), "a0 b1 .2 <0@4 x5 m6:2 >0@8 b9 .10 .11");
}

TEST(Collapse, AddsUpTheIncrementsOfRelativeMetrics) {
  const auto plan = plan_of({loop(LoopSource::sequence, 1, {{1, 5}, {5, 9}})}, {{0}});
  Definitions definitions;
  const auto define = [&](DefinitionKind kind, std::initializer_list<std::uint64_t> fields,
                          std::vector<std::uint64_t> list) {
    Definition definition;
    definition.kind = kind;
    std::copy(fields.begin(), fields.end(), definition.fields.begin());
    definition.list = std::move(list);
    definitions.add(std::move(definition));
  };
  define(DefinitionKind::MetricMember, {0, 0, 0, 0, otf2_value::metric_accumulated}, {});
  define(DefinitionKind::MetricMember, {1, 0, 0, 0, otf2_value::metric_relative}, {});
  define(DefinitionKind::MetricClass, {3, 2}, {0, 1});
  define(DefinitionKind::MetricInstance, {4, 3}, {});
  const Collapse collapse(plan, definitions);

  for (const std::uint64_t metric : {3u, 4u}) {
    Event earlier, later;
    earlier.kind = later.kind = EventKind::Metric;
    earlier.fields = later.fields = {metric, 2};
    constexpr auto type = otf2_value::type_uint64;
    earlier.list = {type, type, 100, 3};
    later.list = {type, type, 200, 4};
    collapse.add_increments(later, earlier);
    EXPECT_THAT(later.list, ElementsAre(type, type, 200, 7));
  }
}

// A record of a context whose path has four calls, with its distance.
Event record_context(EventKind kind, std::uint64_t distance) {
  Event event;
  event.kind = kind;
  event.fields = {3, distance};
  return event;
}

TEST(UnwindDistances, SayWhatIsNewSinceTheLastRecordThatStays) {
  Definitions definitions;
  for (std::uint64_t id = 0; id < 4; ++id) {
    Definition context;
    context.kind = DefinitionKind::CallingContext;
    context.fields = {id, id, 0xffffffff, id == 0 ? 0xffffffff : id - 1};
    definitions.add(context);
  }
  definitions.finish();
  const CallingContexts contexts(definitions);

  using enum EventKind;
  const auto mend = [](UnwindDistances& distances, std::uint64_t distance) {
    auto event = record_context(CallingContextSample, distance);
    distances.mend(event);
    return get_field<"unwindDistance", CallingContextSample>(event);
  };

  UnwindDistances distances(contexts);
  EXPECT_EQ(mend(distances, 0), 0u);
  EXPECT_EQ(mend(distances, 2), 2u);

  // All but the outermost call ended in between, so three are new, and the first made progress.
  distances.leave_out(record_context(CallingContextSample, 2));
  distances.leave_out(record_context(CallingContextEnter, 4));
  distances.leave_out(record_context(CallingContextLeave, 0));
  EXPECT_EQ(mend(distances, 1), 4u);
  EXPECT_EQ(mend(distances, 1), 1u);

  // What made no progress since a record that is gone did so since the last one that stays.
  distances.leave_out(record_context(CallingContextSample, 1));
  EXPECT_EQ(mend(distances, 0), 1u);

  // The end of a call says itself what is open behind it.
  distances.leave_out(record_context(CallingContextSample, 5));
  auto leave = record_context(CallingContextLeave, 0);
  distances.mend(leave);
  EXPECT_EQ(mend(distances, 2), 2u);
}

}  // namespace
}  // namespace tracefold
