// A team that deals the reading of a trace comes to what one process comes to: every member,
// however many there are.
#include "pipeline/events/read_locations.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/write_trace.hpp"
#include "pipeline/window/find_crossing.hpp"
#include "tests/local_team.hpp"
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

// All that is stored beside a reduced trace.
std::string describe(const std::string& anchor, ReduceOptions options, Team* team) {
  Diagnostics diagnostics;
  Context context{diagnostics};
  context.reading.team = team;
  options.output.dry_run = true;
  const auto archive = open_trace(anchor, diagnostics);
  const auto made = reduce(archive, options, context);
  const auto files = prepare_plan(*archive, made.plan, options.output.rewrite).files;
  return files.plan + '\n' + files.messages + '\n' + files.profiles;
}

// Each member takes the same decisions as one process alone.
void expect_same(const std::string& anchor, const ReduceOptions& options) {
  const auto alone = describe(anchor, options, nullptr);
  ASSERT_THAT(alone, ::testing::Not(IsEmpty()));
  for (const auto size : sizes) {
    std::vector<std::string> told(size);
    run_team(size, [&](Team& team) { told[team.rank()] = describe(anchor, options, &team); });
    for (std::size_t rank = 0; rank < size; ++rank)
      EXPECT_TRUE(told[rank] == alone) << "member " << rank << " of " << size;
  }
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
      EXPECT_LE(member.read, alone.read / 2) << size;
      read += member.read;
    }
    EXPECT_EQ(read, alone.read) << size;
  }
}

class DealtPasses : public ::testing::Test {
 protected:
  DealtPasses() {
    testing::build_two_kinds_trace([](std::uint64_t process, std::uint64_t i) {
      return 100 * (i % 3 + 1) + 7 * process;
    }).write(folder_.path());
  }
  std::string anchor() const { return (folder_.path() / "traces.otf2").string(); }

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
  const auto alone = describe(anchor(), {}, nullptr);
  run_team(2, [&](Team& team) {
    Diagnostics diagnostics;
    Context context{diagnostics};
    context.reading.team = &team;
    context.reading.memory = 1;
    ReduceOptions options;
    options.output.dry_run = true;
    const auto archive = open_trace(anchor(), diagnostics);
    const auto made = reduce(archive, options, context);
    const auto files = prepare_plan(*archive, made.plan, options.output.rewrite).files;
    EXPECT_TRUE(files.plan + '\n' + files.messages + '\n' + files.profiles == alone);
  });
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

TEST_F(DealtPasses, AMemberWithoutLocationsIsNoError) {
  const auto alone = describe(anchor(), {}, nullptr);
  std::vector<std::string> told(7);  // there are four
  run_team(7, [&](Team& team) { told[team.rank()] = describe(anchor(), {}, &team); });
  EXPECT_THAT(told, Each(alone));
}

}  // namespace tracefold::dealt_passes_test
