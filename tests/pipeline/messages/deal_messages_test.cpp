// Which members of a team get to know which times of messages.
#include "pipeline/messages/deal_messages.hpp"

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "tests/local_team.hpp"
#include "tests/support/made_ranks.hpp"
#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tracefold::deal_messages_test {

using ::testing::ElementsAre;
using ::testing::Key;
using tracefold::testing::run_team;

// Six ranks, each of which sends to the next one: three members have two of them each.
class DealMessages : public ::testing::Test {
 protected:
  DealMessages() {
    write_archive(testing::make_chain(times_, times_), folder_.path());
    archive_.emplace((folder_.path() / "traces.otf2").string(), diagnostics_);
    plan_ = testing::keep_all(archive_->definitions());
    for (auto& process : plan_.processes)
      process.has_messages = true;
  }

  static Channel channel(std::uint64_t sender) {
    return {Channel::Kind::message, 0, sender, sender + 1, 0};
  }
  // What is known of a rank, by who reads it.
  static LocationMessages know(std::uint64_t rank) {
    LocationMessages messages;
    if (rank + 1 < ranks)
      messages.send_times[channel(rank)] = {10 + rank};
    if (rank > 0)
      messages.post_times[channel(rank - 1)] = {20 + rank};
    messages.posts = 1;
    return messages;
  }

  std::vector<MessagesByProcess> deal(const std::vector<std::size_t>& read_again = {}) const {
    const MessageMatcher matcher(archive_->definitions(), plan_);
    std::vector<MessagesByProcess> known(members);
    run_team(members, [&](Team& team) {
      MessagesByProcess own;
      for (std::size_t p = 2 * team.rank(); p < 2 * team.rank() + 2; ++p)
        own.emplace(p, know(p));
      known[team.rank()] =
          deal_messages(&team, archive_->definitions(), plan_, matcher, read_again, std::move(own));
    });
    return known;
  }

  static constexpr std::size_t ranks = 6, members = 3;
  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  const testing::MadeTimes times_ = testing::MadeTimes(ranks, {100});
  std::optional<Archive> archive_;
  Plan plan_;
};

TEST_F(DealMessages, GivesTimesToWhoReadsTheOtherEnd) {
  const auto known = deal();
  EXPECT_THAT(known[0], ElementsAre(Key(0), Key(1), Key(2)));
  EXPECT_THAT(known[1], ElementsAre(Key(1), Key(2), Key(3), Key(4)));
  EXPECT_THAT(known[2], ElementsAre(Key(3), Key(4), Key(5)));

  const auto& before = known[1].at(1);
  EXPECT_THAT(before.send_times, ElementsAre(Key(channel(1))));
  EXPECT_THAT(before.send_times.at(channel(1)), ElementsAre(11));
  EXPECT_TRUE(before.post_times.empty()) << "who sends to rank 1 is read elsewhere";
  EXPECT_EQ(before.posts, 0u);
  const auto& behind = known[1].at(4);
  EXPECT_TRUE(behind.send_times.empty());
  EXPECT_THAT(behind.post_times.at(channel(3)), ElementsAre(24));
  EXPECT_EQ(known[1].at(2).posts, 1u);
}

TEST_F(DealMessages, GivesTheFirstMemberAllOfWhatItMayReadAgain) {
  const auto known = deal({1, 4});
  EXPECT_THAT(known[0], ElementsAre(Key(0), Key(1), Key(2), Key(3), Key(4), Key(5)));
  EXPECT_EQ(known[0].at(4).posts, 1u);
  EXPECT_THAT(known[0].at(4).send_times.at(channel(4)), ElementsAre(14));
  EXPECT_THAT(known[0].at(3).send_times.at(channel(3)), ElementsAre(13));
  EXPECT_THAT(known[0].at(5).post_times.at(channel(4)), ElementsAre(25));
  EXPECT_TRUE(known[0].at(5).send_times.empty());
  EXPECT_THAT(known[1], ElementsAre(Key(1), Key(2), Key(3), Key(4)));
}

TEST_F(DealMessages, LeavesThemAsTheyAreWithoutATeam) {
  const MessageMatcher matcher(archive_->definitions(), plan_);
  MessagesByProcess own;
  own.emplace(3, know(3));
  EXPECT_THAT(deal_messages(nullptr, archive_->definitions(), plan_, matcher, {}, std::move(own)),
              ElementsAre(Key(3)));
}

}  // namespace tracefold::deal_messages_test
