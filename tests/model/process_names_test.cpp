#include "model/process_names.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracefold::process_names_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Ranks 0 to 3 of three threads, and two threads of a process that has no rank.
Plan make_plan() {
  Plan plan;
  const auto add = [&](std::optional<std::uint64_t> rank, std::uint64_t thread) {
    auto& process = plan.processes.emplace_back();
    process.id = 100 + plan.processes.size() - 1;
    process.rank = rank;
    process.thread = thread;
    process.location_group = rank.value_or(7);
  };
  for (std::uint64_t thread = 0; thread < 3; ++thread)
    for (std::uint64_t rank = 0; rank < 4; ++rank)
      add(rank, thread);
  add({}, 0);
  add({}, 1);
  return plan;
}

TEST(ProcessNames, ListRanksAndThreads) {
  const auto plan = make_plan();
  EXPECT_EQ(list_places(plan, {0, 1, 3}), "0-1,3");
  EXPECT_EQ(list_places(plan, {4, 5, 6, 7, 8, 9, 10, 11}), "0-3 thread 1-2");
  EXPECT_EQ(list_places(plan, {0, 4, 9}), "0, 0 thread 1, 1 thread 2");
  EXPECT_EQ(list_places(plan, {}), "");
}

TEST(ProcessNames, ListProcessesAndThreadsWhereThereAreNoRanks) {
  const auto plan = make_plan();
  EXPECT_EQ(list_places(plan, {12, 13}), "process 7, process 7 thread 1");
  EXPECT_EQ(list_places(plan, {2, 13}), "2, process 7 thread 1");
}

TEST(ProcessNames, ListOnlyThreadsOfASingleProcess) {
  Plan plan;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    auto& process = plan.processes.emplace_back();
    process.id = thread << 32;
    process.thread = thread;
  }
  EXPECT_EQ(list_places(plan, {0}), "thread 0");
  EXPECT_EQ(list_places(plan, {1, 3}), "thread 1,3");
  EXPECT_EQ(list_places(plan, {}), "");
  EXPECT_THAT(name_places(plan, {0, 1, 2}), ElementsAre("thread 0-2"));
  EXPECT_EQ(name_process(plan.processes[3]), "process 0 thread 3");
}

// Their location groups are their own.
TEST(ProcessNames, ListIdsOfStreamsThatAnotherProcessHasCreated) {
  auto plan = make_plan();
  plan.processes[12].creator = plan.processes[13].creator = 0;
  EXPECT_EQ(list_places(plan, {2, 12, 13}), "2, location 112-113");
  EXPECT_EQ(name_process(plan.processes[13]), "location 113");
}

TEST(ProcessNames, CallStreamsAsTheTraceDoes) {
  auto plan = make_plan();
  const std::vector<std::string> names{"CUDA[0:7]", "CUDA[0:13]", "CUDA[0:14]", "MIC [0:RDMA]"};
  for (std::size_t k = 0; k < names.size(); ++k)
    plan.processes[4 + k].name = names[k];  // thread 1 of each rank
  plan.processes[8].name = "CUDA[0:14]";
  EXPECT_EQ(name_process(plan.processes[4]), "CUDA[0:7] of rank 0");
  EXPECT_EQ(list_places(plan, {0, 1, 4, 5, 7}),
            "0-1, CUDA[0:7] of rank 0, CUDA[0:13] of rank 1, MIC [0:RDMA] of rank 3");
  EXPECT_EQ(list_places(plan, {6, 8}), "CUDA[0:14] of ranks 0,2");
  plan.processes[8].name = "CUDA[0:8]";
  EXPECT_EQ(list_places(plan, {4, 8}), "CUDA[0:7-8] of rank 0");
  plan.processes[12].name = "CUDA[1:0]";
  EXPECT_EQ(list_places(plan, {12}), "CUDA[1:0]");
}

TEST(ProcessNames, SayThatNumbersAreRanks) {
  const auto plan = make_plan();
  EXPECT_THAT(name_places(plan, {0, 1, 4, 5, 12}),
              ElementsAre("rank 0-1", "rank 0-1 thread 1", "process 7"));
  EXPECT_THAT(name_places(plan, {}), IsEmpty());
}

TEST(ProcessNames, OfOneNameItsRankAndThread) {
  const auto plan = make_plan();
  EXPECT_EQ(name_process(plan.processes[2]), "rank 2");
  EXPECT_EQ(name_process(plan.processes[9]), "rank 1 thread 2");
  EXPECT_EQ(name_process(plan.processes[12]), "process 7");
  EXPECT_EQ(name_process(plan.processes[13]), "process 7 thread 1");
}

}  // namespace tracefold::process_names_test
