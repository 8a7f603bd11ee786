#include "pipeline/viewers/message_links.hpp"

#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace tracefold::message_links_test {

namespace {

using enum EventKind;
using ::testing::ElementsAre;
using testing::make_event;
using testing::TraceBuilder;

constexpr auto world = TraceBuilder::world;

Event send(std::uint64_t to, std::uint64_t tag = 0) {
  return make_event(MpiSend, 0, {to, world, tag, 8});
}
Event receive(std::uint64_t from, std::uint64_t tag = 0) {
  return make_event(MpiRecv, 0, {from, world, tag, 8});
}
Event post(std::uint64_t request) {
  return make_event(MpiIrecvRequest, 0, {request});
}
Event complete(std::uint64_t request, std::uint64_t from, std::uint64_t tag = 0) {
  return make_event(MpiIrecv, 0, {from, world, tag, 8, request});
}

// The numbers of all messages, by location in the order of their records; and how many got none.
struct Numbers {
  std::vector<std::vector<std::uint64_t>> of_locations;
  std::uint64_t unlinked = 0;
};

Numbers number(const TraceBuilder& trace, const std::vector<std::vector<Event>>& records) {
  const auto definitions = trace.definitions();
  std::vector<MessageCounts> counts;
  for (std::size_t i = 0; i < records.size(); ++i) {
    MessageCounter counter(definitions, definitions.locations()[i]);
    for (const auto& event : records[i])
      counter.add(event);
    counts.push_back(counter.take());
  }

  const MessageLinks links(counts);
  Numbers numbers{{}, links.unlinked()};
  for (std::size_t i = 0; i < records.size(); ++i) {
    MessageNumbers of_location(links, i, definitions, definitions.locations()[i]);
    auto& found = numbers.of_locations.emplace_back();
    for (const auto& event : records[i])
      if (sends_message(event.kind) || receives_message(event.kind))
        found.push_back(of_location.find(event).number);
  }

  return numbers;
}

TraceBuilder make_ranks(std::uint64_t n) {
  TraceBuilder trace;
  trace.add_mpi_processes(n);
  return trace;
}

}  // namespace

TEST(MessageLinks, GiveBothEndsOfAMessageTheSameNumber) {
  const auto numbers = number(
      make_ranks(3),
      {{send(1), send(2), send(1), receive(2)}, {receive(0), receive(0)}, {send(0), receive(0)}});
  EXPECT_EQ(numbers.unlinked, 0u);
  const auto& [zero, one, two] =
      std::tie(numbers.of_locations[0], numbers.of_locations[1], numbers.of_locations[2]);
  EXPECT_THAT(zero, ElementsAre(1, 3, 2, 4)) << "numbers of a channel follow each other";
  EXPECT_THAT(one, ElementsAre(1, 2));
  EXPECT_THAT(two, ElementsAre(4, 3));
}

TEST(MessageLinks, TellTagsApart) {
  const auto numbers =
      number(make_ranks(2), {{send(1, 7), send(1, 8)}, {receive(0, 8), receive(0, 7)}});
  EXPECT_THAT(numbers.of_locations[0], ElementsAre(1, 2));
  EXPECT_THAT(numbers.of_locations[1], ElementsAre(2, 1));
}

TEST(MessageLinks, TakeReceivesInTheOrderOfPosting) {
  const auto numbers =
      number(make_ranks(2), {{send(1), send(1), send(1)},
                             {post(10), post(11), complete(11, 0), receive(0), complete(10, 0)}});
  EXPECT_THAT(numbers.of_locations[0], ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers.of_locations[1], ElementsAre(2, 3, 1));
}

TEST(MessageLinks, AreNotKnownWhereOneEndHasMoreMessages) {
  const auto numbers =
      number(make_ranks(3), {{send(1), send(1), send(2)}, {receive(0)}, {receive(0)}});
  EXPECT_THAT(numbers.of_locations[0], ElementsAre(0, 0, 1));
  EXPECT_THAT(numbers.of_locations[1], ElementsAre(0));
  EXPECT_EQ(numbers.unlinked, 3u);
}

TEST(MessageLinks, AreNotKnownWhereThreadsShareAChannel) {
  TraceBuilder trace;
  trace.add_location_group(0, {0, 1}).add_location_group(1, {2}).add_world({0, 2});
  const auto shared = number(trace, {{send(1)}, {send(1)}, {receive(0), receive(0)}});
  EXPECT_THAT(shared.of_locations[2], ElementsAre(0, 0));
  EXPECT_EQ(shared.unlinked, 4u);

  const auto own = number(trace, {{send(1, 7)}, {send(1, 8)}, {receive(0, 8), receive(0, 7)}});
  EXPECT_THAT(own.of_locations[0], ElementsAre(1));
  EXPECT_THAT(own.of_locations[1], ElementsAre(2));
  EXPECT_THAT(own.of_locations[2], ElementsAre(2, 1));
}

TEST(MessageLinks, AreNotKnownWithRanksThatDoNotExist) {
  const auto numbers = number(make_ranks(1), {{send(5), receive(5)}});
  EXPECT_THAT(numbers.of_locations[0], ElementsAre(0, 0));
  EXPECT_EQ(numbers.unlinked, 2u);
}

TEST(MessageLinks, OfAProcessWithItself) {
  const auto numbers = number(make_ranks(1), {{post(1), send(0), complete(1, 0)}});
  EXPECT_THAT(numbers.of_locations[0], ElementsAre(1, 1));
}

}  // namespace tracefold::message_links_test
