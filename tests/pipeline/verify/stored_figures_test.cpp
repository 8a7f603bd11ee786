// What is stored of kept processes is made wrong, one figure at a time, and `verify` has to see
// each of them, and name the place in the plan.
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "pipeline/verify/verify.hpp"
#include "tests/support/group_and_name.hpp"
#include "tests/support/trace_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <functional>
#include <memory>
#include <optional>

namespace tracefold::stored_figures_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto names(const std::string& place) {
  return HasSubstr("tracefold.json: aggregates." + place);
}

constexpr std::uint64_t ranks = 4, steps = 6;
constexpr std::uint64_t type_double = otf2_value::type_double;
constexpr std::uint64_t relative_mode = otf2_value::metric_relative;

// Ranks that send and receive in each step, and measure how many joules a step takes, also once
// after all calls. One of them stays.
class StoredFiguresTest : public ::testing::Test {
 protected:
  StoredFiguresTest() : original_(make_program().write(folder_.path())) {
    plan_ = make_plan(original_, {});
    add_profiles(plan_, original_, {}, ignored_);
    testing::group_and_name(plan_, original_, 1);
    select(plan_, {});
  }

  void fold() {
    FoldOptions options;
    options.asked.region = "step";
    options.max_clusters = 2;
    const auto members = list_folding_candidates(plan_);
    const auto loops = find_loops_pass({original_, plan_, {}, ignored_}, members, options.asked);
    fold_iterations(original_, plan_, loops, options, {}, ignored_);
  }

  // What verify says of a trace that such a plan writes.
  std::string find_violations(const Archive& original, const Plan& plan,
                              const std::string& name = "small") {
    const auto small = folder_.path() / name;
    std::filesystem::remove_all(small);
    rewrite(original, plan, small, {}, {}, ignored_);
    const Archive reduced((small / "traces.otf2").string(), ignored_);

    std::string list;
    for (const auto& rule : verify(reduced, original, {}, ignored_).rules)
      for (const auto& violation : rule.violations)
        list += violation + "\n";
    return list;
  }
  static Plan change_aggregates(Plan plan, const std::function<void(Aggregates&)>& change) {
    auto changed = *plan.aggregates;
    change(changed);
    plan.aggregates = std::make_shared<const Aggregates>(std::move(changed));
    return plan;
  }
  std::string find_violations(const std::function<void(Aggregates&)>& change) {
    return find_violations(original_, change_aggregates(plan_, change));
  }

  static std::string get_name(const MetricColumns& columns, std::size_t column) {
    const auto* counter = columns.counter(column);
    return counter ? counter->name : std::string(get_entry(columns.measured[column]).name);
  }
  // Parts of execution time are not stored, but made again of it.
  static bool is_stored(const MetricColumns& columns, std::size_t column) {
    return columns.counter(column) || !is_part_of_execution_time(columns.measured[column]);
  }

  testing::TestFolder folder_;
  Diagnostics ignored_;
  Archive original_;
  Plan plan_;

 private:
  static void add_mpi_region(testing::TraceBuilder& builder, std::uint64_t id,
                             const std::string& name) {
    const auto text = builder.string(name);
    builder.define(DefinitionKind::Region, {id, text, text, text, 0, testing::TraceBuilder::mpi, 0,
                                            testing::TraceBuilder::none, 0, 0});
  }

  static testing::TraceBuilder make_program() {
    using enum EventKind;

    testing::TraceBuilder builder;
    builder.add_mpi_processes(ranks).add_region(0, "main").add_region(1, "step");
    add_mpi_region(builder, 2, "MPI_Send");
    add_mpi_region(builder, 3, "MPI_Recv");
    const auto joules = builder.string("joules");
    builder.define(DefinitionKind::MetricMember,
                   {0, joules, joules, 0, relative_mode, type_double, 1, 0, joules});
    builder.define(DefinitionKind::MetricClass, {0, 1, 0, 0}, {0});

    const auto measure = [&](std::uint64_t rank, std::uint64_t time, double value) {
      builder.record(rank, Metric, time, {0, 1},
                     {type_double, std::bit_cast<std::uint64_t>(value)});
    };
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      builder.record(rank, Enter, 0, {0});
      for (std::uint64_t i = 0; i < steps; ++i) {
        const auto begin = 100 + 200 * i;
        builder.record(rank, Enter, begin, {1})
            .record(rank, Enter, begin + 10, {3})
            .record(rank, MpiRecv, begin + 40 + i % 2,
                    {(rank + ranks - 1) % ranks, testing::TraceBuilder::world, i, 64})
            .record(rank, Leave, begin + 50, {3})
            .record(rank, Enter, begin + 20 + 35, {2})
            .record(rank, MpiSend, begin + 60,
                    {(rank + 1) % ranks, testing::TraceBuilder::world, i + 1, 64})
            .record(rank, Leave, begin + 70, {2});
        measure(rank, begin + 80, 0.25 + static_cast<double>(i % 2));
        builder.record(rank, Leave, begin + 90, {1});
      }
      builder.record(rank, Leave, 2000, {0});
      measure(rank, 2010, 1.5);
    }

    return builder;
  }
};

TEST_F(StoredFiguresTest, AreRight) {
  fold();
  ASSERT_TRUE(plan_.aggregates);
  EXPECT_THAT(find_violations(original_, plan_), IsEmpty());
}

TEST_F(StoredFiguresTest, AreNamedWhereACallPathHasAnother) {
  fold();
  const auto& profiles = plan_.aggregates->profiles;
  ASSERT_TRUE(profiles.columns.find("joules"));
  ASSERT_TRUE(profiles.columns.find(Metric::mpi_late_sender_time));
  for (std::size_t c = 0; c < profiles.columns.size(); ++c)
    if (is_stored(profiles.columns, c)) {
      EXPECT_THAT(find_violations([&](Aggregates& wrong) {
                    ++wrong.profiles.processes[0].values[profiles.columns.size() + c];
                  }),
                  names("processes[0].values["))
          << get_name(profiles.columns, c);
    }
}

TEST_F(StoredFiguresTest, AreNamedWhereSomethingElseWasOutsideOfCalls) {
  fold();
  const auto& profiles = plan_.aggregates->profiles;
  const auto joules = *profiles.columns.find("joules");
  ASSERT_EQ(profiles.processes[0].outside.at(joules), 1500);
  EXPECT_THAT(
      find_violations([&](Aggregates& wrong) { ++wrong.profiles.processes[0].outside[joules]; }),
      names("processes[0].outside_calls "));
  EXPECT_THAT(
      find_violations([](Aggregates& wrong) { wrong.profiles.processes[0].outside.clear(); }),
      names("processes[0].outside_calls "));
  EXPECT_THAT(find_violations([&](Aggregates& wrong) {
                wrong.profiles.processes[0].outside[*profiles.columns.find(Metric::sends)] = 7;
              }),
              names("processes[0].outside_calls "));
}

TEST_F(StoredFiguresTest, AreNamedWhereMetricsAreOthers) {
  fold();
  EXPECT_THAT(find_violations([](Aggregates& wrong) {
                wrong.profiles.columns.counters[0].steps_per_unit = 10;
              }),
              names("steps_per_unit[0] is 10,"));
  EXPECT_THAT(find_violations(
                  [](Aggregates& wrong) { wrong.profiles.columns.counters[0].name = "calories"; }),
              names("counters[0] is \"calories\","));
  EXPECT_THAT(find_violations([](Aggregates& wrong) {
                auto& measured = wrong.profiles.columns.measured;
                const auto sends = *wrong.profiles.columns.find(Metric::bytes_received);
                measured[sends] = Metric::collective_bytes_outgoing;
              }),
              names("metrics["));
}

TEST_F(StoredFiguresTest, AreNamedWhereProcessesAreOthers) {
  select(plan_, {.always = {2}});
  fold();
  ASSERT_EQ(plan_.aggregates->locations.size(), 2u);
  EXPECT_THAT(find_violations([&](Aggregates& wrong) { wrong = keep_locations(wrong, {0}); }),
              names("processes has 1 entries, and should have 2"));
  EXPECT_THAT(find_violations([](Aggregates& wrong) { wrong.locations[1] = 3; }),
              names("processes[1].id is \"3\", and should be \"2\""));
}

TEST_F(StoredFiguresTest, AreNamedWhereCallPathsAreOthers) {
  fold();
  EXPECT_THAT(find_violations([](Aggregates& wrong) { wrong.functions[1].name = "other"; }),
              names("functions[1].name is \"other\","));
  EXPECT_THAT(find_violations([](Aggregates& wrong) { wrong.functions[1].line = 7; }),
              names("functions[1].line "));
}

TEST_F(StoredFiguresTest, AreNamedWhereKeptIterationsDidOthers) {
  fold();
  const auto& series = plan_.aggregates->series.at(0).at(0);
  const auto& columns = plan_.aggregates->profiles.columns;
  const auto& fold = plan_.aggregates->loops[0];
  ASSERT_FALSE(series.amounts.empty());
  for (std::size_t k = 0; k < series.amounts.size(); ++k)
    EXPECT_THAT(
        find_violations([&](Aggregates& wrong) { ++wrong.series[0][0].amounts[k].values.back(); }),
        names(fmt::format("processes[0].series[0].amounts[{}]", k)))
        << get_name(columns, series.amounts[k].column);
  EXPECT_THAT(find_violations([](Aggregates& wrong) { wrong.series[0][0].amounts.clear(); }),
              names("processes[0].series[0].amounts has 0 entries"));
  EXPECT_THAT(
      find_violations([](Aggregates& wrong) { ++wrong.series[0][0].iterations.back().end; }),
      names("processes[0].series[0].lengths "));

  std::uint32_t folded = 0;
  while (fold.kept[fold.kept_of[folded]] == folded)
    ++folded;
  EXPECT_THAT(find_violations([&](Aggregates& wrong) { wrong.loops[0].kept_of[folded] ^= 1; }),
              names("loops[0].kept_of "));
}

TEST_F(StoredFiguresTest, AreThoseThatWereStoredWhereATraceIsReducedAgain) {
  fold();
  ASSERT_THAT(find_violations(original_, plan_), IsEmpty());
  const Archive small((folder_.path() / "small/traces.otf2").string(), ignored_);
  auto again = make_plan(small, {});
  add_profiles(again, small, {}, ignored_);
  testing::group_and_name(again, small, 1);
  select(again, {});
  again.aggregates = plan_.aggregates;
  EXPECT_THAT(find_violations(small, again, "again"), IsEmpty());

  const auto find_in_changed = [&](const std::function<void(Aggregates&)>& change) {
    return find_violations(small, change_aggregates(again, change), "again");
  };
  EXPECT_THAT(
      find_in_changed([](Aggregates& wrong) { ++wrong.profiles.processes[0].values.back(); }),
      names("processes[0].values["));
  EXPECT_THAT(find_in_changed([](Aggregates& wrong) { ++wrong.series[0][0].amounts[0].values[0]; }),
              names("processes[0].series[0].amounts[0]"));
}

}  // namespace tracefold::stored_figures_test
