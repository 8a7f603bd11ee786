#include "lattice/context.hpp"

#include "tests/support/contexts.hpp"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <random>

namespace tracefold::lattice {
namespace {

using ::testing::ElementsAre;

std::vector<Set> random_sets(std::mt19937_64& random, std::size_t objects) {
  std::vector<Set> sets(objects);
  for (auto& set : sets)
    for (Element e = 0; e < 5; ++e)
      if (random() % 3 != 0)
        set.push_back(e * e * 1000);

  return sets;
}

Context make_part(const std::vector<Set>& sets, const std::vector<Object>& objects) {
  ContextBuilder builder;
  for (auto object : objects)
    builder.add(object, sets[object], object + 1);
  return std::move(builder).build();
}

TEST(Context, GroupsEqualSetsInTheOrderOfTheirFirstMembers) {
  const auto context = testing::make_context({{7, 9}, {1}, {7, 9}, {}, {1}, {1}});
  EXPECT_THAT(context.attributes, ElementsAre(1, 7, 9));
  ASSERT_EQ(context.size(), 3u);
  EXPECT_THAT(context.members[0].list(), ElementsAre(0, 2));
  EXPECT_THAT(context.members[1].list(), ElementsAre(1, 4, 5));
  EXPECT_THAT(context.members[2].list(), ElementsAre(3));
  EXPECT_THAT(context.weights, ElementsAre(2, 3, 1));
  EXPECT_THAT(context.intents.row(0), ElementsAre(0b110));
  EXPECT_THAT(context.intents.row(1), ElementsAre(0b001));
  EXPECT_THAT(context.intents.row(2), ElementsAre(0));
}

TEST(Context, OfNothingIsEmpty) {
  const auto context = testing::make_context({});
  EXPECT_EQ(context.size(), 0u);
  EXPECT_EQ(merge(context, context), context);
}

TEST(Context, OfObjectsWithoutAttributesIsOneGroup) {
  const auto context = testing::make_context({{}, {}, {}});
  ASSERT_EQ(context.size(), 1u);
  EXPECT_EQ(context.members[0].size(), 3u);
  EXPECT_EQ(merge(context, Context{}), context);
}

TEST(Context, KeepsAttributesThatNoObjectHas) {
  RowContextBuilder rows({3, 4, 5});
  rows.add(9, std::vector<Word>{0b101});
  const auto context = merge(std::move(rows).build(), testing::make_context({{4}}));
  EXPECT_THAT(context.attributes, ElementsAre(3, 4, 5));
  EXPECT_THAT(context.intents.row(0), ElementsAre(0b010));
  EXPECT_THAT(context.intents.row(1), ElementsAre(0b101));
}

TEST(Context, IsTheSameFromRowsAndFromElements) {
  std::mt19937_64 random(5);
  const auto sets = random_sets(random, 100);
  const auto context = testing::make_context(sets);
  ASSERT_EQ(context.attributes.size(), 5u);
  RowContextBuilder builder(context.attributes);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    std::vector<Word> row(1);
    for (auto e : sets[i])
      set_bit(row, static_cast<std::size_t>(std::ranges::find(context.attributes, e) -
                                            context.attributes.begin()));
    builder.add(i, row);
  }

  EXPECT_EQ(std::move(builder).build(), context);
}

TEST(Context, IsTheSameFromPartsInAnyOrderAndTree) {
  std::mt19937_64 random(11);

  for (int round = 0; round < 2000; ++round) {
    const auto sets = random_sets(random, random() % 40);
    std::vector<Object> objects(sets.size());
    std::iota(objects.begin(), objects.end(), Object{0});
    const auto whole = make_part(sets, objects);
    if (round % 2)
      std::shuffle(objects.begin(), objects.end(), random);

    std::vector<Context> parts{Context{}};

    for (std::size_t begin = 0; begin < objects.size();) {
      const auto end = std::min(objects.size(), begin + 1 + random() % 10);
      parts.push_back(make_part(sets, {objects.begin() + static_cast<std::ptrdiff_t>(begin),
                                       objects.begin() + static_cast<std::ptrdiff_t>(end)}));
      begin = end;
    }

    while (parts.size() > 1) {
      std::swap(parts[random() % parts.size()], parts.back());
      const auto last = std::move(parts.back());
      parts.pop_back();
      auto& other = parts[random() % parts.size()];
      other = random() % 2 ? merge(std::move(other), last) : merge(last, other);
    }

    EXPECT_EQ(parts[0], whole) << "round " << round;
  }
}

TEST(Context, TakesAMillionEqualObjects) {
  const Set set{1, 2, 3};
  ContextBuilder builder;
  for (Object object = 0; object < 1'000'000; ++object)
    builder.add(object, set);

  const auto context = std::move(builder).build();
  ASSERT_EQ(context.size(), 1u);
  EXPECT_THAT(context.members[0].runs(), ElementsAre(lattice::Run{0, 999'999, 1}));
  EXPECT_EQ(context.weights[0], 1'000'000u);
}

TEST(Members, AreRunsWithAStride) {
  EXPECT_THAT(make_members({9, 3, 0, 6, 10, 11, 50}).runs(),
              ElementsAre(lattice::Run{0, 9, 3}, lattice::Run{10, 11, 1}, lattice::Run{50, 50, 1}));
  EXPECT_TRUE(make_members({}).runs().empty());
}

TEST(Members, AreTheSameHoweverTheyArePutTogether) {
  std::mt19937_64 random(2);

  for (int round = 0; round < 3000; ++round) {
    std::vector<Object> all, one, other;
    for (Object object = 0; object < 30; ++object)
      if (random() % 3)
        all.push_back(object * (round % 3 ? 1 : 7));

    const auto split = random() % 30;
    for (std::size_t i = 0; i < all.size(); ++i)
      (round % 2 ? i < split : random() % 2) ? one.push_back(all[i]) : other.push_back(all[i]);

    auto members = make_members(one), swapped = make_members(other);
    members.add(make_members(other));
    swapped.add(make_members(one));
    EXPECT_EQ(members.list(), all);
    EXPECT_EQ(members, make_members(all)) << "round " << round;
    EXPECT_EQ(swapped, members) << "round " << round;
    EXPECT_EQ(members.size(), all.size());
  }
}

struct NoHash {
  std::uint64_t operator()(std::span<const Word>) const { return 7; }
};

TEST(DistinctSpans, DoNotTrustTheHash) {
  std::mt19937_64 random(4);
  DistinctSpans<NoHash> colliding;
  DistinctSpans<> hashed;
  std::map<std::vector<Word>, std::size_t> known;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Word> words(random() % 6);
    for (auto& word : words)
      word = random() % 3;
    const auto expected = known.try_emplace(words, known.size()).first->second;
    EXPECT_EQ(colliding.find_or_add(words), expected);
    EXPECT_EQ(hashed.find_or_add(words), expected);
    EXPECT_TRUE(std::ranges::equal(hashed.at(expected), words));
  }
}

}  // namespace
}  // namespace tracefold::lattice
