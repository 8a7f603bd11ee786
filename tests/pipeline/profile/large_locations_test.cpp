// Which locations all members of a team read, and who reads which of their chunks.
#include "pipeline/profile/large_locations.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace tracefold::large_locations_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FindLargeLocations, FindsThoseThatOneMemberTakesTooLongFor) {
  EXPECT_THAT(find_large_locations({100}, 2), ElementsAre(0));
  EXPECT_THAT(find_large_locations({100, 100}, 3), ElementsAre(0, 1));
  EXPECT_THAT(find_large_locations({10, 300, 10, 10}, 4), ElementsAre(1));
}

TEST(FindLargeLocations, FindsNoneWhereLocationsCanBeDealt) {
  EXPECT_THAT(find_large_locations({100}, 1), IsEmpty());
  EXPECT_THAT(find_large_locations({100, 100}, 2), IsEmpty());
  EXPECT_THAT(find_large_locations({100, 110, 90, 100}, 4), IsEmpty());
}

// Where a trace was not finished, its definitions know of no events.
TEST(FindLargeLocations, FindsNoneWhoseSizeIsUnknown) {
  EXPECT_THAT(find_large_locations({0, 0, 0}, 8), IsEmpty());
  EXPECT_THAT(find_large_locations({}, 8), IsEmpty());
}

TEST(FindStretch, GivesEachChunkToOneMemberInOrder) {
  for (std::size_t chunks : {16, 17, 100, 1000})
    for (std::size_t members : {1, 2, 3, 8, 300}) {
      std::size_t next = 0, least = chunks, most = 0;
      for (std::size_t rank = 0; rank < members; ++rank) {
        const auto stretch = find_stretch(chunks, rank, members);
        EXPECT_EQ(stretch.first, next);
        next = stretch.last;
        if (stretch.size() == 0)
          continue;
        least = std::min(least, stretch.size());
        most = std::max(most, stretch.size());
      }
      EXPECT_EQ(next, chunks);
      EXPECT_LE(most - least, 1u) << chunks << " by " << members;
      EXPECT_GE(least, PartsReader::smallest_part);
    }
}

}  // namespace tracefold::large_locations_test
