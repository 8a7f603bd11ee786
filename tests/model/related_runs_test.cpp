#include "model/summary/related_runs.hpp"

#include "model/summary/summary.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tracefold::related_runs_test {

Summary make_run(const std::vector<std::pair<std::string, double>>& calls) {
  Summary run;
  for (const auto& [function, seconds] : calls) {
    run.calls.push_back({function, seconds});
    run.calls.back().is_mpi = function.starts_with("MPI_");
  }
  return run;
}

TEST(RelatedRuns, HaveHalfOfTheirFunctionsInCommon) {
  const auto run = make_run({{"solve", 5}, {"exchange", 1}, {"main", 1}, {"MPI_Send", 1}});
  EXPECT_TRUE(are_related(run, make_run({{"solve", 3}, {"write", 1}})));
  EXPECT_FALSE(are_related(run, make_run({{"render", 3}, {"main", 3}, {"MPI_Send", 9}})));
  EXPECT_FALSE(are_related(run, make_run({{"MPI_Recv", 3}, {"render", 1}})));
}

TEST(RelatedRuns, AreToldByTheProgramsOwnFunctionsWhateverTheirNames) {
  EXPECT_TRUE(are_related(make_run({{"mpi_solver", 5}, {"MPI_Send", 1}}),
                          make_run({{"mpi_solver", 3}, {"write", 1}})));
}

TEST(RelatedRuns, MaySpendHalfOfTheirTimeInTheSame) {
  const auto run = make_run({{"solve", 5}, {"a", 1}, {"b", 1}, {"c", 1}});
  EXPECT_TRUE(are_related(run, make_run({{"solve", 5}, {"d", 1}, {"e", 1}, {"f", 1}})));
  EXPECT_FALSE(are_related(run, make_run({{"solve", 1}, {"d", 9}, {"e", 1}, {"f", 1}})));
}

TEST(RelatedRuns, OfMpiAloneAreToldByThat) {
  const auto run = make_run({{"MPI_Send", 5}, {"MPI_Recv", 1}});
  EXPECT_TRUE(are_related(run, make_run({{"MPI_Send", 5}})));
  EXPECT_FALSE(are_related({run, run, make_run({{"MPI_Allreduce", 5}})}));
}

}  // namespace tracefold::related_runs_test
