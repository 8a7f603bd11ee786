#include "pipeline/profile/parts_reader.hpp"

#include <gmock/gmock.h>

namespace tracefold::parts_reader_test {

std::vector<std::size_t> last_of(const std::vector<std::uint64_t>& events, std::size_t threads) {
  TailScheduler tail(events, threads);
  std::vector<std::size_t> last;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (tail.begin(i))
      last.push_back(i);

  return last;
}

TEST(TailScheduler, FindsTheLastOfEqualOnes) {
  EXPECT_THAT(last_of(std::vector<std::uint64_t>(32, 1000), 2), ::testing::ElementsAre(31));
  EXPECT_THAT(last_of(std::vector<std::uint64_t>(32, 1000), 4), ::testing::ElementsAre(29, 30, 31));
}

TEST(TailScheduler, FindsThoseThatOutlastTheRest) {
  EXPECT_THAT(last_of({10, 500, 10, 10, 10}, 2), ::testing::ElementsAre(1, 4));
  EXPECT_THAT(last_of({500, 100, 100, 100, 100, 100, 100}, 2), ::testing::ElementsAre(6));
  EXPECT_THAT(last_of({500, 100, 100, 100, 100, 100, 100}, 3), ::testing::ElementsAre(0, 5, 6));
}

TEST(TailScheduler, FindsNoneForOneThread) {
  EXPECT_THAT(last_of({500, 1}, 1), ::testing::IsEmpty());
}

// Where a trace was not finished, its definitions know of no events.
TEST(TailScheduler, FindsAllWhoseSizeIsUnknown) {
  EXPECT_THAT(last_of({0, 0, 0}, 2), ::testing::ElementsAre(0, 1, 2));
}

}  // namespace tracefold::parts_reader_test
