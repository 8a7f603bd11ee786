#include "model/profile/function_groups.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

namespace tracefold::function_groups_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string find_fault(std::string_view text) {
  try {
    parse_function_groups(text);
  } catch (const Error& problem) {
    return problem.what();
  }
  return "no fault";
}

TEST(FunctionGroups, AreNamesWithPatternsBelowThem) {
  const auto groups = parse_function_groups(
      "# what is ours\nsolver, inner\n  CG*\n\tfile:*/solver/*.c  \n\r\ninput and output\r\n "
      "read *\r\n# no pattern\n write_?");
  EXPECT_THAT(groups, ElementsAre(ListedFunctions{"solver, inner", {"CG*", "file:*/solver/*.c"}, 2},
                                  ListedFunctions{"input and output", {"read *", "write_?"}, 6}));
}

TEST(FunctionGroups, AreRefusedWithTheLineThatIsWrong) {
  EXPECT_THAT(find_fault("\n CG*\nsolver\n"),
              HasSubstr("line 2: the pattern 'CG*' is in no group"));
  EXPECT_THAT(find_fault("a\n x\nb\nc\n y"), HasSubstr("line 3: the group 'b' has no patterns"));
  EXPECT_THAT(find_fault("a\n x\nb"), HasSubstr("line 3: the group 'b' has no patterns"));
  EXPECT_THAT(find_fault("a\n x\n\na\n y"),
              HasSubstr("line 4: the group 'a' is in line 1 already"));
  EXPECT_THAT(find_fault(std::string_view("a\n x\0y\n", 7)), HasSubstr("line 2: this is no text"));
  EXPECT_THAT(find_fault("# nothing\n\n"), HasSubstr("there are no groups"));
  EXPECT_THAT(find_fault(""), HasSubstr("there are no groups"));
  EXPECT_THAT(find_fault("a\x1b[31m\nb\n x"), HasSubstr("'a?[31m'"));
}

}  // namespace tracefold::function_groups_test
