#include "filters/comparison/find_cause.hpp"

#include "filters/comparison/find_difference.hpp"
#include "tests/support/made_runs.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tracefold::find_cause_test {

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Ranks = std::vector<std::vector<testing::MadeCall>>;

// Ranks that solve and send; they differ a little.
Ranks make_ranks(std::size_t count) {
  Ranks ranks;
  for (std::size_t r = 0; r < count; ++r)
    ranks.push_back({{{"main"}, 100, 1},
                     {{"main", "solve"}, 1000 + 3 * (r % 3), 10},
                     {{"main", "solve", "kernel"}, 5000 + 7 * (r % 4), 100},
                     {{"main", "solve", "MPI_Send"}, 200, 20, 20, 2000}});
  return ranks;
}

RunComparison compare(const ComparedRun& run_a, const ComparedRun& run_b) {
  const auto runs = join_runs(run_a, run_b);
  auto out = compare_runs(runs, Measure::time);
  find_cause(runs, std::nullopt, out);
  return out;
}

RunComparison compare(const Ranks& a, const Ranks& b) {
  return compare(testing::make_run(a), testing::make_run(b));
}

std::string find_headline(const Ranks& a, const Ranks& b) {
  return compare(a, b).headline;
}

}  // namespace

TEST(FindCause, FindsNothingInEqualRuns) {
  EXPECT_EQ(find_headline(make_ranks(8), make_ranks(8)), no_difference);
  EXPECT_EQ(find_headline(make_ranks(1), make_ranks(1)), no_difference);
}

TEST(FindCause, NamesTheFunctionThatTakesLonger) {
  auto b = make_ranks(8);
  for (auto& rank : b)
    rank[2].time *= 2;
  EXPECT_THAT(find_headline(make_ranks(8), b),
              StartsWith("kernel takes 2.0 times as long in B on all processes"));
}

TEST(FindCause, NamesTheRanksWhereSomeAreSlow) {
  for (const std::size_t count : {3, 4, 5, 8, 17}) {
    auto b = make_ranks(count);
    b[1][2].time *= 2;
    EXPECT_THAT(find_headline(make_ranks(count), b),
                StartsWith("kernel takes 2.0 times as long in B on rank 1 alone"))
        << count;
  }
}

TEST(FindCause, NamesBothSidesOfWorkThatMoves) {
  Ranks a(8, {{{"main"}, 100, 1}, {{"main", "kernel"}, 5000, 10}});
  auto b = a;
  for (std::size_t r = 0; r < 8; ++r)
    b[r][1].time = r % 2 == 0 ? 8000 : 2000;
  EXPECT_THAT(find_headline(a, b), AllOf(StartsWith("kernel takes 1.6 times as long in B"),
                                         HasSubstr("ranks 0-6:2"), HasSubstr("60 % less time")));
}

TEST(FindCause, KeepsFunctionsApartThatChangeOnOtherRanks) {
  const Ranks a(8, {{{"main"}, 1, 1}, {{"main", "flux"}, 1000, 10}, {{"main", "solve"}, 1000, 10}});
  auto b = a;
  b[1][1].time = b[5][2].time = 1500;
  const auto out = compare(a, b);
  EXPECT_THAT(out.headline, HasSubstr("on rank 1 alone"));
  EXPECT_THAT(out.headline, ::testing::Not(HasSubstr("all that computes")));
  EXPECT_THAT(out.findings, ::testing::Contains(HasSubstr("on rank 5 alone")));
}

TEST(FindCause, NamesTheCallerUnderWhichAFunctionChanges) {
  const auto make = [](std::uint64_t corrected) {
    return Ranks(8, {{{"main"}, 100, 1},
                     {{"main", "predict"}, 10, 10},
                     {{"main", "correct"}, 10, 10},
                     {{"main", "predict", "limiter"}, 1000, 10},
                     {{"main", "correct", "limiter"}, corrected, 10}});
  };
  EXPECT_THAT(find_headline(make(1000), make(2000)),
              StartsWith("limiter takes 2.0 times as long in B where correct calls it, on all"));
}

TEST(FindCause, SaysWhoCallsAFunctionNow) {
  Ranks a(8, {{{"main"}, 1000, 1}, {{"main", "output"}, 0, 0}}), b = a;
  a[0][1] = b[7][1] = {{"main", "output"}, 500, 10};
  EXPECT_THAT(find_headline(a, b),
              StartsWith("output is called on rank 7 alone in B, on rank 0 alone in A"));
}

TEST(FindCause, TellsCallsOfAProgramWithoutCallers) {
  const Ranks a(4, {{{"MPI_Barrier"}, 100, 30}, {{"MPI_Send"}, 100, 30, 30, 3000}});
  auto b = a;
  for (auto& rank : b)
    rank[0] = {{"MPI_Barrier"}, 1000, 300};
  EXPECT_THAT(find_headline(a, b),
              StartsWith("MPI_Barrier is called 10.0 times as often (30 → 300 per process)"));
}

TEST(FindCause, CountsCallsOfAFunctionThatCallsItself) {
  const auto make = [](std::uint64_t deepest) {
    return Ranks(4, {{{"main"}, 100, 1},
                     {{"main", "walk"}, 100, 10},
                     {{"main", "walk", "walk"}, 100, 10},
                     {{"main", "walk", "walk", "walk"}, 10 * deepest, deepest}});
  };
  EXPECT_THAT(find_headline(make(0), make(40)), HasSubstr("by walk (10 → 50 per process)"));
}

TEST(FindCause, TellsWhatIsNewBetweenTwoFunctionsFromWhatTookAPlace) {
  const Ranks a(4, {{{"main"}, 100, 1}, {{"main", "kernel"}, 1000, 10}});
  const Ranks between(
      4,
      {{{"main"}, 100, 1}, {{"main", "timed"}, 300, 10}, {{"main", "timed", "kernel"}, 1000, 10}});
  EXPECT_THAT(compare(a, between).findings,
              ::testing::Contains(StartsWith("timed is new in B, between main and kernel")));
  const Ranks split(
      4, {{{"main"}, 100, 1}, {{"main", "first_half"}, 900, 10}, {{"main", "rest"}, 900, 10}});
  EXPECT_THAT(compare(a, split).findings,
              ::testing::Contains(
                  StartsWith("main calls first_half and rest in B where it calls kernel in A")));
}

TEST(FindCause, TellsMessagesFromBytes) {
  auto more = make_ranks(4), larger = make_ranks(4);
  for (std::size_t r = 0; r < 4; ++r) {
    for (auto* call : {&more[r][3]}) {
      call->visits *= 2;
      call->messages *= 2;
      call->bytes *= 2;
    }
    larger[r][3].bytes *= 2;
  }
  EXPECT_THAT(find_headline(make_ranks(4), more),
              StartsWith("B exchanges twice the messages of A"));
  EXPECT_THAT(find_headline(make_ranks(4), larger),
              StartsWith("B exchanges twice the bytes of A in as many messages"));
}

TEST(FindCause, FindsRenamedAndInlinedFunctions) {
  auto renamed = make_ranks(4), inlined = make_ranks(4);
  for (std::size_t r = 0; r < 4; ++r) {
    renamed[r][2].path.back() = "stencil";
    inlined[r][1].time += inlined[r][2].time;
    inlined[r].erase(inlined[r].begin() + 2);
  }
  EXPECT_THAT(find_headline(make_ranks(4), renamed),
              StartsWith("kernel of A is renamed: it is stencil in B"));
  const auto out = compare(make_ranks(4), inlined);
  EXPECT_THAT(out.headline, StartsWith("kernel is inlined into solve in B"));
  for (const auto& row : out.functions)
    EXPECT_FALSE(row.get(Measure::time).is_beyond) << row.name;
}

TEST(FindCause, SaysWhichGroupHasNoPartner) {
  auto a = make_ranks(4);
  a[3].push_back({{"main", "write_output"}, 500, 1});
  const auto headline = find_headline(a, make_ranks(4));
  EXPECT_THAT(headline, HasSubstr("is gone in B"));
  EXPECT_THAT(headline, HasSubstr("only it calls write_output"));
}

TEST(FindCause, SaysThatThereAreMoreRanks) {
  EXPECT_THAT(find_headline(make_ranks(4), make_ranks(8)), StartsWith("B has 8 ranks, A has 4"));
}

TEST(FindCause, TellsThreadsFromStreams) {
  constexpr std::uint64_t ranks = 2;
  const auto find_headline_of = [&](const std::vector<testing::MadeLocation>& a,
                                    const std::vector<testing::MadeLocation>& b) {
    return compare(testing::make_run(make_ranks(a.size()), a),
                   testing::make_run(make_ranks(b.size()), b))
        .headline;
  };
  const auto list_locations = [&](std::uint64_t threads, std::uint64_t streams) {
    std::vector<testing::MadeLocation> locations;
    for (std::uint64_t r = 0; r < ranks; ++r) {
      for (std::uint64_t t = 0; t < threads; ++t)
        locations.push_back({r, t, otf2_value::location_type_cpu});
      for (std::uint64_t t = 0; t < streams; ++t)
        locations.push_back({r, t, otf2_value::location_type_accelerator});
    }
    return locations;
  };
  EXPECT_THAT(find_headline_of(list_locations(1, 0), list_locations(4, 0)),
              StartsWith("B has 4 threads in each rank, A has 1"));
  EXPECT_THAT(find_headline_of(list_locations(1, 1), list_locations(1, 3)),
              StartsWith("B has 3 accelerator streams in each rank, A has 1"));
  EXPECT_THAT(find_headline_of(list_locations(1, 0), list_locations(1, 2)),
              StartsWith("B has 2 accelerator streams in each rank, A has 0"));
  EXPECT_THAT(find_headline_of(list_locations(1, 1), list_locations(2, 2)),
              StartsWith("B has 2 threads in each rank, A has 1; "
                         "B has 2 accelerator streams in each rank, A has 1"));

  auto one_stream = list_locations(1, 0), one_thread = one_stream;
  one_stream.push_back({0, 0, otf2_value::location_type_accelerator});
  one_thread.push_back({0, 1, otf2_value::location_type_cpu});
  EXPECT_THAT(find_headline_of(list_locations(1, 0), one_stream),
              StartsWith("B has 1 accelerator stream, A has 0"));
  EXPECT_THAT(find_headline_of(list_locations(1, 0), one_thread),
              StartsWith("B has 3 processes, A has 2"));
}

TEST(FindCause, SaysThatProgramsAreDifferent) {
  const Ranks other{{{{"begin"}, 1, 1}, {{"begin", "a"}, 5, 1}, {{"begin", "b"}, 7, 1}}};
  EXPECT_THAT(find_headline(make_ranks(1), other), HasSubstr("different programs"));
}

TEST(FindCause, DoesNotRoundToAll) {
  auto b = make_ranks(4);
  for (auto& rank : b)
    rank[2].time = 2;
  EXPECT_THAT(find_headline(make_ranks(4), b), StartsWith("kernel takes nearly no time in B"));
}

TEST(CompareProcesses, TellsWhatEachSideIs) {
  auto ranks = make_ranks(4);
  ranks[3].push_back({{"main", "write_output"}, 5000, 1});
  for (const auto* name : {"a", "b", "c", "d"})
    ranks[3].push_back({{"main", std::string(60, 'x') + "::" + name}, 10, 1});
  const auto run = testing::make_run(ranks);
  auto out = compare_processes(run, {0, "all ranks but 3", 3}, {0, 1, 2}, {1, "rank 3", 1}, {3},
                               Measure::time);
  find_difference(out);
  EXPECT_EQ(out.a.part, "all ranks but 3");
  EXPECT_EQ(out.a.processes, 3u);
  EXPECT_EQ(out.a.ranks, 3u);
  EXPECT_EQ(out.b.part, "rank 3");
  EXPECT_EQ(out.b.processes, 1u);
  EXPECT_THAT(out.headline, StartsWith("only B calls write_output, which takes "));
  ASSERT_EQ(out.findings.size(), 1u);
  EXPECT_THAT(out.findings[0], StartsWith("only B calls main → "));
  EXPECT_THAT(out.findings[0], HasSubstr(" and 2 more"));
  EXPECT_LT(out.findings[0].size(), 200u);
}

// Ranks 2 and 5 solve for longer, and rank 7 for less; rank 9 calls more often.
TEST(ChooseIterations, TakesTheProcessesOfAGroupThatChangeAlike) {
  auto a = make_ranks(32);
  a[9][2].visits = 101;
  auto b = a;
  b[2][2].time *= 2;
  b[5][2].time *= 3;
  b[7][2].time /= 4;
  b[9][2].time *= 2;
  const auto run_a = testing::make_run(a), run_b = testing::make_run(b);
  const auto choice = choose_iterations(join_runs(run_a, run_b));
  ASSERT_TRUE(choice && choice->function);
  EXPECT_EQ(choice->a, (std::vector<std::size_t>{5, 2})) << "the one that changed most comes first";
  EXPECT_EQ(choice->b, choice->a);
  EXPECT_EQ(choice->candidates, 2u);
}

TEST(ChooseIterations, TakesASampleOfManyProcesses) {
  const auto a = make_ranks(64);
  auto b = a;
  for (auto& rank : b)
    rank[2].time *= 2;
  const auto run_a = testing::make_run(a), run_b = testing::make_run(b);
  const auto choice = choose_iterations(join_runs(run_a, run_b));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->candidates, 64u);
  EXPECT_EQ(choice->a.size(), most_iteration_processes);
}

TEST(ChooseIterations, TakesTheLargestGroupWhereNothingChanges) {
  auto a = make_ranks(4);
  a[0].push_back({{"main", "write"}, 50, 1});
  const auto run = testing::make_run(a);
  const auto choice = choose_iterations(join_runs(run, run));
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->function);
  EXPECT_EQ(choice->a, (std::vector<std::size_t>{1, 2, 3})) << "rank 0 is a group of its own";
  EXPECT_EQ(choice->candidates, 3u);
}

TEST(FindCause, KnowsARunWithLessDetail) {
  auto a = make_ranks(4);
  Ranks b(4);
  for (std::size_t r = 0; r < 4; ++r) {
    a[r].push_back({{"main", "solve", "MPI_Recv"}, 300, 20, 20, 2000});
    b[r] = {{{"MPI_Send"}, 200, 20, 20, 2000}, {{"MPI_Recv"}, 300, 20, 20, 2000}};
  }
  a[3].push_back({{"main", "write"}, 10, 1});
  auto run_a = testing::make_run(a), run_b = testing::make_run(b);
  EXPECT_EQ(run_a.plan.groups->size(), 2u);
  group_by_common_detail(run_a, run_b);
  EXPECT_EQ(run_a.plan.groups->size(), 1u) << "only what B does not record divides them";
  for (auto* run : {&run_a, &run_b})
    for (auto& function : run->plan.functions)
      if (function.name.starts_with("MPI_"))
        function.paradigm = otf2_value::paradigm_mpi;

  const auto out = compare(run_a, run_b), back = compare(run_b, run_a);
  EXPECT_EQ(out.headline,
            "B records MPI only; all 2 functions that it calls are in A, which has 4 more");
  EXPECT_EQ(back.headline,
            "A records MPI only; all 2 functions that it calls are in B, which has 4 more");
  EXPECT_THAT(out.findings, ::testing::IsEmpty());
  EXPECT_EQ(out.functions_in_other, (std::array<double, 2>{2.0 / 6, 1}));
  EXPECT_EQ(out.less_detailed, 1u);
  EXPECT_EQ(out.functions.size(), 2u) << "what B does not record is not gone";
  EXPECT_EQ(out.pairs.front().similarity, 1);

  for (auto& rank : b)
    rank[1].bytes *= 2;
  EXPECT_THAT(compare(run_a, testing::make_run(b)).findings,
              ::testing::Contains(StartsWith("B exchanges 1.50 times the bytes of A")));
}

TEST(FindCause, KnowsOtherPrograms) {
  const Ranks a(2, {{{"main"}, 100, 1}, {{"main", "solve"}, 100, 1}, {{"main", "MPI_Send"}, 9, 1}});
  const Ranks b(2, {{{"start"}, 100, 1}, {{"start", "read"}, 9, 1}, {{"start", "MPI_Send"}, 9, 1}});
  const auto out = compare(a, b);
  EXPECT_THAT(out.headline, StartsWith("these seem to be different programs"));
  EXPECT_FALSE(out.less_detailed);
}

TEST(FindCause, SaysNoNumberThatIsNone) {
  auto a = make_ranks(4), b = make_ranks(4);
  for (auto& rank : a)
    rank[2].time = 0;
  b.push_back(b.front());
  auto run_a = testing::make_run(a), run_b = testing::make_run(b);
  run_a.run_time = 1;
  run_b.run_time = 0;
  for (auto* run : {&run_a, &run_b}) {
    run->played.emplace();
    run->played->on_path.in_loops.resize(run->calls.paths.size());
    run->played->on_path.outside = run->played->on_path.in_loops;
  }
  const auto short_run = testing::make_run(make_ranks(4));
  for (const auto& out : {compare(run_a, run_b), compare(run_b, run_a), compare(run_a, short_run),
                          compare(short_run, run_a)}) {
    auto words = out.findings;
    words.push_back(out.headline);
    for (const auto& text : words) {
      EXPECT_THAT(text, ::testing::Not(::testing::ContainsRegex("inf|nan"))) << text;
    }
  }
}

TEST(MarkIterations, MarksThoseThatAreSlower) {
  ComparedIterations it;
  it.a.assign(20, 1.0);
  it.b.assign(20, 1.001);
  it.b[4] = it.b[5] = 2;
  it.b[9] = 0.5;
  mark_iterations(it, {0.01});
  EXPECT_EQ(it.slower, (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(it.faster, (std::vector<std::size_t>{9}));
}

TEST(EstimateDeviation, IsNotWidenedByAFewValues) {
  std::vector<double> values;
  for (int k = 0; k < 30; ++k)
    values.push_back(k % 10);
  const auto before = estimate_deviation(values);
  values.push_back(1000);
  EXPECT_NEAR(estimate_deviation(values), before, 0.3 * before);
  EXPECT_EQ(estimate_deviation({5}), 0);
}

}  // namespace tracefold::find_cause_test
