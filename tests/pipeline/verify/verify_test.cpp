// What `verify` says of a reduced trace that is right, wrong, or of another trace.
#include "pipeline/verify/verify.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/plan.hpp"

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "pipeline/window/find_crossing.hpp"
#include "tests/support/archive_content.hpp"
#include "tests/support/context_records.hpp"
#include "tests/support/every_record.hpp"
#include "tests/support/group_and_name.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace tracefold::verify_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    write_archive(testing::every_record(), app_.path());
    original_.emplace((app_.path() / "traces.otf2").string(), ignored_);
    write_small({}, {});
  }

  void write_small(std::vector<FilterSection> filters, const RewriteOptions& options) {
    look_at_window(*original_, filters, {});
    auto plan = make_plan(*original_, std::move(filters));
    add_profiles(plan, *original_, {}, ignored_);
    testing::group_and_name(plan, *original_, 0);
    select(plan, {});
    rewrite(*original_, plan, small(), options, {}, ignored_);
  }

  std::filesystem::path small() const { return app_.path() / "small"; }
  std::filesystem::path plan() const { return small() / "tracefold.json"; }

  Verification verify_small(const Archive& original) {
    Diagnostics ignored;
    const Archive reduced((small() / "traces.otf2").string(), ignored);
    return verify(reduced, original, {}, ignored);
  }
  Verification verify_small() { return verify_small(*original_); }

  // Writes the reduced trace anew, after a change to what it holds.
  template <class Change>
  void change(Change&& change) {
    const auto content = [&] {
      const Archive reduced((small() / "traces.otf2").string(), ignored_);
      auto all = testing::read_content(reduced);
      change(all);
      return all;
    }();

    std::filesystem::remove_all(small() / "traces");
    write_archive(content, small());
  }

  static std::string list_violations(const Verification& found) {
    std::string list;
    for (const auto& rule : found.rules)
      for (const auto& violation : rule.violations)
        list += rule.rule + ": " + violation + "\n";
    return list;
  }

  testing::TestFolder app_;
  Diagnostics ignored_;
  std::optional<Archive> original_;
};

TEST_F(VerifyTest, MakesARightTraceAgainAndFindsNothing) {
  const auto found = verify_small();
  EXPECT_THAT(list_violations(found), IsEmpty());
  EXPECT_THAT(found.only_rules, IsEmpty());
}

TEST_F(VerifyTest, FindsNothingInATraceThatWasWrittenAgainAsItIs) {
  change([](testing::TraceContent&) {});
  EXPECT_THAT(list_violations(verify_small()), IsEmpty());
}

TEST_F(VerifyTest, NamesTheFirstRecordThatDiffersInALocation) {
  change([](testing::TraceContent& content) {
    for (auto& event : content.events[0])
      if (event.kind == EventKind::MpiCollectiveEnd)
        get_field<"sizeSent", EventKind::MpiCollectiveEnd>(event) += 1;
  });
  EXPECT_THAT(list_violations(verify_small()), HasSubstr("sizeSent is 65, not 64"));
}

TEST_F(VerifyTest, NamesTheDefinitionThatDiffers) {
  change([](testing::TraceContent& content) {
    for (auto& definition : content.definitions)
      if (definition.kind == DefinitionKind::Region)
        get_field<"regionRole", DefinitionKind::Region>(definition) = 7;
  });
  EXPECT_THAT(list_violations(verify_small()), HasSubstr("regionRole is 7, not"));
}

TEST_F(VerifyTest, SeesThatThePlanWasEdited) {
  std::ofstream(plan(), std::ios::app) << "\n";
  const auto found = verify_small();
  EXPECT_THAT(list_violations(found), HasSubstr("another hash"));
  EXPECT_THAT(found.only_rules, HasSubstr("not the one"));
}

TEST_F(VerifyTest, ChecksOnlyTheRulesWithoutAPlan) {
  std::filesystem::remove(plan());
  const auto found = verify_small();
  EXPECT_THAT(list_violations(found), IsEmpty());
  EXPECT_THAT(found.only_rules, HasSubstr("no plan"));
}

TEST_F(VerifyTest, KnowsWithoutAPlanThatMessagesAreNotDrawn) {
  RewriteOptions options;
  options.draws_messages = false;
  options.force = true;
  write_small({}, options);
  std::filesystem::remove(plan());
  EXPECT_THAT(list_violations(verify_small()), IsEmpty());
}

// Attributes of what stays may name locations and metrics of what goes.
TEST_F(VerifyTest, HoldsWhereOneLocationIsAllThatStays) {
  RewriteOptions options;
  options.force = true;
  for (const auto location : original_->definitions().locations()) {
    FilterSection filter;
    filter.locations = std::to_string(location);
    write_small({filter}, options);
    EXPECT_THAT(list_violations(verify_small()), IsEmpty()) << "location " << location;
  }
}

TEST_F(VerifyTest, TakesCreatorsThatAReductionInBetweenMayHaveCut) {
  constexpr const char* rule = "location groups are those of the original: ";
  change([](testing::TraceContent& content) {
    for (auto& definition : content.definitions)
      if (definition.kind == DefinitionKind::LocationGroup)
        get_field<"creatingLocationGroup", DefinitionKind::LocationGroup>(definition) =
            undefined_id(Ref::location_group);
  });
  EXPECT_THAT(list_violations(verify_small()), HasSubstr(rule));
  change([](testing::TraceContent& content) {
    for (auto& [name, value] : content.properties)
      if (name == "TRACEFOLD::REDUCTIONS")
        value = "2";
  });
  EXPECT_THAT(list_violations(verify_small()), Not(HasSubstr(rule)));
}

TEST_F(VerifyTest, SaysThatFiltersAreNotKnownWithoutAPlan) {
  RewriteOptions options;
  options.force = true;
  const auto location = std::to_string(original_->definitions().locations()[0]);
  for (const auto& filter :
       {FilterSection{{"*"}, {}, ""}, {{}, {}, location}, {{}, {}, "", TimeWindow{{{0, 1}}, {}}}}) {
    write_small({filter}, options);
    EXPECT_NO_THROW(verify_small());
    std::filesystem::remove(plan());
    try {
      verify_small();
      FAIL();
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::input);
      EXPECT_THAT(problem.what(), HasSubstr("filters"));
    }
  }
}

TEST_F(VerifyTest, TellsATraceOfAnotherRunInOneLine) {
  testing::TestFolder other;
  auto content = testing::every_record();
  for (auto& definition : content.definitions)
    if (definition.kind == DefinitionKind::ClockProperties)
      get_field<"globalOffset", DefinitionKind::ClockProperties>(definition) += 5;
  write_archive(content, other.path());

  const auto found = verify_small(Archive((other.path() / "traces.otf2").string(), ignored_));
  EXPECT_FALSE(found.is_related);
  EXPECT_FALSE(found.holds());
}

TEST_F(VerifyTest, TellsATraceThatWasNotReducedInOneLine) {
  Diagnostics ignored;
  const auto found = verify(*original_, *original_, {}, ignored);
  EXPECT_FALSE(found.is_related);
  EXPECT_EQ(list_violations(found), "it was made from this trace: not made from this trace\n");
}

// The one that stays of two takes a hundred times as long as the other.
TEST(VerifiedTimes, AreSharesOfWhatTheKeptProcessesTook) {
  using enum EventKind;

  constexpr std::uint64_t steps = 6;
  testing::TraceBuilder builder;
  builder.add_mpi_processes(2).add_region(0, "main").add_region(1, "step");
  for (std::uint64_t rank = 0; rank < 2; ++rank) {
    const auto length = rank == 0 ? 100 : 1;
    builder.record(rank, Enter, 0, {0});
    for (std::uint64_t i = 0; i < steps; ++i)
      builder.record(rank, Enter, 1 + i * 200, {1}).record(rank, Leave, 1 + i * 200 + length, {1});
    builder.record(rank, Leave, 2 + (steps - 1) * 200 + length, {0});
  }

  const testing::TestFolder folder;
  Diagnostics ignored;
  const auto original = builder.write(folder.path());
  auto plan = make_plan(original, {FilterSection{{}, {"step"}, {}}});
  add_profiles(plan, original, {}, ignored);
  testing::group_and_name(plan, original, 1);
  select(plan, {.choice = Choice::slowest});
  FoldOptions options;
  options.asked.region = "step";
  options.max_clusters = 1;
  const auto members = choose_processes_to_search(plan);
  const auto loops = find_loops_pass({original, plan, {}, ignored}, members, options.asked);
  fold_iterations(original, plan, loops, options, {}, ignored);
  rewrite(original, plan, folder.path() / "small", {}, {}, ignored);

  const Archive reduced((folder.path() / "small/traces.otf2").string(), ignored);
  const auto found = verify(reduced, original, {}, ignored);
  EXPECT_TRUE(found.holds());
}

// Records of calling contexts stay, also those of a function that is left out.
class VerifyContextsTest : public testing::ContextRecordsTest {};

TEST_F(VerifyContextsTest, HoldsWhereAFunctionWithRecordsThatStayIsLeftOut) {
  trace_.add_mpi_processes(1);
  call(EventKind::Enter, 0, "work");
  call(EventKind::Leave, 10, "work");
  enter(20, "sampled", 1);
  sample(40, "sampled", 1);
  leave(80, "sampled");
  for (const auto& event : events_)
    trace_.record(0, event);

  const testing::TestFolder folder;
  Diagnostics ignored;
  const auto original = trace_.write(folder.path());
  auto plan = make_plan(original, {FilterSection{{}, {"work"}, {}}});
  add_profiles(plan, original, {}, ignored);
  testing::group_and_name(plan, original, 1);
  select(plan, {});
  rewrite(original, plan, folder.path() / "small", {}, {}, ignored);

  const Archive reduced((folder.path() / "small/traces.otf2").string(), ignored);
  const auto found = verify(reduced, original, {}, ignored);
  EXPECT_TRUE(found.holds());
}

}  // namespace tracefold::verify_test
