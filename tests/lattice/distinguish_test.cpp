#include "lattice/distinguish.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <random>

namespace tracefold::lattice::distinguish_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

using Sets = std::vector<std::vector<std::uint32_t>>;

// Each set is a group of its own.
GroupedSets keep_apart(Sets sets, std::size_t attributes) {
  GroupedSets grouped{std::move(sets), {}, std::vector<bool>(attributes, true)};
  for (std::size_t s = 0; s < grouped.sets.size(); ++s)
    grouped.groups.push_back({s});
  return grouped;
}

bool fits(const std::vector<std::uint32_t>& set, const std::vector<Literal>& literals) {
  return std::all_of(literals.begin(), literals.end(), [&](const auto& literal) {
    return std::binary_search(set.begin(), set.end(), literal.attribute) != literal.is_lacking;
  });
}

// The least number of literals that only fit the group, tried one number after the other; 99 where
// none do.
std::size_t try_all(const GroupedSets& grouped, std::size_t group) {
  const auto n = static_cast<std::uint32_t>(grouped.may_lack.size());
  std::size_t least = 99;
  for (std::uint32_t choice = 0; choice < 1u << (2 * n); ++choice) {
    std::vector<Literal> literals;
    for (std::uint32_t bit = 0; bit < 2 * n; ++bit)
      if (choice >> bit & 1)
        literals.push_back({bit / 2, bit % 2 == 1});
    bool tells = true;
    for (std::size_t g = 0; g < grouped.groups.size(); ++g)
      for (const auto s : grouped.groups[g])
        tells = tells && fits(grouped.sets[s], literals) == (g == group);
    if (tells)
      least = std::min(least, literals.size());
  }
  return least;
}

}  // namespace

TEST(Distinguish, NamesWhatOneGroupAloneHasOrLacks) {
  const auto found = distinguish(keep_apart({{0, 1, 2}, {1, 2}, {1, 2, 3}, {2, 3}}, 4));
  EXPECT_THAT(found[0].alone, ElementsAre(Literal{0, false}));
  EXPECT_THAT(found[0].fewest, ElementsAre(Literal{0, false}));
  EXPECT_THAT(found[3].alone, ElementsAre(Literal{1, true}));
  EXPECT_THAT(found[1].alone, IsEmpty());
  EXPECT_THAT(found[1].fewest, ElementsAre(Literal{0, true}, Literal{3, true}));
  EXPECT_THAT(found[2].fewest, ElementsAre(Literal{1, false}, Literal{3, false}));
}

TEST(Distinguish, FindsWhatElseTellsAGroupThatSomethingTellsAlone) {
  const auto found = distinguish(keep_apart({{0, 1, 2}, {1}, {2}}, 3));
  EXPECT_THAT(found[0].fewest, ElementsAre(Literal{0, false}));
  EXPECT_THAT(found[0].others, ElementsAre(Literal{1, false}, Literal{2, false}));
}

TEST(Distinguish, PrefersTheFirstOfAttributesThatTellAsMuch) {
  const auto found = distinguish(keep_apart({{0, 1, 2, 3}, {3}}, 4));
  EXPECT_THAT(found[0].fewest, ElementsAre(Literal{0, false}));
  EXPECT_THAT(found[0].alone, ElementsAre(Literal{0, false}, Literal{1, false}, Literal{2, false}));
}

TEST(Distinguish, DoesNotNameWhatMayNotBeLacked) {
  auto grouped = keep_apart({{0}, {1}, {0, 1}}, 2);
  grouped.may_lack = {false, true};
  const auto found = distinguish(grouped);
  EXPECT_THAT(found[0].fewest, ElementsAre(Literal{1, true}));
  EXPECT_THAT(found[1].alike, ElementsAre(2));
}

TEST(Distinguish, SaysWhichGroupsFitToo) {
  // The sets of the first group have 0 in common, and none has 3.
  const GroupedSets merged{
      {{0, 1}, {0, 2}, {0}, {3}}, {{0, 1}, {2}, {3}}, {true, true, true, true}};
  const auto found = distinguish(merged);
  EXPECT_THAT(found[0].alike, ElementsAre(1));
  EXPECT_THAT(found[0].fewest, ElementsAre(Literal{0, false}));
  EXPECT_THAT(found[1].alike, IsEmpty());
  EXPECT_THAT(found[1].fewest.size(), 3);
}

TEST(Distinguish, SaysNothingOfAnOnlyGroup) {
  const auto found = distinguish(keep_apart({{0, 1}}, 2));
  EXPECT_THAT(found[0].fewest, IsEmpty());
  EXPECT_THAT(found[0].alike, IsEmpty());
}

TEST(Distinguish, AgreesWithBruteForce) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    constexpr std::size_t attributes = 5;
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t set = 0; set < 1u << attributes; ++set)
      if (random() % 3 == 0)
        chosen.push_back(set);
    GroupedSets grouped{{}, {}, std::vector<bool>(attributes, true)};
    for (const auto bits : chosen) {
      std::vector<std::uint32_t> set;
      for (std::uint32_t a = 0; a < attributes; ++a)
        if (bits >> a & 1)
          set.push_back(a);
      if (grouped.groups.empty() || round % 2 == 0 || random() % 3)
        grouped.groups.emplace_back();
      grouped.groups.back().push_back(grouped.sets.size());
      grouped.sets.push_back(std::move(set));
    }
    if (grouped.groups.size() < 2)
      continue;

    const auto found = distinguish(grouped);
    for (std::size_t g = 0; g < found.size(); ++g) {
      const auto least = try_all(grouped, g);
      EXPECT_EQ(found[g].alike.empty(), least != 99);
      EXPECT_TRUE(found[g].is_proven);
      if (least != 99) {
        EXPECT_EQ(found[g].fewest.size(), least);
      }
      for (std::size_t h = 0; h < found.size(); ++h)
        for (const auto s : grouped.groups[h]) {
          const bool is_alike =
              h == g || std::count(found[g].alike.begin(), found[g].alike.end(), h);
          EXPECT_TRUE(!fits(grouped.sets[s], found[g].fewest) || is_alike);
          EXPECT_TRUE(fits(grouped.sets[s], found[g].fewest) || h != g);
        }
    }
  }
}

TEST(Distinguish, TellsManyGroupsApart) {
  constexpr std::uint32_t groups = 2000, bits = 11, shared = 60;
  Sets sets;
  for (std::uint32_t g = 0; g < groups; ++g) {
    auto& set = sets.emplace_back();
    for (std::uint32_t b = 0; b < bits; ++b)
      if (g >> b & 1)
        set.push_back(b);
    for (std::uint32_t a = 0; a < shared; ++a)
      set.push_back(bits + a);
  }

  const auto found = distinguish(keep_apart(std::move(sets), bits + shared));
  for (const auto& one : found) {
    EXPECT_THAT(one.alike, IsEmpty());
    EXPECT_LE(one.fewest.size(), bits);
  }
}

}  // namespace tracefold::lattice::distinguish_test
