#include "filters/messages/sequence_folder.hpp"

#include "model/messages/sequence_text.hpp"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace tracefold::sequence_folder_test {

using Symbols = std::vector<std::uint32_t>;

Symbols unfold(const FoldedSequence& sequence) {
  Symbols symbols;
  for (SequenceCursor cursor(sequence); !cursor.at_end(); cursor.advance())
    symbols.push_back(cursor.symbol());
  return symbols;
}

FoldedSequence fold(SequenceFolder& folder, const Symbols& symbols) {
  for (auto symbol : symbols)
    folder.add(symbol);
  return folder.take();
}

// A letter is a symbol.
std::string folded(const std::string& letters) {
  SequenceFolder folder;
  for (auto letter : letters)
    folder.add(static_cast<std::uint32_t>(letter - 'a'));
  return sequence_text(folder.take());
}

TEST(SequenceFolder, FoldsRepetitions) {
  EXPECT_EQ(folded(""), "");
  EXPECT_EQ(folded("abc"), "0-2");
  EXPECT_EQ(folded("aaaa"), "4(0)");
  EXPECT_EQ(folded("abababc"), "3(0 1) 2");
}

// signatures 2: PRSDs are loops of RSDs.
TEST(SequenceFolder, FoldsLoopsInLoops) {
  EXPECT_EQ(folded("xaaabxaaabxaaab"), "3(23 3(0) 1)");
  EXPECT_EQ(folded("aabaabaabcaabaabaabc"), "2(3(2(0) 1) 2)");
}

TEST(SequenceFolder, KeepsAnIterationThatIsNotWhole) {
  EXPECT_EQ(folded("abcabcab"), "2(0-2) 0 1");
  EXPECT_EQ(folded("xaaxaaxaaaxaa"), "3(23 2(0)) 0 23 2(0)");
}

TEST(SequenceFolder, ForgetsTheSequenceBefore) {
  SequenceFolder folder;
  fold(folder, {1, 2, 1, 2, 3});
  EXPECT_EQ(sequence_text(fold(folder, {1, 2, 3})), "1-3");
}

TEST(SequenceFolder, FoldsUpToItsWindow) {
  SequenceFolder folder;
  for (std::size_t length : {SequenceFolder::window, SequenceFolder::window + 1}) {
    for (int round = 0; round < 3; ++round)
      for (std::uint32_t symbol = 0; symbol < length; ++symbol)
        folder.add(symbol);
    const auto folded = folder.take();
    EXPECT_EQ(folded.size(), length == SequenceFolder::window ? length + 1 : 3 * length);
    EXPECT_EQ(count_symbols(folded), 3 * length);
  }
}

// Random nested loops with random breaks: nothing is lost, and most of it is folded.
TEST(SequenceFolder, GivesAnySequenceBack) {
  std::mt19937 random(7);
  SequenceFolder folder;
  for (int round = 0; round < 400; ++round) {
    Symbols symbols;
    for (int part = 0; part < 4; ++part) {
      Symbols body;
      for (auto k = random() % 6 + 1; k > 0; --k)
        body.insert(body.end(), random() % 3 + 1, static_cast<std::uint32_t>(random() % 4));
      for (auto k = random() % 20; k > 0; --k) {
        symbols.insert(symbols.end(), body.begin(), body.end());
        if (random() % 10 == 0)
          symbols.push_back(static_cast<std::uint32_t>(random() % 5));
      }
    }
    const auto sequence = fold(folder, symbols);
    ASSERT_EQ(unfold(sequence), symbols) << sequence_text(sequence);
    ASSERT_LE(sequence.size(), symbols.size() + symbols.size() / 2);
  }
}

TEST(SequenceFolder, HoldsAMillionEqualStepsInAFewNodes) {
  SequenceFolder folder;
  for (int step = 0; step < 1'000'000; ++step)
    for (std::uint32_t symbol : {0, 1, 1, 2})
      folder.add(symbol);
  EXPECT_EQ(sequence_text(folder.take()), "1000000(0 2(1) 2)");
}

}  // namespace tracefold::sequence_folder_test
