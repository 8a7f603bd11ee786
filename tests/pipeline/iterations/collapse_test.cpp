#include "pipeline/iterations/collapse.hpp"

#include "model/plan.hpp"
#include "pipeline/events/context_calls.hpp"
#include "tests/support/context_records.hpp"
#include "tests/support/trace_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace tracefold::collapse_test {

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
  IterationSection section;

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

  Plan plan;
  plan.processes.resize(1);
  plan.iterations = std::make_shared<const IterationSection>(std::move(section));

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
  void collapsed_call(EventKind kind, std::uint64_t time, const CollapsedCall& call) {
    add((kind == EventKind::Enter ? "<" : ">") + std::to_string(call.context.which) + "@" +
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
  CollapsedEvents<Words> sink(collapse, *collapse.find_collapsed_loops(0), out);
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
  EXPECT_THAT(one.names_by_iteration(), ElementsAre(Collapse::kept, 0, Collapse::kept, 1));
  const Collapse two(plan_of({loop(LoopSource::marked, 1, {{0, 1}, {1, 2}}),
                              loop(LoopSource::marked, 2, {{3, 4}, {4, 5}})},
                             {{0}, {0}}));
  EXPECT_THAT(two.names(), ElementsAre("iteration ≈ #0 of loop 1", "iteration ≈ #0 of loop 2"));
}

TEST(Collapse, LeavesLocationsWholeWhereAllIterationsStay) {
  const auto plan = plan_of({loop(LoopSource::marked, 1, {{0, 1}, {1, 2}})}, {{0, 1}});
  const Collapse collapse(plan);
  EXPECT_FALSE(collapse.any());
  EXPECT_EQ(collapse.find_collapsed_loops(plan.processes[0].id), nullptr);
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

TEST(Collapse, MakesOneCallOfAnIterationInWhichACallAroundItEnds) {
  const auto plan =
      plan_of({loop(LoopSource::sequence, 25, {{2, 6}, {6, 12}, {12, 15}})}, {{0, 2}}, true);
  EXPECT_EQ(collapsed(plan, "wd-c.-c..c.-c.."), "w0 d1 c3 .4 <0@6 >0@7 .8 c12 .13 .14");
  EXPECT_EQ(collapsed(plan, "wd-c.-c..s--c.."), "w0 d1 c3 .4 <0@6 >0@7 .8 x9 c12 .13 .14");
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

TEST(Collapse, AddsUpTheIncrementsOfRelativeMetricsWithoutWhatIsNoNumber) {
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
  define(DefinitionKind::MetricMember,
         {0, 0, 0, 0, otf2_value::metric_accumulated, otf2_value::type_double}, {});
  define(DefinitionKind::MetricMember, {1, 0, 0, 0, otf2_value::metric_relative}, {});
  define(DefinitionKind::MetricClass, {3, 2}, {0, 1});
  define(DefinitionKind::MetricInstance, {4, 3}, {});
  const FunctionTable functions(definitions, {});
  const Collapse collapse(plan, definitions, functions);

  for (const std::uint64_t metric : {3u, 4u}) {
    Event earlier, later;
    earlier.kind = later.kind = EventKind::Metric;
    earlier.fields = later.fields = {metric, 2};
    constexpr auto type = otf2_value::type_uint64;
    earlier.list = {type, type, 100, 3};
    later.list = {type, type, 200, 4};
    collapse.carry_metric(later, earlier);
    EXPECT_THAT(later.list, ElementsAre(type, type, 200, 7));

    constexpr auto real = otf2_value::type_double;
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    const auto no_number = bits(std::numeric_limits<double>::quiet_NaN());
    earlier.list = {real, real, bits(1.5), bits(0.5)};
    later.list = {real, real, no_number, no_number};
    collapse.carry_metric(later, earlier);
    EXPECT_THAT(later.list, ElementsAre(real, real, bits(1.5), bits(0.5)));
    earlier.list = {real, real, no_number, no_number};
    later.list = {real, real, bits(2), bits(0.25)};
    collapse.carry_metric(later, earlier);
    EXPECT_THAT(later.list, ElementsAre(real, real, bits(2), bits(0.25)));
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

  // A call stands for records from a first one on, whose caller's path has two calls. One of these
  // was open before; both are behind it.
  distances.begin_collapsed();
  distances.leave_out(record_context(CallingContextEnter, 4));
  distances.leave_out(record_context(CallingContextSample, 2));
  EXPECT_EQ(distances.end_collapsed(2), 3u);
  EXPECT_EQ(mend(distances, 1), 3u);
  EXPECT_EQ(mend(distances, 1), 1u);

  // One follows another, and in the first of them a caller ended.
  distances.begin_collapsed();
  distances.leave_out(record_context(CallingContextEnter, 2));
  distances.leave_out(record_context(CallingContextEnter, 4));
  EXPECT_EQ(distances.end_collapsed(2), 2u);
  distances.begin_collapsed();
  distances.leave_out(record_context(CallingContextEnter, 3));
  EXPECT_EQ(distances.end_collapsed(2), 3u);
  EXPECT_EQ(mend(distances, 1), 3u);

  // The end of a call says itself what is open behind it.
  distances.leave_out(record_context(CallingContextSample, 5));
  auto leave = record_context(CallingContextLeave, 0);
  distances.mend(leave);
  EXPECT_EQ(mend(distances, 2), 2u);
}

// Writes down records of calling contexts: "10 main > f +3" begins f, and says distance 3, "-" ends
// it, "?" is a sample; Enter and Leave are "10 <f" and "10 f>".
class CollapsedContexts : public testing::ContextRecordsTest {
 protected:
  std::vector<std::string> collapse(const Plan& plan) {
    const auto definitions = trace_.definitions();
    const FunctionTable functions(definitions, plan.filters);
    const Collapse collapse(plan, definitions, functions);
    Log log{*this, {}};
    CollapsedEvents<Log> collapsed(collapse, *collapse.find_collapsed_loops(0), log);
    play(functions, collapsed);
    collapsed.finish();

    return log.words;
  }

 private:
  struct Log {
    const CollapsedContexts& test;
    std::vector<std::string> words;

    std::string name_region(std::uint64_t id) const {
      for (const auto& [name, region] : test.regions_)
        if (region == id)
          return name;
      return "?";
    }
    std::string name_context(std::uint64_t id) const {
      for (const auto& [path, context] : test.contexts_)
        if (context == id)
          return path;
      return "nothing";
    }

    void enter(const CallBegin& c, std::span<const Attribute>) {
      words.push_back(fmt::format("{} <{}", c.time, name_region(c.region)));
    }
    void leave(const CallEnd& c, std::span<const Attribute>) {
      words.push_back(fmt::format("{} {}>", c.time, name_region(c.region)));
    }
    void other(Event& e) {
      using enum EventKind;
      if (!UnwindDistances::is_of_context(e.kind)) {
        words.push_back(fmt::format("{} {}", e.time, get_row(e.kind).name));
        return;
      }
      const auto path = name_context(e.fields[0]);
      if (e.kind == CallingContextLeave)
        words.push_back(fmt::format("{} {} -", e.time, path));
      else
        words.push_back(fmt::format("{} {} {}{}", e.time, path,
                                    e.kind == CallingContextEnter ? '+' : '?', e.fields[1]));
    }
    void left_out(Event&) {}
    void collapsed_call(EventKind kind, std::uint64_t time, const CollapsedCall& call) {
      const bool begins = kind == EventKind::Enter;
      const auto number = call.context.which;
      if (call.is_context)
        words.push_back(fmt::format("{} {} > #{} {}", time, name_context(call.context.caller),
                                    number,
                                    begins ? fmt::format("+{}", call.unwind_distance) : "-"));
      else if (begins)
        words.push_back(fmt::format("{} <#{}", time, number));
      else
        words.push_back(fmt::format("{} #{}>", time, number));
    }
    void unknown(std::uint64_t) {}
  };
};

TEST_F(CollapsedContexts, AreCalledWhereTheIterationIs) {
  // Three iterations of main > step > MPI_Send, of which the second collapses.
  sample(1, "main > read", 3);
  for (std::uint64_t time : {10, 20, 30}) {
    enter(time, "main > step > MPI_Send", 3);
    leave(time + 1, "main > step > MPI_Send");
    sample(time + 4, "main > step > work", 2);
  }
  sample(41, "main > report", 2);
  auto three = loop(LoopSource::sequence, 1, {{10, 20}, {20, 30}, {30, 35}});
  three.orders = {1, 0, 0};  // behind main
  const auto plan = plan_of({three}, {{0, 2}});

  EXPECT_THAT(
      collapse(plan),
      ElementsAre("1 main > read ?3", "10 main > step > MPI_Send +3", "11 main > step > MPI_Send -",
                  "14 main > step > work ?2", "20 main > #0 +2", "30 main > #0 -",
                  "30 main > step > MPI_Send +3", "31 main > step > MPI_Send -",
                  "34 main > step > work ?2", "41 main > report ?2"));
}

TEST_F(CollapsedContexts, FollowEachOtherFromTheFirstRecordOn) {
  // main is new with the first iteration, and step made progress since the one before.
  enter(10, "main > step", 3);
  leave(15, "main > step");
  enter(20, "main > step", 2);
  leave(25, "main > step");
  sample(26, "main", 1);
  enter(30, "main > step", 2);
  leave(35, "main > step");
  auto three = loop(LoopSource::marked, 1, {{10, 15}, {20, 25}, {30, 35}});
  three.orders = {1, 0, 0};
  auto plan = plan_of({three}, {{2}});
  auto section = *plan.iterations;
  section.loops[0].choice.kept_of = {0, 0, 0};
  plan.iterations = std::make_shared<const IterationSection>(section);

  EXPECT_THAT(collapse(plan),
              ElementsAre("10 main > #0 +3", "15 main > #0 -", "20 main > #0 +2", "25 main > #0 -",
                          "26 main ?1", "30 main > step +2", "35 main > step -"));
}

TEST_F(CollapsedContexts, EndWithTheirCallerAtTheLatest) {
  // The caller's end has the time of the last iteration's.
  enter(5, "main", 2);
  for (std::uint64_t time : {10, 20}) {
    enter(time, "main > step > MPI_Send", 3);
    leave(time + 5, "main > step > MPI_Send");
  }
  leave(30, "main");
  const auto plan = plan_of({loop(LoopSource::sequence, 1, {{10, 20}, {20, 30}})}, {{0}});

  EXPECT_THAT(collapse(plan), ElementsAre("5 main +2", "10 main > step > MPI_Send +3",
                                          "15 main > step > MPI_Send -", "20 main > #0 +2",
                                          "30 main > #0 -", "30 main -"));
}

TEST_F(CollapsedContexts, AreCalledByNothingWhereOnlySamplesShowTheCaller) {
  // A thread of which samples are all that is known, in iterations of another one.
  for (std::uint64_t time = 5; time < 40; time += 10)
    sample(time, "thread > work", time == 5 ? 3 : 1);
  const auto plan =
      plan_of({loop(LoopSource::sequence, 1, {{10, 20}, {20, 30}, {30, 40}})}, {{0, 2}}, true);

  EXPECT_THAT(collapse(plan),
              ElementsAre("5 thread > work ?3", "15 thread > work ?1", "25 nothing > #0 +2",
                          "25 nothing > #0 -", "35 thread > work ?3"));
}

TEST_F(CollapsedContexts, AreCallsByEnterAndLeaveWhereOthersAre) {
  // Samples beside calls that no context tells.
  sample(5, "main", 2);
  for (std::uint64_t time : {10, 20, 30}) {
    call(EventKind::Enter, time, "step");
    call(EventKind::Leave, time + 3, "step");
    sample(time + 5, "main > work", 2);
  }
  const auto plan =
      plan_of({loop(LoopSource::sequence, 1, {{10, 20}, {20, 30}, {30, 36}})}, {{0, 2}});

  EXPECT_THAT(collapse(plan),
              ElementsAre("5 main ?2", "10 <step", "13 step>", "15 main > work ?2", "20 <#0",
                          "25 #0>", "30 <step", "33 step>", "35 main > work ?2"));
}

TEST_F(CollapsedContexts, CountNoCallersThatFiltersDrop) {
  for (std::uint64_t time : {10, 20, 30}) {
    enter(time, "main > wrapper > step", time == 10 ? 4 : 2);
    leave(time + 5, "main > wrapper > step");
  }
  auto three = loop(LoopSource::marked, 1, {{10, 15}, {20, 25}, {30, 35}});
  three.orders = {1, 0, 0};
  auto plan = plan_of({three}, {{0}});
  plan.filters.emplace_back().drop = {"wrapper"};

  EXPECT_THAT(collapse(plan), ElementsAre("10 main > wrapper > step +4",
                                          "15 main > wrapper > step -", "20 main > #0 +2",
                                          "25 main > #0 -", "30 main > #0 +2", "35 main > #0 -"));
}

TEST_F(CollapsedContexts, LeaveCallsOpenThatNoRecordEnds) {
  enter(5, "main", 2);
  enter(10, "main > step", 2);
  leave(15, "main > step");
  enter(20, "main > step", 2);
  const auto plan = plan_of({loop(LoopSource::marked, 1, {{10, 15}, {20, 20}})}, {{1}});

  EXPECT_THAT(collapse(plan),
              ElementsAre("5 main +2", "10 main > #0 +2", "15 main > #0 -", "20 main > step +2"));
}

}  // namespace tracefold::collapse_test
