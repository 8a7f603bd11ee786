#include "emitters/errors/fold_error_formats.hpp"

#include <gmock/gmock.h>

namespace tracefold::fold_error_formats_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

FoldErrors make_errors() {
  FoldErrors errors;
  errors.processes = 64;
  errors.of_processes = {0.125, {0.9, 0.045}, {0.25, 0.0625}, TimeError{0.5, 0.1}, 0.04};
  return errors;
}

TEST(FoldErrorsTable, HasARowForProcessesAndIterations) {
  auto errors = make_errors();
  EXPECT_THAT(
      fold_errors_table(errors),
      HasSubstr("of processes    12.5 %        4 %  90.0 (4.5) %  25.0 (6.2) %   50.0 (10.0) %"));
  EXPECT_THAT(fold_errors_table(errors), Not(HasSubstr("of iterations")));
  errors.of_iterations = {0.01, {0.02, 0.01}, {0, 0}, std::nullopt};
  errors.unmeasured = 1;
  errors.functions_of_processes = {{"MPI_Wait", TimeKind::waiting, 0.0625}};
  const auto table = fold_errors_table(errors);
  EXPECT_THAT(
      table, HasSubstr("of iterations       1 %        0 %  2 (1) %       0 (0) %        unknown"));
  EXPECT_THAT(table, HasSubstr("unknown"));
  EXPECT_THAT(table,
              HasSubstr("1 process has a different loop; the error of iterations leaves it out"));
  EXPECT_THAT(table, HasSubstr("processes differ most in MPI_Wait 6.25 % (waiting)"));
}

TEST(DescribeRows, GradesByUsefulTimeAndByWhatIsHidden) {
  auto errors = make_errors();
  EXPECT_EQ(grade_rows(errors), ErrorGrade::fair);
  errors.of_processes.useful = 0.01;
  EXPECT_EQ(grade_rows(errors), ErrorGrade::good);
  errors.hidden = HiddenDifference{"rank 5", "rank 0", "solve", true, 0.05};
  EXPECT_EQ(grade_rows(errors), ErrorGrade::fair);
  errors.hidden->of_run = 0.0501;
  EXPECT_EQ(grade_rows(errors), ErrorGrade::poor);
  EXPECT_EQ(grade_iterations(errors), ErrorGrade::good);
  errors.of_iterations = {0.5, {0, 0}, {0, 0}, std::nullopt, 0.02};
  EXPECT_EQ(grade_iterations(errors), ErrorGrade::fair);
}

TEST(DescribeRows, SaysWhoDiffersMostAndWhatNoRowShows) {
  auto errors = make_errors();
  errors.hidden = HiddenDifference{"rank 5", "rank 0", "solve", false, 0.07};
  errors.untypical = {{"rank 0"}, {"rank 0", "rank 7", "rank 8"}};
  auto words = describe_rows(errors);
  EXPECT_EQ(words.verdict,
            "rows are poor: computation differs by 4 % of all time; most in rank 5: 7 % of the "
            "run less than its row, in solve");
  EXPECT_EQ(words.others,
            "single processes also differ from their row in waiting by 10.0 % of all time, "
            "communication by 6.2 %");
  EXPECT_EQ(words.untypical,
            "not like most of those they stand for: rank 0 (computation), rank 0 (waiting), rank 7 "
            "(waiting) and 1 more");

  errors = {};
  words = describe_rows(errors);
  EXPECT_EQ(words.verdict, "rows are good: all processes compute as long as their row");
  EXPECT_EQ(words.others + words.untypical, "");
}

TEST(FoldErrorsTable, NeverSaysZeroOfWhatIsNotKnown) {
  EXPECT_THAT(list_own_errors(nullptr), ElementsAre("unknown", "unknown", "unknown"));
  auto error = make_errors().of_processes;
  EXPECT_THAT(list_own_errors(&error), ElementsAre("90 %", "25 %", "50 %"));
  error.waiting.reset();
  EXPECT_THAT(list_own_errors(&error), ElementsAre("90 %", "25 %", "unknown"));
  EXPECT_THAT(describe(error), HasSubstr("25 % of communication with waiting, 12.5 % of all time"));
}

TEST(FoldErrorsCsv, HasALineForEachErrorThatIsKnown) {
  auto errors = make_errors();
  EXPECT_EQ(fold_errors_csv(errors),
            "error of processes: all time,,,0.125\r\n"
            "error of processes: useful time,,,0.04\r\n"
            "error of processes: computation,,,0.9\r\n"
            "error of processes: communication,,,0.25\r\n"
            "error of processes: waiting,,,0.5\r\n");
  errors.of_iterations = {0.01, {0.02, 0.01}, {0, 0}, std::nullopt};
  errors.of_loops = {*errors.of_iterations, {0.04, {0, 0}, {0, 0}, std::nullopt}};
  const auto csv = fold_errors_csv(errors);
  EXPECT_THAT(csv, HasSubstr("error of iterations: all time,,,0.01\r\n"));
  EXPECT_THAT(csv, Not(HasSubstr("error of iterations: waiting")));
  EXPECT_THAT(csv, HasSubstr("error of iterations of loop 2: all time,,,0.04\r\n"));
}

}  // namespace tracefold::fold_error_formats_test
