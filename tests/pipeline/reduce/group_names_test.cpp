// The names that groups of a trace get, by whatever way it is grouped.
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/reduce/profile_plan.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/verify/verify.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tracefold::group_names_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;

namespace {

std::vector<std::string> list_names(const Plan& plan) {
  std::vector<std::string> names;
  for (const auto& group : *plan.groups)
    names.push_back(group.name);
  return names;
}

}  // namespace

// Sixteen ranks, four by four, which send to their neighbours. What they call tells at how many
// ends of the grid they are.
class GroupNames : public ::testing::Test {
 protected:
  GroupNames() {
    using enum EventKind;
    builder_.add_mpi_processes(16).add_region(9, "main");
    for (std::uint64_t ends = 0; ends < 3; ++ends)
      builder_.add_region(ends, "with " + std::to_string(4 - ends) + " neighbours");

    for (std::uint64_t rank = 0; rank < 16; ++rank) {
      const auto row = rank / 4, column = rank % 4;
      const auto ends = std::uint64_t{row == 0 || row == 3} + (column == 0 || column == 3);
      std::uint64_t time = 2;
      builder_.record(rank, Enter, 0, {9}).record(rank, Enter, 1, {ends});
      for (const auto& [is_there, other] : {std::pair(row > 0, rank - 4),
                                            {row < 3, rank + 4},
                                            {column > 0, rank - 1},
                                            {column < 3, rank + 1}})
        if (is_there) {
          builder_.record(rank, MpiSend, time, {other, TraceBuilder::world, 7, 100})
              .record(rank, MpiRecv, time + 2, {other, TraceBuilder::world, 7, 100});
          time += 4;
        }
      builder_.record(rank, Leave, 20, {ends}).record(rank, Leave, 21, {9});
    }
    std::filesystem::create_directories(folder_.path() / "app");
    builder_.write(folder_.path() / "app");
  }

  std::shared_ptr<const Archive> open(const std::string& name) {
    return open_trace((folder_.path() / name / "traces.otf2").string(), diagnostics_);
  }
  Plan reduce_to(const std::string& from, const std::string& to,
                 KeepMessages messages = KeepMessages::where_small,
                 std::uint64_t most_profiles = 1u << 20) {
    ReduceOptions options;
    options.messages = messages;
    options.output.folder = folder_.path() / to;
    options.output.rewrite.most_profiles = most_profiles;
    return reduce(open(from), options, context_).plan;
  }

  testing::TestFolder folder_;
  TraceBuilder builder_;
  Diagnostics diagnostics_;
  Context context_{diagnostics_};
};

const auto is_named = ElementsAre("corner of the grid", "edge of the grid", "inside of the grid");

TEST_F(GroupNames, AreTheSameWithMessagesAndWithoutThem) {
  for (auto messages : {KeepMessages::no, KeepMessages::yes}) {
    PlanSession session(open("app"), context_);
    session.make_groups({}, messages);
    EXPECT_THAT(list_names(session.plan()), is_named);
    EXPECT_THAT(session.plan().grid, ElementsAre(GridAxis{4, false}, GridAxis{4, false}));
  }
  EXPECT_THAT(list_names(reduce_to("app", "small")), is_named);
}

TEST_F(GroupNames, AreTheSameWhereCallPathsAreReadAtOnce) {
  PlanSession session(open("app"), context_);
  read_call_paths(session, {}, {});
  EXPECT_THAT(list_names(session.plan()), is_named);
}

TEST_F(GroupNames, StayInThePlanAndAreFoundAgain) {
  PlanSession session(open("app"), context_);
  session.make_groups({}, KeepMessages::no);
  const auto plan = plan_from_json(to_json(session.plan()));
  EXPECT_THAT(list_names(plan), is_named);

  PlanSession again(plan, PlanUse::any, context_);
  again.group({});
  EXPECT_THAT(list_names(again.plan()), is_named);
}

TEST_F(GroupNames, SayWhatIsCalledWhereTheTraceIsNotThere) {
  PlanSession session(open("app"), context_);
  session.make_groups({}, KeepMessages::no);
  session.plan().trace.anchor = "nowhere/traces.otf2";
  PlanSession moved(session.plan(), PlanUse::any, context_);
  moved.group({});
  EXPECT_THAT(
      list_names(moved.plan()),
      ElementsAre("calls with 2 neighbours", "calls with 3 neighbours", "calls with 4 neighbours"));
}

TEST_F(GroupNames, DoNotMeanAllRanksWhereFiltersLeaveSomeOut) {
  PlanSession session(open("app"), context_);
  session.plan().filters.push_back({{}, {}, "0-7"});
  session.make_groups({}, KeepMessages::no);
  EXPECT_THAT(
      list_names(session.plan()),
      ElementsAre("calls with 2 neighbours", "calls with 3 neighbours", "calls with 4 neighbours"));
}

TEST_F(GroupNames, StayWhenAReducedTraceIsReducedAgain) {
  for (std::uint64_t most_profiles : {1u << 20, 0u})
    for (auto messages : {KeepMessages::yes, KeepMessages::no}) {
      const auto name = std::to_string(most_profiles) + (messages == KeepMessages::no ? "n" : "y");
      EXPECT_THAT(list_names(reduce_to("app", name, messages, most_profiles)), is_named);
      EXPECT_THAT(list_names(reduce_to(name, name + "2", messages, most_profiles)), is_named);
      EXPECT_THAT(list_names(reduce_to(name + "2", name + "3", messages, most_profiles)), is_named);
    }
}

// Groups that are merged anew are judged by whom the kept processes stand for.
TEST_F(GroupNames, AreOfTheOriginalsRanks) {
  reduce_to("app", "small");
  PlanSession session(open("small"), context_);
  GroupOptions merged;
  merged.threshold = 0;
  session.make_groups(merged, KeepMessages::no);
  EXPECT_THAT(list_names(session.plan()), ElementsAre("all ranks"));
}

TEST_F(GroupNames, AreMadeAgainWhenAReductionIsVerified) {
  reduce_to("app", "small");
  const auto beside = read_plan_beside(*open("small"));
  ASSERT_TRUE(beside.plan);
  EXPECT_THAT(list_names(*beside.plan), is_named);

  const auto verification = verify(*open("small"), *open("app"), {}, diagnostics_);
  EXPECT_TRUE(verification.was_made_again);
  for (const auto& verdict : verification.rules)
    EXPECT_THAT(verdict.violations, IsEmpty()) << verdict.rule;
}

}  // namespace tracefold::group_names_test
