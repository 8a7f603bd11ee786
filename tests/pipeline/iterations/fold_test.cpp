// Folding of iterations that hold every kind of record.
#include "base/for_each_index.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "tests/pipeline/verify/rules/check_rules.hpp"
#include "tests/support/group_and_name.hpp"
#include "tests/support/repeated_records.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <numeric>
#include <sstream>

namespace tracefold::fold_test {

using testing::iterations;

class FoldTest : public ::testing::Test {
 protected:
  FoldTest() { write_archive(testing::repeat_every_record(), original_.path()); }

  std::string anchor() const { return (original_.path() / "traces.otf2").string(); }

  // Folded to so many clusters, with one process of each group or all.
  Plan plan_of(const Archive& archive, std::size_t clusters, bool select_some) {
    auto plan = make_plan(archive, {});
    add_profiles(plan, archive, {}, diagnostics_);
    testing::group_and_name(plan, archive, 1);
    if (select_some)
      select(plan, {});

    FoldOptions options;
    options.asked.region = testing::repeated_region;
    options.max_clusters = clusters;
    const auto loops = find_loops_pass({archive, plan, {}, diagnostics_},
                                       list_folding_candidates(plan), options.asked);
    fold_iterations(archive, plan, loops, options, {}, diagnostics_);

    return plan;
  }

  RewriteSummary rewritten(const Archive& archive, const Plan& plan, bool draws_messages = true) {
    std::filesystem::remove_all(reduced_.path());
    RewriteOptions options;
    options.verify = true;
    options.draws_messages = draws_messages;
    return rewrite(archive, plan, reduced_.path(), options, {}, diagnostics_);
  }

  void expect_rules_hold(const Archive& archive) {
    Diagnostics none;
    const Archive reduced((reduced_.path() / "traces.otf2").string(), none);
    EXPECT_THAT(list_violations(reduced, archive), ::testing::IsEmpty());
  }

  testing::TestFolder original_, reduced_;
  Diagnostics diagnostics_;
};

TEST_F(FoldTest, LeavesNothingDanglingWhereAllProcessesStay) {
  const Archive archive(anchor(), diagnostics_);
  const auto plan = plan_of(archive, 1, false);
  ASSERT_EQ(plan.iterations->loops.size(), 1u);
  EXPECT_THAT(plan.iterations->loops[0].choice.kept, ::testing::ElementsAre(0, iterations - 1))
      << "all are alike, and the last one stays";
  EXPECT_GE(plan.iterations->processes.size(), 2u);
  const auto done = rewritten(archive, plan);
  EXPECT_TRUE(done.checked);
  EXPECT_LT(done.events, done.read / 2);
  expect_rules_hold(archive);
}

TEST_F(FoldTest, LeavesNothingDanglingWhereSomeProcessesStay) {
  const Archive archive(anchor(), diagnostics_);
  rewritten(archive, plan_of(archive, 1, true));
  expect_rules_hold(archive);
}

TEST_F(FoldTest, LeavesNothingDanglingWhereMessagesAreNotDrawn) {
  const Archive archive(anchor(), diagnostics_);
  const auto done = rewritten(archive, plan_of(archive, 1, false), false);
  EXPECT_EQ(done.sends, 0u);
  expect_rules_hold(archive);
}

TEST_F(FoldTest, CollapsesTheSameForAnyNumberOfThreads) {
  const Archive archive(anchor(), diagnostics_);
  std::vector<std::string> plans;
  for (std::size_t threads : {1, 2, 4}) {
    const ThreadLimit limit(threads);
    plans.push_back(to_json(plan_of(archive, 2, false)));
  }

  EXPECT_EQ(plans[0], plans[1]);
  EXPECT_EQ(plans[0], plans[2]);
}

TEST_F(FoldTest, SaysWhatStandsForWhat) {
  const Archive archive(anchor(), diagnostics_);
  rewritten(archive, plan_of(archive, 1, false));
  Diagnostics none;
  const Archive reduced((reduced_.path() / "traces.otf2").string(), none);
  EXPECT_THAT(reduced.facts().properties.at("TRACEFOLD::LOOP::1"),
              ::testing::HasSubstr("2 of 6 iterations kept"));
  std::vector<std::string> texts;
  for (const auto& m : reduced.facts().markers)
    if (m.text.starts_with("iteration"))
      texts.push_back(m.text);

  EXPECT_THAT(texts, ::testing::ElementsAre("iteration 0", "iteration 1 ≈ #0", "iteration 2 ≈ #0",
                                            "iteration 3 ≈ #0", "iteration 4 ≈ #0", "iteration 5"));
}

TEST_F(FoldTest, MeasuresThoseThatAreNotKept) {
  const Archive archive(anchor(), diagnostics_);
  const auto plan = plan_of(archive, 1, true);
  ASSERT_EQ(plan.iterations->loops.size(), 1u);
  const auto& all = plan.iterations->loops[0].all;
  ASSERT_TRUE(all);
  EXPECT_GT(all->processes, plan.iterations->processes.size());

  std::size_t stood_for = 0;
  for (const auto& r : *plan.representatives)
    for (const auto& aligned : plan.iterations->processes)
      if (aligned.process == r.process)
        stood_for += r.members.size();
  EXPECT_EQ(all->processes + all->unmeasured, stood_for);
}

// Whether processes are known to make the calls of their stand-ins, or have to be searched.
TEST_F(FoldTest, MeasuresTheSameWhetherCallsAreKnownToBeTheSame) {
  const Archive archive(anchor(), diagnostics_);
  const auto measure = [&](bool knows) {
    auto plan = make_plan(archive, {});
    add_profiles(plan, archive, {}, diagnostics_);
    testing::group_and_name(plan, archive, 1);
    select(plan, {});
    FoldOptions options;
    options.asked.region = testing::repeated_region;
    options.max_clusters = 2;
    const auto loops = find_loops_pass({archive, plan, {}, diagnostics_},
                                       list_folding_candidates(plan), options.asked);

    std::optional<CollectedCalls> calls;
    auto again = make_plan(archive, {});
    add_profiles(again, archive, {}, diagnostics_, {RecordOperations::with_gaps, RecordWaits::all},
                 &calls);
    EXPECT_EQ(calls.value().hashes.size(), plan.processes.size());
    if (!knows)
      std::iota(calls->hashes.begin(), calls->hashes.end(), CallHash{1});  // all differ
    fold_iterations(archive, plan, loops, options, {}, diagnostics_, RecordProgram::no, &*calls);

    return plan;
  };

  const auto known = measure(true), searched = measure(false);
  const auto& all = known.iterations->loops.at(0).all;
  EXPECT_GT(all.value().processes, known.iterations->processes.size());
  EXPECT_EQ(to_json(known), to_json(searched));
  EXPECT_EQ(to_json(known), to_json(plan_of(archive, 2, true))) << "calls are read";
}

TEST_F(FoldTest, ChoosesTheSameIterationsHoweverLittleMemoryThereIs) {
  const Archive archive(anchor(), diagnostics_);

  const auto folded = [&](std::uint64_t memory, Diagnostics& told) {
    auto plan = make_plan(archive, {});
    add_profiles(plan, archive, {}, told);
    group(plan, 1);
    ReadOptions reading;
    reading.memory = memory;
    FoldOptions options;
    options.asked.region = testing::repeated_region;
    options.max_clusters = 2;
    fold_iterations(archive, plan,
                    find_loops_pass({archive, plan, reading, told}, list_folding_candidates(plan),
                                    options.asked),
                    options, reading, told);

    return plan;
  };

  Diagnostics with_much, with_little;
  const auto much = folded(unlimited_memory, with_much), little = folded(1, with_little);
  ASSERT_GT(much.iterations->processes.size(), 1u);
  EXPECT_EQ(to_json(little), to_json(much));
  EXPECT_EQ(with_little.warnings(), with_much.warnings());
}

TEST_F(FoldTest, LeavesFoldedTracesAsTheyAre) {
  const Archive archive(anchor(), diagnostics_);
  rewritten(archive, plan_of(archive, 1, false));
  Diagnostics told;
  const Archive reduced((reduced_.path() / "traces.otf2").string(), told);
  auto plan = make_plan(reduced, {});
  add_profiles(plan, reduced, {}, told);
  group(plan, 1);
  const auto loops = find_loops_pass({reduced, plan, {}, told}, list_folding_candidates(plan), {});
  fold_iterations(reduced, plan, loops, {}, {}, told);
  EXPECT_THAT(plan.iterations->loops, ::testing::IsEmpty());
  EXPECT_EQ(told.warnings().size(), 1u);
}

}  // namespace tracefold::fold_test
