#include "model/iterations/interval_lists.hpp"

#include <gmock/gmock.h>

#include <random>

namespace tracefold::interval_lists_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(IntervalLists, JoinWhatTouchesOrOverlaps) {
  EXPECT_THAT(unite({{30, 40}, {0, 10}, {10, 12}, {5, 7}, {50, 50}}),
              ElementsAre(Interval{0, 12}, Interval{30, 40}));
}

TEST(IntervalLists, IntersectInAllPieces) {
  EXPECT_THAT(intersect({{0, 10}, {20, 30}}, {{5, 22}, {25, 26}, {29, 50}}),
              ElementsAre(Interval{5, 10}, Interval{20, 22}, Interval{25, 26}, Interval{29, 30}));
  EXPECT_THAT(intersect({{0, 10}}, {{10, 20}}), IsEmpty());
}

TEST(IntervalLists, LeaveWhatIsNotTaken) {
  EXPECT_THAT(intersect({{0, 10}, {20, 30}}, complement({{2, 4}, {8, 25}})),
              ElementsAre(Interval{0, 2}, Interval{4, 8}, Interval{25, 30}));
  EXPECT_THAT(intersect({{5, 10}}, complement({{0, 20}})), IsEmpty());
  EXPECT_THAT(intersect({{0, 10}}, complement({})), ElementsAre(Interval{0, 10}));
}

// One tick after the other.
std::uint64_t count(const std::vector<Interval>& a, const std::vector<Interval>& b, bool in_b) {
  const auto has = [](const std::vector<Interval>& list, std::uint64_t tick) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Interval& one) { return one.begin <= tick && tick < one.end; });
  };
  std::uint64_t ticks = 0;
  for (std::uint64_t tick = 0; tick < 200; ++tick)
    ticks += has(a, tick) && has(b, tick) == in_b;
  return ticks;
}

TEST(IntervalLists, AreAsLongAsTheirTicks) {
  std::mt19937 random(7);
  for (int run = 0; run < 200; ++run) {
    std::vector<Interval> a, b;
    for (auto* list : {&a, &b})
      for (auto k = random() % 12; k > 0; --k) {
        const std::uint64_t begin = random() % 150;
        list->push_back({begin, begin + random() % 30});
      }
    const auto of_a = unite(a), of_b = unite(b);
    EXPECT_EQ(sum_lengths(intersect(of_a, of_b)), count(a, b, true));
    EXPECT_EQ(sum_lengths(intersect(of_a, complement(of_b))), count(a, b, false));
  }
}

}  // namespace tracefold::interval_lists_test
