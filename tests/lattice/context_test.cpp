#include "lattice/context.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace tracefold::lattice::context_test {

using ::testing::ElementsAre;

std::vector<Set> random_sets(std::mt19937_64& random, std::size_t objects) {
  std::vector<Set> sets(objects);
  for (auto& set : sets)
    for (Element e = 0; e < 5; ++e)
      if (random() % 3 != 0)
        set.push_back(e * e * 1000);

  return sets;
}

TEST(Context, GroupsEqualSetsInTheOrderOfTheirFirstObjects) {
  const auto context = build_context({{7, 9}, {1}, {7, 9}, {}, {1}, {1}});
  EXPECT_THAT(context.attributes, ElementsAre(1, 7, 9));
  ASSERT_EQ(context.size(), 3u);
  EXPECT_THAT(context.objects[0], ElementsAre(0, 2));
  EXPECT_THAT(context.objects[1], ElementsAre(1, 4, 5));
  EXPECT_THAT(context.objects[2], ElementsAre(3));
  EXPECT_THAT(context.intents.row(0), ElementsAre(0b110));
  EXPECT_THAT(context.intents.row(1), ElementsAre(0b001));
  EXPECT_THAT(context.intents.row(2), ElementsAre(0));
}

TEST(Context, OfNothingIsEmpty) {
  const auto context = build_context({});
  EXPECT_EQ(context.size(), 0u);
  EXPECT_TRUE(context.attributes.empty());
}

TEST(Context, OfObjectsWithoutAttributesIsOneGroup) {
  const auto context = build_context({{}, {}, {}});
  ASSERT_EQ(context.size(), 1u);
  EXPECT_EQ(context.objects[0].size(), 3u);
}

TEST(Context, HoldsEachSetOnceWithAllThatHaveIt) {
  std::mt19937_64 random(11);

  for (int round = 0; round < 2000; ++round) {
    const auto sets = random_sets(random, random() % 40);
    std::map<Set, std::vector<std::size_t>> expected;
    std::set<Element> attributes;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      expected[sets[i]].push_back(i);
      attributes.insert(sets[i].begin(), sets[i].end());
    }

    const auto context = build_context(sets);
    ASSERT_EQ(context.attributes, Set(attributes.begin(), attributes.end()));
    ASSERT_EQ(context.size(), expected.size());
    for (std::size_t i = 0; i < context.size(); ++i) {
      Set intent;
      for_each_bit(context.intents.row(i),
                   [&](auto j) { intent.push_back(context.attributes[j]); });
      EXPECT_EQ(context.objects[i], expected[intent]) << "round " << round;
      if (i > 0) {
        EXPECT_LT(context.objects[i - 1].front(), context.objects[i].front());
      }
    }
  }
}

}  // namespace tracefold::lattice::context_test
