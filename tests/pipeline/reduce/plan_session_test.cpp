// What a plan is read for, and when its trace is.
#include "pipeline/reduce/plan_session.hpp"
#include "base/error.hpp"
#include "tests/support/plan_builder.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <vector>

namespace tracefold::plan_session_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::TraceBuilder;

TEST(ChooseExtras, RecordsWhatLaterStagesNeed) {
  GroupOptions by_pairs, by_signature;
  by_signature.comparison.by = CompareBy::signature;

  EXPECT_EQ(choose_extras(by_pairs).operations, RecordOperations::no);
  EXPECT_EQ(choose_extras(by_pairs).calls.waits, RecordWaits::no);
  EXPECT_EQ(choose_extras(by_signature).operations, RecordOperations::yes);
  EXPECT_EQ(choose_extras(by_signature, KeepMessages::where_small).operations,
            RecordOperations::with_gaps);
  EXPECT_EQ(choose_extras(by_pairs, KeepMessages::yes).operations, RecordOperations::with_gaps);
  const auto folding = choose_extras(by_pairs, KeepMessages::no, FoldOptions{});
  EXPECT_EQ(folding.calls.waits, RecordWaits::all);
  EXPECT_TRUE(folding.calls.searches_loops);
  const auto recording =
      choose_extras(by_pairs, KeepMessages::no, std::nullopt, RecordProgram::yes);
  EXPECT_EQ(recording.calls.waits, RecordWaits::all);
  EXPECT_FALSE(recording.calls.searches_loops);

  FoldOptions steps;
  steps.asked.region = "step";
  const auto searching = choose_extras_for_iterations(steps, false);
  EXPECT_EQ(searching.calls.waits, RecordWaits::no);
  EXPECT_TRUE(searching.calls.searches_loops);
  EXPECT_EQ(searching.calls.asked, steps.asked);
}

// Two ranks, the first of which sends the other a message.
class PlanSessionTest : public ::testing::Test {
 protected:
  PlanSessionTest() {
    using enum EventKind;
    context_.report = [this](const std::string& words) { reports_.push_back(words); };
    builder_.add_mpi_processes(2).add_region(0, "main");
    builder_.record(0, Enter, 0, {0}).record(1, Enter, 0, {0});
    builder_.record(0, MpiSend, 5, {1, TraceBuilder::world, 7, 100});
    builder_.record(1, MpiRecv, 9, {0, TraceBuilder::world, 7, 100});
    builder_.record(0, Leave, 10, {0}).record(1, Leave, 10, {0});
    builder_.write(folder_.path());
  }

  std::string anchor() const { return (folder_.path() / "traces.otf2").string(); }
  PlanSession open() { return {open_trace(anchor(), diagnostics_), context_}; }

  testing::TestFolder folder_;
  TraceBuilder builder_;
  Diagnostics diagnostics_;
  Context context_{diagnostics_};
  std::vector<std::string> reports_;
};

TEST_F(PlanSessionTest, ReadsOnlyWhatIsNotThere) {
  auto session = open();
  session.profile();
  session.profile();
  EXPECT_THAT(reports_, ElementsAre("profile: 6 events of 2 processes"));

  session.profile({RecordOperations::yes});
  EXPECT_THAT(reports_, SizeIs(2));
  EXPECT_EQ(session.find_messages().size, 2u);
  session.find_messages();
  EXPECT_THAT(reports_, SizeIs(2));
}

TEST_F(PlanSessionTest, ReadsWhatRanksCommunicateWhereSignaturesAreCompared) {
  GroupOptions by_signature;
  by_signature.comparison.by = CompareBy::signature;
  auto session = open();
  session.profile();
  session.group(by_signature);
  EXPECT_THAT(*session.plan().groups, SizeIs(2));
  EXPECT_THAT(reports_, SizeIs(2));
}

TEST_F(PlanSessionTest, KeepsMessagesOnlyWhereAsked) {
  auto without = open();
  without.make_groups({}, KeepMessages::no);
  EXPECT_FALSE(without.plan().messages);

  auto with = open();
  with.make_groups({}, KeepMessages::where_small);
  EXPECT_TRUE(with.plan().messages);
}

TEST_F(PlanSessionTest, OpensItsTraceOnlyWhereItIsRead) {
  auto plan = testing::PlanBuilder().rank(0, {{"", "main"}}).rank(1, {{"", "main"}}).plan();
  plan.trace.anchor = "nowhere/traces.otf2";
  PlanSession session(plan, PlanUse::any, context_);
  session.profile();
  session.group({});
  EXPECT_THAT(*session.plan().groups, SizeIs(1));
  EXPECT_THROW(session.archive(), Error);
}

TEST_F(PlanSessionTest, GroupsAnewOnlyWhereAnythingIsAsked) {
  auto session = open();
  session.make_groups({0.0, {}}, KeepMessages::no);
  EXPECT_EQ(session.plan().threshold, 0);
  session.require_groups();
  EXPECT_EQ(session.plan().threshold, 0);
  session.require_groups({1.0, {}});
  EXPECT_EQ(session.plan().threshold, 1);
}

TEST_F(PlanSessionTest, RefusesATraceThatHasChangedSinceThePlanWasMade) {
  const auto plan = open().plan();
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    std::filesystem::remove_all(entry.path());
  builder_.record(0, EventKind::MeasurementOnOff, 11, {1});
  builder_.write(folder_.path());

  PlanSession session(plan, PlanUse::any, context_);
  try {
    session.profile();
    FAIL() << "the trace is another one";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
    EXPECT_THAT(problem.what(), HasSubstr("has changed since the plan was made"));
  }
}

TEST_F(PlanSessionTest, TakesAPlanWithoutProfilesOnlyToWriteIt) {
  auto made = open();
  made.make_groups({}, KeepMessages::no);
  const auto plan = leave_out_profiles(made.plan());
  EXPECT_THROW(PlanSession(plan, PlanUse::any, context_), Error);

  const PlanSession session(plan, PlanUse::write, context_);
  EXPECT_EQ(session.plan().processes[1].name, "location 1");
}

TEST_F(PlanSessionTest, RefusesAPlanInPlaceOfATrace) {
  const auto file = (folder_.path() / "plan.json").string();
  std::ofstream(file) << to_json(open().plan());
  try {
    open_trace(file, diagnostics_, "a hint");
    FAIL() << "it is a plan";
  } catch (const Error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("is a plan, not a trace (a hint)"));
  }
}

// The notes of grouping so many processes, no two of which call the same functions.
std::vector<std::string> group_different_processes(std::uint64_t processes) {
  using enum EventKind;
  constexpr std::uint64_t bits = 11;
  TraceBuilder builder;
  builder.add_mpi_processes(processes);
  for (std::uint64_t bit = 0; bit < bits; ++bit)
    builder.add_region(bit, "f" + std::to_string(bit));
  for (std::uint64_t process = 0; process < processes; ++process)
    for (std::uint64_t bit = 0; bit < bits; ++bit)
      if (process >> bit & 1)
        builder.record(process, Enter, bit, {bit}).record(process, Leave, bit, {bit});

  testing::TestFolder folder;
  builder.write(folder.path());
  Diagnostics diagnostics;
  const Context context{diagnostics};
  PlanSession session(open_trace((folder.path() / "traces.otf2").string(), diagnostics), context);
  session.make_groups({}, KeepMessages::no);
  return diagnostics.notes();
}

TEST(PlanSession, TellsWhatMergingWouldLeave) {
  EXPECT_THAT(group_different_processes(20), SizeIs(0));
  EXPECT_THAT(group_different_processes(40),
              ElementsAre(StartsWith("40 groups; `threshold` 0.83 would leave ")));
  EXPECT_THAT(group_different_processes(1100),
              ElementsAre(StartsWith("1 100 groups of 1 100 processes: folding hardly makes")));
}

}  // namespace tracefold::plan_session_test
