#include "filters/messages/fold_messages.hpp"

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "tests/support/communication_builder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <numeric>
#include <random>
#include <tuple>

namespace tracefold::fold_messages_test {

using testing::CommunicationBuilder;
using testing::Does;
using enum EventKind;

using Line = std::tuple<EventKind, std::string, std::array<std::uint64_t, most_parameters>>;

// What a rank does, in order, with names of call paths.
std::vector<Line> list_operations(const Communication& communication, std::size_t rank) {
  std::vector<Line> lines;
  const auto& sequence = communication.sequences[communication.ranks[rank].sequence];
  for (SequenceCursor cursor(sequence); !cursor.at_end(); cursor.advance()) {
    const auto& operation = communication.operations[cursor.symbol()];
    std::string path;
    for (auto p = operation.path; p != 0; p = communication.paths[p].caller)
      path = communication.names[communication.paths[p].name] + "/" + path;
    lines.emplace_back(operation.kind, path, operation.values);
  }
  return lines;
}

nlohmann::ordered_json write_and_parse(const Messages& messages) {
  return nlohmann::ordered_json::parse(write_json_text(messages_to_json(messages)));
}

void expect_back(const Communication& communication) {
  const auto messages = fold_messages(communication);
  const auto read = messages_from_json(write_and_parse(messages));
  ASSERT_EQ(read, messages);

  const auto back = decode_messages(read);
  ASSERT_EQ(back.ranks.size(), communication.ranks.size());
  EXPECT_EQ(back.communicators, communication.communicators);
  for (std::size_t r = 0; r < back.ranks.size(); ++r) {
    ASSERT_EQ(list_operations(back, r), list_operations(communication, r)) << r;
    EXPECT_EQ(back.ranks[r].rank, communication.ranks[r].rank);
    EXPECT_EQ(back.ranks[r].messages, communication.ranks[r].messages);
    EXPECT_EQ(back.ranks[r].bytes, communication.ranks[r].bytes);
    EXPECT_EQ(back.ranks[r].gaps, communication.ranks[r].gaps);
    EXPECT_EQ(back.ranks[r].threads, communication.ranks[r].threads);
  }
}

// A wavefront on a square of ranks as in LU: nine kinds of places.
CommunicationBuilder wavefront(std::uint32_t side, int steps) {
  CommunicationBuilder made(side * side);
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x) {
      const std::uint64_t rank = y * side + x;
      std::vector<Does> does{{MpiCollectiveEnd, 1, 8}};
      for (int step = 0; step < steps; ++step) {
        if (y > 0)
          does.push_back({MpiRecv, rank - side, 400, 1, "north"});
        if (x > 0)
          does.push_back({MpiRecv, rank - 1, 200, 2, "west"});
        if (y + 1 < side)
          does.push_back({MpiSend, rank + side, 400, 1, "south"});
        if (x + 1 < side)
          does.push_back({MpiSend, rank + 1, 200, 2, "east"});
      }
      made.rank(does);
    }
  return made;
}

TEST(FoldMessages, GivesBackWhatItWasMadeOf) {
  expect_back(wavefront(4, 5).made());
}

TEST(FoldMessages, MakesOneClusterOfEachPlaceOfAWavefront) {
  const auto messages = fold_messages(wavefront(4, 5).made());
  EXPECT_EQ(messages.clusters.size(), 9u);
  EXPECT_TRUE(messages.complete);
}

// Constant size where the program's structure is.
TEST(FoldMessages, TakesNoMoreForMoreRanks) {
  const auto bytes = [](std::uint32_t side, int steps) {
    return measure_messages(fold_messages(wavefront(side, steps).made()));
  };
  EXPECT_LE(10 * bytes(64, 10), 11 * bytes(8, 10));
  EXPECT_LE(bytes(8, 1000), bytes(8, 10) + 32);
}

TEST(FoldMessages, GivesIrregularOperationsBack) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    CommunicationBuilder made(6);
    for (int rank = 0; rank < 6; ++rank) {
      std::vector<Does> does;
      for (int k = 0; k < 40; ++k) {
        constexpr EventKind kinds[] = {MpiSend, MpiIrecvRequest};
        const auto kind = kinds[k / 4 % 2];  // the same kinds at the same places
        const auto peer = random() % 7 == 6 ? unknown_value : random() % 6;
        does.push_back({kind, peer, random() % 3, random() % 3});
      }
      made.rank(does);
    }
    expect_back(made.made());
  }
}

// Every message has another size, and every rank its own.
Communication make_irregular(std::uint32_t ranks, std::uint64_t messages) {
  CommunicationBuilder made(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::vector<Does> does;
    for (std::uint64_t k = 0; k < messages; ++k)
      does.push_back(
          {MpiSend, (rank + k * k) % ranks, 1000 + k * 7919 % 4001 * ranks + rank, k % 97});
    made.rank(does);
  }
  return made.made();
}

TEST(FoldMessages, EndsWhereTheSectionWouldTakeMore) {
  for (auto ranks : {1u, 5u}) {
    const auto communication = make_irregular(ranks, 500);
    const auto messages = fold_messages(communication);
    const auto bytes = measure_messages(messages);
    EXPECT_EQ(bytes, write_json_text(messages_to_json(messages), JsonLines::one).size() - 1);

    EXPECT_EQ(fold_messages_within(communication, bytes), messages);
    EXPECT_EQ(fold_messages_within(communication, 10 * bytes), messages);
    EXPECT_FALSE(fold_messages_within(communication, bytes - 1));
    EXPECT_FALSE(fold_messages_within(communication, bytes / 3));
    EXPECT_FALSE(fold_messages_within(communication, 0));
  }
}

TEST(FoldMessages, KeepsGapsOfEachRank) {
  auto communication = wavefront(3, 2).made();
  for (std::size_t r = 0; r < communication.ranks.size(); ++r)
    if (r % 2)
      communication.ranks[r].gaps = {{1, 10 + r}, {2, 1}};
  expect_back(communication);
}

TEST(FoldMessages, IsIncompleteWithoutAllEndsAndRanks) {
  auto communication = wavefront(3, 2).made();
  communication.unknown_ends = 1;
  EXPECT_FALSE(fold_messages(communication).complete);

  auto damaged = wavefront(3, 2).made();
  damaged.ranks[4].damaged = true;
  EXPECT_FALSE(fold_messages(damaged).complete);

  auto unranked = wavefront(3, 2).made();
  unranked.ranks[8].rank = unknown_value;
  const auto messages = fold_messages(unranked);
  EXPECT_FALSE(messages.complete);
  EXPECT_EQ(messages.clusters.size(), 8u);
}

// A section from others may say anything.
TEST(MessagesJson, RefusesWhatDoesNotHoldTogether) {
  const auto good = write_and_parse(fold_messages(wavefront(3, 2).made()));
  EXPECT_NO_THROW(messages_from_json(good));

  const std::pair<const char*, const char*> wrong[] = {
      {"/size", "4294967295"},
      {"/size", "4"},
      {"/size", "-1"},
      {"/paths", "[5, 0]"},
      {"/paths", "[0, 99]"},
      {"/paths", "[0]"},
      {"/endpoints", "\"0-3\""},
      {"/endpoints", "[\"0\", \"1\"]"},
      {"/nodes", "[{\"name\": \"a\", \"ranks\": \"0 9\"}]"},
      {"/nodes", "[{\"name\": \"a\", \"ranks\": \"0 2\"}, {\"name\": \"b\", \"ranks\": \"0 2\"}]"},
      {"/nodes", "[{\"prefix\": \"a\", \"run\": [0, 1, 4, 0, 3]}]"},
      {"/nodes", "[{\"prefix\": \"a\", \"run\": [0, 4000000000, 1, 0, 3]}]"},
      {"/nodes", "[{\"prefix\": \"a\", \"run\": [0, 1, 4294967295, 0, 0]}]"},
      {"/lists", "[\"1 0 10 1\"]"},
      {"/lists", "[[0, 1]]"},
      {"/nodes", "null"},
      {"/communicators", "null"},
      {"/operations", "null"},
      {"/clusters", "null"},
      {"/clusters", "{}"},
      {"/columns/0", "\"values #0: 1\""},
      {"/columns/0", "\"+99\""},
      {"/columns/0", "\"7 @ 0 3; 8 @ 0 3\""},
      {"/operations/0/0", "\"Enter\""},
      {"/operations/0/0", "\"Nothing\""},
      {"/operations/0/2", "99"},
      {"/operations/0/3", "99"},
      {"/operations/1", "[\"MpiSend\", 0, 0]"},
      {"/clusters/0/ranks", "\"1 0 10 1\""},
      {"/clusters/0/ranks", "\"0 1\""},
      {"/clusters/0/ranks", "\"\""},
      {"/clusters/0/sequence", "\"999\""},
      {"/clusters/0/sequence", "\"1(0)\""},
      {"/clusters/0/sequence", "\"99999999999999999999(0)\""},
      {"/clusters/0/sequence", "\"4000000000(4000000000(4000000000(0)))\""},
      {"/clusters/0/gaps", "{\"99\": [1]}"},
      {"/clusters/0/gaps", "{\"1\": [1, 2]}"},
      {"/clusters/0/gaps", "{\"\": [1]}"},
      {"/communicators/0/ranks", "[0, 9]"},
      {"/communicators/0/ranks", "[0]"},
      {"/communicators/0/id", "\"x\""},
  };
  for (const auto& [place, value] : wrong) {
    auto bad = good;
    bad[nlohmann::ordered_json::json_pointer(place)] = nlohmann::ordered_json::parse(value);
    EXPECT_ANY_THROW(messages_from_json(bad)) << place << " " << value;
  }

  auto deep = good;
  std::string sequence = "0";
  for (int depth = 0; depth < 5000; ++depth)
    sequence = "2(" + sequence + ")";
  deep["clusters"][0]["sequence"] = sequence;
  EXPECT_THROW(messages_from_json(deep), Error);
}

// Each rank of a cluster may have a sequence of its own, so a short text may stand for very many.
TEST(MessagesJson, IsNotUnfoldedBeyondItsBound) {
  auto messages = fold_messages(wavefront(3, 2).made());
  messages.size = 100;
  messages.endpoints.clear();
  messages.clusters.resize(1);
  auto& cluster = messages.clusters[0];
  cluster.gaps.clear();
  cluster.ranks.resize(messages.size);
  std::iota(cluster.ranks.begin(), cluster.ranks.end(), 0u);

  Column own{ColumnForm::linear, {0, 1}, {}};
  messages.columns = {{ColumnForm::constant, {0}, {}}, own};
  messages.operations = {{MpiSend, 0, false, 1, {0, 0, 1, 0}}};
  cluster.sequence.assign(20, {0, 0, 1});
  EXPECT_EQ(decode_messages(messages, 2000).ranks.size(), 100u);
  EXPECT_THROW(decode_messages(messages, 1999), Error);
}

TEST(MessagesJson, TakesNodesThatCountUpTogether) {
  auto messages = fold_messages(wavefront(4, 2).made());
  messages.nodes = {{"login", {0}},      {"n007", {1, 2, 3}},    {"n008", {4, 5, 6}},
                    {"n009", {7, 8, 9}}, {"n010", {10, 11, 12}}, {"n12", {13, 15}},
                    {"n13", {14}}};
  const auto json = write_and_parse(messages);
  EXPECT_EQ(json["nodes"].size(), 4u);
  EXPECT_EQ(messages_from_json(json), messages);
}

}  // namespace tracefold::fold_messages_test
