#include "filters/groups/explain_groups.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"
#include "tests/support/communication_builder.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::explain_groups_test {

using testing::CommunicationBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::PlanBuilder;
using enum EventKind;

namespace {

using Calls = std::vector<std::pair<std::string, std::string>>;

Calls add(Calls calls, const Calls& more) {
  calls.insert(calls.end(), more.begin(), more.end());
  return calls;
}

std::vector<std::string> list_words(const std::vector<ReasonPart>& parts) {
  std::vector<std::string> words;
  for (const auto& part : parts)
    words.push_back(part.verb + " " + part.object);
  return words;
}

const Calls shared{{"", "main"}, {"main", "solve"}, {"main", "MPI_Init"}};

PlanBuilder make_builder() {
  PlanBuilder builder;
  for (const auto* name : {"MPI_Init", "MPI_Recv", "MPI_Send"})
    builder.function(name, otf2_value::paradigm_mpi);
  return builder;
}

}  // namespace

TEST(ExplainGroups, NamesTheCallsThatOnlyOneGroupMakesOrLacks) {
  auto builder = make_builder();
  builder.rank(0, add(shared, {{"main", "verify"}, {"exchange", "MPI_Send"}}));
  builder.rank(1, add(shared, {{"exchange", "MPI_Recv"}, {"exchange", "MPI_Send"}}));
  builder.rank(2, add(shared, {{"exchange", "MPI_Recv"}}));
  auto plan = builder.plan();
  group(plan, 1);

  const auto reasons = explain_groups(plan, nullptr);
  ASSERT_EQ(reasons.size(), 3);
  EXPECT_THAT(list_words(reasons[0].fewest), ElementsAre("calls verify"));
  EXPECT_THAT(list_words(reasons[0].alone),
              ElementsAre("calls verify", "lacks exchange → MPI_Recv"));
  EXPECT_EQ(reasons[0].alone[0].caller, "main");
  EXPECT_EQ(reasons[0].alone[0].callee, "verify");
  EXPECT_THAT(list_words(reasons[1].fewest),
              ElementsAre("calls exchange → MPI_Recv", "calls exchange → MPI_Send"));
  EXPECT_THAT(reasons[1].alone, IsEmpty());
  EXPECT_THAT(list_words(reasons[2].fewest), ElementsAre("lacks exchange → MPI_Send"));
}

TEST(ExplainGroups, FindsWhatElseSetsAGroupApart) {
  auto builder = make_builder();
  builder.rank(0, add(shared, {{"main", "verify"}, {"north", "MPI_Send"}, {"west", "MPI_Send"}}));
  builder.rank(1, add(shared, {{"north", "MPI_Send"}}));
  builder.rank(2, add(shared, {{"west", "MPI_Send"}}));
  auto plan = builder.plan();
  group(plan, 1);

  EXPECT_THAT(list_words(explain_groups(plan, nullptr)[0].others),
              ElementsAre("calls north → MPI_Send", "calls west → MPI_Send"));
}

TEST(ExplainGroups, PrefersOwnFunctionsAndThoseWithMoreTime) {
  auto builder = make_builder();
  builder.rank(0, add(shared, {{"main", "MPI_Recv"}, {"main", "small"}, {"main", "large"}}));
  builder.rank(1, shared);
  auto plan = builder.plan();
  group(plan, 1);
  const auto& functions = plan.intents[plan.processes[0].intent].functions;
  for (std::size_t f = 0; f < functions.size(); ++f)
    if (plan.functions[functions[f]].name == "large")
      plan.processes[0].exclusive[f] = 100;

  EXPECT_THAT(list_words(explain_groups(plan, nullptr)[0].alone),
              ElementsAre("calls large", "calls small", "calls main → MPI_Recv"));
}

TEST(ExplainGroups, SaysOfMergedGroupsInWhatTheirMembersDiffer) {
  auto builder = make_builder();
  const Calls many{{"main", "a"}, {"main", "b"}, {"main", "c"}, {"main", "d"}, {"main", "e"}};
  builder.rank(0, add(shared, many));
  builder.rank(1, add(add(shared, many), {{"main", "extra"}}));
  builder.rank(2, {{"", "io"}});
  auto plan = builder.plan();
  group(plan, 0.8);
  ASSERT_EQ(plan.groups->size(), 2);

  const auto reasons = explain_groups(plan, nullptr);
  EXPECT_EQ(reasons[0].kinds, 2);
  EXPECT_THAT(list_words(reasons[0].varying), ElementsAre("calls extra"));
  EXPECT_THAT(reasons[0].alike, IsEmpty());
  EXPECT_EQ(reasons[1].kinds, 1);
  EXPECT_THAT(list_words(reasons[1].fewest), ElementsAre("calls io"));
}

TEST(ExplainGroups, TellsProcessesWithoutCallsApart) {
  auto builder = make_builder();
  builder.rank(0, shared);
  builder.thread(0, 1, {});
  builder.thread(0, 2, {}, 1, otf2_value::location_type_accelerator);
  auto plan = builder.plan();
  group(plan, 1);
  ASSERT_EQ(plan.groups->size(), 3);

  const auto reasons = explain_groups(plan, nullptr);
  EXPECT_THAT(list_words(reasons[1].fewest),
              ElementsAre("makes no calls", "is a thread of a processor"));
  EXPECT_THAT(list_words(reasons[2].fewest), ElementsAre("is an accelerator stream"));
}

TEST(ExplainGroups, NamesFunctionsWhereTheseWereCompared) {
  auto builder = make_builder();
  builder.rank(0, add(shared, {{"solve", "MPI_Recv"}}));
  builder.rank(1, shared);
  auto plan = builder.plan();
  Comparison comparison;
  comparison.by = CompareBy::functions;
  group(plan, 1, comparison);

  EXPECT_THAT(list_words(explain_groups(plan, nullptr)[0].fewest), ElementsAre("calls MPI_Recv"));
}

TEST(ExplainGroups, ExplainsManyGroups) {
  constexpr std::uint64_t groups = 2000;
  constexpr unsigned bits = 11;
  auto builder = make_builder();
  for (std::uint64_t rank = 0; rank < groups; ++rank) {
    auto calls = shared;
    for (unsigned bit = 0; bit < bits; ++bit)
      if (rank >> bit & 1)
        calls.emplace_back("main", "f" + std::to_string(bit));
    builder.rank(rank, calls);
  }
  auto plan = builder.plan();
  group(plan, 1);
  ASSERT_EQ(plan.groups->size(), groups);

  const auto reasons = explain_groups(plan, nullptr);
  for (const auto& reason : reasons) {
    EXPECT_THAT(reason.alike, IsEmpty());
    EXPECT_LE(reason.fewest.size(), bits);
  }
}

TEST(ExplainGroups, SaysNothingOfAnOnlyGroup) {
  auto builder = make_builder();
  auto plan = builder.rank(0, shared).rank(1, shared).plan();
  group(plan, 1);
  const auto reasons = explain_groups(plan, nullptr);
  ASSERT_EQ(reasons.size(), 1);
  EXPECT_THAT(reasons[0].fewest, IsEmpty());
}

TEST(ExplainGroups, AddsTheSharesOfTime) {
  auto builder = make_builder();
  builder.rank(0, {{"", "main"}, {"main", "solve"}, {"solve", "inner"}});
  builder.rank(1, {{"", "main"}});
  auto plan = builder.plan();
  group(plan, 1);
  const auto main = builder.function("main"), solve = builder.function("solve"),
             inner = builder.function("inner");

  CallPathProfiles calls;
  calls.columns.measured = {Metric::execution_time, Metric::visits};
  calls.paths = {{no_path, main}, {0, solve}, {1, inner}};
  calls.shapes = {{{0, 1, 2}, {no_path, 0, 1}}, {{0}, {no_path}}};
  calls.processes = {{0, {50, 1, 20, 1, 30, 1}}, {1, {200, 1}}};
  auto reasons = explain_groups(plan, nullptr);
  add_shares(reasons, plan, calls);

  for (const auto& part : reasons[0].alone)
    EXPECT_DOUBLE_EQ(*part.share, part.object == "solve" ? 0.5 : 0.3);
  ASSERT_THAT(list_words(reasons[1].alone), ElementsAre("lacks inner", "lacks solve"));
  EXPECT_DOUBLE_EQ(*reasons[1].alone[1].share, 0.5);
}

namespace {

std::vector<GroupReason> explain_by_signature(const CommunicationBuilder& made,
                                              const SignatureOptions& options = {}) {
  auto builder = make_builder();
  for (std::size_t rank = 0; rank < made.made().ranks.size(); ++rank)
    builder.rank(rank, shared);
  auto plan = builder.plan();
  Comparison comparison;
  comparison.by = CompareBy::signature;
  comparison.signature = options;
  group_by_signature(plan, made.made(), comparison);
  return explain_groups(plan, &made.made());
}

}  // namespace

TEST(ExplainGroups, NamesOperationsAndPartnersOfSignatures) {
  CommunicationBuilder chain(4);
  chain.rank({{MpiSend, 1, 100, 0, "north"}});
  chain.rank({{MpiRecv, 0, 100, 0, "north"}, {MpiSend, 2, 100, 0, "north"}});
  chain.rank({{MpiRecv, 0, 100, 0, "north"}, {MpiSend, 3, 100, 0, "north"}});
  chain.rank({{MpiRecv, 0, 100, 0, "north"}, {MpiSend, 0, 100, 0, "north"}});

  const auto reasons = explain_by_signature(chain);
  ASSERT_EQ(reasons.size(), 4);
  EXPECT_THAT(list_words(reasons[1].fewest), ElementsAre("receives from rank - 1 in main → north"));
  EXPECT_THAT(list_words(reasons[2].fewest), ElementsAre("receives from rank + 2 in main → north"));
  EXPECT_THAT(list_words(reasons[0].fewest), ElementsAre("calls main → north once"));
}

TEST(ExplainGroups, NamesSizesOfMessagesAndOrders) {
  CommunicationBuilder sizes(3);
  for (const std::uint64_t bytes : {1000, 1000, 4096})
    sizes.rank({{MpiSend, 3, bytes}, {MpiRecv, 3, bytes}});
  // Partners are compared relative to the own rank.
  const auto by_size = explain_by_signature(sizes, {.peers = ComparePeers::ignore});
  ASSERT_EQ(by_size.size(), 2);
  EXPECT_THAT(list_words(by_size[1].fewest), ElementsAre("has messages of 4.0 KiB on average"));

  CommunicationBuilder orders(2);
  orders.rank({{MpiSend, 1}, {MpiRecv, 1}});
  orders.rank({{MpiRecv, 0}, {MpiSend, 0}});
  const auto by_order = explain_by_signature(orders);
  ASSERT_EQ(by_order.size(), 2);
  EXPECT_THAT(by_order[0].alike, ElementsAre(1));
  EXPECT_EQ(by_order[0].apart_by, "the order of operations");
}

TEST(ExplainGroups, NamesCollectiveOperations) {
  CommunicationBuilder made(3);
  made.rank({{MpiCollectiveEnd, otf2_value::collective_bcast}});
  made.rank({{MpiCollectiveEnd, otf2_value::collective_allreduce}});
  made.rank({{MpiCollectiveEnd, 99}});  // which OTF2 does not know
  const auto reasons = explain_by_signature(made);
  ASSERT_EQ(reasons.size(), 3);
  EXPECT_THAT(list_words(reasons[0].fewest), ElementsAre("does bcast in main → MPI"));
  EXPECT_THAT(list_words(reasons[1].fewest), ElementsAre("does allreduce in main → MPI"));
  EXPECT_THAT(list_words(reasons[2].fewest), ElementsAre("does operation 99 in main → MPI"));
}

}  // namespace tracefold::explain_groups_test
