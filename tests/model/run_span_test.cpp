#include "model/run_span.hpp"

#include <gtest/gtest.h>

namespace tracefold::run_span_test {

TEST(RunSpan, IsFromTheFirstToTheLastRecordOfLocationsWithCalls) {
  RunSpan span;
  EXPECT_FALSE(span.get().has_value());
  span.add(false, {0, 1000});
  EXPECT_EQ(span.get(), (TimeSpan{0, 1000})) << "nothing has calls";
  span.add(true, {300, 400});
  RunSpan other;
  other.add(true, {100, 350});
  span.add(other);
  EXPECT_EQ(span.get(), (TimeSpan{100, 400}));
}

}  // namespace tracefold::run_span_test
