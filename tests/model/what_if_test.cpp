#include "model/what_if.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace tracefold::what_if_test {

TEST(WhatIf, IsReadAsPeopleWriteIt) {
  const auto asked = parse_what_if({"solve=0.5", "a=b=2", "balance:file:x.c", "network:ideal"});
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(asked[0].pattern, "solve");
  EXPECT_EQ(asked[0].factor, 0.5);
  EXPECT_EQ(asked[1].pattern, "a=b");
  EXPECT_EQ(asked[2].kind, WhatIf::Kind::balance);
  EXPECT_EQ(asked[2].pattern, "file:x.c");
  EXPECT_EQ(asked[3].kind, WhatIf::Kind::network);
}

TEST(WhatIf, RefusesWhatMeansNothing) {
  for (const auto* words : {"", "solve", "=0.5", "solve=", "solve=x", "solve=-1", "solve=1e999",
                            "solve=nan", "balance:", "network:fast"})
    EXPECT_THROW(parse_what_if({words}), Error) << words;
}

}  // namespace tracefold::what_if_test
