#include "filters/groups/process_names.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace tracefold::process_names_test {

using ::testing::ElementsAre;
using Calls = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> all_names(const Plan& plan) {
  std::vector<std::size_t> members(plan.processes.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  return condense_names(plan, members);
}

TEST(ProcessNames, CondensesRanksAndTheirThreads) {
  testing::PlanBuilder builder;
  builder.function("!$omp for", otf2_value::paradigm_openmp);
  for (std::uint64_t r = 1; r < 16; ++r) {
    builder.rank(r, {{"", "main"}});
    for (std::uint64_t t = 1; t < 4; ++t)
      builder.thread(r, t, {{"", "!$omp for"}});
  }

  EXPECT_THAT(all_names(builder.plan()), ElementsAre("MPI 1-15", "OMP 1-15/1-3"));
}

TEST(ProcessNames, KeepsRanksWithOtherThreadsApart) {
  testing::PlanBuilder builder;
  for (auto [rank, threads] : {std::pair(0u, 2u), {1u, 1u}, {2u, 2u}})
    for (std::uint64_t t = 1; t <= threads; ++t)
      builder.thread(rank, t, {});
  EXPECT_THAT(all_names(builder.plan()), ElementsAre("thread 0,2/1-2", "thread 1/1"));
}

TEST(ProcessNames, NamesStreamsMetricsAndProcessesWithoutRank) {
  Process alone;
  alone.location_group = 7;
  const auto plan = testing::PlanBuilder()
                        .thread(0, 1, {}, 1, otf2_value::location_type_accelerator)
                        .thread(0, 2, {}, 1, otf2_value::location_type_metric)
                        .process(alone, {})
                        .plan();

  EXPECT_THAT(all_names(plan), ElementsAre("process 7", "GPU 0/1", "metrics 0/2"));
}

TEST(ProcessNames, HasNoneForNobody) {
  EXPECT_TRUE(all_names(Plan{}).empty());
}

}  // namespace tracefold::process_names_test
