#include "emitters/groups/reason_formats.hpp"

#include <gmock/gmock.h>

namespace tracefold::reason_formats_test {

namespace {

ReasonPart calls(const std::string& object, std::optional<double> share = {}) {
  return {"calls", object, false, "main", object, share};
}
ReasonPart lacks(const std::string& object, std::optional<double> share = {}) {
  return {"lacks", object, true, "main", object, share};
}

}  // namespace

TEST(ReasonFormats, TellsTheFewestCallsWithTheirShares) {
  EXPECT_EQ(describe_reason({.fewest = {calls("a", 0.123), lacks("c", 0.0001), calls("b")}}),
            "calls a (12.3 %) and b; it never calls c (others < 0.1 %)");
}

TEST(ReasonFormats, BeginsWithWhatSetsAGroupApartAlone) {
  EXPECT_EQ(
      describe_reason(
          {.fewest = {calls("a")},
           .alone = {calls("a"), calls("b"), calls("c"), calls("d"), calls("e"), lacks("x")},
           .others = {lacks("y")}}),
      "only this group calls a, b, c and 2 more; only this group never calls x; it never calls y");
}

TEST(ReasonFormats, ShortensNamesOfFunctionsOnlyWhereAskedTo) {
  const std::string solve = "void Solver<double, 3>::solve(const Mesh&) const";
  const GroupReason reason{
      .fewest = {{"calls", "main_program → " + solve, false, "main_program", solve, 0.5}}};
  EXPECT_EQ(describe_reason(reason), "calls main_program → Solver<…>::solve (50.0 %)");
  EXPECT_EQ(describe_reason(reason, NameLength::whole),
            "calls main_program → " + solve + " (50.0 %)");
}

TEST(ReasonFormats, SaysWhatIsNotTold) {
  EXPECT_EQ(describe_reason({}), "the only group");
  EXPECT_EQ(describe_reason({.fewest = {calls("a")}, .alike = {2, 5}}),
            "calls a; groups 2 and 5 may do the same");
  EXPECT_EQ(describe_reason({.alike = {1}, .apart_by = "the order of operations"}),
            "the order of operations sets it apart from group 1");
  EXPECT_EQ(describe_reason({.fewest = {calls("a")}, .kinds = 3, .varying = {calls("z")}}),
            "calls a; 3 kinds of processes merged, which differ in z");
}

}  // namespace tracefold::reason_formats_test
