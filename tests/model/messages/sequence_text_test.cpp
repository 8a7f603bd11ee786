#include "model/messages/sequence_text.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

namespace tracefold::sequence_text_test {

using ::testing::ElementsAre;

std::vector<std::uint32_t> symbols_of(const FoldedSequence& sequence) {
  std::vector<std::uint32_t> symbols;
  for (SequenceCursor cursor(sequence); !cursor.at_end(); cursor.advance())
    symbols.push_back(cursor.symbol());
  return symbols;
}

TEST(SequenceText, IsReadAndWritten) {
  for (const char* text : {"", "0", "0-3 5", "250(4 2(5 6)) 7", "2(2(0) 3(1))"})
    EXPECT_EQ(sequence_text(parse_sequence(text, 10)), text);
}

TEST(SequenceText, StandsForItsSymbolsInOrder) {
  const auto sequence = parse_sequence("0-2 2(4 3(5 6)) 7", 10);
  EXPECT_THAT(symbols_of(sequence),
              ElementsAre(0, 1, 2, 4, 5, 6, 5, 6, 5, 6, 4, 5, 6, 5, 6, 5, 6, 7));
  EXPECT_EQ(count_symbols(sequence), 18u);
}

TEST(SequenceText, VisitsEachNodeWithItsTimes) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> visits;
  visit_symbols(parse_sequence("0 2(4 3(5)) 7", 10),
                [&](auto symbol, auto times) { visits.emplace_back(symbol, times); });
  EXPECT_THAT(visits,
              ElementsAre(std::pair(0, 1), std::pair(4, 2), std::pair(5, 6), std::pair(7, 1)));
}

TEST(SequenceText, RefusesWhatIsNoSequence) {
  for (const char* text : {"10", "3-1", "0-99999999999", "2(", "2()", ")", "0)", "1(0)", "0(0)",
                           "2(0", "x", "4611686018427387904(4611686018427387904(0))"})
    EXPECT_THROW(parse_sequence(text, 10), Error) << text;

  std::string deep, end;
  for (std::size_t k = 0; k <= deepest_loops; ++k) {
    deep += "2(";
    end += ")";
  }
  EXPECT_THROW(parse_sequence(deep + "0" + end, 10), Error);
}

TEST(FoldedSequence, RefusesLoopsThatReachTooFar) {
  EXPECT_THROW(check_sequence(FoldedSequence{{0, 2, 2}, {1, 0, 1}}), Error);
  EXPECT_NO_THROW(check_sequence(FoldedSequence{{0, 1, 2}, {1, 0, 1}}));
}

}  // namespace tracefold::sequence_text_test
