// What `verify` says of a reduced trace that is right, wrong, or of another trace.
#include "pipeline/verify/verify.hpp"
#include "base/read_file.hpp"
#include "base/zstd_frame.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/plan.hpp"
#include "model/program/profiles_writer.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "pipeline/verify/rule_book.hpp"
#include "pipeline/verify/rule_words.hpp"
#include "tests/support/archive_content.hpp"
#include "tests/support/context_records.hpp"
#include "tests/support/every_record.hpp"
#include "tests/support/group_and_name.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace tracefold::verify_test {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  RewriteOptions forced_{.force = true};
};

TEST_F(VerifyTest, MakesARightTraceAgainAndFindsNothing) {
  const auto found = verify_small();
  EXPECT_THAT(list_violations(found), IsEmpty());
  EXPECT_TRUE(found.was_made_again);
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
  EXPECT_THAT(list_violations(verify_small()),
              AllOf(HasSubstr("location 0 (rank 0): event "), HasSubstr(" is MpiCollectiveEnd at "),
                    HasSubstr("s: sizeSent is 65, and should be 64")));
}

TEST_F(VerifyTest, NamesTheCallWhoseTimeDiffers) {
  change([](testing::TraceContent& content) { content.events[0].back().time += 7; });
  EXPECT_THAT(list_violations(verify_small()),
              ContainsRegex("location 0 .rank 0.: event [0-9 ]+ is [A-Za-z ']+ at [0-9.]+ s, and "
                            "should be at [0-9.]+ s\n"));
}

TEST_F(VerifyTest, NamesRecordsThatAreMissingOrTooMany) {
  change([](testing::TraceContent& content) { content.events[0].pop_back(); });
  EXPECT_THAT(list_violations(verify_small()), ContainsRegex("event [0-9 ]+ is missing: "));
  write_small({}, forced_);
  change([](testing::TraceContent& content) {
    content.events[0].push_back(Event(content.events[0].back()));
  });
  EXPECT_THAT(list_violations(verify_small()),
              ContainsRegex("event [0-9 ]+ should not be there: "));
}

TEST_F(VerifyTest, NamesTheDefinitionThatDiffers) {
  change([](testing::TraceContent& content) {
    for (auto& definition : content.definitions)
      if (definition.kind == DefinitionKind::Region)
        get_field<"regionRole", DefinitionKind::Region>(definition) = 7;
  });
  EXPECT_THAT(list_violations(verify_small()),
              ContainsRegex("Region 0 .'[^']+'.: regionRole is 7, and should be "));
}

TEST_F(VerifyTest, NamesAllFieldsOfDefinitionsWithoutAnId) {
  change([](testing::TraceContent& content) {
    for (auto& definition : content.definitions) {
      if (definition.kind == DefinitionKind::ClockProperties)
        ++get_field<"timerResolution", DefinitionKind::ClockProperties>(definition);
      if (definition.kind == DefinitionKind::Region)
        get_field<"regionRole", DefinitionKind::Region>(definition) = 7;
    }
  });
  EXPECT_THAT(
      list_violations(verify_small()),
      AllOf(ContainsRegex("ClockProperties [0-9]+: timerResolution is [0-9]+, and should be "),
            HasSubstr("regionRole is 7, and should be ")));
}

TEST_F(VerifyTest, NamesTextsOfDefinitions) {
  change([](testing::TraceContent& content) {
    for (auto& definition : content.definitions)
      if (definition.kind == DefinitionKind::String && definition.text == "MPI_COMM_WORLD")
        definition.text = "another";
  });
  EXPECT_THAT(list_violations(verify_small()),
              HasSubstr(" is 'another', and should be 'MPI_COMM_WORLD'"));
}

TEST_F(VerifyTest, SeesThatThePlanWasEdited) {
  std::ofstream(plan(), std::ios::app) << "\n";
  const auto found = verify_small();
  EXPECT_THAT(list_violations(found), HasSubstr("tracefold.json: its SHA-256 is "));
  EXPECT_TRUE(found.was_made_again);
}

TEST_F(VerifyTest, DoesNotTakeThePlanOfAnotherTraceForItsOwn) {
  std::stringstream text;
  text << std::ifstream(plan()).rdbuf();
  auto other = text.str();
  const auto hash = other.find_first_of("0123456789abcdef", other.find("sha256") + 8);
  other[hash] = other[hash] == '0' ? '1' : '0';
  std::ofstream(plan()) << other;

  const auto found = verify_small();
  EXPECT_TRUE(found.is_related);
  EXPECT_FALSE(found.was_made_again);
  EXPECT_THAT(list_violations(found), HasSubstr("tracefold.json: its SHA-256 is "));
}

TEST_F(VerifyTest, DoesNotHoldWithoutAPlan) {
  std::filesystem::remove(plan());
  const auto found = verify_small();
  EXPECT_THAT(list_violations(found), HasSubstr("tracefold.json is missing"));
  EXPECT_FALSE(found.was_made_again);
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

TEST_F(VerifyTest, HoldsWhereNoMessagesAreDrawn) {
  write_small({}, {.force = true, .draws_messages = false});
  EXPECT_THAT(list_violations(verify_small()), IsEmpty());
}

// One line stands for all that follow a thousand.
TEST(RuleBookTest, HasAThousandViolationsOfEachRule) {
  std::vector<RuleVerdict> verdicts;
  RuleBook rules(verdicts);
  rules.add_rule("first");
  for (int k = 0; k < 3000; ++k)
    rules.add_violation("wrong");
  rules.add_rule("second", {"wrong"});
  ASSERT_EQ(verdicts[0].violations.size(), 1001u);
  EXPECT_EQ(verdicts[0].violations[999], "wrong");
  EXPECT_EQ(verdicts[0].violations[1000], "… and more of this kind");
  EXPECT_EQ(verdicts[1].violations.size(), 1u);
}

TEST_F(VerifyTest, TellsATraceOfAnotherRunInOneLine) {
  testing::TestFolder other;
  auto content = testing::every_record();
  for (auto& definition : content.definitions)
    if (definition.kind == DefinitionKind::ClockProperties)
      get_field<"globalOffset", DefinitionKind::ClockProperties>(definition) += 5;
  write_archive(content, other.path());

  const auto found = verify_small(Archive((other.path() / "traces.otf2").string(), ignored_));
  EXPECT_TRUE(found.was_reduced);
  EXPECT_FALSE(found.is_related);
  EXPECT_FALSE(found.holds());
}

TEST_F(VerifyTest, TellsATraceThatWasNotReducedInOneLine) {
  Diagnostics ignored;
  const auto found = verify(*original_, *original_, {}, ignored);
  EXPECT_FALSE(found.was_reduced);
  EXPECT_FALSE(found.is_related);
  EXPECT_EQ(list_violations(found), "it was made from this trace: not made from this trace\n");
}

// Without the original: each rule of the structure, on a trace that breaks it.
class VerifyStructureTest : public VerifyTest {
 protected:
  std::string find_faults() {
    Diagnostics warnings;
    const Archive reduced((small() / "traces.otf2").string(), warnings);
    return list_violations(verify_structure(reduced, {}, warnings));
  }
  template <class Change>
  std::string find_faults_after(Change&& change_content) {
    write_small({}, forced_);
    change(change_content);
    return find_faults();
  }
  static Definition& find_property(testing::TraceContent& content, std::uint64_t location,
                                   const std::string& name) {
    using enum DefinitionKind;
    std::uint64_t text = 0;
    for (const auto& d : content.definitions)
      if (d.kind == String && d.text == name)
        text = d.id();
    for (auto& d : content.definitions)
      if (d.kind == LocationProperty && d.id() == location &&
          get_field<"name", LocationProperty>(d) == text)
        return d;
    throw std::out_of_range(name);
  }
  static std::uint64_t add_string(testing::TraceContent& content, const std::string& text) {
    Definition string;
    string.kind = DefinitionKind::String;
    for (const auto& d : content.definitions)
      string.fields[0] += d.kind == DefinitionKind::String;
    string.text = text;
    content.definitions.push_back(string);
    return string.id();
  }
};

TEST_F(VerifyStructureTest, IsRightInATraceThatWasReduced) {
  EXPECT_THAT(find_faults(), IsEmpty());
}

TEST_F(VerifyStructureTest, IsWrongWhereIdsAre) {
  using enum DefinitionKind;
  EXPECT_THAT(find_faults_after([](auto& content) {
                std::erase_if(content.definitions,
                              [](const auto& d) { return d.kind == Region && d.id() == 0; });
              }),
              AllOf(HasSubstr("stands where Region 0 should"),
                    HasSubstr("names an id 0 that is not defined")));
  EXPECT_THAT(find_faults_after([](auto& content) {
                content.definitions.push_back(
                    *std::ranges::find(content.definitions, Region, &Definition::kind));
              }),
              HasSubstr("1 definitions have the id of another one, or are damaged"));
}

TEST_F(VerifyStructureTest, IsWrongWhereLocationsSayOtherThanThePlan) {
  using enum DefinitionKind;
  EXPECT_THAT(
      find_faults_after([](auto& content) {
        ++get_field<"value", LocationProperty>(find_property(content, 0, "tracefold::count"));
      }),
      HasSubstr("location 0 (rank 0): it is to stand for "));
  EXPECT_THAT(
      find_faults_after([](auto& content) {
        get_field<"value", LocationProperty>(find_property(content, 0, "tracefold::group")) += 70;
      }),
      AllOf(HasSubstr("location 0 (rank 0): no representative of the plan is "),
            HasSubstr(" in group 70 and stands for "),
            HasSubstr("a representative of group 0 of the plan is missing"),
            HasSubstr("no Group 'tracefold group 70: …' has just the locations that say so: 0")));
}

TEST_F(VerifyStructureTest, IsWrongWhereLocationsStandForTheSameOrForNobody) {
  using enum DefinitionKind;
  EXPECT_THAT(
      find_faults_after([](auto& content) {
        for (const auto* name : {"tracefold::source", "tracefold::count", "tracefold::members"})
          get_field<"value", LocationProperty>(find_property(content, 1, name)) =
              get_field<"value", LocationProperty>(find_property(content, 0, name));
      }),
      ContainsRegex("location 1 .* stands for [0-9]+, and so does location 0"));
  EXPECT_THAT(
      find_faults_after([](auto& content) {
        get_field<"value", LocationProperty>(find_property(content, 0, "tracefold::source")) = 4000;
      }),
      HasSubstr("location 0 (rank 0): its source 4000 is none of its members "));
  EXPECT_THAT(find_faults_after([](auto& content) {
                get_field<"value", LocationProperty>(
                    find_property(content, 0, "tracefold::members")) = add_string(content, "all");
              }),
              HasSubstr("location 0 (rank 0): its members 'all' are no list"));
  EXPECT_THAT(find_faults_after([](auto& content) {
                get_field<"name", LocationProperty>(find_property(content, 0, "tracefold::group")) =
                    add_string(content, "other");
              }),
              HasSubstr("location 0 (rank 0): the property tracefold::group is missing"));
}

TEST_F(VerifyStructureTest, IsWrongWherePartnersAreMoreThanThat) {
  using enum DefinitionKind;
  EXPECT_THAT(find_faults_after([](auto& content) {
                const auto halo = add_string(content, "tracefold::halo");
                auto& count = find_property(content, 0, "tracefold::count");
                get_field<"name", LocationProperty>(count) = halo;
                get_field<"value", LocationProperty>(count) = 4000;
              }),
              AllOf(HasSubstr("location 0 (rank 0): it is to be there for its messages alone, and "
                              "its properties say something else"),
                    HasSubstr("tracefold::halo states 4000 records of messages, and there are ")));
}

TEST_F(VerifyStructureTest, IsWrongWhereGroupsHaveLocationsThatAreNotThere) {
  using enum DefinitionKind;
  EXPECT_THAT(find_faults_after([](auto& content) {
                for (auto& d : content.definitions)
                  if (d.kind == Group &&
                      get_field<"groupType", Group>(d) == otf2_value::group_comm_locations)
                    d.list.back() = 4000;
              }),
              ContainsRegex("Group [0-9]+.* has location 4000, which is not defined"));
}

TEST_F(VerifyStructureTest, IsWrongWhereEventsNameWhatIsNotThere) {
  using enum EventKind;
  EXPECT_THAT(find_faults_after([](auto& content) {
                for (auto& event : content.events.at(0))
                  if (event.kind == MpiCollectiveEnd)
                    get_field<"communicator", MpiCollectiveEnd>(event) = 4000;
              }),
              HasSubstr("location 0 (rank 0): MpiCollectiveEnd at "));
}

TEST_F(VerifyStructureTest, IsWrongWhereCallsAndTimesAre) {
  EXPECT_THAT(find_faults_after([](auto& content) {
                auto& events = content.events.at(0);
                events.erase(std::ranges::find(events, EventKind::Leave, &Event::kind));
              }),
              AllOf(HasSubstr("calls are never left"), HasSubstr("its definition states ")));
  EXPECT_THAT(find_faults_after([](auto& content) {
                auto& events = content.events.at(0);
                events.erase(std::ranges::find(events, EventKind::Enter, &Event::kind));
              }),
              HasSubstr("left that were never entered"));
  EXPECT_THAT(find_faults_after([](auto& content) {
                auto& events = content.events.at(0);
                events.back().time = events.front().time;
              }),
              HasSubstr("location 0 (rank 0): 1 time stamps step back"));
}

// The anchor stays as it was before there was one location more.
TEST_F(VerifyStructureTest, IsWrongWhereTheAnchorStatesOtherNumbers) {
  const auto anchor = small() / "traces.otf2";
  std::stringstream before;
  before << std::ifstream(anchor, std::ios::binary).rdbuf();
  change([](testing::TraceContent& content) {
    auto more =
        *std::ranges::find(content.definitions, DefinitionKind::Location, &Definition::kind);
    more.fields[0] = 4000;
    content.definitions.push_back(more);
    content.events[4000];
  });
  std::ofstream(anchor, std::ios::binary) << before.str();
  EXPECT_THAT(find_faults(),
              AllOf(ContainsRegex("traces.otf2 states [0-9]+ locations, and there are "),
                    ContainsRegex("traces.otf2 states [0-9]+ definitions, and there are ")));
}

TEST_F(VerifyStructureTest, IsWrongWhereTheAnchorIs) {
  EXPECT_THAT(find_faults_after([](auto& content) {
                content.properties["TRACEFOLD::CUT::MPISEND"] = "3 or more";
                content.properties["OTF2::MPI_COMMUNICATION_COMPLETE"] = "true";
              }),
              AllOf(HasSubstr("TRACEFOLD::CUT::MPISEND is '3 or more'"),
                    HasSubstr("OTF2::MPI_COMMUNICATION_COMPLETE is not false")));
  EXPECT_THAT(find_faults_after([](auto& content) {
                content.properties.erase("TRACEFOLD::REDUCTIONS");
                *content.trace_id ^= 1;
              }),
              AllOf(HasSubstr("the property TRACEFOLD::REDUCTIONS is missing"),
                    HasSubstr("the identifier of the trace is ")));
}

TEST_F(VerifyStructureTest, IsWrongWhereItIsToBeWholeOrWithoutMessages) {
  EXPECT_THAT(find_faults_after([](auto& content) {
                content.properties["TRACEFOLD::WHOLE"] = "true";
                content.properties["TRACEFOLD::MESSAGES"] = "some";
              }),
              AllOf(HasSubstr("TRACEFOLD::WHOLE is there, and something was left out"),
                    HasSubstr("TRACEFOLD::MESSAGES is 'some', and there ")));
}

TEST_F(VerifyStructureTest, IsWrongWhereTheProfilesAreOthers) {
  std::filesystem::remove_all(small());
  ReduceOptions options;
  options.output.folder = small();
  reduce(open_trace((app_.path() / "traces.otf2").string(), ignored_), options, Context{ignored_});
  EXPECT_THAT(find_faults(), IsEmpty());
  std::ofstream(small() / profiles_name, std::ios::app) << "x";
  EXPECT_THAT(find_faults(),
              HasSubstr("tracefold.profiles: is another file than the plan beside it names"));
  std::filesystem::remove(small() / profiles_name);
  EXPECT_THAT(find_faults(), HasSubstr("tracefold.profiles: is missing"));
}

// The same tables in a file whose rows have these groups.
std::string pack_again(const ProfilesFile& file, std::vector<std::uint32_t> groups) {
  ProfilesWriter writer(std::move(groups));
  for (const auto& table : file.tables()) {
    const auto values = file.read(table);
    writer.add(table, [&](std::size_t row, std::span<std::uint64_t> out) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * table.columns), table.columns,
                  out.begin());
    });
  }
  return *writer.finish(file.about());
}

// The same file with a member in its document that no reader knows.
std::string add_note(const std::string& file) {
  constexpr std::size_t numbers = 5;
  std::array<std::uint64_t, numbers> footer{};  // as docs/profiles-format.md has it
  const auto at = file.size() - sizeof footer - profiles_last_word.size();
  std::memcpy(footer.data(), file.data() + at, sizeof footer);
  auto& [begin, packed, size, index_packed, index] = footer;
  auto document = unpack_frame(std::string_view(file).substr(begin, packed), size);
  document.insert(1, "\"note\":\"x\",");
  const auto frame = pack_frame(document, FrameContent::text);
  const auto blocks = file.substr(0, begin), behind = file.substr(begin + packed, index_packed);
  packed = frame.size();
  size = document.size();
  return blocks + frame + behind +
         std::string(reinterpret_cast<const char*>(footer.data()), sizeof footer) +
         std::string(profiles_last_word);
}

TEST_F(VerifyStructureTest, KnowsProfilesThatOnlyAnotherZstdHasPacked) {
  std::filesystem::remove_all(small());
  ReduceOptions options;
  options.output.folder = small();
  reduce(open_trace((app_.path() / "traces.otf2").string(), ignored_), options, Context{ignored_});
  const Archive reduced((small() / "traces.otf2").string(), ignored_);
  const auto beside = read_plan_beside(reduced);
  const auto bytes = *read_file(small() / profiles_name);
  const ProfilesFile file(bytes);

  EXPECT_TRUE(has_same_profiles(beside, pack_again(file, file.groups())));
  auto other = file.groups();
  ASSERT_FALSE(other.empty());
  ++other.back();
  EXPECT_FALSE(has_same_profiles(beside, pack_again(file, other)));
  EXPECT_NO_THROW(ProfilesFile{add_note(bytes)});
  EXPECT_FALSE(has_same_profiles(beside, add_note(bytes)));
}

TEST_F(VerifyStructureTest, IsWrongWhereThePlanIsMissing) {
  std::filesystem::remove(plan());
  EXPECT_THAT(find_faults(), HasSubstr("tracefold.json is missing"));
}

TEST_F(VerifyStructureTest, IsThatOfNoTraceThatWasNotReduced) {
  Diagnostics ignored;
  EXPECT_FALSE(verify_structure(*original_, {}, ignored).is_related);
}

// Rank 0 sends three messages. Rank 1 receives the first, and the others without blocking.
class VerifiedMessages : public ::testing::Test {
 protected:
  VerifiedMessages() {
    using enum EventKind;

    testing::TraceBuilder builder;
    constexpr auto world = testing::TraceBuilder::world;
    builder.add_mpi_processes(2).add_region(0, "main");
    for (std::uint64_t rank : {0, 1})
      builder.record(rank, Enter, 0, {0});
    for (std::uint64_t tag : {5, 6, 7})
      builder.record(0, MpiSend, 10, {1, world, tag, 64});
    builder.record(1, MpiRecv, 20, {0, world, 5, 64});
    for (std::uint64_t tag : {6, 7})
      builder.record(1, MpiIrecvRequest, 30, {tag})
          .record(1, MpiIrecv, 40, {0, world, tag, 64, tag});
    for (std::uint64_t rank : {0, 1})
      builder.record(rank, Leave, 100, {0});
    const auto original = builder.write(folder_.path());
    rewrite(original, make_plan(original, {}), small_, {}, {}, ignored_);
    right_ = testing::read_content(Archive((small_ / "traces.otf2").string(), ignored_));
  }

  std::string find_faults(const char* rule,
                          const std::function<void(testing::TraceContent&)>& change) {
    auto content = right_;
    change(content);
    std::filesystem::remove_all(small_ / "traces");
    write_archive(content, small_);
    const Archive reduced((small_ / "traces.otf2").string(), ignored_);
    std::string list;
    for (const auto& verdict : verify_structure(reduced, {}, ignored_).rules)
      if (verdict.rule == rule)
        for (const auto& violation : verdict.violations)
          list += violation + "\n";
    return list;
  }
  std::string find_faults_without(const std::function<bool(const Event&)>& is_missing) {
    return find_faults(rule_words::messages, [&](testing::TraceContent& content) {
      std::erase_if(content.events.at(1), is_missing);
    });
  }

  const testing::TestFolder folder_;
  const std::filesystem::path small_ = folder_.path() / "small";
  Diagnostics ignored_;
  testing::TraceContent right_;
};

TEST_F(VerifiedMessages, AreReceivedUnlessTheirReceiveIsOpen) {
  using enum EventKind;
  EXPECT_THAT(find_faults_without([](const Event&) { return false; }), IsEmpty());
  EXPECT_THAT(find_faults_without([](const Event& e) { return e.kind == MpiRecv; }),
              HasSubstr("messages with tag 5 from location 0 (rank 0) to location 1 "
                        "(rank 1): 1 sent, 0 received"));

  const auto is_end = [](const Event& e) { return e.kind == MpiIrecv && e.fields[2] == 6; };
  EXPECT_THAT(find_faults_without(is_end), IsEmpty());
  EXPECT_THAT(find_faults_without([&](const Event& e) {
                return is_end(e) || (e.kind == MpiIrecvRequest && e.fields[0] == 6);
              }),
              HasSubstr(" with tag 6 from "));
}

// Some tools record no end of any non-blocking receive. Then it cannot be told which message lacks
// its receive.
TEST_F(VerifiedMessages, MayLackReceivesWhereNoNonBlockingOneHasAnEnd) {
  using enum EventKind;
  EXPECT_THAT(
      find_faults_without([](const Event& e) { return e.kind == MpiRecv || e.kind == MpiIrecv; }),
      IsEmpty());

  const auto receives = [](const Event& e) {
    return e.kind == MpiRecv || e.kind == MpiIrecv || e.kind == MpiIrecvRequest;
  };
  EXPECT_THAT(find_faults_without(receives),
              AllOf(HasSubstr("tag 5"), HasSubstr("tag 6"), HasSubstr("tag 7")));
  for (auto& d : right_.definitions)
    if (d.kind == DefinitionKind::String && d.text == "main")
      d.text = "mpi_irecv_";
  EXPECT_THAT(find_faults_without(receives), IsEmpty());
}

TEST_F(VerifiedMessages, AreNotThereWhereTheAnchorSaysSo) {
  EXPECT_THAT(find_faults(rule_words::left_out,
                          [](testing::TraceContent& content) {
                            content.properties["TRACEFOLD::MESSAGES"] = "not drawn";
                          }),
              HasSubstr("TRACEFOLD::MESSAGES is 'not drawn', and there are records of messages"));
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
  const auto members = list_folding_candidates(plan);
  const auto loops = find_loops_pass({original, plan, {}, ignored}, members, options.asked);
  fold_iterations(original, plan, loops, options, {}, ignored);
  rewrite(original, plan, folder.path() / "small", {}, {}, ignored);

  const Archive reduced((folder.path() / "small/traces.otf2").string(), ignored);
  const auto found = verify(reduced, original, {}, ignored);
  EXPECT_TRUE(found.holds());
}

// Six iterations, of which five are folded.
TEST(VerifiedIterations, HaveOneCallThatStandsForThem) {
  using enum EventKind;
  testing::TraceBuilder builder;
  builder.add_mpi_processes(1).add_region(0, "main").add_region(1, "step");
  builder.record(0, Enter, 0, {0});
  for (std::uint64_t i = 0; i < 6; ++i)
    builder.record(0, Enter, 1 + i * 200, {1}).record(0, Leave, 100 + i * 200, {1});
  builder.record(0, Leave, 2000, {0});

  const testing::TestFolder folder;
  Diagnostics ignored;
  const auto original = builder.write(folder.path());
  auto plan = make_plan(original, {});
  add_profiles(plan, original, {}, ignored);
  testing::group_and_name(plan, original, 1);
  select(plan, {});
  FoldOptions options;
  options.asked.region = "step";
  options.max_clusters = 1;
  const auto members = list_folding_candidates(plan);
  const auto loops = find_loops_pass({original, plan, {}, ignored}, members, options.asked);
  fold_iterations(original, plan, loops, options, {}, ignored);
  const auto small = folder.path() / "small";
  rewrite(original, plan, small, {}, {}, ignored);
  const auto find_faults = [&] {
    const Archive reduced((small / "traces.otf2").string(), ignored);
    std::string faults;
    for (const auto& rule : verify_structure(reduced, {}, ignored).rules)
      for (const auto& violation : rule.violations)
        faults += violation + "\n";
    return faults;
  };
  EXPECT_THAT(find_faults(), IsEmpty());

  auto content = testing::read_content(Archive((small / "traces.otf2").string(), ignored));
  auto& events = content.events.at(0);
  const auto is_collapsed = [](const auto& event) { return event.time > 200 && event.time < 2000; };
  const auto first = std::ranges::find_if(events, is_collapsed);
  ASSERT_NE(first, events.end());
  const std::vector<Event> again(first, first + 2);
  events.insert(first, again.begin(), again.end());
  std::ranges::sort(events, {}, &Event::time);
  std::filesystem::remove_all(small / "traces");
  write_archive(content, small);
  EXPECT_THAT(find_faults(), HasSubstr("5 calls stand for iterations of loop 1 that are like "
                                       "iteration 0, and there are 4 of these"));
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
