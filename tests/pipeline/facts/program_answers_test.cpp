// What is answered from the files beside a reduced trace, against the answers of the original.
#include "pipeline/correlation/correlate_pass.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/program_map.hpp"

#include "base/read_file.hpp"
#include "filters/groups/select.hpp"
#include "model/plan_files.hpp"
#include "pipeline/reduce/fold_plan.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "tests/support/made_ranks.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <string>

namespace tracefold::program_answers_test {

using ::testing::DoubleNear;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using testing::MadeTimes;
using testing::MadeTopology;
using testing::make_chain;
using testing::make_ranks;
using ::testing::Pointwise;

constexpr std::size_t ranks = 8, iterations = 12;

MadeTimes make_times(unsigned seed) {
  std::mt19937 random(seed);
  MadeTimes times(ranks, std::vector<std::uint64_t>(iterations));
  for (auto& rank : times) {
    const auto level = 200'000 + random() % 2'000'000;
    for (auto& time : rank)
      time = level + random() % 1'000'000;
  }
  return times;
}

// Each rank sends to the next one along both axes of a grid of 4 x 2, and receives after all have
// sent.
testing::TraceContent make_torus(const MadeTimes& computing) {
  using enum EventKind;
  auto content = testing::define_ranks(ranks);
  const auto find_rank = [](std::uint64_t x, std::uint64_t y) { return x % 4 * 2 + y % 2; };

  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    auto& events = content.events[rank];
    const auto x = rank / 2, y = rank % 2;
    std::uint64_t time = 0;
    testing::record(events, Enter, time, {testing::made_main});
    for (std::size_t i = 0; i < iterations; ++i) {
      const auto begin = time;
      testing::record(events, Enter, time, {testing::made_step});
      testing::record(events, Enter, time, {testing::made_compute});
      testing::record(events, Leave, time += computing[rank][i], {testing::made_compute});
      for (auto to : {find_rank(x + 1, y), find_rank(x, y + 1)}) {
        testing::record(events, Enter, time, {testing::made_send});
        testing::record(events, MpiSend, time, {to, 0, 0, 8});
        testing::record(events, Leave, ++time, {testing::made_send});
      }
      time = begin + 5'000'000;
      for (auto from : {find_rank(x + 3, y), find_rank(x, y + 1)}) {
        testing::record(events, Enter, time, {testing::made_receive});
        testing::record(events, MpiRecv, ++time, {from, 0, 0, 8});
        testing::record(events, Leave, time, {testing::made_receive});
      }
      testing::record(events, Leave, time, {testing::made_step});
    }
    testing::record(events, Leave, time, {testing::made_main});
  }

  return content;
}

// A trace, and what it becomes with two kept iterations.
class ProgramAnswers : public ::testing::Test {
 protected:
  void write(const testing::TraceContent& content,
             KeepMessages messages = KeepMessages::where_small) {
    write_archive(content, folder_.path());
    ReduceOptions options;
    options.messages = messages;
    options.output.folder = small();
    options.folding->asked.region = "step";
    options.folding->max_clusters = 2;
    reduce(open("."), options, context_);
  }

  std::filesystem::path small() const { return folder_.path() / "small"; }
  std::shared_ptr<const Archive> open(const std::string& name) {
    return open_trace((folder_.path() / name / "traces.otf2").string(), ignored_);
  }
  PlanSession read(const std::string& name) {
    PlanSession session(open(name), context_);
    session.ask_for_all();
    session.profile();
    return session;
  }

  CorrelationReport correlate(const std::string& name, const CorrelateOptions& options) {
    auto session = read(name);
    const CorrelatedTrace trace{session.archive(),
                                session.plan(),
                                find_calling_processes(session.plan()),
                                std::nullopt,
                                {},
                                diagnostics_,
                                session.program()};
    return correlate_view(trace, options);
  }

  ComparedMap compare(const std::string& name, const std::string& metric) {
    auto session = read(name);
    session.require_groups();
    select(session.plan(), {});
    MapOptions map;
    map.metric = metric;
    FoldOptions options;
    options.asked.region = "step";
    options.max_clusters = 2;
    return compare_map(session, map, options, false);
  }

  Plan read_plan_beside() const {
    return plan_from_json(*read_file(small() / "tracefold.json"), small());
  }
  // Why the profiles of the plan cannot be restored.
  std::string refuse(Plan plan, const std::optional<std::filesystem::path>& folder) {
    try {
      restore_profiles(plan, folder, diagnostics_);
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::input);
      return problem.what();
    }
    return {};
  }

  testing::TestFolder folder_;
  Diagnostics ignored_, diagnostics_;
  Context context_{ignored_};
};

MATCHER_P(NearShare, share, "") {
  const auto [told, right] = arg;
  return std::isnan(right) ? std::isnan(told)
                           : std::abs(told - right) <= share * std::abs(right) + 1;
}

std::vector<std::string> list_axes(const CorrelationReport& report) {
  std::vector<std::string> axes;
  for (const auto& axis : report.scope.axes)
    axes.push_back(axis.name + std::to_string(axis.size) + (axis.periodic ? "p" : ""));
  return axes;
}

TEST_F(ProgramAnswers, CorrelateHasAllProcessesAtTheirPlaces) {
  std::vector<std::vector<std::uint64_t>> coordinates;
  for (std::uint64_t rank = 0; rank < ranks; ++rank)
    coordinates.push_back({rank % 4, rank / 4});
  write(
      make_ranks(make_times(1), make_times(2), {MadeTopology{"cart", {4, 2}, true, coordinates}}));

  for (const auto* topology : {"", "cart"}) {
    CorrelateOptions options;
    options.views.query = "time:main > step > MPI_Recv";
    options.grid.topology = topology;
    options.most_chance.reset();
    const auto told = correlate("small", options), right = correlate(".", options);

    EXPECT_EQ(told.scope.processes, ranks);
    EXPECT_THAT(list_axes(told), ElementsAreArray(list_axes(right)));
    EXPECT_EQ(told.scope.grid, right.scope.grid);
    ASSERT_FALSE(right.findings.empty());
    ASSERT_EQ(told.findings.size(), right.findings.size());
    for (std::size_t k = 0; k < right.findings.size(); ++k) {
      EXPECT_THAT(told.findings[k].r, DoubleNear(right.findings[k].r, 0.03));
      EXPECT_THAT(told.findings[k].plain, DoubleNear(right.findings[k].plain, 0.03));
      EXPECT_EQ(told.findings[k].shift, right.findings[k].shift);
    }
  }

  EXPECT_THAT(diagnostics_.warnings(), ::testing::Not(::testing::Contains(HasSubstr("holes"))));
}

TEST_F(ProgramAnswers, CorrelateKnowsWhoSendsToWhomAlsoWhereNoMessagesAreKept) {
  write(make_torus(make_times(7)), KeepMessages::no);
  CorrelateOptions options;
  options.views.query = "time:main > step > compute";
  options.most_chance.reset();
  const auto told = correlate("small", options), right = correlate(".", options);

  ASSERT_EQ(right.scope.axes.size(), 2u);
  EXPECT_THAT(list_axes(told), ElementsAreArray(list_axes(right)));
  EXPECT_EQ(told.scope.grid, right.scope.grid);
}

TEST_F(ProgramAnswers, CorrelateRefusesATopologyThatIsNotKept) {
  write(make_ranks(make_times(1), make_times(2)));
  CorrelateOptions options;
  options.views.query = "time:main > step > MPI_Recv";
  options.grid.topology = "cart";
  EXPECT_THAT([&] { correlate("small", options); },
              ::testing::ThrowsMessage<Error>(HasSubstr("has no such topology")));
}

TEST_F(ProgramAnswers, CorrelateWarnsOfViewsThatVaryByLessThanTheyAreKeptTo) {
  auto computing = make_times(1);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    computing[rank].assign(iterations, 1'000'000 + rank * 1'000);
  write(make_ranks(computing, make_times(2)));
  CorrelateOptions options;
  options.views.query = "time:main > step > MPI_Recv";
  options.most_chance.reset();
  correlate("small", options);
  EXPECT_THAT(diagnostics_.warnings(),
              ::testing::Contains(HasSubstr("vary by less than the 1 % to which they are kept")));
}

// In each iteration, `update` follows the receive; only two iterations stay.
TEST_F(ProgramAnswers, CallsOfFoldedIterationsCountForTheirOrder) {
  write(make_chain(make_times(3), make_times(4)));
  auto session = read("small");
  const auto& tree = session.program()->calls.profiles.paths;
  std::vector<PathIndex> all;
  for (std::size_t p = 0; p < tree.size(); ++p)
    all.push_back(static_cast<PathIndex>(p));
  const auto told = read_kept_call_order(session.archive(), {}, ignored_, session.plan().functions,
                                         tree, {all, all});

  auto original = read(".");
  const std::vector<ProcessLoops> no_loops(original.plan().processes.size());
  const SeriesPass pass({original.archive(), original.plan(), {}, ignored_}, no_loops,
                        list_processes(original.plan()), {});
  const auto own_tree = rename_functions(tree, session.plan().functions, pass.functions());
  const auto right = read_call_order(pass, std::nullopt, own_tree, {all, all});

  ASSERT_GE(all.size(), 6u);
  for (auto wait : all)
    for (auto cause : all)
      EXPECT_EQ(told.find(wait, cause), right.find(wait, cause)) << wait << " " << cause;
}

TEST_F(ProgramAnswers, MapsAreComparedWithWhatIsLeftAsTheyAreOfTheOriginal) {
  write(make_ranks(make_times(1), make_times(2)));
  for (const auto* metric : {"MPI time", "visits"}) {
    const auto told = compare("small", metric), right = compare(".", metric);
    ASSERT_TRUE(right.reconstruction);
    ASSERT_TRUE(told.reconstruction);
    EXPECT_EQ(told.kept_rows, right.kept_rows);
    EXPECT_EQ(told.kept_iterations, right.kept_iterations);
    EXPECT_THAT(told.original.values, Pointwise(NearShare(0.0101), right.original.values));
    EXPECT_THAT(told.reconstruction->values,
                Pointwise(NearShare(0.0101), right.reconstruction->values));
    ASSERT_EQ(told.layers.layers.size(), right.layers.layers.size());
    for (std::size_t l = 0; l < right.layers.layers.size(); ++l) {
      const auto &a = told.layers.layers[l], &b = right.layers.layers[l];
      EXPECT_EQ(a.metric, b.metric);
      EXPECT_THAT(a.original, Pointwise(NearShare(0.0101), b.original));
      EXPECT_THAT(a.reconstruction, Pointwise(NearShare(0.0101), b.reconstruction));
    }
  }
}

// A thread that only runs before the loop, and a location that records nothing.
testing::TraceContent add_idle_locations(testing::TraceContent content) {
  auto& definitions = content.definitions;
  const auto at = std::find_if(definitions.begin(), definitions.end(), [](const Definition& one) {
    return one.kind == DefinitionKind::Location;
  });
  const auto place = at - definitions.begin();
  for (std::uint64_t id : {101, 100}) {
    auto idle = definitions[static_cast<std::size_t>(place)];
    idle.fields[0] = id;
    definitions.insert(definitions.begin() + place + 1, idle);
    content.events[id];
  }
  testing::record(content.events[100], EventKind::Enter, 10, {testing::made_compute});
  testing::record(content.events[100], EventKind::Leave, 20, {testing::made_compute});
  return content;
}

TEST_F(ProgramAnswers, MapsHaveNoRowsOfWhatRecordsNothingInTheLoop) {
  write(add_idle_locations(make_ranks(make_times(5), make_times(6))));
  for (const auto* name : {".", "small"}) {
    for (const auto* metric : {"computation time", "visits"}) {
      const auto maps = compare(name, metric);
      EXPECT_EQ(maps.original.processes.size(), ranks) << name;
      EXPECT_EQ(maps.original.values.size(), ranks * iterations) << name;
      for (auto value : maps.original.values)
        EXPECT_GT(value, 0) << name;
      ASSERT_TRUE(maps.reconstruction);
      EXPECT_EQ(maps.reconstruction->processes.size(), ranks) << name;
      for (auto row : maps.kept_rows)
        EXPECT_LT(row, ranks) << name;
      if (maps.layers.layers.empty())
        continue;
      // Means of the others, which always call.
      double sum = 0;
      for (std::size_t r = 0; r < ranks; ++r)
        sum += maps.original.row(r)[0];
      EXPECT_NEAR(maps.layers.layers.front().original[0], sum / ranks, 0.02 * sum / ranks) << name;
    }
    auto session = read(name);
    session.require_groups();
    MapOptions options;
    options.metric = "computation time";
    FoldOptions folding;
    if (name == std::string("."))
      folding.asked.region = "step";
    const auto map = map_plan(session, options, folding);
    EXPECT_EQ(map.processes.size(), ranks) << name;
  }
}

TEST_F(ProgramAnswers, RepresentativesAreChosenAnewByThePlanBesideTheTrace) {
  auto content = make_ranks(make_times(5), make_times(6));
  for (std::uint64_t rank = 0; rank < ranks; ++rank)
    content.events[rank].back().time += rank * 3 % ranks * 2'000'000;
  write(content);
  auto plan = read_plan_beside();
  restore_profiles(plan, small(), ignored_);
  auto original = read(".");
  original.require_groups();

  for (auto choice : {Choice::slowest, Choice::first}) {
    select(plan, {.choice = choice});
    select(original.plan(), {.choice = choice});
    ASSERT_EQ(plan.representatives->size(), original.plan().representatives->size());
    for (std::size_t k = 0; k < plan.representatives->size(); ++k)
      EXPECT_EQ((*plan.representatives)[k].process, (*original.plan().representatives)[k].process);
  }

  EXPECT_FALSE(plan.lacks_profiles);
  const auto again = plan_from_json(to_json(plan));  // a plan as of `select`
  EXPECT_EQ(again.processes.size(), ranks);
}

TEST_F(ProgramAnswers, WhatIsNotKnownOfAPlanBesideATraceIsSaid) {
  write(make_ranks(make_times(5), make_times(6)));
  const auto plan = read_plan_beside();
  EXPECT_THAT(refuse(plan, std::nullopt), HasSubstr("beside the plan's file"));
  EXPECT_THAT(refuse(plan, folder_.path()), HasSubstr("is missing"));

  auto without = plan;
  without.program_file.reset();
  EXPECT_THAT(refuse(without, small()), HasSubstr("keeps no profiles of all processes"));

  auto other = plan;
  other.program_file->sha256 = std::string(64, '0');
  EXPECT_THAT(refuse(other, small()), HasSubstr("is another file than the plan beside it names"));

  auto smaller = plan;
  smaller.processes.pop_back();
  EXPECT_THAT(refuse(smaller, small()),
              HasSubstr("it has 8 processes, and the trace stands for 7"));
  auto later = plan;
  later.processes.back().id = 99;
  EXPECT_THAT(refuse(later, small()), HasSubstr("is of the first original"));
  EXPECT_EQ(refuse(plan, small()), "");
}

}  // namespace tracefold::program_answers_test
