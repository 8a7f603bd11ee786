// What a reduced trace tells of all processes of the original, by the files beside it.
#include "pipeline/facts/whole_program.hpp"

#include "model/plan_files.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"
#include "tests/support/two_kinds_trace.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace tracefold::whole_program_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TraceBuilder;

using namespace testing::two_kinds;

constexpr std::uint64_t idle = 40, stream = 50;  // locations
constexpr auto relative_mode = otf2_value::metric_relative, type_double = otf2_value::type_double;

// Two processes of each of two kinds; one that only records a metric, and a thread of process 1
// that only computes.
TraceBuilder build_trace() {
  auto trace = testing::build_two_kinds_trace(
      [](std::uint64_t process, std::uint64_t i) { return 1'000 * (i % 3 + 1) + 7 * process; });
  trace.add_location_group(idle, {idle});
  trace.add_location_group(stream, {stream}, otf2_value::location_group_process, 1);
  const auto joules = trace.string("joules");
  trace.define(DefinitionKind::MetricMember,
               {0, joules, joules, 0, relative_mode, type_double, 1, 0, joules});
  trace.define(DefinitionKind::MetricClass, {0, 1, 0, 0}, {0});
  trace.record(idle, EventKind::Metric, 9, {0, 1},
               {type_double, std::bit_cast<std::uint64_t>(2.5)});
  // Rank 1 has a place that the topology does not have, rank 2 has two places, and rank 3 has none.
  const auto grid = trace.string("grid");
  trace.define(DefinitionKind::CartDimension, {0, grid, 2, 1});
  trace.define(DefinitionKind::CartDimension, {1, grid, 3, 0});
  trace.define(DefinitionKind::CartTopology, {0, grid, TraceBuilder::world, 2}, {0, 1});
  for (const auto& [rank, at] : {std::pair<std::uint64_t, std::vector<std::uint64_t>>{0, {1, 0}},
                                 {1, {1, 3}},
                                 {2, {0, 2}},
                                 {2, {1, 1}}})
    trace.define(DefinitionKind::CartCoordinate, {0, rank, 2}, at);
  trace.record(stream, EventKind::Enter, 5, {compute});
  trace.record(stream, EventKind::Leave, 95, {compute});

  return trace;
}

class WholeProgramBeside : public ::testing::Test {
 protected:
  WholeProgramBeside() {
    build_trace().write(folder_.path());
    ReduceOptions options;
    options.output.folder = small();
    options.folding->asked.region = "step";
    options.folding->max_clusters = 3;
    reduce(open("."), options, context_);
  }

  std::filesystem::path small() const { return folder_.path() / "small"; }
  std::filesystem::path file() const { return small() / profiles_name; }

  std::shared_ptr<const Archive> open(const std::string& name) {
    return open_trace((folder_.path() / name / "traces.otf2").string(), ignored_);
  }

  // What was found beside a trace; `warnings_` are those of it.
  std::shared_ptr<const WholeProgram> read(const std::string& name = "small") {
    Diagnostics diagnostics;
    const auto archive = open(name);
    auto found = read_whole_program(*archive, diagnostics);
    warnings_ = diagnostics.warnings();
    const auto& locations = archive->definitions().locations();
    EXPECT_EQ(read_packed_program(*archive, locations, diagnostics) == nullptr, found == nullptr);
    return found;
  }

  std::string check(const std::string& name = "small") {
    const auto archive = open(name);
    return check_profiles_file(*archive, read_plan_beside(*archive)).fault;
  }

  std::string read_bytes() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void write_bytes(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary) << bytes;
  }

  // Writes a reduced trace whose plan names these bytes, which stand beside it.
  void write_named(const std::string& to, const std::string& bytes, ProgramDetail detail = {}) {
    const auto archive = open(".");
    PlanSession session(archive, context_);
    session.profile();
    session.group({});
    auto plan = session.plan();
    plan.carried_program = std::make_shared<const PackedProgram>(PackedProgram{bytes, detail});
    rewrite(*archive, plan, folder_.path() / to, {}, {}, ignored_);
  }

  testing::TestFolder folder_;
  Diagnostics ignored_;
  Context context_{ignored_};
  std::vector<std::string> warnings_;
};

// The ids of the members of each group.
std::vector<std::vector<std::uint64_t>> list_groups(const Plan& plan) {
  std::vector<std::vector<std::uint64_t>> groups;
  for (const auto& group : *plan.groups) {
    groups.emplace_back();
    for (auto member : group.members)
      groups.back().push_back(plan.processes[member].id);
  }
  return groups;
}

TEST_F(WholeProgramBeside, HasTheProcessesOfTheOriginal) {
  PlanSession original(open("."), context_);
  original.profile();
  const auto& right = original.plan().processes;
  const auto found = read();
  ASSERT_TRUE(found);
  EXPECT_THAT(warnings_, IsEmpty());

  const auto& processes = found->plan.processes;
  ASSERT_EQ(processes.size(), right.size());
  for (std::size_t p = 0; p < right.size(); ++p) {
    EXPECT_EQ(processes[p].id, right[p].id);
    EXPECT_EQ(processes[p].name, right[p].name);
    EXPECT_EQ(processes[p].rank, right[p].rank);
    EXPECT_EQ(processes[p].thread, right[p].thread);
    EXPECT_EQ(processes[p].creator, right[p].creator);
    EXPECT_EQ(processes[p].events, right[p].events);
    EXPECT_EQ(processes[p].weight, 1u);
  }
  EXPECT_EQ(processes.back().creator, 1u);
  EXPECT_EQ(found->calls.locations.size(), right.size());
  EXPECT_EQ(
      found->stored->iterations(0),
      (std::vector<std::uint64_t>{iterations, iterations, iterations, iterations, 0, iterations}));
}

TEST_F(WholeProgramBeside, HasThePlacesInTopologiesOfTheOriginal) {
  const auto found = read();
  ASSERT_TRUE(found);
  const auto topologies = found->stored->read_topologies();
  ASSERT_EQ(topologies.size(), 1u);
  EXPECT_EQ(topologies[0].name, "grid");
  EXPECT_THAT(topologies[0].axes, ElementsAre(ProgramTopology::Axis{"grid", 2, true},
                                              ProgramTopology::Axis{"grid", 3, false}));
  // The processes 0 to 3, one that is not in MPI, and one that rank 1 has created.
  EXPECT_THAT(topologies[0].places, ElementsAre(2, 1, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0));
}

TEST_F(WholeProgramBeside, HasTheIntentsAndTimesOfTheOriginal) {
  PlanSession original(open("."), context_);
  original.profile();
  const auto& right = original.plan();
  const auto found = read();
  ASSERT_TRUE(found);

  const auto& plan = found->plan;
  ASSERT_EQ(plan.intents.size(), right.intents.size());
  for (std::size_t p = 0; p < right.processes.size(); ++p) {
    const auto &intent = plan.intents[plan.processes[p].intent],
               &right_intent = right.intents[right.processes[p].intent];
    EXPECT_EQ(intent.set.type, right_intent.set.type) << p;
    EXPECT_EQ(intent.set.metrics, right_intent.set.metrics) << p;
    ASSERT_EQ(intent.set.pairs.size(), right_intent.set.pairs.size()) << p;
    ASSERT_EQ(intent.functions.size(), right_intent.functions.size()) << p;
    std::map<std::string, std::uint64_t> times, right_times;
    for (std::size_t f = 0; f < intent.functions.size(); ++f) {
      times[plan.functions[intent.functions[f]].name] = plan.processes[p].exclusive[f];
      right_times[right.functions[right_intent.functions[f]].name] =
          right.processes[p].exclusive[f];
    }
    for (const auto& [name, time] : right_times) {
      ASSERT_TRUE(times.contains(name)) << name;
      EXPECT_NEAR(static_cast<double>(times[name]), static_cast<double>(time),
                  0.01 * static_cast<double>(time))
          << p << ' ' << name;
    }
  }
}

TEST_F(WholeProgramBeside, HasTheGroupsOfTheOriginal) {
  for (const auto threshold : {1.0, 0.5}) {
    GroupOptions options;
    options.threshold = threshold;
    PlanSession original(open("."), context_), whole(open("small"), context_);
    original.profile();
    original.group(options);
    whole.ask_for_all();
    ASSERT_TRUE(whole.program());
    whole.group(options);
    EXPECT_EQ(list_groups(whole.plan()), list_groups(original.plan())) << threshold;
  }

  PlanSession whole(open("small"), context_);
  whole.ask_for_all();
  whole.group({});
  EXPECT_THAT(list_groups(whole.plan()), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3),
                                                     ElementsAre(idle), ElementsAre(stream)));
}

TEST_F(WholeProgramBeside, IsNotAskedForWhereThereIsAPlanAlready) {
  PlanSession session(open("small"), context_);
  session.profile();
  session.ask_for_all();
  EXPECT_FALSE(session.program());
}

TEST_F(WholeProgramBeside, IsNoneWithoutAWarningOfATraceThatWasNotReduced) {
  EXPECT_FALSE(read("."));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(WholeProgramBeside, IsNoneWithoutAWarningWhereNoneWasKept) {
  ReduceOptions options;
  options.output.folder = folder_.path() / "without";
  options.output.rewrite.most_profiles = 0;
  reduce(open("."), options, context_);

  EXPECT_FALSE(read("without"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(WholeProgramBeside, IsNoneWithAWarningWhereTheFileIsMissing) {
  std::filesystem::remove(file());
  EXPECT_FALSE(read());
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("tracefold.profiles: is missing")));
}

TEST_F(WholeProgramBeside, IsNoneWithAWarningWhereTheFileIsAnotherOne) {
  const auto bytes = read_bytes();
  auto changed = bytes;
  changed[bytes.size() / 2] ^= 1;
  for (const auto& other :
       {changed, bytes + "x", bytes.substr(0, bytes.size() / 2), std::string()}) {
    write_bytes(other);
    EXPECT_FALSE(read()) << other.size();
    EXPECT_THAT(warnings_, ElementsAre(HasSubstr("is another file than the plan")));
  }
}

TEST_F(WholeProgramBeside, IsThereWhereThePlanNamesTheFile) {
  write_named("named", read_bytes());
  ASSERT_TRUE(read("named"));
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(WholeProgramBeside, IsNoneWithAWarningWhereTheFileThatIsNamedIsNone) {
  const auto bytes = read_bytes();
  auto next = bytes;
  next.replace(bytes.find('1'), 1, "2");
  int number = 0;
  for (const auto& [other, words] : {std::pair<std::string, const char*>{
                                         bytes.substr(0, bytes.size() / 2), "its end is not there"},
                                     {"nothing of the kind", "is no file of profiles"},
                                     {next, "version 2"}}) {
    const auto name = "bad" + std::to_string(++number);
    write_named(name, other);
    EXPECT_FALSE(read(name)) << words;
    ASSERT_EQ(warnings_.size(), 1u) << words;
    EXPECT_THAT(warnings_[0], HasSubstr("what all processes of the original did is not known"));
    EXPECT_THAT(warnings_[0], HasSubstr(words));
  }
}

TEST_F(WholeProgramBeside, IsCheckedAgainstThePlan) {
  EXPECT_EQ(check(), "");
  write_named("less exact", read_bytes(), {2, 1});
  EXPECT_THAT(check("less exact"), HasSubstr("it is not as exact as the plan beside it says"));
  write_bytes(read_bytes() + "x");
  EXPECT_THAT(check(), HasSubstr("is another file than the plan"));
  std::filesystem::remove(file());
  EXPECT_THAT(check(), HasSubstr("is missing"));
}

}  // namespace tracefold::whole_program_test
