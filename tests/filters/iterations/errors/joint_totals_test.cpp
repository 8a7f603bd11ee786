#include "filters/iterations/errors/joint_totals.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <thread>
#include <vector>

namespace tracefold::joint_totals_test {

using ::testing::ElementsAre;

const MetricColumns columns{{Metric::execution_time, Metric::visits}, {}};
const CondensedForm form(columns);

WideSums in_columns(std::initializer_list<Wide> values) {
  return WideSums(std::vector<Wide>(values));
}

void add(JointTotals& totals, const JointProcess& process, Wide time) {
  for (std::size_t i = 0; i < 3; ++i)
    totals.add(i, process, in_columns({time + i, 2}));
}

TEST(JointTotals, AddUpAllProcesses) {
  JointTotals totals(form, 3);
  add(totals, {form, 4}, 4);
  add(totals, {form, 2}, 2);
  EXPECT_THAT(totals.list_sums(), ElementsAre(6, 4, 8, 4, 10, 4));
  EXPECT_THAT(totals.get_original(1).maxima, ElementsAre(5, 2));
}

TEST(JointTotals, CountWhatStandsForOthersAsOftenAsItDoes) {
  JointTotals totals(form, 3);
  JointProcess one(form, 0), other(form, 1), third(form, 2);
  one.give_to(other);
  third.give_to(other);
  add(totals, one, 10);
  add(totals, other, 20);
  add(totals, third, 30);
  EXPECT_THAT(totals.get_original(0).sums, ElementsAre(60, 6));
  EXPECT_THAT(totals.get_standing(0).sums, ElementsAre(60, 6));
  EXPECT_THAT(totals.get_standing(2).sums, ElementsAre(66, 6));
  EXPECT_THAT(totals.get_standing(0).maxima, ElementsAre(20, 2));
  EXPECT_TRUE(totals.get_original(0).has_equal_counts(totals.get_standing(0)));
}

TEST(JointTotals, TellCountsOfProcessesApartThatAddUpToTheSame) {
  JointTotals totals(form, 2);
  const JointProcess one(form, 0), other(form, 1);
  totals.add(0, one, in_columns({5, 3}));
  totals.add(0, other, in_columns({5, 4}));
  totals.add(1, one, in_columns({6, 4}));
  totals.add(1, other, in_columns({4, 3}));
  EXPECT_THAT(totals.list_sums(), ElementsAre(10, 7, 10, 7));
  EXPECT_FALSE(totals.get_original(0).has_equal_counts(totals.get_original(1)));
}

TEST(JointTotals, HoldAWindowAndAFewBesides) {
  JointTotals totals(form, 3, TotalsDetail::measuring, {1, 1}, {0});
  add(totals, {form, 0}, 7);
  EXPECT_THAT(totals.list_sums(), ElementsAre(8, 2));
  EXPECT_THAT(totals.get_original(0).sums, ElementsAre(7, 2));
  EXPECT_EQ(totals.window().size, 1u);
}

TEST(JointTotals, AreExactBeyondSixtyFourBits) {
  JointTotals totals(form, 1);
  const Wide large = ~std::uint64_t{0};
  for (std::size_t p = 0; p < 3; ++p)
    totals.add(0, {form, p}, in_columns({large, large}));
  const auto sum = static_cast<double>(3 * large);
  EXPECT_THAT(totals.get_original(0).sums, ElementsAre(sum, sum));
}

TEST(JointTotals, HoldSumsAloneForChoosing) {
  JointTotals totals(form, 3, TotalsDetail::choosing);
  add(totals, {form, 4}, 4);
  add(totals, {form, 2}, 2);
  EXPECT_THAT(totals.list_sums(), ElementsAre(6, 4, 8, 4, 10, 4));
  EXPECT_LT(JointTotals::bytes_per_iteration(form, TotalsDetail::choosing),
            JointTotals::bytes_per_iteration(form, TotalsDetail::measuring) / 3);
}

TEST(JointTotals, AreAddedByManyThreads) {
  static constexpr std::size_t iterations = 1000, processes = 8;
  const auto add_all = [](bool in_threads) {
    JointTotals totals(form, iterations);
    std::vector<std::thread> threads;
    for (std::size_t p = 0; p < processes; ++p) {
      const auto add_one = [&totals, p] {
        const JointProcess process(form, p);
        for (std::size_t i = 0; i < iterations; ++i)
          totals.add(i, process, in_columns({p + i, p * i}));
      };
      if (in_threads)
        threads.emplace_back(add_one);
      else
        add_one();
    }
    for (auto& thread : threads)
      thread.join();

    std::vector<bool> counts;
    for (std::size_t i = 0; i < iterations; ++i)
      counts.push_back(totals.get_original(i).has_equal_counts(totals.get_standing(i)));
    return std::pair(totals.list_sums(), counts);
  };

  const auto together = add_all(true);
  EXPECT_EQ(together, add_all(false));
  EXPECT_EQ(together.first[2 * 999], 28 + 8 * 999);
  EXPECT_EQ(together.second, std::vector<bool>(iterations, true));
}

}  // namespace tracefold::joint_totals_test
