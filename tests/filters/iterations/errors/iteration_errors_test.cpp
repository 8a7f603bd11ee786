#include "filters/iterations/errors/iteration_errors.hpp"

#include "filters/iterations/process_clusters.hpp"
#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace tracefold::iteration_errors_test {

using ::testing::ElementsAre;
using testing::profile_of;

const MetricColumns columns{{Metric::execution_time, Metric::visits}, {{"cycles"}}};

std::vector<Wide> wide(std::initializer_list<std::uint64_t> values) {
  return {values.begin(), values.end()};
}

TEST(IterationErrors, AreZeroWhereAllIsMet) {
  IterationErrors errors(CondensedForm(columns), 2);
  for (std::size_t i = 0; i < 2; ++i)
    errors.add(i, wide({10, 1, 0}), wide({30, 3, 0}), 3);

  const auto figures = errors.figures();
  EXPECT_TRUE(figures[0].exact && figures[1].exact && figures[2].exact);
  EXPECT_EQ(figures[0].mean, 0);
  EXPECT_FALSE(figures[2].present);
  EXPECT_TRUE(summarize_errors(figures).counts_exact);
}

// Two processes: iteration 0 has 10 and 30, rebuilt as 15 and 20; iteration 1 has 10 and 10,
// rebuilt as 10 and 10.
TEST(IterationErrors, AreOfMeanAndMaximumOverProcesses) {
  IterationErrors errors(CondensedForm(columns), 2);
  errors.add(0, wide({10, 1, 0}), wide({30, 2, 0}), 2);
  errors.add(1, wide({10, 1, 0}), wide({10, 1, 0}), 1);
  errors.add(0, wide({30, 1, 0}), wide({20, 1, 0}), 1);
  errors.add(1, wide({10, 1, 0}), wide({20, 2, 0}), 2);
  const auto figures = errors.figures();
  EXPECT_EQ(figures[0].name, "execution time");
  EXPECT_DOUBLE_EQ(figures[0].mean, 5.0 / 40 / 2);
  EXPECT_DOUBLE_EQ(figures[0].maximum, 10.0 / 30 / 2);
  EXPECT_FALSE(figures[0].exact);
  const auto summary = summarize_errors(figures);
  EXPECT_DOUBLE_EQ(summary.mean, 5.0 / 40 / 2 / 2);
  EXPECT_EQ(summary.count_mean, 0);
  EXPECT_TRUE(summary.counts_exact);
}

TEST(IterationErrors, AreWholeWhereOnlyTheOriginalIsZero) {
  IterationErrors errors(CondensedForm(columns), 1);
  errors.add(0, wide({10, 0, 0}), wide({20, 1, 0}), 2);
  EXPECT_EQ(errors.figures()[1].mean, 1);
  EXPECT_FALSE(summarize_errors(errors.figures()).counts_exact);
}

// Means may agree where no process does.
TEST(IterationErrors, TellCountsThatOnlyAverageOut) {
  IterationErrors errors(CondensedForm(columns), 1);
  errors.add(0, wide({1, 4, 0}), wide({1, 5, 0}), 1);
  errors.add(0, wide({1, 6, 0}), wide({1, 5, 0}), 1);
  EXPECT_EQ(errors.figures()[1].mean, 0);
  EXPECT_FALSE(errors.figures()[1].exact);
}

TEST(IterationErrors, SeeADifferenceOfOneInHugeSums) {
  const std::uint64_t huge = ~std::uint64_t{0};
  IterationErrors errors(CondensedForm(columns), 1);
  errors.add(0, std::vector<Wide>{huge, huge, huge},
             std::vector<Wide>{Wide{huge} * 7, Wide{huge} * 7 + 1, 0}, 7);
  EXPECT_TRUE(errors.figures()[0].exact);
  EXPECT_FALSE(errors.figures()[1].exact);
}

// The largest time is 200. Path 0: 100 for 102, 1 %; path 1: 1 for 1, none; visits of path 1: 4 for
// 3 of 4, 25 %.
TEST(CallPathErrors, AreSharesOfTheLargestValueByDecade) {
  CallPathErrors errors(columns, {200, 4, 9});
  ProfileSums stand_in(profile_of({{0, {}, {102, 1, 5}}, {1, {}, {1, 4, 0}}}));
  errors.add(profile_of({{0, {}, {100, 1, 9}}, {1, {}, {1, 3, 0}}}), stand_in);
  EXPECT_EQ(errors.times().compared, 2u);
  EXPECT_DOUBLE_EQ(errors.times().largest, 0.01);
  EXPECT_DOUBLE_EQ(errors.times().average(), 0.005);
  EXPECT_THAT(errors.times().above, ElementsAre(1, 1, 1, 1, 0, 0));
  EXPECT_DOUBLE_EQ(errors.times().share_above(0), 0.5);
  EXPECT_THAT(errors.counts().above, ElementsAre(1, 1, 1, 1, 1, 1));
  EXPECT_DOUBLE_EQ(errors.counts().average(), 0.125);
  EXPECT_EQ(errors.phantoms(), 0u);
}

TEST(CallPathErrors, LeaveOutWhatIsZero) {
  CallPathErrors errors(columns, {100, 1, 0});
  errors.add(profile_of({{0, {}, {0, 1, 0}}}), ProfileSums(profile_of({{0, {}, {50, 1, 0}}})));
  EXPECT_EQ(errors.times().compared, 0u);
  EXPECT_TRUE(errors.counts().exact());
}

TEST(IterationErrors, TellNoErrorOfWaitingWhereNobodyWaits) {
  const CondensedForm form(
      {{Metric::execution_time, Metric::mpi_wait_at_barrier_time, Metric::visits}, {}});
  const auto entry = find_entry(form.entries(), "MPI wait-at-barrier time");
  ASSERT_TRUE(entry);
  const auto place = std::find_if(form.entries().begin(), form.entries().end(),
                                  [&](const auto& e) { return e.name == entry->name; }) -
                     form.entries().begin();

  IterationErrors errors(form, 1);
  std::vector<Wide> original(form.size(), 10);
  original[static_cast<std::size_t>(place)] = 0;
  errors.add(0, original, original, 1);
  EXPECT_FALSE(summarize_errors(errors.figures()).waiting_by_sum);

  IterationErrors waiting(form, 1);
  waiting.add(0, std::vector<Wide>(form.size(), 10), original, 1);
  EXPECT_EQ(summarize_errors(waiting.figures()).waiting_by_sum, 1);
}

// Columns that only one side has: what stands for it has more than the iteration, or less.
TEST(CallPathErrors, CompareWhatTheIterationHas) {
  const MetricColumns with_sends{{Metric::execution_time, Metric::visits, Metric::sends}, {}};
  CallPathErrors errors(with_sends, {100, 2, 4});
  errors.add(profile_of({{0, {}, {0, 2, 4}}}), ProfileSums(profile_of({{0, {}, {50, 2, 0}}})));
  EXPECT_EQ(errors.times().compared, 0u);
  EXPECT_EQ(errors.counts().compared, 1u);
  EXPECT_DOUBLE_EQ(errors.counts().average(), 0.5) << "visits are equal, sends are missing";

  errors.add(profile_of({{0, {}, {30, 0, 0}}}), ProfileSums(profile_of({{0, {}, {0, 2, 4}}})));
  EXPECT_EQ(errors.times().compared, 1u);
  EXPECT_DOUBLE_EQ(errors.times().largest, 0.3);
  EXPECT_EQ(errors.counts().compared, 1u);
}

TEST(CallPathErrors, CountPhantomsAndTakeTheirValuesAsErrors) {
  CallPathErrors errors(columns, {100, 2, 0});
  auto stand_in = ProfileSums(
      profile_of({{0, {}, {10, 1, 0}}, {2, PathKind::mpi, {50, 1, 0}}, {9, {}, {0, 1, 0}}}));
  errors.add(profile_of({{0, {}, {10, 1, 0}}, {1, {}, {20, 1, 0}}}), stand_in);
  EXPECT_EQ(errors.call_paths(), 3u);
  EXPECT_EQ(errors.phantoms(), 2u);
  EXPECT_EQ(errors.mpi_phantoms(), 1u);
  EXPECT_EQ(errors.times().compared,
            3u);  // path 0 without error, 1 that is missing, 2 that is no path of this iteration
  EXPECT_DOUBLE_EQ(errors.times().average(), (0 + 0.2 + 0.5) / 3);
}

TEST(CallPathErrors, AddUp) {
  const auto a = profile_of({{0, {}, {10, 1, 0}}}), b = profile_of({{0, {}, {30, 1, 0}}});
  CallPathErrors whole(columns, {30, 1, 0}), part(columns, {30, 1, 0}), rest(columns, {30, 1, 0});
  ProfileSums both(a);
  both.add(ProfileSums(b));
  whole.add(a, both), whole.add(b, both);
  part.add(a, both), rest.add(b, both);
  part.add(rest);
  EXPECT_EQ(part.times().above, whole.times().above);
  EXPECT_EQ(part.times().sum, whole.times().sum);
  EXPECT_EQ(part.call_paths(), whole.call_paths());
  EXPECT_DOUBLE_EQ(whole.times().average(), 1.0 / 3);
  EXPECT_TRUE(whole.counts().exact());
}

TEST(CallPathErrors, HaveNoPhantomsInClustersOfWholeTrees) {
  testing::MadeProcess process(25, 4, 0.1);
  ProcessClusters clusters(testing::mpi_columns(), {5, {}, false});
  std::vector<CallPathProfile> profiles;
  for (std::uint32_t i = 0; i < 200; ++i)
    clusters.add(profiles.emplace_back(process.iteration({1, 1, 1, i % 7 == 2})));

  std::vector<std::uint64_t> largest(testing::mpi_columns().size());
  for (const auto& profile : profiles)
    for (const auto& [column, value] : profile.values)
      largest[column] = std::max(largest[column], value);

  CallPathErrors errors(testing::mpi_columns(), largest);
  const auto of = clusters.number_clusters();
  for (std::size_t i = 0; i < profiles.size(); ++i)
    errors.add(profiles[i], *clusters.profiles()[of[i]]);

  EXPECT_EQ(errors.phantoms(), 0u);
  EXPECT_TRUE(errors.counts().exact());
  EXPECT_GT(errors.times().average(), 0);
  EXPECT_LE(errors.times().largest, 1);
}

}  // namespace tracefold::iteration_errors_test
