#include "filters/summary/explain_accelerators.hpp"

#include "otf2/otf2_values.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold::explain_accelerators_test {

// A rank of which each thread takes 10 s, and waits so long of them in `main > wait`.
RunFacts make_run(const std::vector<std::uint64_t>& waiting) {
  RunFacts facts;
  facts.ticks_per_second = 1;
  facts.spans.emplace_back();
  auto& calls = facts.calls;
  calls.functions = {{"main", "", ""}, {"cudaStreamSynchronize", "", ""}};
  calls.time_metrics = {Metric::execution_time, Metric::execution_time};
  calls.profiles.paths = {{}, {0, 0}, {1, 1}};
  calls.profiles.shapes = {{{0, 1, 2}, {no_path, 0, 1}}};
  calls.profiles.columns.measured = {Metric::execution_time, Metric::visits};
  for (std::uint64_t thread = 0; thread < waiting.size(); ++thread) {
    Process process;
    process.id = thread;
    process.rank = 0;
    process.thread = thread;
    process.is_mpi_endpoint = thread == 0;
    process.events = 2;
    facts.processes.push_back(process);
    facts.types.push_back(otf2_value::location_type_cpu);
    facts.nodes.emplace_back("machine/node");
    facts.spans[0].push_back({0, 10});
    const auto of_wait = waiting[thread];
    calls.profiles.processes.push_back(
        {0, {0, 0, 10 - of_wait, 1, of_wait, std::uint64_t{of_wait > 0}}, {}});
  }
  return facts;
}

double find_share(const RunFacts& facts) {
  auto summary = measure_run(facts);
  LossSearch loss(facts, summary);
  find_accelerator_waiting(loss);
  return summary.accelerator_waiting ? summary.accelerator_waiting->share : 0;
}

TEST(FindAcceleratorWaiting, IsAShareOfTheThreadsThatWait) {
  EXPECT_DOUBLE_EQ(find_share(make_run({4})), 0.4);
  EXPECT_DOUBLE_EQ(find_share(make_run({4, 4})), 0.4);
  EXPECT_DOUBLE_EQ(find_share(make_run({9, 9})), 0.9);
  EXPECT_DOUBLE_EQ(find_share(make_run({4, 0, 0})), 0.4);
}

TEST(FindAcceleratorWaiting, IsNoneWhereNobodyWaits) {
  EXPECT_FALSE(find_share(make_run({0})) > 0);
}

}  // namespace tracefold::explain_accelerators_test
