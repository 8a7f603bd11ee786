// A trace that was reduced before, reduced again: what is known of the first original stays known,
// and what is not known is not 0.
#include "base/error.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/fold_plan.hpp"
#include "pipeline/reduce/profile_plan.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/two_kinds_trace.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <string>

namespace tracefold::reduce_again_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::TraceBuilder;

using namespace testing::two_kinds;

// Two processes of each kind. Those of a kind send each other a message in each step.
class ReduceAgain : public ::testing::Test {
 protected:
  ReduceAgain() {
    const auto measure = [](std::uint64_t, std::uint64_t i) { return 100 * (i % 3 + 1); };
    testing::build_two_kinds_trace(measure).write(folder_.path());
  }

  std::shared_ptr<const Archive> open(const std::string& name) {
    return open_trace((folder_.path() / name / "traces.otf2").string(), diagnostics_);
  }

  // Reduces one folder into another one; with iterations where there is a region of them.
  Reduction reduce_to(const std::string& from, const std::string& to, const char* region) {
    ReduceOptions options;
    options.halo = parse_halo("off");
    options.output.folder = folder_.path() / to;
    options.output.rewrite.tree = tree_;
    if (region) {
      options.folding->asked.region = region;
      options.folding->max_clusters = 3;
    } else {
      options.folding.reset();
    }
    return reduce(open(from), options, context_);
  }

  ProcessProfiles profile(const std::string& name) {
    PlanSession session(open(name), context_);
    return read_process_profiles(session, {}, {});
  }

  // What all processes of a profile have of a metric.
  static std::uint64_t sum(const CallPathProfiles& profiles, Metric metric) {
    const auto column = profiles.columns.find(metric);
    EXPECT_TRUE(column);
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < profiles.processes.size(); ++p)
      for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k)
        sum += profiles.value(p, k, *column);
    return sum;
  }

  // The error of a map of a trace.
  std::string fail_to_map(const std::string& name, const std::string& metric,
                          const FoldOptions& options = {}) {
    PlanSession session(open(name), context_);
    session.profile();
    session.group({});
    MapOptions map;
    map.metric = metric;
    try {
      map_plan(session, map, options);
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::usage);
      return problem.what();
    }
    return "";
  }

  // "cluster > group", the nodes of the system tree above each location group.
  std::vector<std::string> list_nodes_above(const std::string& name) {
    using enum DefinitionKind;
    const auto archive = open(name);
    const auto& definitions = archive->definitions();
    std::vector<std::string> lines;
    for (const auto& d : definitions.all()) {
      if (d.kind != LocationGroup)
        continue;
      std::string line;
      for (const auto* node = definitions.find(Ref::system_tree_node,
                                               get_field<"systemTreeParent", LocationGroup>(d));
           node; node = definitions.find(Ref::system_tree_node,
                                         get_field<"parent", SystemTreeNode>(*node)))
        line = definitions.text(get_field<"name", SystemTreeNode>(*node)) +
               (line.empty() ? "" : " > ") + line;
      lines.push_back(std::move(line));
    }
    return lines;
  }
  void expect_to_hold(const std::string& name, const std::string& original) {
    EXPECT_THAT(list_violations(*open(name), *open(original)), IsEmpty())
        << name << " of " << original;
  }

  TreeChoice tree_ = TreeChoice::machine;
  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  Context context_{diagnostics_};
};

TEST_F(ReduceAgain, ShowsGroupsOnceHoweverOftenItIsReduced) {
  const auto machine = list_nodes_above(".").front();
  tree_ = TreeChoice::groups;
  reduce_to(".", "first", nullptr);
  const auto groups = list_nodes_above("first");
  EXPECT_THAT(groups, ElementsAre(machine + " > 2× like rank 0 · lacks output",
                                  machine + " > 2× like rank 2 · calls output"));
  reduce_to("first", "second", nullptr);
  EXPECT_EQ(list_nodes_above("second"), groups);

  tree_ = TreeChoice::machine;
  reduce_to("second", "third", nullptr);
  EXPECT_THAT(list_nodes_above("third"), ElementsAre(machine, machine));

  expect_to_hold("second", "first");
  EXPECT_THAT(list_broken_rules(*open("second"), *open(".")), IsEmpty());
  expect_to_hold("third", "second");
  EXPECT_THAT(list_broken_rules(*open("third"), *open(".")), IsEmpty());
}

TEST_F(ReduceAgain, CountsMessagesThatWereLeftOutBefore) {
  reduce_to(".", "first", nullptr);
  reduce_to("first", "second", "step");

  for (const auto* name : {"first", "second"}) {
    const auto found = profile(name).calls;
    EXPECT_EQ(sum(found, Metric::sends), 2 * iterations) << name;
    EXPECT_EQ(sum(found, Metric::bytes_received), 2 * iterations * bytes_of_a_message) << name;
  }
}

TEST_F(ReduceAgain, DoesNotKnowByIterationsWhatWasCutBeforeTheyWereFolded) {
  reduce_to(".", "first", nullptr);
  const auto made = reduce_to("first", "second", "step");

  FoldOptions options;
  options.asked.region = "step";
  EXPECT_THAT(fail_to_map("first", "sends", options), HasSubstr("is not known"));
  EXPECT_THAT(fail_to_map("second", "sends"), HasSubstr("is not known"));
  EXPECT_EQ(fail_to_map("second", "execution time"), "");
}

TEST_F(ReduceAgain, HasNoMetricsWhoseRecordsWereCutWhereNothingIsStored) {
  reduce_to(".", "first", nullptr);
  std::filesystem::remove(folder_.path() / "first" / plan_name);
  const auto made = reduce_to("first", "second", "step");

  for (const auto* name : {"first", "second"}) {
    const auto found = profile(name);
    EXPECT_FALSE(found.calls.columns.find(Metric::sends)) << name;
    EXPECT_THAT(found.calls.columns.cut, Contains(Metric::sends)) << name;
    std::vector<std::string> names;
    for (const auto& metric : found.metrics)
      names.push_back(metric.name);
    EXPECT_THAT(names, Not(Contains("communications"))) << name;
    EXPECT_THAT(names, Contains("collectives")) << name;
  }
}

TEST_F(ReduceAgain, KeepsTheMarkersAndWordsOfIterationsThatWereFolded) {
  reduce_to(".", "first", "step");
  reduce_to("first", "second", nullptr);

  const auto first = open("first"), second = open("second");
  EXPECT_FALSE(first->facts().markers.empty());
  EXPECT_EQ(second->facts().markers, first->facts().markers);
  EXPECT_EQ(second->facts().marker_kinds, first->facts().marker_kinds);
  for (const auto* name : {"TRACEFOLD::LOOP::1", "TRACEFOLD::CUT::MPISEND"}) {
    ASSERT_TRUE(first->facts().properties.contains(name)) << name;
    ASSERT_TRUE(second->facts().properties.contains(name)) << name;
    EXPECT_EQ(second->facts().properties.at(name), first->facts().properties.at(name)) << name;
  }
}

TEST_F(ReduceAgain, KeepsTheRulesAgainstTheFirstOriginal) {
  reduce_to(".", "first", "step");
  reduce_to("first", "second", nullptr);

  EXPECT_THAT(list_broken_rules(*open("second"), *open(".")), IsEmpty());
  Diagnostics ignored;
  EXPECT_FALSE(verify(*open("second"), *open("."), {}, ignored).is_related);
}

TEST_F(ReduceAgain, CountsNoCallsThatStandForIterations) {
  reduce_to(".", "first", "step");

  const auto count_pairs = [&](const std::string& name) {
    PlanSession session(open(name), context_);
    session.profile();
    std::vector<std::size_t> counts;
    for (const auto& intent : session.plan().intents)
      counts.push_back(intent.set.pairs.size());
    return counts;
  };
  ASSERT_TRUE(is_collapsed(open("first")->definitions()));
  EXPECT_EQ(count_pairs("first"), count_pairs("."));
}

// A rank with a thread beside the first that calls nothing and is left out.
TEST(ReduceThreadsAgain, NumbersThreadsAsTheOriginalDoes) {
  testing::TestFolder folder;
  TraceBuilder builder;
  constexpr std::uint64_t idle = 10, busy = 11;
  builder.add_region(main_region, "main");
  builder.add_region(compute, "compute");
  builder.add_location_group(0, {0, idle, busy});
  for (const auto location : {std::uint64_t{0}, busy}) {
    const auto region = location == busy ? compute : main_region;
    builder.record(location, EventKind::Enter, 1, {region});
    builder.record(location, EventKind::Leave, 2, {region});
  }
  builder.write(folder.path());

  Diagnostics diagnostics;
  const Context context{diagnostics};
  Plan plan = make_plan(*open_trace((folder.path() / "traces.otf2").string(), diagnostics),
                        {{{}, {}, "0,11"}});
  ReduceOptions options;
  options.output.folder = folder.path() / "small";
  reduce(PlanSession(std::move(plan), PlanUse::write, context), options);

  const auto small = open_trace((folder.path() / "small" / "traces.otf2").string(), diagnostics);
  const auto found = find_processes(small->definitions(), {});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].thread, 0u);
  EXPECT_EQ(found[1].thread, 2u);
}

}  // namespace tracefold::reduce_again_test
