#include "pipeline/correlation/correlate_pass.hpp"

#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "filters/correlation/chance.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/made_ranks.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <string_view>

namespace tracefold::correlate_pass_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MadeTimes;
using testing::MadeTopology;
using testing::make_chain;
using testing::make_ranks;

MadeTimes make_times(std::size_t ranks, std::size_t iterations, unsigned seed) {
  std::mt19937 random(seed);
  MadeTimes times(ranks, std::vector<std::uint64_t>(iterations));
  for (auto& rank : times)
    for (auto& time : rank)
      time = 100'000 + random() % 1'000'000;
  return times;
}

// What each rank computes, the next one waits for.
MadeTimes wait_for_the_one_before(const MadeTimes& computing) {
  auto waiting = computing;
  for (std::size_t rank = 1; rank < computing.size(); ++rank)
    waiting[rank] = computing[rank - 1];
  waiting[0].assign(computing[0].size(), 500'000);
  return waiting;
}

// A trace on disk, and what is asked of it.
class CorrelatePassTest : public ::testing::Test {
 protected:
  void write(const testing::TraceContent& content) {
    write_archive(content, folder_.path());
    archive_.emplace((folder_.path() / "traces.otf2").string(), diagnostics_);
    plan_ = make_plan(*archive_, {});
    add_profiles(plan_, *archive_, {}, diagnostics_);
    options_.views.query = "time:main > step > MPI_Recv";
    options_.views.metrics = {"time"};
    options_.most_chance.reset();
  }

  CorrelationReport correlate(std::uint64_t memory = unlimited_memory) {
    return correlate_view(take({}, memory), options_);
  }

  CorrelationReport correlate_iterations(std::uint64_t memory = unlimited_memory) {
    const auto loops = find_loops_pass({*archive_, plan_, {}, diagnostics_}, members(), {"step"});
    return correlate_view(take(SeriesLoop{loops, 0}, memory), options_);
  }

  CorrelatedTrace take(std::optional<SeriesLoop> loop = {},
                       std::uint64_t memory = unlimited_memory) {
    ReadOptions reading;
    reading.memory = memory;
    return {*archive_, plan_, members(), loop, reading, diagnostics_};
  }

  std::vector<std::size_t> members() const {
    return !members_.empty() ? members_ : find_calling_processes(plan_);
  }

  static const CorrelationFinding& find(const CorrelationReport& report, std::string_view path) {
    for (const auto& finding : report.findings)
      if (report.scope.views[finding.view].call_path == path)
        return finding;
    throw std::runtime_error("not found: " + std::string(path));
  }

  std::string refusal() {
    try {
      correlate();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  std::optional<Archive> archive_;
  Plan plan_;
  CorrelateOptions options_;
  std::vector<std::size_t> members_;  // empty: all
};

TEST_F(CorrelatePassTest, FindsWhoWaitsForTheOneBefore) {
  const auto computing = make_times(32, 1, 1);
  write(make_ranks(computing, wait_for_the_one_before(computing)));
  options_.most_chance = correlation::usual_chance;

  const auto report = correlate();
  ASSERT_EQ(report.scope.axes.size(), 1u);
  EXPECT_EQ(report.scope.axes[0].name, "process");
  EXPECT_EQ(report.scope.axes[0].size, 32u);

  const auto& finding = find(report, "main > step > compute");
  EXPECT_GT(finding.r, 0.9);
  EXPECT_THAT(finding.shift, ElementsAre(-1));
  EXPECT_LT(std::abs(finding.plain), 0.5);
  EXPECT_LE(*finding.chance, 0.01);
}

TEST_F(CorrelatePassTest, FindsWhoWaitsAnIterationLater) {
  const auto computing = make_times(16, 24, 2);
  auto waiting = make_times(16, 24, 3);
  for (std::size_t rank = 0; rank < 16; ++rank)
    for (std::size_t i = 2; i < 24; ++i)
      waiting[rank][i] = 1'200'000 - computing[rank][i - 2];
  write(make_ranks(computing, waiting));

  const auto report = correlate_iterations();
  ASSERT_EQ(report.scope.axes.size(), 2u);
  EXPECT_EQ(report.scope.axes[1].name, "iteration");
  EXPECT_EQ(report.scope.axes[1].size, 24u);
  EXPECT_FALSE(report.scope.axes[1].chosen);

  const auto& finding = find(report, "main > step > compute");
  EXPECT_LT(finding.r, -0.85);
  EXPECT_THAT(finding.shift, ElementsAre(0, -2));
}

TEST_F(CorrelatePassTest, IsTheSameForAnyNumberOfThreadsAndAnyMemory) {
  write(make_ranks(make_times(12, 20, 4), make_times(12, 20, 5)));
  options_.views.metrics = {"all"};
  options_.views.least_share = 0;
  options_.most_chance = 1;

  std::vector<CorrelationReport> reports;
  for (std::size_t threads : {1, 2, 4}) {
    const ThreadLimit limit(threads);
    reports.push_back(correlate_iterations(threads == 4 ? 1 : unlimited_memory));
  }

  for (const auto& report : reports) {
    ASSERT_EQ(report.findings.size(), reports[0].findings.size());
    for (std::size_t f = 0; f < report.findings.size(); ++f) {
      const auto& one = reports[0].findings[f];
      const auto& other = report.findings[f];
      EXPECT_EQ(one.view, other.view);
      EXPECT_EQ(one.same, other.same);
      EXPECT_EQ(one.r, other.r);
      EXPECT_EQ(one.shift, other.shift);
      EXPECT_EQ(one.chance, other.chance);
    }
  }
}

TEST_F(CorrelatePassTest, ListsIdenticalViewsOnce) {
  const auto computing = make_times(8, 1, 6);
  write(make_ranks(computing, computing));
  options_.views.query = "time:main > step > compute";
  options_.views.metrics = {"all"};
  options_.views.least_share = 0;
  options_.most_chance = 1;

  // The time in MPI_Recv is the same under the names of several metrics.
  const auto report = correlate();
  const std::string receive = "main > step > MPI_Recv";
  const auto& finding = find(report, receive);
  EXPECT_NEAR(finding.r, 1, 1e-6);
  ASSERT_FALSE(finding.same.empty());
  for (auto view : finding.same)
    EXPECT_EQ(report.scope.views[view].call_path, receive);

  const auto listed = std::count_if(
      report.findings.begin(), report.findings.end(), [&](const CorrelationFinding& one) {
        return report.scope.views[one.view].call_path == receive && one.r > 0.999;
      });
  EXPECT_EQ(listed, 1);
}

TEST_F(CorrelatePassTest, TakesNamesBeforeGlobs) {
  write(make_ranks(make_times(8, 1, 7), make_times(8, 1, 8)));
  options_.views.query = "main > * > compute";
  const auto report = correlate();
  EXPECT_EQ(report.scope.views[report.query].call_path, "main > step > compute");
  EXPECT_EQ(report.scope.views[report.query].metric, "execution time");

  options_.views.query = "time:nowhere";
  EXPECT_THAT(refusal(), HasSubstr("no process has such a view"));
  options_.views.query = "time:main";
  options_.views.metrics = {"nothing"};
  EXPECT_THAT(refusal(), HasSubstr("no such metric"));
}

TEST_F(CorrelatePassTest, PutsRanksOntoAGivenGrid) {
  write(make_ranks(make_times(12, 1, 9), make_times(12, 1, 10)));

  options_.grid.sizes = {3, 5};
  EXPECT_EQ(correlate().scope.axes.size(), 2u) << "three places stay empty";
  options_.axes = {"y"};
  EXPECT_FALSE(correlate().scope.axes[0].chosen);

  options_.axes = {"w"};
  EXPECT_THAT(refusal(), HasSubstr("there is no such axis (one of: process, x, y)"));
  options_.axes.clear();
  options_.grid.sizes = {2, 5};
  EXPECT_THAT(refusal(), HasSubstr("10 places do not hold 12 processes"));
  options_.grid.sizes = {1, 12};
  options_.axes = {"x"};
  EXPECT_THAT(refusal(), HasSubstr("fewer than 2 processes along the chosen axes"));
}

// Ranks that are left out leave holes: the others are where they were.
TEST_F(CorrelatePassTest, LeavesHolesWhereRanksAreLeftOut) {
  const auto computing = make_times(16, 1, 24);
  auto waiting = computing;
  for (std::size_t rank = 4; rank < 16; ++rank)
    waiting[rank] = computing[rank - 4];
  write(make_ranks(computing, waiting));
  members_ = {1, 2, 5, 6, 9, 10, 13, 14};

  auto report = correlate();
  EXPECT_EQ(report.scope.processes, 8u);
  EXPECT_EQ(report.scope.axes[0].size, 16u);
  EXPECT_THAT(find(report, "main > step > compute").shift, ElementsAre(-4));

  options_.grid.sizes = {4, 4};
  report = correlate();
  EXPECT_THAT(find(report, "main > step > compute").shift, ElementsAre(-1, 0));
  EXPECT_GT(find(report, "main > step > compute").r, 0.5);

  options_.grid.sizes = {2, 4};
  EXPECT_THAT(refusal(), HasSubstr("8 places do not hold 16 processes (the product of the sizes "
                                   "has to be at least that: 8 are there"));
  options_.grid.sizes = {4, 0};
  EXPECT_THAT(refusal(), HasSubstr("an axis without points holds nothing"));
  options_.grid.sizes = {4, 4};
  options_.axes = {"x"};
  members_ = {0, 5, 10, 15};
  EXPECT_THAT(refusal(), HasSubstr("fewer than 2 processes along the chosen axes"));
}

// Ranks of a made-up trace cannot make it take more memory than there is.
TEST_F(CorrelatePassTest, TakesImpossibleRanksInTheirOrder) {
  write(make_ranks(make_times(8, 1, 25), make_times(8, 1, 26)));
  plan_.processes[3].rank = ~std::uint64_t{0};
  EXPECT_EQ(correlate().scope.axes[0].size, 8u);
  plan_.processes[3].rank = 2;
  EXPECT_EQ(correlate().scope.axes[0].size, 8u);
  plan_.processes[3].rank = std::uint64_t{1} << 30;
  EXPECT_THROW(correlate(64 << 20), Error);
}

TEST_F(CorrelatePassTest, LeavesHolesWhereProcessesHaveFewerIterations) {
  auto computing = make_times(12, 20, 27);
  auto waiting = make_times(12, 20, 28);
  for (std::size_t rank = 0; rank < 12; ++rank) {
    for (std::size_t i = 1; i < 20; ++i)
      waiting[rank][i] = 1'200'000 - computing[rank][i - 1];
    computing[rank].resize(20 - rank);
    waiting[rank].resize(20 - rank);
  }
  write(make_ranks(computing, waiting));

  const auto report = correlate_iterations();
  EXPECT_EQ(report.scope.axes[1].size, 20u);
  const auto& finding = find(report, "main > step > compute");
  EXPECT_LT(finding.r, -0.8);
  EXPECT_THAT(finding.shift, ElementsAre(0, -1));

  // What is missing is not 0: where all have the same in each iteration, nothing varies.
  for (auto& rank : computing)
    std::fill(rank.begin(), rank.end(), 500'000);
  testing::TestFolder other;
  write_archive(make_ranks(computing, waiting), other.path());
  archive_.emplace((other.path() / "traces.otf2").string(), diagnostics_);
  plan_ = make_plan(*archive_, {});
  add_profiles(plan_, *archive_, {}, diagnostics_);
  const auto without = correlate_iterations();
  for (const auto& one : without.findings)
    EXPECT_NE(without.scope.views[one.view].call_path, "main > step > compute");
}

// Names of C++ have stars: 'MPI_*' is a function here, though one with more time matches it.
TEST_F(CorrelatePassTest, TakesTheExactNameWhereTheGlobMatchesMore) {
  auto longer = make_times(8, 1, 30);
  for (auto& rank : longer)
    rank[0] += 2'000'000;
  auto content = make_ranks(make_times(8, 1, 29), longer);
  for (auto& d : content.definitions)
    if (d.kind == DefinitionKind::String && d.text == "compute")
      d.text = "operator*";
    else if (d.kind == DefinitionKind::String && d.text == "MPI_Recv")
      d.text = "operator*=";
  write(content);

  options_.views.query = "time:main > step > operator*";
  auto report = correlate();
  EXPECT_EQ(report.scope.views[report.query].call_path, "main > step > operator*");
  options_.views.query = "time:main > st* > operator*";
  report = correlate();
  EXPECT_EQ(report.scope.views[report.query].call_path, "main > step > operator*=")
      << "as a glob, it means the one with most time";
}

// Two rows of four, filled from the end.
MadeTopology make_topology() {
  MadeTopology topology{"torus", {2, 4}, true, {}};
  for (std::uint64_t rank = 0; rank < 8; ++rank)
    topology.coordinates.push_back({1 - rank / 4, 3 - rank % 4});
  return topology;
}

TEST_F(CorrelatePassTest, PutsRanksWhereATopologySays) {
  const auto computing = make_times(8, 1, 11);
  auto waiting = computing;
  for (std::size_t rank = 0; rank < 8; ++rank)
    waiting[rank] = computing[rank / 4 * 4 + (rank + 1) % 4];
  write(make_ranks(computing, waiting, {make_topology()}));

  options_.grid.topology = "torus";
  const auto report = correlate();
  ASSERT_EQ(report.scope.axes.size(), 2u);
  EXPECT_TRUE(report.scope.axes[1].periodic);
  const auto& finding = find(report, "main > step > compute");
  EXPECT_NEAR(finding.r, 1, 1e-5);
  EXPECT_THAT(finding.shift, ElementsAre(0, -1)) << "the coordinates run against the ranks";

  options_.grid.topology = "ring";
  EXPECT_THAT(refusal(), HasSubstr("no such topology (one of: torus)"));
}

TEST_F(CorrelatePassTest, RefusesTopologiesWithOddCoordinates) {
  auto doubled = make_topology();
  doubled.name = "doubled";
  doubled.coordinates[3] = doubled.coordinates[2];
  auto missing = make_topology();
  missing.name = "missing";
  missing.coordinates.pop_back();
  auto outside = make_topology();
  outside.name = "outside";
  outside.coordinates[5] = {0, 4};
  auto twice = make_topology();
  twice.name = "twice";
  auto content =
      make_ranks(make_times(8, 1, 12), make_times(8, 1, 13), {doubled, missing, outside, twice});
  content.definitions.push_back(content.definitions.back());
  write(content);

  options_.grid.topology = "doubled";
  EXPECT_THAT(refusal(), HasSubstr("has two ranks at the same place, one of them rank 3 "
                                   "(give a grid with `grid` instead)"));
  options_.grid.topology = "missing";
  EXPECT_THAT(refusal(), HasSubstr("has no coordinates of 1 of 8 processes (give a grid"));
  options_.grid.topology = "outside";
  EXPECT_THAT(refusal(), HasSubstr("has coordinates of rank 5 that are outside of it (give a"));
  options_.grid.topology = "twice";
  EXPECT_THAT(refusal(), HasSubstr("has coordinates of rank 7 twice (give a grid"));
}

// Figure 1 of the frequency paper, as node by place on it: compute has peaks along the nodes on
// every second place, MPI_Recv the same peaks on all places.
TEST_F(CorrelatePassTest, PutsRanksWhereTheyAreOnTheMachine) {
  const std::uint64_t peaks[] = {4, 3, 0, 3, 4, 3, 0, 3};
  MadeTimes computing, waiting;
  for (std::size_t rank = 0; rank < 64; ++rank) {
    computing.push_back({100 + (rank % 2 == 0 ? 100'000 * peaks[rank / 8] : 0)});
    waiting.push_back({100 + 100'000 * peaks[rank / 8]});
  }
  auto content = make_ranks(computing, waiting);
  const auto add_level = [&](std::size_t count, std::uint64_t first, std::uint64_t first_parent,
                             const std::string& class_name) {
    const auto add_text = [&](std::uint64_t id, const std::string& text) {
      auto& d = content.definitions.emplace_back();
      d.kind = DefinitionKind::String;
      d.fields[0] = id;
      d.text = text;
      return id;
    };
    const auto kind = add_text(1000 * first, class_name);
    for (std::uint64_t n = 0; n < count; ++n) {
      const auto name = add_text(1000 * first + n + 1, class_name + std::to_string(n));
      auto& d = content.definitions.emplace_back();
      d.kind = DefinitionKind::SystemTreeNode;
      const auto parent = first_parent + (first_parent == 0 ? 0 : n / 2);
      d.fields[0] = first + n;
      d.fields[1] = name;
      d.fields[2] = kind;
      d.fields[3] = parent;
    }
  };
  add_level(8, 1, 0, "node");
  add_level(16, 100, 1, "socket");
  for (auto& d : content.definitions)
    if (d.kind == DefinitionKind::LocationGroup)
      d.fields[3] = 1 + d.fields[0] / 8;
  write(content);
  options_.views.query = "time:main > step > compute";
  options_.axes = {"node"};
  options_.wrap = true;

  auto report = correlate();
  ASSERT_EQ(report.scope.axes.size(), 2u);
  EXPECT_EQ(report.scope.axes[0].name, "node");
  EXPECT_EQ(report.scope.axes[0].size, 8u);
  EXPECT_EQ(report.scope.axes[1].name, "place");
  EXPECT_EQ(report.scope.axes[1].size, 8u);
  EXPECT_FALSE(report.scope.axes[1].chosen);
  EXPECT_NEAR(find(report, "main > step > MPI_Recv").r, std::sqrt(30.0 / 37), 1e-3);
  EXPECT_THAT(find(report, "main > step > MPI_Recv").shift, ElementsAre(0, 0));

  options_.axes = {"core"};
  EXPECT_THAT(refusal(), HasSubstr("there is no such axis (one of: process, node, place)"));

  // With sockets, of which some have fewer ranks than others: these leave empty places.
  for (auto& d : content.definitions)
    if (d.kind == DefinitionKind::LocationGroup)
      d.fields[3] = 100 + d.fields[0] / 8 * 2 + (d.fields[0] % 8 > 2);
  testing::TestFolder other;
  write_archive(content, other.path());
  archive_.emplace((other.path() / "traces.otf2").string(), diagnostics_);
  plan_ = make_plan(*archive_, {});
  add_profiles(plan_, *archive_, {}, diagnostics_);
  options_.axes = {"node", "place"};
  report = correlate();
  ASSERT_EQ(report.scope.axes.size(), 3u);
  EXPECT_EQ(report.scope.axes[1].name, "socket");
  EXPECT_EQ(report.scope.axes[1].size, 2u);
  EXPECT_FALSE(report.scope.axes[1].chosen);
  EXPECT_EQ(report.scope.axes[2].size, 5u);
  EXPECT_EQ(report.scope.processes, 64u);
}

// A counter "joules" that each rank records when it begins and ends to compute.
testing::TraceContent add_counter(testing::TraceContent content, const std::vector<double>& ends) {
  const auto add = [&](DefinitionKind kind, std::vector<std::uint64_t> fields,
                       std::vector<std::uint64_t> list) {
    auto& d = content.definitions.emplace_back();
    d.kind = kind;
    std::copy(fields.begin(), fields.end(), d.fields.begin());
    d.list = std::move(list);
  };
  constexpr std::uint64_t joules = 900;
  add(DefinitionKind::String, {joules}, {});
  content.definitions.back().text = "joules";
  add(DefinitionKind::MetricMember,
      {0, joules, joules, 0, otf2_value::metric_accumulated, otf2_value::type_double, 0, 0, joules},
      {});
  add(DefinitionKind::MetricClass, {0, 1, 0, 0, 0}, {0});

  for (auto& location : content.events) {
    auto& events = location.second;
    const auto record = [&](std::size_t place, double value) {
      Event event;
      event.kind = EventKind::Metric;
      event.time = events[place].time;
      event.fields[0] = 0;
      event.fields[1] = 1;
      event.list = {otf2_value::type_double, std::bit_cast<std::uint64_t>(value)};
      events.insert(events.begin() + static_cast<std::ptrdiff_t>(place), event);
    };
    // Enter main, Enter step, Enter compute, Leave compute.
    record(3, ends[location.first]);
    record(3, 0);
  }
  return content;
}

TEST_F(CorrelatePassTest, KeepsTheValuesOfBothViewsWhereTheyAreWanted) {
  const auto times = make_times(8, 1, 20);
  write(make_ranks(times, times));
  options_.views.query = "time:main > step > compute";
  EXPECT_TRUE(correlate().pictures.empty());

  options_.pictures = 1;
  options_.most_chance.reset();
  const auto report = correlate();
  ASSERT_FALSE(report.findings.empty());
  ASSERT_EQ(report.pictures.size(), 2u);
  EXPECT_EQ(report.pictures[0].view, report.query);
  EXPECT_EQ(report.pictures[1].view, report.findings.front().view);
  for (const auto& picture : report.pictures) {
    EXPECT_EQ(picture.values.size(), 8u);
    EXPECT_DOUBLE_EQ(std::accumulate(picture.values.begin(), picture.values.end(), 0.0),
                     report.scope.views[picture.view].sum);
  }
}

TEST_F(CorrelatePassTest, TakesOddCounterValuesAsNotRecorded) {
  std::vector<double> ends{5, 3, 7, 2, 8, 4, 6, 1};
  ends[2] = std::numeric_limits<double>::quiet_NaN();
  ends[5] = std::numeric_limits<double>::infinity();
  write(add_counter(make_ranks(make_times(8, 1, 20), make_times(8, 1, 21)), ends));
  options_.views.query = "joules:main > step > compute";

  const auto report = correlate();
  EXPECT_EQ(report.scope.views[report.query].sum, 5 + 3 + 2 + 8 + 6 + 1);
  for (const auto& finding : report.findings)
    EXPECT_TRUE(std::isfinite(finding.r));
  EXPECT_THAT(
      diagnostics_.warnings(),
      Contains(HasSubstr("infinite or no numbers count as not recorded; take other metrics, "
                         "or leave out those processes: location 2 and 1 more")));
}

// As not recorded, and not as 0: r is that of the values that are known, about their own mean.
TEST_F(CorrelatePassTest, LeavesProcessesWithOddCounterValuesOutOfItsViews) {
  const auto computing = make_times(16, 1, 31);
  std::vector<double> ends;
  for (const auto& rank : computing)
    ends.push_back(static_cast<double>(rank[0]));
  ends[2] = std::numeric_limits<double>::quiet_NaN();
  ends[9] = std::numeric_limits<double>::infinity();
  write(add_counter(make_ranks(computing, make_times(16, 1, 32)), ends));
  options_.views.query = "joules:main > step > compute";
  options_.max_shift = 0;

  const auto report = correlate();
  const auto& finding = find(report, "main > step > compute");
  double mean = 0;
  for (std::size_t rank = 0; rank < 16; ++rank)
    mean += rank == 2 || rank == 9 ? 0 : ends[rank] / 14;
  double all_mean = 0;
  for (const auto& rank : computing)
    all_mean += static_cast<double>(rank[0]) / 16;
  double product = 0;
  double squares = 0;
  double all_squares = 0;
  for (std::size_t rank = 0; rank < 16; ++rank) {
    const auto known = rank == 2 || rank == 9 ? 0 : ends[rank] - mean;
    const auto time = static_cast<double>(computing[rank][0]) - all_mean;
    product += known * time;
    squares += known * known;
    all_squares += time * time;
  }
  EXPECT_NEAR(finding.r, product / std::sqrt(squares * all_squares), 1e-5);
  EXPECT_NEAR(finding.plain, finding.r, 1e-5);
}

TEST_F(CorrelatePassTest, TakesRatesBySecondsOfTheCallPath) {
  const auto computing = make_times(8, 1, 22);
  write(make_ranks(computing, make_times(8, 1, 23)));
  options_.views.query = "visits/s:main > step > compute";

  double sum = 0;
  for (const auto& rank : computing)
    sum += 1e9 / static_cast<double>(rank[0]);
  const auto report = correlate();
  EXPECT_TRUE(report.scope.views[report.query].per_second);
  EXPECT_NEAR(report.scope.views[report.query].sum, sum, 1e-6 * sum);
  EXPECT_LT(find(report, "main > step > compute").plain, -0.5);
}

TEST_F(CorrelatePassTest, LeavesOutWhatLuckExplains) {
  write(make_ranks(make_times(8, 1, 14), make_times(8, 1, 15)));
  options_.most_chance = 1;
  const auto all = correlate();
  ASSERT_FALSE(all.findings.empty());
  for (const auto& finding : all.findings)
    EXPECT_GT(*finding.chance, correlation::usual_chance);

  options_.most_chance = correlation::usual_chance;
  const auto few = correlate();
  EXPECT_TRUE(few.findings.empty());
  EXPECT_EQ(few.left_out_by_chance, all.findings.size());
}

// Some ranks, never two beside each other, compute longer than the others.
MadeTimes make_long_ones(std::size_t ranks, std::size_t iterations, unsigned seed) {
  std::mt19937 random(seed);
  MadeTimes times(ranks, std::vector<std::uint64_t>(iterations, 50'000));
  for (std::size_t i = 0; i < iterations; ++i)
    for (std::size_t rank = random() % 3; rank < ranks; rank += 2 + random() % 3)
      times[rank][i] += 100'000 + random() % 1'000'000;
  return times;
}

class ExplainTest : public CorrelatePassTest {
 protected:
  ExplanationReport explain() {
    options_.views.metrics.clear();
    options_.most_chance = correlation::usual_chance;
    return explain_waits(take(), options_, 20);
  }
  ExplanationReport explain_iterations() {
    options_.views.metrics.clear();
    options_.most_chance = correlation::usual_chance;
    const auto loops = find_loops_pass({*archive_, plan_, {}, diagnostics_}, members(), {"step"});
    return explain_waits(take(SeriesLoop{loops, 0}), options_, 20);
  }
};

TEST_F(ExplainTest, NamesTheComputationOfTheRankBefore) {
  write(make_chain(make_long_ones(32, 1, 31), make_times(32, 1, 32)));

  const auto report = explain();
  ASSERT_EQ(report.waits.size(), 1u);
  const auto& wait = report.waits[0];
  EXPECT_EQ(report.scope.views[wait.view].call_path, "main > step > MPI_Recv");
  EXPECT_EQ(report.scope.views[wait.view].metric, "MPI late-sender time");
  EXPECT_DOUBLE_EQ(wait.share, 1);

  ASSERT_TRUE(wait.cause);
  const auto& cause = report.scope.views[wait.cause->view];
  EXPECT_EQ(cause.call_path, "main > step > compute");
  EXPECT_FALSE(cause.is_mpi);
  EXPECT_GT(wait.cause->r, 0.95);
  EXPECT_THAT(wait.cause->shift, ElementsAre(-1));
  EXPECT_LE(*wait.cause->chance, 0.05);
}

TEST_F(ExplainTest, NamesItIterationByIteration) {
  write(make_chain(make_long_ones(12, 16, 33), make_times(12, 16, 34)));

  const auto report = explain_iterations();
  ASSERT_EQ(report.waits.size(), 1u);
  ASSERT_TRUE(report.waits[0].cause);
  EXPECT_EQ(report.scope.views[report.waits[0].cause->view].call_path, "main > step > compute");
  EXPECT_THAT(report.waits[0].cause->shift, ElementsAre(-1, 0));
}

TEST_F(ExplainTest, SaysNothingOfWhatOnlyLuckExplains) {
  const auto computing = make_long_ones(8, 1, 35);
  write(make_chain(computing, make_times(8, 1, 36)));
  options_.views.least_share = 0;
  options_.max_shift = 0;

  const auto report = explain();
  ASSERT_EQ(report.waits.size(), 1u);
  EXPECT_FALSE(report.waits[0].cause) << "the cause is one rank away";
}

// Each rank updates as long as it waited before: in the same iteration, or in an earlier one.
MadeTimes update_as_it_waited(const MadeTimes& computing, std::size_t iterations_before) {
  MadeTimes updating(computing.size(), std::vector<std::uint64_t>(computing[0].size(), 10'000));
  for (std::size_t rank = 1; rank < computing.size(); ++rank)
    for (auto i = iterations_before; i < computing[rank].size(); ++i) {
      const auto there = computing[rank - 1][i - iterations_before];
      const auto here = computing[rank][i - iterations_before];
      updating[rank][i] += there > here ? there - here : 0;
    }
  return updating;
}

TEST_F(ExplainTest, NamesNothingThatBeginsWhenTheWaitHasEnded) {
  const auto computing = make_long_ones(32, 1, 41);
  write(make_chain(computing, update_as_it_waited(computing, 0)));

  const auto report = explain();
  ASSERT_EQ(report.waits.size(), 1u);
  ASSERT_TRUE(report.waits[0].cause);
  EXPECT_EQ(report.scope.views[report.waits[0].cause->view].call_path, "main > step > compute");
  EXPECT_THAT(report.waits[0].cause->shift, ElementsAre(-1));
}

TEST_F(ExplainTest, NamesNothingThatBeginsLaterInTheIteration) {
  const auto computing = make_long_ones(12, 16, 42);
  write(make_chain(computing, update_as_it_waited(computing, 0)));

  const auto report = explain_iterations();
  ASSERT_EQ(report.waits.size(), 1u);
  ASSERT_TRUE(report.waits[0].cause);
  EXPECT_EQ(report.scope.views[report.waits[0].cause->view].call_path, "main > step > compute");
  EXPECT_THAT(report.waits[0].cause->shift, ElementsAre(-1, 0));
}

TEST_F(ExplainTest, NamesNothingOfALaterIteration) {
  const auto computing = make_long_ones(12, 16, 44);
  write(make_chain(computing, update_as_it_waited(computing, 1)));

  const auto report = explain_iterations();
  ASSERT_EQ(report.waits.size(), 1u);
  ASSERT_TRUE(report.waits[0].cause);
  EXPECT_EQ(report.scope.views[report.waits[0].cause->view].call_path, "main > step > compute");
  EXPECT_THAT(report.waits[0].cause->shift, ElementsAre(-1, 0));
}

// What takes long in one iteration may be why the next one waits.
TEST_F(ExplainTest, NamesWhatBeganInAnEarlierIteration) {
  const auto computing = make_long_ones(12, 16, 43);
  auto updating = update_as_it_waited(computing, 0);
  for (auto& rank : updating)
    std::rotate(rank.begin(), rank.begin() + 1, rank.end());
  write(make_chain(computing, updating));

  const auto report = explain_iterations();
  ASSERT_EQ(report.waits.size(), 1u);
  ASSERT_TRUE(report.waits[0].cause);
  EXPECT_EQ(report.scope.views[report.waits[0].cause->view].call_path, "main > step > update");
  EXPECT_THAT(report.waits[0].cause->shift, ElementsAre(0, -1));
}

// In iteration i, which all begin together, rank r calls main > step > compute, which updates for
// inner[r][i] and then computes by itself for own[r][i]. Then all wait for rank 0, which takes
// longest.
testing::TraceContent make_nested(const MadeTimes& own, const MadeTimes& inner) {
  const auto ranks = own.size();
  auto content = testing::define_ranks(ranks);
  const auto rows = own.front().size();
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    auto& events = content.events[rank];
    const auto call = [&](EventKind kind, std::uint64_t time, std::uint64_t region) {
      testing::record(events, kind, time, {region});
    };

    std::uint64_t begin = 1000;
    call(EventKind::Enter, 0, testing::made_main);
    for (std::size_t i = 0; i < rows; ++i) {
      auto time = begin;
      call(EventKind::Enter, time, testing::made_step);
      call(EventKind::Enter, time, testing::made_compute);
      if (inner[rank][i] > 0) {
        call(EventKind::Enter, time, testing::made_update);
        call(EventKind::Leave, time += inner[rank][i], testing::made_update);
      }
      call(EventKind::Leave, time += own[rank][i], testing::made_compute);

      const auto sending = begin + inner[0][i] + own[0][i];
      for (std::uint64_t to = 1; rank == 0 && to < ranks; ++to) {
        call(EventKind::Enter, sending + 2 * to, testing::made_send);
        testing::record(events, EventKind::MpiSend, sending + 2 * to, {to, 0, 0, 800});
        call(EventKind::Leave, sending + 2 * to + 1, testing::made_send);
      }
      if (rank > 0) {
        call(EventKind::Enter, time, testing::made_receive);
        testing::record(events, EventKind::MpiRecv, sending + 2 * rank + 1, {0, 0, 0, 800});
        call(EventKind::Leave, sending + 2 * rank + 1, testing::made_receive);
      }
      begin = sending + 4 * ranks;
      call(EventKind::Leave, begin - 1, testing::made_step);
    }
    call(EventKind::Leave, begin, testing::made_main);
  }
  return content;
}

// Rank 0 takes longest.
MadeTimes make_first_longest(std::size_t ranks, std::size_t iterations, unsigned seed) {
  auto times = make_times(ranks, iterations, seed);
  times[0].assign(iterations, 1'200'000);
  return times;
}

double sum_all(const MadeTimes& times) {
  double sum = 0;
  for (const auto& rank : times)
    sum += std::accumulate(rank.begin(), rank.end(), 0.0);
  return sum;
}

TEST_F(CorrelatePassTest, TakesCallPathsWithWhatTheyCall) {
  const auto own = make_first_longest(16, 1, 51);
  const auto inner = make_first_longest(16, 1, 52);
  write(make_nested(own, inner));
  const std::string compute = "main > step > compute";
  options_.views.query = "time:main > step > MPI_Recv";
  options_.views.metrics.clear();
  options_.views.least_share = 0;

  auto report = correlate();
  std::vector<std::string> inclusive;
  for (const auto& view : report.scope.views)
    if (view.is_inclusive)
      inclusive.push_back(view.call_path);
  EXPECT_THAT(inclusive, ElementsAre("main", "main > step", compute))
      << "the others call nothing, so that they are what they are alone";
  for (const auto& finding : report.findings) {
    const auto& view = report.scope.views[finding.view];
    EXPECT_FALSE(view.is_inclusive && view.call_path != compute)
        << view.call_path << " has the queried view in it";
  }
  const auto best = std::find_if(
      report.findings.begin(), report.findings.end(),
      [&](const auto& finding) { return report.scope.views[finding.view].is_inclusive; });
  ASSERT_NE(best, report.findings.end());
  EXPECT_LT(best->r, -0.9999);
  EXPECT_THAT(best->shift, ElementsAre(0));

  options_.views.query = "inclusive time:" + compute;
  options_.views.metrics = {"time", "inclusive time", "inclusive visits/s"};
  report = correlate();
  EXPECT_DOUBLE_EQ(report.scope.views[report.query].sum, sum_all(own) + sum_all(inner));
  EXPECT_GT(find(report, "main > step > compute > update").r, 0.3) << "a part of it";

  // Twice a call in the time of both.
  options_.views.query = "inclusive visits/s:" + compute;
  report = correlate();
  double rates = 0;
  for (std::size_t rank = 0; rank < own.size(); ++rank)
    rates += 2e9 / static_cast<double>(own[rank][0] + inner[rank][0]);
  EXPECT_NEAR(report.scope.views[report.query].sum, rates, 1e-6 * rates);

  options_.views.query = "inclusive time:main > step > MPI_Recv";
  report = correlate();
  EXPECT_EQ(report.scope.views[report.query].call_path, "main > step > MPI_Recv");
}

TEST_F(CorrelatePassTest, TakesCallPathsWithWhatTheyCallInEachIteration) {
  const auto own = make_first_longest(12, 16, 53);
  const auto inner = make_first_longest(12, 16, 54);
  write(make_nested(own, inner));
  options_.views.metrics = {"time", "inclusive time"};
  options_.axes = {"process", "iteration"};

  const auto report = correlate_iterations();
  const auto best = report.findings.front();
  EXPECT_EQ(report.scope.views[best.view].metric, "inclusive time");
  EXPECT_EQ(report.scope.views[best.view].call_path, "main > step > compute");
  EXPECT_DOUBLE_EQ(report.scope.views[best.view].sum, sum_all(own) + sum_all(inner));
  EXPECT_LT(best.r, -0.9999);
  EXPECT_THAT(best.shift, ElementsAre(0, 0));
}

TEST_F(ExplainTest, NamesACallWithAllThatItCalls) {
  write(make_nested(make_first_longest(32, 1, 55), make_first_longest(32, 1, 56)));

  const auto report = explain();
  ASSERT_EQ(report.waits.size(), 1u);
  EXPECT_EQ(report.scope.views[report.waits[0].view].metric, "MPI late-sender time");
  ASSERT_TRUE(report.waits[0].cause);
  const auto& cause = report.scope.views[report.waits[0].cause->view];
  EXPECT_EQ(cause.metric, "inclusive time");
  EXPECT_EQ(cause.call_path, "main > step > compute");
  EXPECT_LT(report.waits[0].cause->r, -0.9999);
  EXPECT_THAT(report.waits[0].cause->shift, ElementsAre(0));
}

// Ranks with even numbers update, and so have less to wait for.
TEST_F(ExplainTest, SaysWhichCallsGoWithWaiting) {
  const std::size_t ranks = 24;
  const auto own = make_first_longest(ranks, 1, 57);
  MadeTimes inner(ranks, {0});
  std::vector<double> waiting(2), computing(2);  // by whether it updates
  for (std::size_t rank = 0; rank < ranks; rank += 2)
    inner[rank] = {1'500'000};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto sending = rank == 0 ? 0 : own[0][0] + inner[0][0] + 2 * rank;
    computing[rank % 2 == 0] += static_cast<double>(own[rank][0] + inner[rank][0]);
    waiting[rank % 2 == 0] +=
        rank == 0 ? 0 : static_cast<double>(sending - own[rank][0] - inner[rank][0]);
  }
  write(make_nested(own, inner));

  const auto report = explain();
  ASSERT_EQ(report.structure.size(), 2u) << "what one rank does, or all but one, says nothing";
  for (const auto& finding : report.structure) {
    EXPECT_EQ(finding.caller, "compute");
    EXPECT_EQ(finding.callee, "update");
    EXPECT_EQ(finding.ranks, ranks / 2);
    EXPECT_EQ(finding.same, 0u);
    EXPECT_LE(*finding.chance, 0.05);
    ASSERT_TRUE(finding.ratio);
    if (finding.is_waiting) {
      EXPECT_LT(finding.r, -0.8);
      EXPECT_NEAR(*finding.ratio, waiting[1] / waiting[0], 1e-6);
    } else {
      EXPECT_GT(finding.r, 0.8);
      EXPECT_NEAR(*finding.ratio, computing[1] / computing[0], 0.05);
    }
  }
  EXPECT_NE(report.structure[0].is_waiting, report.structure[1].is_waiting);
}

TEST_F(ExplainTest, IsEmptyWhereNobodyWaits) {
  write(make_chain(MadeTimes(8, {500'000}), make_times(8, 1, 38)));
  const auto report = explain();
  EXPECT_TRUE(report.waits.empty());
  EXPECT_EQ(report.waiting, 0);
}

TEST_F(ExplainTest, IsAnErrorWhereNothingTellsWhoWaits) {
  write(make_ranks(make_times(8, 1, 37), make_times(8, 1, 38)));
  EXPECT_THROW(explain(), Error);
}

TEST_F(CorrelatePassTest, ClustersAreTheSameForAnyNumberOfThreadsAndAnyMemory) {
  write(make_chain(make_long_ones(16, 12, 39), make_times(16, 12, 40)));
  const auto loops = find_loops_pass({*archive_, plan_, {}, diagnostics_}, members(), {"step"});
  options_.views.query.clear();
  options_.views.metrics = {"all"};
  options_.views.least_share = 0;
  options_.most_chance.reset();

  std::vector<ClusterReport> reports;
  for (std::size_t threads : {1, 2, 4}) {
    const ThreadLimit limit(threads);
    reports.push_back(correlate_all_pairs(
        take(SeriesLoop{loops, 0}, threads == 4 ? 1 : unlimited_memory), options_, 0.9));
  }

  ASSERT_FALSE(reports[0].clusters.empty());
  for (const auto& report : reports) {
    ASSERT_EQ(report.clusters.size(), reports[0].clusters.size());
    EXPECT_EQ(report.single, reports[0].single);
    EXPECT_EQ(report.constant, reports[0].constant);
    for (std::size_t c = 0; c < report.clusters.size(); ++c) {
      const auto& one = reports[0].clusters[c];
      const auto& other = report.clusters[c];
      EXPECT_EQ(one.leader, other.leader);
      EXPECT_EQ(one.same, other.same);
      ASSERT_EQ(one.members.size(), other.members.size());
      for (std::size_t m = 0; m < one.members.size(); ++m) {
        EXPECT_EQ(one.members[m].view, other.members[m].view);
        EXPECT_NEAR(one.members[m].r, other.members[m].r, 1e-5);
        EXPECT_EQ(one.members[m].shift, other.members[m].shift);
      }
    }
  }
}

}  // namespace tracefold::correlate_pass_test
