#include "pipeline/messages/operation_matching.hpp"

#include "tests/local_team.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace tracefold::operations_test {

using ::testing::ElementsAre;

ChannelEnd message(std::uint64_t from, std::uint64_t to, bool receives, std::uint64_t tag = 1) {
  return {{Channel::Kind::message, 0, from, to, tag}, receives};
}
ChannelEnd collective(std::uint64_t comm) {
  return {{Channel::Kind::collective, comm}};
}

// Operations of a process, each with its channel, and whether it would stay.
LocationOperations location(std::uint64_t process,
                            std::vector<std::pair<ChannelEnd, bool>> operations) {
  LocationOperations out;
  out.process = process;
  ChannelNumbers numbers;
  for (const auto& [channel, stays] : operations) {
    out.stays.push_back(stays);
    out.channel.push_back(numbers.number(channel));
  }

  out.channels = numbers.ends();

  return out;
}

TEST(OperationMatching, LosesBothEndsOfAMessage) {
  std::vector<LocationOperations> all{location(0, {{message(0, 1, false), true},
                                                   {message(0, 1, false), false},
                                                   {message(0, 1, false), true},
                                                   {message(0, 1, false, 99), true}}),
                                      location(1, {{message(0, 1, true, 99), true},
                                                   {message(0, 1, true), true},
                                                   {message(0, 1, true), true},
                                                   {message(0, 1, true), false}})};

  keep_matched_together(all);
  EXPECT_THAT(all[0].stays, ElementsAre(true, false, false, true));
  EXPECT_THAT(all[1].stays, ElementsAre(true, true, false, false));
}

TEST(OperationMatching, LeavesMessagesWithOneRecordedEndAsTheyAre) {
  std::vector<LocationOperations> all{
      location(0, {{message(0, 1, false), true}, {message(0, 1, false), false}}), location(1, {})};
  keep_matched_together(all);
  EXPECT_THAT(all[0].stays, ElementsAre(true, false));
}

TEST(OperationMatching, CutsWhatCannotBeMatched) {
  const auto sends = [](bool last) {
    return location(0, {{message(0, 1, false), true}, {message(0, 1, false), last}});
  };
  std::vector<LocationOperations> uneven{sends(false), location(1, {{message(0, 1, true), true}})};
  keep_matched_together(uneven);
  EXPECT_THAT(uneven[0].stays, ElementsAre(false, false));
  EXPECT_THAT(uneven[1].stays, ElementsAre(false));
  std::vector<LocationOperations> threads{sends(true), location(1, {{message(0, 1, true), true}}),
                                          location(1, {{message(0, 1, true), false}})};
  keep_matched_together(threads);
  EXPECT_THAT(threads[0].stays, ElementsAre(false, false));
  std::vector<LocationOperations> whole{sends(true), location(1, {{message(0, 1, true), true}}),
                                        location(1, {{message(0, 1, true), true}})};
  keep_matched_together(whole);
  EXPECT_THAT(whole[0].stays, ElementsAre(true, true));
}

TEST(OperationMatching, KeepsCollectivesOnAllMembersOrNone) {
  std::vector<LocationOperations> all{
      location(0, {{collective(4), true}, {collective(5), false}, {collective(4), true}}),
      location(1, {{collective(4), true}, {collective(4), false}, {collective(4), true}})};
  keep_matched_together(all);
  EXPECT_THAT(all[0].stays, ElementsAre(true, false, false));
  EXPECT_THAT(all[1].stays, ElementsAre(true, false, true)) << "the third is on no other member";
}

// Random messages between three processes, of one or two threads each, in which all take part in
// collective operations; of the second thread some lack.
std::vector<LocationOperations> make_random_operations(std::mt19937_64& random) {
  std::vector<std::vector<std::pair<ChannelEnd, bool>>> operations(5);
  const auto add = [&](std::size_t thread, const ChannelEnd& end) {
    operations[thread].emplace_back(end, random() % 4 != 0);
  };
  for (int n = 0; n < 40; ++n) {
    const auto from = random() % 5, to = random() % 5, tag = random() % 3;
    add(from, message(from % 3, to % 3, false, tag));
    add(to, message(from % 3, to % 3, true, tag));
    if (n % 8 == 0)
      for (std::size_t thread = 0; thread < 3 + random() % 3; ++thread)
        add(thread, collective(tag));
  }

  std::vector<LocationOperations> all;
  for (std::uint64_t thread = 0; thread < operations.size(); ++thread)
    all.push_back(location(thread % 3, operations[thread]));
  return all;
}

TEST(OperationMatching, IsTheSameWhereEachMemberOfATeamHasSomeLocations) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 20; ++round) {
    const auto all = make_random_operations(random);
    auto matched = all;
    keep_matched_together(matched);
    for (const std::size_t size : {1, 2, 3, 7})
      testing::run_team(size, [&](Team& team) {
        std::vector<LocationOperations> own(all.size());
        const auto is_own = [&](std::size_t l) { return l % size == team.rank(); };
        for (std::size_t l = 0; l < all.size(); ++l)
          if (is_own(l))
            own[l] = all[l];
        keep_matched_together(own, &team);
        for (std::size_t l = 0; l < all.size(); ++l)
          if (is_own(l)) {
            EXPECT_EQ(own[l].stays, matched[l].stays) << l << " of " << size;
          }
      });
  }
}

// What stays is a subset of what would, matched one to one, and as large as order allows.
TEST(OperationMatching, AgreesWithAPlainMatchingOfRandomTraffic) {
  std::mt19937_64 random(7);

  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<std::pair<ChannelEnd, bool>>> operations(3);
    std::map<std::array<std::uint64_t, 3>, std::vector<bool>> sent, received;

    for (int n = 0; n < 60; ++n) {
      const auto from = random() % 3, to = random() % 3, tag = random() % 2;
      for (bool receives : {false, true}) {
        const bool stays = random() % 4 != 0;
        operations[receives ? to : from].emplace_back(message(from, to, receives, tag), stays);
        (receives ? received : sent)[{from, to, tag}].push_back(stays);
      }
    }

    std::vector<LocationOperations> all;
    for (std::uint64_t p = 0; p < 3; ++p)
      all.push_back(location(p, operations[p]));

    keep_matched_together(all);
    std::map<std::array<std::uint64_t, 3>, std::array<std::size_t, 2>> seen;

    for (std::uint64_t p = 0; p < 3; ++p)
      for (std::size_t k = 0; k < operations[p].size(); ++k) {
        const auto& [channel, receives] = operations[p][k].first;
        const std::array key{channel.sender, channel.receiver, channel.tag};
        const auto n = seen[key][receives]++;
        EXPECT_EQ(all[p].stays[k], sent[key][n] && received[key][n]);
      }
  }
}

}  // namespace tracefold::operations_test
