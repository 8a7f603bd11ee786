#include "base/spelling.hpp"

#include <gmock/gmock.h>

namespace tracefold::spelling_test {

TEST(SuggestName, NamesTheKnownWordWithTheFewestEdits) {
  EXPECT_EQ(suggest_name("reduse", {"group", "reduce"}, ""), "did you mean 'reduce'?");
  EXPECT_EQ(suggest_name("grop", {"drop", "group"}, ""), "did you mean 'drop'?");
  EXPECT_EQ(suggest_name("same", {"same"}, ""), "did you mean 'same'?");
}

TEST(SuggestName, SaysOtherwiseWhereNoneIsNear) {
  EXPECT_EQ(suggest_name("compress", {"group", "reduce"}, "see --help"), "see --help");
  EXPECT_EQ(suggest_name("word", {}, "see --help"), "see --help");
}

}  // namespace tracefold::spelling_test
