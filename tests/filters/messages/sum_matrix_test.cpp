#include "filters/messages/sum_matrix.hpp"

#include "filters/messages/fold_messages.hpp"
#include "tests/support/communication_builder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace tracefold::sum_matrix_test {

using testing::CommunicationBuilder;
using testing::Does;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum EventKind;

// A ring of four, twice round, and a message of rank 0 with another tag in another call path.
Messages make_ring() {
  CommunicationBuilder made(4);
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    std::vector<Does> does;
    for (int step = 0; step < 2; ++step) {
      does.push_back({MpiIrecvRequest, (rank + 3) % 4, 50, 1, "receive"});
      does.push_back({MpiSend, (rank + 1) % 4, 50, 1, "send"});
    }
    if (rank == 0)
      does.push_back({MpiIsend, 2, 7, 9, "extra"});
    made.rank(does);
  }
  auto messages = fold_messages(made.made());
  messages.nodes = {{"a", {0, 1}}, {"b", {2}}};
  messages.communicators[0].name = "world";
  return messages;
}

TEST(SumMatrix, CountsSendsOfRanks) {
  const auto messages = make_ring();
  const auto matrix = sum_matrix(messages, list_rank_rows(messages), MatrixSplit::none);

  EXPECT_THAT(matrix.names, ElementsAre("0", "1", "2", "3"));
  ASSERT_EQ(matrix.parts.size(), 1u);
  EXPECT_THAT(matrix.parts[0].cells, ElementsAre(MatrixCell{0, 1, 2, 100}, MatrixCell{0, 2, 1, 7},
                                                 MatrixCell{1, 2, 2, 100}, MatrixCell{2, 3, 2, 100},
                                                 MatrixCell{3, 0, 2, 100}));
}

TEST(SumMatrix, HasARowForRanksWithoutANode) {
  const auto messages = make_ring();
  const auto matrix = sum_matrix(messages, list_node_rows(messages), MatrixSplit::none);

  EXPECT_THAT(matrix.names, ElementsAre("a", "b", "no node"));
  EXPECT_THAT(matrix.parts[0].cells,
              ElementsAre(MatrixCell{0, 0, 2, 100}, MatrixCell{0, 1, 3, 107},
                          MatrixCell{1, 2, 2, 100}, MatrixCell{2, 0, 2, 100}));
}

TEST(SumMatrix, AddsUpGroups) {
  const auto messages = make_ring();
  const auto rows = list_group_rows({5, 2, unknown_row, 2});
  EXPECT_THAT(rows.names, ElementsAre("2", "5", "no group"));
  EXPECT_THAT(rows.row_of, ElementsAre(1, 0, 2, 0));

  const auto matrix = sum_matrix(messages, rows, MatrixSplit::none);
  EXPECT_THAT(matrix.parts[0].cells, ElementsAre(MatrixCell{0, 1, 2, 100}, MatrixCell{0, 2, 2, 100},
                                                 MatrixCell{1, 0, 2, 100}, MatrixCell{1, 2, 1, 7},
                                                 MatrixCell{2, 0, 2, 100}));
}

std::vector<std::string> list_parts(const Messages& messages, MatrixSplit split) {
  std::vector<std::string> names;
  for (const auto& part : sum_matrix(messages, list_rank_rows(messages), split).parts)
    names.push_back(part.name + ": " + std::to_string(part.cells.size()));
  return names;
}

TEST(SumMatrix, IsSplitByCommunicatorTagOrCallPath) {
  const auto messages = make_ring();
  EXPECT_THAT(list_parts(messages, MatrixSplit::communicator), ElementsAre("world (0): 5"));
  EXPECT_THAT(list_parts(messages, MatrixSplit::tag), ElementsAre("1: 4", "9: 1"));
  EXPECT_THAT(list_parts(messages, MatrixSplit::call_path),
              ElementsAre("main > send: 4", "main > extra: 1"));
}

// Which of its communicators a rank means counts those of every rank alone, too.
TEST(SumMatrix, FindsCommunicatorsAmongThoseOfEachRankAlone) {
  auto messages = make_ring();
  const auto world = messages.communicators[0];
  const auto self = [](std::uint64_t id) { return Communicator{id, true, {}, {}, "self"}; };
  const auto part = Communicator{6, false, {0, 1}, {}, "part"};
  messages.communicators = {self(1), part, self(7), world, self(9)};
  messages.communicators[3].id = 8;

  const std::vector<std::string> of_first{"self (1)",  "part (6)", "self (7)",
                                          "world (8)", "self (9)", "unknown"};
  const std::vector<std::string> of_last{"self (1)", "self (7)", "world (8)", "self (9)",
                                         "unknown"};
  for (std::uint32_t number = 0; number < of_first.size(); ++number) {
    const auto column = static_cast<std::uint32_t>(messages.columns.size());
    messages.columns.push_back(Column{ColumnForm::constant, {number}, {}});
    for (auto& operation : messages.operations)
      if (is_send(operation.kind))
        operation.columns[find_parameter(operation.kind, Parameter::communicator)] = column;

    std::set<std::string> expected{of_first[number] + ": "};
    expected.insert(of_last[std::min<std::size_t>(number, of_last.size() - 1)] + ": ");
    std::set<std::string> found;
    for (const auto& name : list_parts(messages, MatrixSplit::communicator))
      found.insert(name.substr(0, name.find(": ") + 2));
    EXPECT_EQ(found, expected) << number;
  }
}

TEST(SumMatrix, SaysWhichReceiversAreUnknown) {
  CommunicationBuilder made(2);
  made.rank({{MpiSend, unknown_value, 10}}).rank({{MpiRecv, 0, 10}});
  const auto messages = fold_messages(made.made());
  const auto matrix = sum_matrix(messages, list_rank_rows(messages), MatrixSplit::none);
  EXPECT_THAT(matrix.parts[0].cells, ElementsAre(MatrixCell{0, unknown_row, 1, 10}));
}

TEST(SumMatrix, OfAProgramWithoutMessagesIsEmpty) {
  CommunicationBuilder made(2);
  made.rank({{MpiCollectiveEnd, 1}}).rank({{MpiCollectiveEnd, 1}});
  const auto messages = fold_messages(made.made());
  const auto matrix = sum_matrix(messages, list_rank_rows(messages), MatrixSplit::none);
  ASSERT_EQ(matrix.parts.size(), 1u);
  EXPECT_THAT(matrix.parts[0].cells, IsEmpty());
  EXPECT_THAT(list_parts(messages, MatrixSplit::tag), IsEmpty());
}

TEST(SumPairs, AddsMessagesAndWaitingByRow) {
  const RowsOfRanks rows{MatrixRows::node, {"a", "b"}, {0, 0, 1}};
  // Process 3 has no rank, process 4 one that has no row.
  const RankPairs pairs{{{0, 2, 5, 50, 500, 0},
                         {1, 2, 1, 10, 0, 250},
                         {2, 0, 2, 20, 0, 0},
                         {3, 0, 7, 70, 9, 9},
                         {0, 4, 7, 70, 9, 9}},
                        {0, 1, 2, std::nullopt, 9},
                        1'000};
  const auto matrix = sum_pairs(pairs, rows);
  EXPECT_TRUE(matrix.knows_waiting);
  ASSERT_EQ(matrix.parts.size(), 1u);
  EXPECT_EQ(matrix.parts[0].cells,
            (std::vector<MatrixCell>{{0, 1, 6, 60, 0.5, 0.25}, {1, 0, 2, 20, 0}}));
}

}  // namespace tracefold::sum_matrix_test
