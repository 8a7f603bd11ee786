#include "base/team.hpp"

#include "tests/local_team.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace tracefold::team_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;
using tracefold::testing::run_team;
using tracefold::testing::TeamCall;

constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 13};

std::string name_member(std::size_t rank) {
  return "<" + std::to_string(rank) + ">";
}
std::string name_members(std::size_t size) {
  std::string names;
  for (std::size_t rank = 0; rank < size; ++rank)
    names += name_member(rank);
  return names;
}
std::size_t count_tree_levels(std::size_t size) {
  return static_cast<std::size_t>(std::bit_width(size - 1));
}

auto sends(std::size_t messages, std::size_t bytes_each, std::size_t longest_chain) {
  return AllOf(Field(&TeamCall::messages, messages), Field(&TeamCall::bytes, messages * bytes_each),
               Field(&TeamCall::longest_chain, Le(longest_chain)));
}

TEST(Team, OneProcessWorksAlone) {
  EXPECT_TRUE(is_first(nullptr));
  EXPECT_EQ(compute_once<int>(nullptr, [] { return 7; }), 7);
  EXPECT_THROW(decide_once(nullptr, [] { throw Error(ErrorKind::output, "is full"); }), Error);
  EXPECT_THAT(share(nullptr, std::string("a")), ElementsAre("a"));
  EXPECT_EQ(share_merged(nullptr, 7, [](int, int) { return 0; }), 7);
}

TEST(Team, OnlyTheFirstMemberComputesWhatAllGet) {
  for (const auto size : sizes) {
    std::atomic<int> computed = 0;
    run_team(size, [&](Team& team) {
      const auto value = compute_once<std::vector<std::string>>(&team, [&] {
        ++computed;
        return std::vector<std::string>{"a", name_member(team.rank())};
      });
      EXPECT_THAT(value, ElementsAre("a", "<0>"));
    });
    EXPECT_EQ(computed, 1);
  }
}

TEST(Team, AllThrowTheErrorOfWhatTheFirstMemberDoes) {
  for (const auto size : sizes) {
    std::atomic<int> done = 0, refused = 0;
    run_team(size, [&](Team& team) {
      decide_once(&team, [&] { ++done; });
      EXPECT_EQ(done, 1);
      try {
        decide_once(&team, [] { throw Error(ErrorKind::output, "is full").in("disk"); });
      } catch (const Error& problem) {
        EXPECT_EQ(problem.kind(), ErrorKind::output);
        EXPECT_STREQ(problem.what(), "disk: is full");
        ++refused;
      }
    });
    EXPECT_EQ(refused, size);
  }
}

TEST(Team, WhatIsNoErrorOfTheFirstMemberStopsTheOthers) {
  EXPECT_THROW(run_team(3,
                        [](Team& team) {
                          decide_once(&team, [] { throw std::bad_alloc(); });
                          ADD_FAILURE() << "goes on";
                        }),
               std::bad_alloc);
}

TEST(Team, AllMembersGetWhatAllGiveByRank) {
  for (const auto size : sizes)
    run_team(size, [&](Team& team) {
      const auto all = share(&team, name_member(team.rank()));
      ASSERT_THAT(all, SizeIs(size));
      for (std::size_t rank = 0; rank < size; ++rank)
        EXPECT_EQ(all[rank], name_member(rank));
    });
}

TEST(Team, OnlyTheFirstMemberGathers) {
  for (const auto size : sizes)
    run_team(size, [&](Team& team) {
      const auto gathered = team.gather(std::string(team.rank() % 3, 'x'));
      if (team.rank() != 0) {
        EXPECT_THAT(gathered, IsEmpty());
        return;
      }
      ASSERT_THAT(gathered, SizeIs(size));
      for (std::size_t rank = 0; rank < size; ++rank)
        EXPECT_EQ(gathered[rank], std::string(rank % 3, 'x'));
    });
}

TEST(Team, TheLowerRankIsMergedFirst) {
  for (const auto size : sizes)
    run_team(size, [&](Team& team) {
      const auto merged =
          share_merged(&team, name_member(team.rank()),
                       [](const auto& lower, const auto& higher) { return lower + higher; });
      EXPECT_EQ(merged, name_members(size));
    });
}

TEST(Team, NoChainOfMessagesIsLongerThanATreeIsHigh) {
  for (const auto size : sizes) {
    const auto calls = run_team(size, [](Team& team) {
      team.reduce("four", [](const auto&, const auto& higher) { return higher; });
      team.broadcast("seven b");
      team.barrier();
    });
    if (size == 1) {
      EXPECT_THAT(calls, IsEmpty());
      continue;
    }
    const auto levels = count_tree_levels(size);
    EXPECT_THAT(calls, ElementsAre(sends(size - 1, 4, levels), sends(size - 1, 7, levels),
                                   sends(2 * (size - 1), 0, 2 * levels)));
    if (std::has_single_bit(size)) {
      EXPECT_EQ(calls[1].longest_chain, levels);
    }
  }
}

TEST(Team, EachMemberGetsWhatEachGivesIt) {
  for (const auto size : sizes)
    run_team(size, [&](Team& team) {
      std::vector<std::string> given;
      for (std::size_t to = 0; to < size; ++to)
        given.push_back(name_member(team.rank()) + name_member(to));
      const auto received = team.exchange(given);
      ASSERT_THAT(received, SizeIs(size));
      for (std::size_t from = 0; from < size; ++from)
        EXPECT_EQ(received[from], name_member(from) + name_member(team.rank()));
    });
}

TEST(Team, AMemberThatFailsStopsTheOthers) {
  std::atomic<int> stopped = 0;
  const auto fail_in_one = [&](Team& team) {
    if (team.rank() == 2)
      throw std::runtime_error("no disk");
    try {
      team.barrier();
    } catch (const TeamStopped&) {
      ++stopped;
      throw;
    }
  };
  EXPECT_THROW(
      {
        try {
          run_team(5, fail_in_one);
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "no disk");
          throw;
        }
      },
      std::runtime_error);
  EXPECT_EQ(stopped, 4);
}

}  // namespace tracefold::team_test
