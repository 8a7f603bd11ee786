#include "filters/groups/connected_choice.hpp"

#include <gmock/gmock.h>

#include <random>

namespace tracefold::connected_choice_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::uint64_t count(const ConnectedSets& sets, const std::vector<RankMessages>& messages,
                    const std::vector<std::size_t>& places) {
  auto chosen = sets.fixed;
  for (std::size_t s = 0; s < places.size(); ++s)
    chosen.push_back(sets.sets[s][places[s]]);
  return count_staying(chosen, messages);
}

// The most messages of any choice, by trying all.
std::uint64_t find_most(const ConnectedSets& sets, const std::vector<RankMessages>& messages) {
  std::vector<std::size_t> places(sets.sets.size());
  for (std::uint64_t most = 0;;) {
    most = std::max(most, count(sets, messages, places));
    std::size_t s = 0;
    while (s < places.size() && ++places[s] == sets.sets[s].size())
      places[s++] = 0;
    if (s == places.size())
      return most;
  }
}

TEST(ConnectedChoice, TakesThoseThatExchangeMessages) {
  const ConnectedSets sets{{{0, 1, 2}, {3, 4}}, {9}};
  EXPECT_THAT(choose_connected(sets, {{0, 3, 5}, {2, 4, 7}}, {0, 0}), ElementsAre(2, 1));
  EXPECT_THAT(choose_connected(sets, {{0, 3, 5}, {2, 4, 7}, {1, 9, 20}}, {0, 0}),
              ElementsAre(1, 0));
  EXPECT_THAT(choose_connected({}, {{0, 3, 5}}, {}), IsEmpty());
}

TEST(ConnectedChoice, StaysWhereNothingIsBetter) {
  const ConnectedSets sets{{{0, 1, 2}, {3, 4}}, {}};
  EXPECT_THAT(choose_connected(sets, {{0, 3, 5}, {2, 4, 5}, {0, 1, 50}}, {2, 1}),
              ElementsAre(2, 1));
  EXPECT_THAT(choose_connected(sets, {}, {1, 0}), ElementsAre(1, 0));
}

TEST(ConnectedChoice, CountsWhatRanksSendToThemselves) {
  const ConnectedSets sets{{{0, 1}, {2, 3}}, {}};
  EXPECT_THAT(choose_connected(sets, {{0, 2, 5}, {1, 1, 6}}, {0, 0}), ElementsAre(1, 0));
}

TEST(ConnectedChoice, IsTheBestOfAllChoices) {
  std::mt19937 random(7);
  const auto draw = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };

  for (int program = 0; program < 300; ++program) {
    ConnectedSets sets;
    std::uint32_t ranks = 0;
    for (auto s = 1 + draw(6); s > 0; --s) {
      auto& set = sets.sets.emplace_back();
      for (auto members = 1 + draw(5); members > 0; --members)
        set.push_back(ranks++);
    }
    for (auto fixed = draw(3); fixed > 0; --fixed)
      sets.fixed.push_back(ranks++);

    std::vector<RankMessages> messages;
    for (std::uint32_t a = 0; a < ranks; ++a)
      for (std::uint32_t b = a; b < ranks; ++b)
        if (draw(3) == 0)
          messages.push_back({a, b, 1 + draw(9)});

    std::vector<std::size_t> start;
    for (const auto& set : sets.sets)
      start.push_back(draw(static_cast<std::uint32_t>(set.size())));

    const auto chosen = choose_connected(sets, messages, start);
    EXPECT_EQ(count(sets, messages, chosen), find_most(sets, messages)) << program;
  }
}

}  // namespace tracefold::connected_choice_test
