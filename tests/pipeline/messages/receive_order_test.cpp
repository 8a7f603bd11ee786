#include "pipeline/messages/receive_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace tracefold::receive_order_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// Tells it of receives by their records.
class Order : public ReceiveOrder {
 public:
  using ReceiveOrder::ReceiveOrder;

  void post(std::uint64_t request, std::uint64_t time = 0) {
    add(make(EventKind::MpiIrecvRequest, {request}), time);
  }
  void cancel(std::uint64_t request) { add(make(EventKind::MpiRequestCancelled, {request})); }
  void complete(std::optional<std::size_t> channel, std::optional<std::uint64_t> request,
                std::uint64_t time = 0) {
    add(request ? make(EventKind::MpiIrecv, {0, 0, 0, 0, *request}) : make(EventKind::MpiRecv),
        time, channel);
  }

 private:
  static Event make(EventKind kind, std::array<std::uint64_t, max_event_fields> fields = {}) {
    Event event;
    event.kind = kind;
    event.fields = fields;
    return event;
  }
};

TEST(ReceiveOrder, IsThatOfCompletionWhereReceivesCompleteAsPosted) {
  Order order;
  order.post(1);
  order.post(2);
  order.complete(0, 1);
  order.complete(0, std::nullopt);
  order.complete(0, 2);
  order.finish();
  EXPECT_THAT(order.places(), ElementsAre(Pair(1, 2u), Pair(2, 1u)))
      << "the blocking one was posted last";
}

TEST(ReceiveOrder, IsThatOfPostingInEachChannel) {
  Order order;
  for (std::uint64_t request : {1, 2, 3, 4})
    order.post(request);

  order.complete(5, 4);  // number 0, the second of channel 5
  order.complete(0, 3);  // number 1, the second of channel 0
  order.complete(5, 1);  // number 2
  order.complete(0, 2);  // number 3
  order.finish();
  EXPECT_THAT(order.places(), ElementsAre(Pair(0, 1u), Pair(1, 1u), Pair(2, 0u), Pair(3, 0u)));
}

TEST(ReceiveOrder, LeavesOutWhatNeverReceives) {
  Order order;
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
  EXPECT_THAT(order.places(), ElementsAre(Pair(2, 2u), Pair(3, 1u)))
      << "4 was posted before the blocking one";
}

// The same by a list of all receives, in the order in which they were posted.
class PlainOrder {
 public:
  void post(std::uint64_t request, std::uint64_t time) {
    cancel(request);  // the one before never completes
    receives_.push_back({request, time});
    ++posts;
  }
  void cancel(std::uint64_t request) {
    if (auto* open = find(request))
      open->is_open = false;
  }
  void complete(std::optional<std::size_t> channel, std::optional<std::uint64_t> request,
                std::uint64_t time) {
    auto* receive = request ? find(*request) : nullptr;
    if (receive)
      ++completed_posts;
    else
      receive = &receives_.emplace_back(Receive{0, time});
    receive->is_open = false;
    receive->number = completed_++;
    receive->channel = channel;
  }

  ReceiveOrder::Places find_places() const {
    std::map<std::size_t, std::vector<std::uint64_t>> numbers;  // by channel, as they were posted
    for (const auto& receive : receives_)
      if (receive.channel)
        numbers[*receive.channel].push_back(receive.number);

    ReceiveOrder::Places places;
    for (const auto& [channel, posted] : numbers) {
      auto completed = posted;
      std::sort(completed.begin(), completed.end());
      for (std::size_t place = 0; place < posted.size(); ++place)
        if (completed[place] != posted[place])
          places.emplace_back(posted[place], static_cast<std::uint32_t>(place));
    }
    std::sort(places.begin(), places.end());

    return places;
  }
  std::vector<std::uint64_t> list_times(std::size_t channel) const {
    std::vector<std::uint64_t> times;
    for (const auto& receive : receives_)
      if (receive.channel == channel)
        times.push_back(receive.time);
    return times;
  }

  std::uint64_t posts = 0, completed_posts = 0;

 private:
  struct Receive {
    std::uint64_t request = 0, time = 0;
    bool is_open = true;
    std::uint64_t number = 0;
    std::optional<std::size_t> channel = std::nullopt;
  };
  Receive* find(std::uint64_t request) {
    for (auto& receive : receives_)
      if (receive.is_open && receive.request == request)
        return &receive;
    return nullptr;
  }

  std::vector<Receive> receives_;
  std::uint64_t completed_ = 0;
};

TEST(ReceiveOrder, IsTheOneOfAPlainListHoweverManyReceivesWait) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const auto requests = 1 + random() % 30;
    const auto posts_of_100 = 20 + random() % 60;
    Order order(true);
    PlainOrder plain;

    for (std::uint64_t time = 0; time < 400; ++time) {
      const auto request = random() % requests;
      if (random() % 100 < posts_of_100) {
        order.post(request, time);
        plain.post(request, time);
      } else if (random() % 10 == 0) {
        order.cancel(request);
        plain.cancel(request);
      } else {
        const auto channel =
            random() % 8 == 0 ? std::nullopt : std::optional<std::size_t>(random() % 3);
        const auto by = random() % 4 == 0 ? std::nullopt : std::optional(request);
        order.complete(channel, by, time);
        plain.complete(channel, by, time);
      }
    }

    order.finish();
    EXPECT_EQ(order.places(), plain.find_places()) << "seed " << seed;
    EXPECT_EQ(order.posts(), plain.posts);
    EXPECT_EQ(order.completed_posts(), plain.completed_posts);
    for (std::size_t channel = 0; channel < 3; ++channel)
      EXPECT_EQ(order.take_post_times(channel), plain.list_times(channel)) << "seed " << seed;
  }
}

// All that is complete waits behind a receive that never is, until that is the oldest of too many.
TEST(ReceiveOrder, GoesOnBehindAReceiveThatStaysOpen) {
  Order order;
  order.post(1);
  for (std::uint64_t k = 0; k < 100'000; ++k)
    order.complete(0, 2 + k % 5);  // never posted
  order.finish();
  EXPECT_THAT(order.places(), IsEmpty());
  EXPECT_EQ(order.completed_posts(), 0u);
}

TEST(ReceiveOrder, TakesAReceiveThatWasNotPostedForPostedWhenItCompletes) {
  Order order;
  order.complete(0, 7);
  order.complete(0, 7);
  order.finish();
  EXPECT_THAT(order.places(), IsEmpty());
}

TEST(ReceiveOrder, GivesUpTheOldestOfTooManyThatAreOpen) {
  Order order;
  order.post(0);
  for (std::uint64_t k = 1; k <= ReceiveOrder::most_open; ++k)
    order.post(k);

  order.complete(0, ReceiveOrder::most_open);
  order.complete(0, 0);  // given up: counts as posted now, and request 1 is given up for it
  order.complete(0, 2);
  order.finish();
  EXPECT_THAT(order.places(), ElementsAre(Pair(0, 1u), Pair(1, 2u), Pair(2, 0u)));
}

TEST(ReceiveOrder, TellsWhenReceivesWerePosted) {
  Order order(true);
  order.post(1, 10);
  order.post(2, 20);
  order.post(3, 30);  // never completes
  order.complete(0, 2, 25);
  order.complete(1, std::nullopt, 40);
  order.complete(0, 1, 45);
  order.complete(0, std::nullopt, 50);
  order.complete(0, std::nullopt, 60);
  order.finish();
  EXPECT_THAT(order.take_post_times(0), ElementsAre(10u, 20u, 50u, 60u));
  EXPECT_THAT(order.take_post_times(1), ElementsAre(40u));
  EXPECT_THAT(order.take_post_times(2), IsEmpty());
  EXPECT_EQ(order.posts(), 3u);
  EXPECT_EQ(order.completed_posts(), 2u);
}

}  // namespace tracefold::receive_order_test
