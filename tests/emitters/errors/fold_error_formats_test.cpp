#include "emitters/errors/fold_error_formats.hpp"

#include <gmock/gmock.h>

namespace tracefold::fold_error_formats_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

FoldErrors make_errors() {
  return {64, {0.125, {0.9, 0.045}, {0.25, 0.0625}, TimeError{0.5, 0.1}}, {}};
}

TEST(FoldErrorsTable, HasARowForProcessesAndIterations) {
  auto errors = make_errors();
  EXPECT_THAT(
      fold_errors_table(errors),
      HasSubstr("of processes    12.5 %  fair  90.0 (4.5) %  25.0 (6.2) %   50.0 (10.0) %"));
  EXPECT_THAT(fold_errors_table(errors), Not(HasSubstr("of iterations")));
  errors.of_iterations = {0.01, {0.02, 0.01}, {0, 0}, std::nullopt};
  errors.unmeasured = 1;
  errors.functions_of_processes = {{"MPI_Wait", TimeKind::waiting, 0.0625}};
  const auto table = fold_errors_table(errors);
  EXPECT_THAT(table,
              HasSubstr("of iterations       1 %  good  2 (1) %       0 (0) %        unknown"));
  EXPECT_THAT(table, HasSubstr("unknown"));
  EXPECT_THAT(table,
              HasSubstr("1 process has a different loop; the error of iterations leaves it out"));
  EXPECT_THAT(table, HasSubstr("processes differ most in MPI_Wait 6.25 % (waiting)"));
}

TEST(FoldErrorsTable, GradesErrorsOfAllTime) {
  EXPECT_EQ(grade_error(0), ErrorGrade::good);
  EXPECT_EQ(grade_error(0.05), ErrorGrade::good);
  EXPECT_EQ(grade_error(0.0501), ErrorGrade::fair);
  EXPECT_EQ(grade_error(0.15), ErrorGrade::fair);
  EXPECT_EQ(grade_error(0.1501), ErrorGrade::poor);
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
