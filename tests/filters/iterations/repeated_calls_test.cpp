#include "filters/iterations/repeated_calls.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::repeated_calls_test {

using ::testing::Each;

// One call per letter, each the same as others of its letter; _ is a pause.
RepeatedCalls find(const std::string& letters) {
  std::vector<Call> calls;
  std::vector<std::uint32_t> symbols;
  std::uint64_t time = 0;
  for (const char letter : letters) {
    if (letter == '_') {
      time += 1000;
      continue;
    }
    const auto symbol = static_cast<std::uint32_t>(letter);
    calls.push_back({time, time + 10, symbol});
    symbols.push_back(symbol);
    time += 20;
  }
  return find_repeated_calls(calls, symbols);
}

// Places as letters: a for the first; . where there is none.
std::string write_places(const RepeatedCalls& found) {
  std::string out;
  for (const auto place : found.place)
    out += place == no_place ? '.' : static_cast<char>('a' + place);
  return out;
}

TEST(RepeatedCalls, FindsTheSequenceAndTheRowsOfIt) {
  const auto found = find("uvsrtrqsrtrqsrtrqw");
  EXPECT_EQ(found.length, 5U);
  EXPECT_EQ(found.times, 3U);
  EXPECT_EQ(write_places(found), "..abcdeabcdeabcde.");
}

TEST(RepeatedCalls, GoesOnBehindOtherCalls) {
  EXPECT_EQ(write_places(find("abcabcabcxyabcabcabc")), "abcabcabc..abcabcabc");
  EXPECT_EQ(write_places(find("abcdabcdabcdxcdabcdabcdabcd")), "cdabcdabcdab.abcdabcdabcdab")
      << "in a step that begins otherwise";
  EXPECT_EQ(write_places(find("abcdabcdabcdxabcd")), "abcdabcdabcd.abcd") << "in the last one";
}

TEST(RepeatedCalls, TakesTheShorterOfSequencesThatRepeatAsMuch) {
  EXPECT_EQ(find("abcabcabcabcabcabcabcabc").length, 3U);
  EXPECT_EQ(find("abcabcabcabcxabcabcabcabcxabcabcabcabcx").length, 3U);
  EXPECT_EQ(find("aabbbbaaaabbbbaaaabbbbaa").length, 8U) << "rows of one call are too few";
}

TEST(RepeatedCalls, JoinsWhatIsOneStepByThePausesInIt) {
  EXPECT_EQ(find("abab_ababab_ababab_ababab_abab").length, 6U);
  EXPECT_EQ(find("abababababababababababababab").length, 2U) << "without pauses";
  EXPECT_EQ(find("_ab_ab_ab_ab_ab_ab_ab_ab").length, 2U) << "before each of them";
}

TEST(RepeatedCalls, FindsNothingWhereNothingIsRepeatedThreeTimes) {
  EXPECT_EQ(find("").length, 0U);
  EXPECT_EQ(find("abcdefghijklm").length, 0U);
  const auto found = find("abcxabcyab");
  EXPECT_EQ(found.times, 0U);
  EXPECT_THAT(find("abcabc").place, Each(no_place));
}

}  // namespace tracefold::repeated_calls_test
