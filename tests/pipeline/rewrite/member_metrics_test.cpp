// Metrics of members: what a kept process records of those that it stands for, in a trace that is
// reduced once or twice.
#include "model/program/member_metrics.hpp"

#include "model/plan_files.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/archive_content.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/trace_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace tracefold::member_metrics_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::TraceBuilder;

constexpr std::uint64_t processes = 4, iterations = 12, length_of_step = 1000;
constexpr std::uint64_t main_region = 0, step = 1, compute = 2, send = 3, receive = 4, output = 5;
constexpr double second = 1e9;  // ticks

std::uint64_t measure_work(std::uint64_t process, std::uint64_t i) {
  return 100 * (1 + (3 * process + i) % 7);
}
std::uint64_t begin(std::uint64_t i) {
  return 10 + length_of_step * i;
}

void add_mpi_region(TraceBuilder& trace, std::uint64_t id, const std::string& name) {
  const auto text = trace.string(name);
  trace.define(DefinitionKind::Region, {id, text, text, text, otf2_value::region_role_point2point,
                                        otf2_value::paradigm_mpi, 0, TraceBuilder::none, 0, 0});
}

// Processes 0 and 1 send each other a message in each step, and so do 2 and 3, which write output
// as well. Where they are crossed, 0 and 2 do, and 1 and 3.
TraceBuilder build_trace(bool crossed = false) {
  using enum EventKind;
  TraceBuilder trace;
  trace.add_mpi_processes(processes);
  trace.add_region(main_region, "main").add_region(step, "step").add_region(compute, "compute");
  add_mpi_region(trace, send, "MPI_Send");
  add_mpi_region(trace, receive, "MPI_Recv");
  trace.add_region(output, "output");
  get_field<"traceLength", DefinitionKind::ClockProperties>(trace.content().definitions[0]) =
      begin(iterations);

  for (std::uint64_t process = 0; process < processes; ++process) {
    const auto call = [&](std::uint64_t region, std::uint64_t from, std::uint64_t to,
                          EventKind message = Enter) {
      trace.record(process, Enter, from, {region});
      if (message != Enter)
        trace.record(process, message, to,
                     {process ^ (crossed ? 2 : 1), TraceBuilder::world, 7, 100});
      trace.record(process, Leave, to, {region});
    };
    trace.record(process, Enter, 5, {main_region});
    for (std::uint64_t i = 0; i < iterations; ++i) {
      const auto at = begin(i), work = measure_work(process, i);
      trace.record(process, Enter, at, {step});
      call(compute, at + 1, at + 1 + work);
      call(send, at + 2 + work, at + 6 + work, MpiSend);
      call(receive, at + 7 + work, at + 900, MpiRecv);
      if (process >= 2)
        call(output, at + 902, at + 904);
      trace.record(process, Leave, at + 905, {step});
    }
    trace.record(process, Leave, begin(iterations) - 1, {main_region});
  }

  return trace;
}

// By hand: all of a step but the calls of MPI; and how long the partner sends later than the call
// begins that receives.
std::uint64_t find_computation(std::uint64_t process, std::uint64_t i) {
  return measure_work(process, i) + 3 + 5;
}
std::uint64_t find_waiting(std::uint64_t process, std::uint64_t i) {
  const auto sent = measure_work(process ^ 1, i) + 2, posted = measure_work(process, i) + 7;
  return sent > posted ? sent - posted : 0;
}

template <class Find>
TimeSpread find_spread(const std::vector<std::uint64_t>& members, std::uint64_t i, Find find) {
  std::vector<double> ticks;
  double sum = 0;
  for (auto member : members) {
    ticks.push_back(static_cast<double>(find(member, i)));
    sum += ticks.back();
  }
  return {*std::min_element(ticks.begin(), ticks.end()) / second,
          sum / static_cast<double>(members.size()) / second,
          *std::max_element(ticks.begin(), ticks.end()) / second};
}

std::vector<MemberTimes> find_expected(const std::vector<std::uint64_t>& members) {
  std::vector<MemberTimes> expected;
  for (std::uint64_t i = 0; i < iterations; ++i)
    expected.push_back({begin(i), find_spread(members, i, find_computation),
                        find_spread(members, i, find_waiting)});
  return expected;
}

void expect_near(const TimeSpread& found, const TimeSpread& expected, double share) {
  for (auto value : {&TimeSpread::minimum, &TimeSpread::mean, &TimeSpread::maximum})
    EXPECT_NEAR(found.*value, expected.*value, share * expected.*value + 1e-15);
}
void expect_near(const std::vector<MemberTimes>& found, const std::vector<MemberTimes>& expected,
                 double share) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].time, expected[k].time);
    expect_near(found[k].computation, expected[k].computation, share);
    expect_near(found[k].waiting, expected[k].waiting, share);
  }
}

class MemberMetricsTest : public ::testing::Test {
 protected:
  MemberMetricsTest() {
    build_trace().write(folder_.path());
    options_.folding->asked.region = "step";
    options_.folding->max_clusters = 3;
    options_.output.rewrite.member_metrics = true;
  }

  std::shared_ptr<const Archive> open(const std::string& name) {
    return open_trace((folder_.path() / name / "traces.otf2").string(), ignored_);
  }
  void reduce_to(const std::string& from, const std::string& to, ReduceOptions options) {
    options.output.folder = folder_.path() / to;
    reduce(open(from), options, context_);
  }

  // The records of these metrics, by location.
  std::map<std::uint64_t, std::vector<MemberTimes>> read(const std::string& name) {
    const auto archive = open(name);
    const auto metrics = find_member_metrics(archive->definitions());
    std::map<std::uint64_t, std::vector<MemberTimes>> found;
    for (auto location : archive->definitions().locations())
      for (const auto& event : testing::read_events(*archive, location))
        if (event.kind == EventKind::Metric &&
            metrics.contains(get_field<"metric", EventKind::Metric>(event)))
          found[location].push_back(decode(event));
    return found;
  }
  static MemberTimes decode(const Event& event) {
    const auto count = event.list.size() / 2;
    std::array<double, 6> v{};
    for (std::size_t k = 0; k < count; ++k)
      v[k] = std::bit_cast<double>(event.list[count + k]);
    return {event.time, {v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
  }

  testing::TestFolder folder_;
  Diagnostics ignored_;
  Context context_{ignored_};
  ReduceOptions options_;
};

TEST_F(MemberMetricsTest, SayHowMembersDifferInEachIteration) {
  reduce_to(".", "small", options_);
  const auto found = read("small");
  ASSERT_THAT(found, SizeIs(2));
  expect_near(found.at(0), find_expected({0, 1}), 1e-12);
  expect_near(found.at(1), find_expected({2, 3}), 1e-12);

  EXPECT_THAT(list_violations(*open("small"), *open(".")), IsEmpty());
}

TEST_F(MemberMetricsTest, AreNotOfTheHalo) {
  for (const bool folds : {true, false}) {
    auto options = options_;
    options.halo = parse_halo("all");
    if (!folds)
      options.folding.reset();
    const std::string first = folds ? "first" : "whole";
    reduce_to(".", first, options);
    EXPECT_THAT(find_halo_locations(open(first)->definitions()), ElementsAre(Key(2), Key(3)));
    EXPECT_THAT(read(first), ElementsAre(Key(0), Key(1)));

    const auto again = "again_" + first;
    reduce_to(first, again, options);
    EXPECT_EQ(read(again), read(first));
  }
}

// What was kept, with its metrics, becomes the other end of messages of what stands for it now.
TEST_F(MemberMetricsTest, AreLeftOutWhereAKeptProcessBecomesHalo) {
  std::filesystem::create_directory(folder_.path() / "crossed");
  build_trace(true).write(folder_.path() / "crossed");
  reduce_to("crossed", "first", options_);
  ASSERT_THAT(read("first"), ElementsAre(Key(0), Key(1)));

  options_.grouping.threshold = 0.5;
  reduce_to("first", "second", options_);
  ASSERT_THAT(find_halo_locations(open("second")->definitions()), ElementsAre(Key(1)));
  EXPECT_THAT(read("second"), ElementsAre(Key(0)));
  EXPECT_THAT(list_violations(*open("second"), *open("first")), IsEmpty());
  EXPECT_THAT(list_broken_rules(*open("second"), *open("crossed")), IsEmpty());
}

TEST_F(MemberMetricsTest, AreOnlyThereWhereTheyAreAskedForAndKnown) {
  auto off = options_;
  off.output.rewrite.member_metrics = false;
  reduce_to(".", "off", off);
  EXPECT_THAT(read("off"), IsEmpty());
  EXPECT_THAT(find_member_metrics(open("off")->definitions()), IsEmpty());

  auto unknown = options_;
  unknown.output.rewrite.most_profiles = 0;
  reduce_to(".", "unknown", unknown);
  EXPECT_THAT(read("unknown"), IsEmpty());
  EXPECT_THAT(find_member_metrics(open("unknown")->definitions()), IsEmpty());
}

TEST_F(MemberMetricsTest, SayHowMembersSpendTheRunWhereThereIsNoLoop) {
  options_.folding.reset();
  reduce_to(".", "small", options_);
  const auto found = read("small");
  ASSERT_THAT(found, SizeIs(2));
  const auto& times = found.at(0);
  constexpr std::size_t events = 2 + 10 * iterations;  // fewer than a thousand
  ASSERT_THAT(times, SizeIs(events));
  EXPECT_EQ(times.front().time, 5U);  // the first event
  EXPECT_EQ(times[events / 2].time, begin(iterations) / 2);

  // Of two members, minimum and maximum are both of them.
  double computation = 0, waiting = 0;
  for (const auto& one : times) {
    computation += one.computation.minimum + one.computation.maximum;
    waiting += one.waiting.minimum + one.waiting.maximum;
  }
  std::uint64_t in_steps = 0, waits = 0;
  for (std::uint64_t i = 0; i < iterations; ++i)
    for (std::uint64_t process : {0, 1}) {
      in_steps += find_computation(process, i);
      waits += find_waiting(process, i);
    }
  const auto between = 2 * (begin(iterations) - 1 - 5 - iterations * 905);
  EXPECT_NEAR(computation * second, static_cast<double>(in_steps + between), 1e-6);
  EXPECT_NEAR(waiting * second, static_cast<double>(waits), 1e-6);
}

TEST_F(MemberMetricsTest, StayWhereALocationStandsForTheSameProcesses) {
  reduce_to(".", "first", options_);
  const auto first = read("first");
  for (const bool folds : {false, true}) {
    auto options = options_;
    if (!folds)
      options.folding.reset();
    const std::string name = folds ? "folded" : "second";
    reduce_to("first", name, options);
    EXPECT_EQ(read(name), first);
    EXPECT_THAT(list_violations(*open(name), *open("first")), IsEmpty()) << name;
  }
}

TEST_F(MemberMetricsTest, AreThoseOfAllProcessesOfTheFirstOriginal) {
  reduce_to(".", "first", options_);
  options_.grouping.threshold = 0.5;
  reduce_to("first", "second", options_);
  const auto found = read("second");
  ASSERT_THAT(found, SizeIs(1));
  expect_near(found.at(0), find_expected({0, 1, 2, 3}), 0.0101);

  std::filesystem::remove(folder_.path() / "first" / profiles_name);
  reduce_to("first", "unknown", options_);
  EXPECT_THAT(read("unknown"), IsEmpty());
}

TEST_F(MemberMetricsTest, AreSeenWhereTheyAreWrong) {
  reduce_to(".", "small", options_);
  const auto right = testing::read_content(*open("small"));
  const auto metric = *find_member_metrics(open("small")->definitions()).begin();
  const auto find_violations = [&](const auto& change) {
    auto wrong = right;
    auto& events = wrong.events.at(0);
    const auto at = std::find_if(events.begin(), events.end(), [&](const Event& event) {
      return event.kind == EventKind::Metric &&
             get_field<"metric", EventKind::Metric>(event) == metric;
    });
    change(events, at);
    for (auto& d : wrong.definitions)
      if (d.kind == DefinitionKind::Location)
        get_field<"numberOfEvents", DefinitionKind::Location>(d) = wrong.events.at(d.id()).size();
    std::filesystem::remove_all(folder_.path() / "small" / "traces");
    testing::write_archive(wrong, folder_.path() / "small", wire::smallest_chunk);

    return list_violations(*open("small"), *open("."));
  };
  using Events = std::vector<Event>;

  EXPECT_THAT(find_violations([](Events&, auto) {}), IsEmpty());
  EXPECT_THAT(find_violations([](Events& events, auto at) { events.erase(at); }),
              Contains(StartsWith("location 0 (rank 0): event ")));
  for (const std::size_t place : {6, 11})
    EXPECT_THAT(find_violations(
                    [&](Events&, auto at) { at->list[place] = std::bit_cast<std::uint64_t>(1.0); }),
                ElementsAre(AllOf(StartsWith("location 0 (rank 0): event "),
                                  HasSubstr(fmt::format("entry {} of its list is", place)))));
}

TEST_F(MemberMetricsTest, AreNotKnownWhereFunctionsAreLeftOut) {
  reduce_to(".", "first", options_);
  PlanSession session(open("first"), context_);
  session.plan().filters.push_back({{"compute"}, {}, ""});
  auto options = options_;
  options.output.folder = folder_.path() / "second";
  reduce(std::move(session), options);
  EXPECT_THAT(read("second"), IsEmpty());
  EXPECT_THAT(find_member_metrics(open("second")->definitions()), IsEmpty());
}

TEST_F(MemberMetricsTest, DoNotCountAsRecordedMetrics) {
  reduce_to(".", "first", options_);
  PlanSession session(open("first"), context_);
  session.profile();
  const auto& columns = choose_metric_columns(open("first")->definitions());
  EXPECT_THAT(columns.counters, IsEmpty());
}

// Processes that call nothing are told apart by the metrics that they record.
TEST_F(MemberMetricsTest, DoNotTellProcessesWithoutCallsApart) {
  TraceBuilder trace;
  trace.add_mpi_processes(3);
  const auto name = trace.string("members: computation min");
  const auto other = trace.string("joules");
  trace.define(DefinitionKind::MetricMember, {0, name, name, 0, 49, 10, 1, 0, name});
  trace.define(DefinitionKind::MetricMember, {1, other, other, 0, 2, 10, 1, 0, other});
  trace.define(DefinitionKind::MetricClass, {0, 1, 1, 0}, {0});
  trace.define(DefinitionKind::MetricClass, {1, 1, 2, 0}, {1});
  trace.record(0, EventKind::Metric, 5, {0, 1}, {10, 0});
  for (std::uint64_t process : {0, 1})
    trace.record(process, EventKind::Metric, 6, {1, 1}, {10, 0});
  std::filesystem::create_directory(folder_.path() / "silent");
  trace.write(folder_.path() / "silent");

  PlanSession session(open("silent"), context_);
  session.profile();
  session.group({});
  ASSERT_THAT(*session.plan().groups, SizeIs(2));
  EXPECT_EQ((*session.plan().groups)[0].members, (std::vector<std::size_t>{0, 1}));
}

}  // namespace tracefold::member_metrics_test
