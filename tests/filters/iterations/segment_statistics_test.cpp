#include "filters/iterations/segment_statistics.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tracefold::segment_statistics_test {

// One call per letter, one after the other, of 10 ticks each.
std::vector<Call> make_calls(const std::string& letters) {
  std::vector<Call> calls;
  for (char c : letters) {
    const auto begin = 10 * calls.size();
    calls.push_back({begin, begin + 10, static_cast<FunctionIndex>(c)});
  }
  return calls;
}

std::vector<std::size_t> find_places(const std::string& letters, char marker) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < letters.size(); ++k)
    if (letters[k] == marker)
      places.push_back(k);
  return places;
}

void expect_equal(const SegmentStatistics& a, const SegmentStatistics& b) {
  EXPECT_EQ(a.symbols.size, b.symbols.size);
  EXPECT_EQ(a.symbols.weight, b.symbols.weight);
  EXPECT_EQ(a.pairs.weight, b.pairs.weight);
  EXPECT_EQ(a.usual_calls, b.usual_calls);
  ASSERT_EQ(a.segments.size(), b.segments.size());
  for (std::size_t s = 0; s < a.segments.size(); ++s) {
    EXPECT_EQ(a.segments[s].in_both, b.segments[s].in_both) << s;
    EXPECT_EQ(a.segments[s].in_either, b.segments[s].in_either) << s;
    EXPECT_EQ(a.segments[s].usual, b.segments[s].usual) << s;
    EXPECT_EQ(a.segments[s].work, b.segments[s].work) << s;
    EXPECT_EQ(a.segments[s].typical_work, b.segments[s].typical_work) << s;
    EXPECT_EQ(a.segments[s].own_work, b.segments[s].own_work) << s;
    EXPECT_EQ(a.segments[s].has_own_calls, b.segments[s].has_own_calls) << s;
  }
}

// Segments "bbc", "bbc", "bk" and "bbc" of the marker A; x is behind the last one.
TEST(SegmentComparer, TellsWhatSegmentsUsuallyHave) {
  const std::string letters = "AbbcAbbcAbkAbbcAx";
  const auto calls = make_calls(letters);
  const CallSequence sequence(calls);
  const auto statistics = SegmentComparer(sequence).compare(find_places(letters, 'A'));

  const auto find = [&](char letter) {
    return statistics.symbols[sequence.symbol[letters.find(letter)]];
  };
  EXPECT_EQ(find('b').median, 2u);
  EXPECT_EQ(find('b').largest, 2u);
  EXPECT_EQ(find('b').segments, 4u);
  EXPECT_EQ(find('c').segments, 3u);
  EXPECT_EQ(find('c').last, 3u);
  EXPECT_EQ(find('k').median, 0u);
  EXPECT_EQ(find('k').first, 2u);
  EXPECT_EQ(find('x').segments, 0u);
  EXPECT_EQ(statistics.symbols.size, 3u);
  ASSERT_EQ(statistics.segments.size(), 4u);
  EXPECT_EQ(statistics.segments[0].compute_similarity(), 1);
  EXPECT_LT(statistics.segments[2].compute_similarity(), 0.7);
  EXPECT_TRUE(statistics.segments[2].has_own_calls);
  EXPECT_TRUE(statistics.is_whole(1));
}

// Nothing of one marker is left for the next. Some segments have no calls.
TEST(SegmentComparer, SaysTheSameWhateverItComparedBefore) {
  const std::string letters = "xAbbcAAbkdAbbcAbyAAbbcbbk";
  const auto calls = make_calls(letters);
  const CallSequence sequence(calls);
  SegmentComparer comparer(sequence);
  for (char marker : {'A', 'b', 'c', 'A', 'k', 'b', 'A'}) {
    const auto places = find_places(letters, marker);
    SCOPED_TRACE(marker);
    expect_equal(comparer.compare(places), SegmentComparer(sequence).compare(places));
  }
}

}  // namespace tracefold::segment_statistics_test
