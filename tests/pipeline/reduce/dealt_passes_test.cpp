// A team that deals the reading of a trace comes to what one process comes to: every member,
// however many there are.
#include "filters/groups/group.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/iterations/complete_map_loop.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/profile/info.hpp"
#include "pipeline/reduce/fold_plan.hpp"
#include "pipeline/reduce/inside_window.hpp"
#include "pipeline/reduce/profile_plan.hpp"
#include "pipeline/reduce/profile_processes.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/write_trace.hpp"
#include "tests/local_team.hpp"
#include "tests/support/made_ranks.hpp"
#include "tests/support/test_folder.hpp"
#include "tests/support/two_kinds_trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::dealt_passes_test {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tracefold::testing::run_team;

constexpr std::size_t sizes[] = {1, 2, 3, 5};

// The plan, and all that is stored beside a reduced trace, which only the first member has.
struct Described {
  std::string plan, files;
};
Described describe(const std::string& anchor, ReduceOptions options, Team* team,
                   std::uint64_t memory = 0) {
  Diagnostics diagnostics;
  Context context{diagnostics};
  context.reading.team = team;
  if (memory > 0)
    context.reading.memory = memory;
  options.output.dry_run = true;
  const auto archive = open_trace(anchor, diagnostics);
  const auto made = reduce(archive, options, context);
  const auto files = prepare_plan(*archive, made.plan, options.output.rewrite, team).files;
  return {to_json(made.plan), files.plan + '\n' + files.messages + '\n' + files.profiles};
}

// Each member takes the same decisions as one process alone, which has as much memory as it wants.
void expect_same(const std::string& anchor, const ReduceOptions& options, std::size_t size,
                 std::uint64_t memory = 0) {
  const auto alone = describe(anchor, options, nullptr);
  ASSERT_THAT(alone.files, ::testing::Not(IsEmpty()));
  std::vector<Described> told(size);
  run_team(size, [&](Team& team) { told[team.rank()] = describe(anchor, options, &team, memory); });
  for (std::size_t rank = 0; rank < size; ++rank)
    EXPECT_TRUE(told[rank].plan == alone.plan) << "member " << rank << " of " << size;
  EXPECT_TRUE(told.front().files == alone.files) << size;
}
void expect_same(const std::string& anchor, const ReduceOptions& options) {
  for (const auto size : sizes)
    expect_same(anchor, options, size);
}

// What is found where it is read as `context` says, in words that tell all of it.
using Find = std::function<std::string(const Context& context)>;

struct Counted {
  std::string found;
  std::size_t read = 0;  // locations, each as often as it was read
};

Counted count_reading(const Find& find, Team* team) {
  Diagnostics diagnostics;
  std::atomic<std::size_t> read = 0;
  Context context{diagnostics};
  context.reading.team = team;
  context.progress = [&](const std::string&, std::size_t done, std::size_t) {
    if (done > 0)
      ++read;
  };
  auto found = find(context);
  return {std::move(found), read};
}

// Each member finds what one process alone finds, and the members together read no more than that
// one: each its share, which is not everything.
void expect_dealt(const Find& find) {
  const auto alone = count_reading(find, nullptr);
  ASSERT_GT(alone.read, 0u);
  for (const std::size_t size : {2, 3, 5}) {
    std::vector<Counted> of(size);
    run_team(size, [&](Team& team) { of[team.rank()] = count_reading(find, &team); });
    std::size_t read = 0;
    for (const auto& member : of) {
      EXPECT_EQ(member.found, alone.found) << size;
      EXPECT_LT(member.read, alone.read) << size;
      read += member.read;
    }
    EXPECT_EQ(read, alone.read) << size;
  }
}

std::string describe(const CallPathProfiles& calls) {
  std::string words;
  for (const auto& path : calls.paths)
    words += fmt::format("{}>{} ", path.caller, path.function);
  for (const auto& process : calls.processes)
    words += fmt::format("\n{}: {} {}", calls.shapes[process.shape].paths, process.values,
                         process.outside);
  return words;
}

std::string describe(const IterationMap& map) {
  return fmt::format("{} {} {}: {} {} of {}", map.metric, map.loop, map.processes, map.columns,
                     map.values, map.iterations);
}

std::string describe(const ComparedMap& maps) {
  auto words = describe(maps.original) + '\n';
  if (maps.reconstruction)
    words += describe(*maps.reconstruction);
  words += fmt::format(" {}", maps.kept_rows);
  if (maps.kept_iterations)
    words += fmt::format(" {}", *maps.kept_iterations);
  for (const auto& layer : maps.layers.layers)
    words += fmt::format("\n{}: {} {}", layer.metric, layer.original, layer.reconstruction);
  return words;
}

std::string describe(const std::vector<ProcessLoops>& loops) {
  std::string words;
  for (const auto& of_process : loops)
    for (const auto& loop : of_process.loops)
      for (const auto& iteration : loop.iterations)
        words += fmt::format("{}-{} ", iteration.begin, iteration.end);
  return words;
}

std::string describe(const RunFacts& facts) {
  auto words = describe(facts.calls.profiles);
  if (facts.devices) {
    words += fmt::format("\n{} {}", facts.devices->devices, facts.devices->idle);
    for (const auto& [path, ticks] : facts.devices->hosts)
      words += fmt::format(" {} {}", path, ticks);
    for (const auto& [wait, ticks] : facts.devices->waits)
      words +=
          fmt::format("\n{} {} {} {} {}", wait.process, wait.stream, wait.call, wait.kernel, ticks);
  }
  return words;
}

FoldOptions ask_for_steps() {
  FoldOptions options;
  options.asked.region = "step";
  options.max_clusters = 2;
  return options;
}

class DealtPasses : public ::testing::Test {
 protected:
  DealtPasses() {
    testing::build_two_kinds_trace([](std::uint64_t process, std::uint64_t i) {
      return 100 * (i % 3 + 1) + 7 * process;
    }).write(folder_.path());
  }
  std::string anchor() const { return (folder_.path() / "traces.otf2").string(); }
  PlanSession open(const Context& context) const {
    return {open_trace(anchor(), context.diagnostics), context};
  }

  testing::TestFolder folder_;
};

TEST_F(DealtPasses, AReductionIsTheSame) {
  expect_same(anchor(), {});
}

TEST_F(DealtPasses, ANamedLoopIsTheSame) {
  ReduceOptions options;
  options.folding.emplace();
  options.folding->asked.region = "step";
  options.folding->max_clusters = 2;
  expect_same(anchor(), options);
}

TEST_F(DealtPasses, AReductionWithoutIterationsIsTheSame) {
  ReduceOptions options;
  options.folding.reset();
  expect_same(anchor(), options);
}

TEST_F(DealtPasses, GroupsBySignatureAreTheSame) {
  ReduceOptions options;
  options.grouping.comparison.by = CompareBy::signature;
  expect_same(anchor(), options);
}

TEST_F(DealtPasses, LittleMemoryChangesNothing) {
  expect_same(anchor(), {}, 2, 1);
}

TEST_F(DealtPasses, EachLocationIsReadByOneMember) {
  std::mutex mutex;
  std::multiset<std::uint64_t> read;
  run_team(3, [&](Team& team) {
    Diagnostics diagnostics;
    const auto archive = open_trace(anchor(), diagnostics);
    ReadOptions options;
    options.team = &team;
    const auto& locations = archive->definitions().locations();
    const auto own = for_each_own_location(*archive, locations, options, diagnostics,
                                           [&](EventReader&, std::size_t i) {
                                             const std::lock_guard lock(mutex);
                                             read.insert(locations[i]);
                                           });
    const Shares shares(archive->definitions(), &team);
    for (auto i : own)
      EXPECT_EQ(shares.find_owner(locations[i]), team.rank());
  });
  EXPECT_THAT(read, ElementsAre(0, 1, 2, 3));
}

// So it is the first member's also where another one would find something else.
TEST_F(DealtPasses, OnlyTheFirstMemberAsksForTheSizeOfEachEventFile) {
  const testing::TestFolder copy;
  std::filesystem::copy(folder_.path(), copy.path(), std::filesystem::copy_options::recursive);
  const auto event_file = copy.path() / "traces" / "2.evt";
  ASSERT_TRUE(std::filesystem::exists(event_file));
  std::filesystem::resize_file(event_file, 1);

  std::vector<TraceIdentity> found(2);
  const auto calls = run_team(2, [&](Team& team) {
    Diagnostics diagnostics;
    Context context{diagnostics};
    context.reading.team = &team;
    const auto folder = team.rank() == 0 ? folder_.path() : copy.path();
    const PlanSession session(open_trace((folder / "traces.otf2").string(), diagnostics), context);
    found[team.rank()] = session.plan().trace.identity;
  });
  EXPECT_EQ(calls.size(), 1u);
  Diagnostics ignored;
  EXPECT_THAT(found, Each(open_trace(anchor(), ignored)->identity()));
  EXPECT_NE(open_trace((copy.path() / "traces.otf2").string(), ignored)->identity(), found[0]);
}

TEST_F(DealtPasses, TheTimesOfATraceAreTheSame) {
  expect_dealt([&](const Context& context) {
    const auto archive = open_trace(anchor(), context.diagnostics);
    return fmt::format("{}", find_times(*archive, context));
  });
}

// Messages cross both borders.
TEST_F(DealtPasses, WhatCrossesABorderOfAWindowIsTheSame) {
  const auto look = [&](const Context& context, const TimeSpans& spans) {
    const auto archive = open_trace(anchor(), context.diagnostics);
    std::vector<FilterSection> filters(1);
    filters[0].time = TimeWindow{spans, {}};
    auto words = fmt::format("{}:", look_at_window(*archive, filters, context.read_as("window")));
    const auto& crossing = *filters[0].time->crossing;
    for (const auto& [location, records] : std::map(crossing.begin(), crossing.end()))
      for (const auto& record : records)
        words += fmt::format(" {} {} {}", location, record.number, static_cast<int>(record.kind));
    return words;
  };
  for (const TimeSpans& spans : {TimeSpans{{300, 500}}, {{250, 400}, {600, 1200}}, {{9000, 9999}}})
    expect_dealt([&](const Context& context) { return look(context, spans); });

  Diagnostics ignored;
  EXPECT_THAT(look(Context{ignored}, {{300, 500}}), ::testing::HasSubstr("true: "));
  EXPECT_EQ(look(Context{ignored}, {{9000, 9999}}), "false:");
}

TEST_F(DealtPasses, InfosGroupsAndProfilesAreTheSame) {
  expect_dealt([&](const Context& context) {
    const auto archive = open_trace(anchor(), context.diagnostics);
    const auto info = read_info(*archive, context.read_as("read"), context.diagnostics);
    return fmt::format("{} {} {}", info.events, info.run_ticks, info.functions);
  });
  expect_dealt([&](const Context& context) {
    auto session = open(context);
    return describe(read_call_paths(session, {}, {}));
  });
  expect_dealt([&](const Context& context) {
    auto session = open(context);
    return describe(read_process_profiles(session, {}, {}).calls);
  });
  expect_dealt([&](const Context& context) {
    auto session = open(context);
    session.profile();
    auto& plan = session.plan();
    return describe(profile_with_counters(session.archive(), plan, list_processes(plan),
                                          context.read_as("profile"), context.diagnostics));
  });
}

TEST_F(DealtPasses, SummariesAreTheSame) {
  for (const auto part : {RunPart::automatic, RunPart::run})
    expect_dealt([&](const Context& context) {
      auto session = open(context);
      return describe(read_run(session, {part}).facts);
    });
}

TEST_F(DealtPasses, SummariesOfAPartAreTheSame) {
  const auto describe_part = [&](PlanSession& session, TimeWindow window) {
    auto& filters = session.plan().filters;
    filters.emplace_back();
    narrow_to(filters, std::move(window));
    return describe(read_run(session, {RunPart::window}).facts);
  };
  expect_dealt([&](const Context& context) {
    auto session = open(context);
    const auto [first, last] = find_times(session.archive(), context);
    return describe_part(session, place_window(parse_window("20%-80%"), first, last,
                                               session.plan().trace.ticks_per_second));
  });
  expect_dealt([&](const Context& context) {
    auto session = open(context);
    return describe_part(
        session, find_inside_window(session.archive(), {"step"}, context.read_as("inside")));
  });
}

TEST_F(DealtPasses, MapsAreTheSame) {
  for (const auto* metric : {"execution time", "visits", "computation time"})
    for (const auto* path : {"", "*output*", "nothing"})
      expect_dealt([&](const Context& context) -> std::string {
        auto session = open(context);
        session.profile();
        try {
          return describe(map_plan(session, {metric, path}, ask_for_steps()));
        } catch (const Error& problem) {
          return problem.what();
        }
      });
}

TEST_F(DealtPasses, MapsBesideWhatStaysOfThemAreTheSame) {
  expect_dealt([&](const Context& context) {
    auto session = open(context);
    const auto options = ask_for_steps();
    session.profile(choose_extras({}, KeepMessages::no, options));
    session.group({});
    session.select({}, {});
    return describe(compare_map(session, {"execution time", ""}, options, true));
  });
}

TEST_F(DealtPasses, MapsOfWhatIsStoredAreTheSame) {
  Diagnostics diagnostics;
  ReduceOptions options;
  options.folding = ask_for_steps();
  options.selection.per_group = 2;  // all of them
  options.output.folder = folder_.path() / "small";
  reduce(open_trace(anchor(), diagnostics), options, Context{diagnostics});
  const auto small = (folder_.path() / "small" / "traces.otf2").string();
  for (const auto* path : {"", "*compute*", "nothing"})
    expect_dealt([&](const Context& context) -> std::string {
      PlanSession session(open_trace(small, context.diagnostics), context);
      session.profile();
      try {
        return describe(map_plan(session, {"execution time", path}, {}));
      } catch (const Error& problem) {
        return problem.what();
      }
    });
}

// Also where there is no memory to keep what was read.
TEST_F(DealtPasses, AReductionReadsNoMoreThanOneProcess) {
  for (const auto memory : {unlimited_memory, std::uint64_t{1}})
    expect_dealt([&](const Context& context) {
      auto with_memory = context;
      with_memory.reading.memory = memory;
      ReduceOptions options;
      options.folding = ask_for_steps();
      options.output.dry_run = true;
      const auto archive = open_trace(anchor(), context.diagnostics);
      return to_json(reduce(archive, options, with_memory).plan);
    });
}

// All processes fold then. With little memory the first member reads all of them again, and has to
// know when their messages were sent.
TEST(DealtPassesOfWrite, WhatNobodyHasChosenFromIsTheSame) {
  constexpr std::size_t ranks = 5, iterations = 9;
  testing::MadeTimes computing(ranks), updating(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::size_t i = 0; i < iterations; ++i) {
      computing[rank].push_back(1000 + 400 * ((rank * 3 + i) % 4));
      updating[rank].push_back(300 + 10 * i);
    }
  const testing::TestFolder folder;
  write_archive(testing::make_chain(computing, updating), folder.path());

  const auto write_in = [&](Team* team, std::uint64_t memory) {
    Diagnostics diagnostics;
    Context context{diagnostics};
    context.reading.team = team;
    context.reading.memory = memory;
    WriteOptions options;
    options.folding = ask_for_steps();
    options.output.dry_run = true;
    const auto archive = open_trace((folder.path() / "traces.otf2").string(), diagnostics);
    return to_json(write(PlanSession(archive, context), options).plan);
  };
  const auto alone = write_in(nullptr, unlimited_memory);
  EXPECT_THAT(alone, ::testing::HasSubstr("waiting_error_by_sum"));
  for (const auto size : sizes)
    for (const auto memory : {unlimited_memory, std::uint64_t{1}})
      run_team(size, [&](Team& team) { EXPECT_TRUE(write_in(&team, memory) == alone) << size; });
}

TEST_F(DealtPasses, WhatIsAccurateEnoughIsTheSame) {
  for (const auto computation : {0.02, 0.05, 0.3}) {
    ReduceOptions options;
    options.folding = ask_for_steps();
    options.accuracy = options.folding->accuracy = Accuracy{computation};
    expect_same(anchor(), options);
  }
}

TEST_F(DealtPasses, ComparedNumbersOfClustersAreTheSame) {
  expect_dealt([&](const Context& context) {
    auto session = open(context);
    const auto options = ask_for_steps();
    session.profile(choose_extras({}, KeepMessages::no, options));
    session.group({});
    session.select({}, {});
    const auto found = find_loops(session, options);
    std::string words;
    for (const auto& one : compare_clusters(session, options, found, {1, 2, 4}))
      for (const auto& loop : one.section.loops)
        words += fmt::format("{} {} {} {}\n", loop.choice.kept, loop.kept->mean,
                             loop.own_clusters->mean, loop.all->all.mean);
    return words;
  });
}

// A process makes the same calls as another one that has the loop, but seems to have another loop.
TEST(DealtLoops, ALoopOfAMapIsFoundInTheSameProcesses) {
  constexpr std::size_t ranks = 4;
  const testing::MadeTimes times(ranks, std::vector<std::uint64_t>(12, 100'000));
  const testing::TestFolder folder;
  write_archive(testing::make_ranks(times, times), folder.path());
  for (const auto* region : {"", "step"})
    expect_dealt([&](const Context& context) {
      const auto archive =
          open_trace((folder.path() / "traces.otf2").string(), context.diagnostics);
      auto plan = make_plan(*archive, {});
      add_profiles(plan, *archive, context.read_as("profile"), context.diagnostics);
      group(plan, 1);
      AskedIterations asked;
      asked.region = region;
      const PlannedTrace trace(*archive, plan, context.read_as("loops"), context.diagnostics);
      const auto all = list_processes(plan);
      auto loops = find_loops_pass(trace, all, asked);
      for (auto p : {std::size_t{1}, std::size_t{3}}) {
        auto& other = loops.at(p).loops.at(0);
        other.iterations.resize(5);
        other.orders.clear();
        other.function = 77;
      }
      complete_map_loop(trace, all, 0, asked, nullptr, loops);
      return describe(loops);
    });
}

// Four processes with a stream each, for which they wait.
TEST(DealtAccelerators, WaitsForThemAreTheSame) {
  using enum EventKind;
  testing::TraceBuilder trace;
  trace.add_region(0, "main").add_region(1, "cudaStreamSynchronize").add_region(2, "dot");
  for (std::uint64_t p = 0; p < 4; ++p) {
    const auto stream = 10 + p;
    trace.add_location_group(p, {p});
    trace.define(DefinitionKind::Location,
                 {stream, trace.string("stream"), otf2_value::location_type_accelerator, 0, p});
    trace.record(p, Enter, 0, {0}).record(p, Enter, 200, {1});
    trace.record(p, Leave, 410 + p, {1}).record(p, Leave, 1000, {0});
    trace.record(stream, Enter, 100, {2}).record(stream, Leave, 400 + p, {2});
  }
  const testing::TestFolder folder;
  trace.write(folder.path());
  const auto read = [&](const Context& context) {
    PlanSession session(open_trace((folder.path() / "traces.otf2").string(), context.diagnostics),
                        context);
    return describe(read_run(session, {}).facts);
  };
  expect_dealt(read);

  Diagnostics ignored;
  for (const auto* wait : {"dot 200", "dot 203"})
    EXPECT_THAT(read(Context{ignored}), ::testing::HasSubstr(wait));
}

TEST_F(DealtPasses, AMemberWithoutLocationsIsNoError) {
  expect_same(anchor(), {}, 7);  // there are four
}

}  // namespace tracefold::dealt_passes_test
