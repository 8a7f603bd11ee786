#include "pipeline/messages/receive_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tracefold {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr std::size_t many = 1000;

TEST(ReceiveOrder, IsThatOfCompletionWhereReceivesCompleteAsPosted) {
  ReceiveOrder order(many);
  order.post(1);
  order.post(2);
  order.complete(0, 1);
  order.complete(0, std::nullopt);
  order.complete(0, 2);
  order.finish();
  EXPECT_THAT(order.places(), UnorderedElementsAre(Pair(1, 2u), Pair(2, 1u)))
      << "the blocking one was posted last";
}

TEST(ReceiveOrder, IsThatOfPostingInEachChannel) {
  ReceiveOrder order(many);
  for (std::uint64_t request : {1, 2, 3, 4})
    order.post(request);

  order.complete(5, 4);  // number 0, the second of channel 5
  order.complete(0, 3);  // number 1, the second of channel 0
  order.complete(5, 1);  // number 2
  order.complete(0, 2);  // number 3
  order.finish();
  EXPECT_THAT(order.places(),
              UnorderedElementsAre(Pair(0, 1u), Pair(1, 1u), Pair(2, 0u), Pair(3, 0u)));
}

TEST(ReceiveOrder, LeavesOutWhatNeverReceives) {
  ReceiveOrder order(many);
  order.post(1);
  order.post(2);
  order.post(3);
  order.post(4);
  order.cancel(1);
  order.cancel(99);
  order.complete(0, 2);
  order.complete(std::nullopt, 3);  // of a channel that does not matter
  order.post(4);                    // used anew
  order.complete(0, std::nullopt);
  order.complete(0, 4);
  order.post(5);
  order.complete(0, std::nullopt);
  order.finish();
  EXPECT_THAT(order.places(), UnorderedElementsAre(Pair(2, 2u), Pair(3, 1u)))
      << "4 was posted before the blocking one";
}

// Exchanges of so many receives, which complete in any order; some ids are used anew before they
// are complete.
TEST(ReceiveOrder, IsFoundHoweverManyReceivesWait) {
  for (const std::size_t receives : {1, 7, 8, 9, 30}) {
    std::mt19937_64 random(receives);
    ReceiveOrder order(many * many, many * many);
    ReceiveOrder::Places expected;
    std::uint64_t number = 0;  // of the next receive that completes
    std::uint32_t before = 0;  // receives of exchanges before

    for (int exchange = 0; exchange < 20; ++exchange) {
      std::vector<std::uint64_t> requests;
      for (std::uint64_t k = 0; k < receives; ++k) {
        order.post(k, k);
        if (random() % 4 == 0)
          order.post(k, k);  // the one before never completes
        requests.push_back(k);
      }

      std::shuffle(requests.begin(), requests.end(), random);
      for (std::uint32_t k = 0; k < receives; ++k) {
        const auto place = before + static_cast<std::uint32_t>(requests[k]);
        if (place != before + k)
          expected[number] = place;
        ++number;
        order.complete(0, requests[k]);
      }
      before += static_cast<std::uint32_t>(receives);
    }

    order.finish();
    EXPECT_EQ(order.places(), expected) << receives << " receives";
    EXPECT_EQ(order.completed_posts(), number);
    const auto times = order.take_post_times(0);
    ASSERT_EQ(times.size(), number);
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_EQ(times[k], k % receives) << "as they were posted";
  }
}

TEST(ReceiveOrder, TakesAReceiveThatWasNotPostedForPostedWhenItCompletes) {
  ReceiveOrder order(many);
  order.complete(0, 7);
  order.complete(0, 7);
  order.finish();
  EXPECT_THAT(order.places(), IsEmpty());
}

TEST(ReceiveOrder, GivesUpTheOldestOfTooManyThatAreOpen) {
  ReceiveOrder order(many);
  order.post(0);
  for (std::uint64_t k = 1; k <= ReceiveOrder::most_open; ++k)
    order.post(k);

  order.complete(0, ReceiveOrder::most_open);
  order.complete(0, 0);  // given up: counts as posted now, and request 1 is given up for it
  order.complete(0, 2);
  order.finish();
  EXPECT_THAT(order.places(), UnorderedElementsAre(Pair(0, 1u), Pair(1, 2u), Pair(2, 0u)));
}

TEST(ReceiveOrder, TellsWhenReceivesWerePosted) {
  ReceiveOrder order(many, 4);
  order.post(1, 10);
  order.post(2, 20);
  order.post(3, 30);  // never completes
  order.complete(0, 2, 25);
  order.complete(1, std::nullopt, 40);
  order.complete(0, 1, 45);
  order.complete(0, std::nullopt, 50);
  order.complete(0, std::nullopt, 60);
  order.finish();
  EXPECT_THAT(order.take_post_times(0), ::testing::ElementsAre(10u, 20u, 50u));
  EXPECT_THAT(order.take_post_times(1), ::testing::ElementsAre(40u));
  EXPECT_THAT(order.take_post_times(2), IsEmpty());
  EXPECT_EQ(order.posts(), 3u);
  EXPECT_EQ(order.completed_posts(), 2u);
}

TEST(ReceiveOrder, TellsUpToWhereItKeptPlaces) {
  ReceiveOrder order(1);
  for (std::uint64_t request : {1, 2, 3})
    order.post(request);

  order.complete(0, 3);
  order.complete(0, 2);
  order.complete(0, 1);
  order.finish();
  EXPECT_THAT(order.places(), UnorderedElementsAre(Pair(2, 0u)));
  EXPECT_EQ(order.known_receives(), 0u);
}

}  // namespace
}  // namespace tracefold
