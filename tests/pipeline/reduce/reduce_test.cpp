// reduce() and the stages as calls of the library: without a terminal, and what they tell.
#include "pipeline/reduce/reduce.hpp"
#include "base/error.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/reduce/fold_plan.hpp"
#include "tests/support/two_kinds_trace.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

namespace tracefold::reduce_test {

using ::testing::_;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Key;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;

using namespace testing::two_kinds;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The text of each file of a folder, by its path in there.
std::map<std::string, std::string> read_folder(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = read_text(entry.path());

  return files;
}

// Two processes of each kind, whose steps take longer and longer. Those of a kind send each other
// a message in each step; the later two write output in it.
class Reduce : public ::testing::Test {
 protected:
  Reduce() {
    const auto measure = [](std::uint64_t, std::uint64_t i) { return 100 * (i + 1); };
    testing::build_two_kinds_trace(measure).write(folder_.path());

    context_.progress = [this](const std::string& pass, std::size_t done, std::size_t all) {
      const std::lock_guard lock(mutex_);
      EXPECT_LE(done, all);
      progress_[pass].insert(done);
    };
    context_.report = [this](const std::string& words) { reports_.push_back(words); };
    options_.folding->asked.region = "step";
    options_.folding->max_clusters = 3;
    options_.halo = parse_halo("off");
    options_.output.folder = folder_.path() / "small";
  }

  std::string anchor() const { return (folder_.path() / "traces.otf2").string(); }
  std::shared_ptr<const Archive> open() { return open_trace(anchor(), diagnostics_); }
  Reduction reduced() { return reduce(open(), options_, context_); }

  // The error of reducing with the options as they are.
  ErrorKind fail() {
    try {
      reduced();
    } catch (const Error& problem) {
      return problem.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::no;
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  Context context_{diagnostics_};
  ReduceOptions options_;
  std::mutex mutex_;
  std::map<std::string, std::set<std::size_t>> progress_;  // by pass: how many were done
  std::vector<std::string> reports_;
};

TEST_F(Reduce, TellsWhatItMadeOfTheTrace) {
  const auto made = reduced();
  EXPECT_EQ(made.folder, options_.output.folder);
  EXPECT_EQ(made.locations, processes);
  EXPECT_GT(made.bytes, 0u);
  const auto archive = open();
  std::uint64_t events = 0;
  for (const auto& d : archive->definitions().all())
    if (d.kind == DefinitionKind::Location)
      events += get_field<"numberOfEvents", DefinitionKind::Location>(d);
  EXPECT_EQ(made.plan.trace.events, events);
  EXPECT_THAT(*made.plan.groups, SizeIs(2));
  EXPECT_THAT(*made.plan.representatives, SizeIs(2));
  EXPECT_THAT(made.plan.iterations->loops, SizeIs(1));
  EXPECT_EQ(made.after.locations, 2u);
  EXPECT_LT(made.after.events, made.plan.trace.events);
  EXPECT_FALSE(made.after.is_estimate);
  EXPECT_THAT(diagnostics_.warnings(), IsEmpty());
}

TEST_F(Reduce, TellsWhatThePlanBesideTheTraceSays) {
  const auto made = reduced();
  const auto beside = plan_from_json(read_text(made.folder / plan_name));
  ASSERT_EQ(beside.representatives->size(), made.plan.representatives->size());
  for (std::size_t r = 0; r < beside.representatives->size(); ++r) {
    const auto& made_of = (*made.plan.representatives)[r];
    const auto& told = (*beside.representatives)[r];
    EXPECT_EQ(told.process, made_of.process);
    EXPECT_EQ(told.members, made_of.members);
    EXPECT_EQ(told.why, made_of.why);
    EXPECT_EQ((*beside.groups)[told.group].members, (*made.plan.groups)[made_of.group].members);
  }
  EXPECT_EQ(beside.iterations->loops[0].choice.kept, made.plan.iterations->loops[0].choice.kept);
  EXPECT_EQ(beside.trace.events, made.plan.trace.events);
  EXPECT_TRUE(beside.messages);
}

TEST_F(Reduce, PrintsNothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  reduced();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(Reduce, ReportsHowFarPassesAreAndWhatStagesDid) {
  reduced();
  for (const auto* pass : {"profile", "iterations", "cluster", "rewrite"})
    EXPECT_THAT(progress_, Contains(Key(pass)));
  EXPECT_THAT(progress_["profile"], Contains(processes));
  EXPECT_THAT(reports_, ElementsAre(StartsWith("profile: "), StartsWith("messages: "),
                                    StartsWith("iterations: 1 loops on 2 processes")));
}

TEST_F(Reduce, NeedsNobodyWhoListens) {
  context_.progress = nullptr;
  context_.report = nullptr;
  EXPECT_EQ(reduced().after.locations, 2u);
}

TEST_F(Reduce, WritesWhatItsStagesWriteOneByOne) {
  reduced();
  const auto pass_on = [&](PlanSession& session) {
    return PlanSession(plan_from_json(to_json(session.plan())), PlanUse::any, context_);
  };

  PlanSession first(open(), context_);
  first.make_groups(options_.grouping, KeepMessages::yes);
  auto second = pass_on(first);
  select(second.plan(), options_.selection);
  auto third = pass_on(second);
  fold_plan(third, *options_.folding);

  WriteOptions writing;
  writing.output.folder = folder_.path() / "in steps";
  write(pass_on(third), writing);
  EXPECT_EQ(read_folder(writing.output.folder), read_folder(options_.output.folder));
}

TEST_F(Reduce, TellsWithoutWritingWhatItWouldWrite) {
  options_.output.dry_run = true;
  const auto estimate = reduced();
  EXPECT_TRUE(estimate.after.is_estimate);
  EXPECT_TRUE(estimate.folder.empty());
  EXPECT_FALSE(std::filesystem::exists(options_.output.folder));

  options_.output.dry_run = false;
  const auto made = reduced();
  EXPECT_EQ(estimate.after.locations, made.after.locations);
  EXPECT_EQ(estimate.after.events, made.after.events);
}

TEST_F(Reduce, KeepsAllIterationsWhereNoneAreToBeFolded) {
  options_.folding.reset();
  const auto made = reduced();
  EXPECT_FALSE(made.plan.iterations);
  EXPECT_EQ(made.after.locations, 2u);
}

TEST_F(Reduce, LeavesOutWhatFiltersOfAPlanDo) {
  PlanSession session(open(), context_);
  session.plan().filters.push_back({{"output"}, {}, {}});
  const auto made = reduce(std::move(session), options_);
  EXPECT_THAT(*made.plan.groups, SizeIs(1));
  EXPECT_EQ(made.after.locations, 1u);
}

TEST_F(Reduce, ReadsTheTraceOnceForProfilesAndWhatRanksCommunicate) {
  options_.grouping.comparison.by = CompareBy::signature;
  const auto made = reduced();
  EXPECT_TRUE(made.plan.messages);
  EXPECT_EQ(std::count_if(reports_.begin(), reports_.end(),
                          [](const auto& words) { return words.starts_with("profile: "); }),
            1);
}

TEST_F(Reduce, ThrowsErrorsAndWritesNothing) {
  auto refused = options_;
  std::swap(options_, refused);
  options_.output.folder.clear();
  EXPECT_EQ(fail(), ErrorKind::usage);

  options_ = refused;
  options_.grouping.threshold = 0.5;
  options_.grouping.comparison.by = CompareBy::signature;
  EXPECT_EQ(fail(), ErrorKind::usage);

  options_ = refused;
  options_.folding->asked.region = "nothing";
  EXPECT_EQ(fail(), ErrorKind::usage);

  options_ = refused;
  std::filesystem::resize_file(folder_.path() / "traces/1.evt", 30);
  EXPECT_EQ(fail(), ErrorKind::input);
  EXPECT_FALSE(std::filesystem::exists(options_.output.folder));

  std::filesystem::create_directory(options_.output.folder);
  std::ofstream(options_.output.folder / "file") << "mine";
  EXPECT_EQ(fail(), ErrorKind::output);
}

TEST_F(Reduce, UsesWhatDamagedFilesHoldWhereTheContextSaysSo) {
  std::filesystem::resize_file(folder_.path() / "traces/3.evt",
                               std::filesystem::file_size(folder_.path() / "traces/3.evt") / 2);
  context_.reading.partial = true;
  options_.folding.reset();
  EXPECT_GT(reduced().after.events, 0u);
  EXPECT_THAT(diagnostics_.warnings(), Contains(HasSubstr("3.evt")));
}

TEST_F(Reduce, WriteKeepsEveryProcessOfATraceWithoutAPlan) {
  WriteOptions writing;
  writing.output = options_.output;
  const auto made = write({open(), context_}, writing);
  EXPECT_EQ(made.after.locations, processes);
  EXPECT_EQ(made.after.events, made.plan.trace.events);
  EXPECT_EQ(made.sends, made.after.sends);
  EXPECT_THAT(reports_, IsEmpty());
  EXPECT_THAT(diagnostics_.notes(), ElementsAre(StartsWith("every process stays")));
}

// It is in the plan: no stage behind the one that profiles counts them.
TEST_F(Reduce, WriteKnowsHowManyMessagesThereWereWhereAPlanComesIn) {
  PlanSession session(open(), context_);
  session.make_groups({}, KeepMessages::no);
  EXPECT_EQ(session.plan().trace.messages, reduced().sends);
  select(session.plan(), {});

  WriteOptions writing;
  writing.output = options_.output;
  writing.output.folder = folder_.path() / "from a plan";
  const auto plan = plan_from_json(to_json(session.plan()));
  const auto made = write({plan, PlanUse::write, context_}, writing);
  EXPECT_FALSE(made.plan.messages);
  EXPECT_GT(made.sends, 0u);
  EXPECT_EQ(made.sends, plan.trace.messages);
}

TEST_F(Reduce, WriteUnfoldsAPlanWhereAllIterationsAreToStay) {
  PlanSession session(open(), context_);
  session.make_groups({}, KeepMessages::no);
  select(session.plan(), {});
  fold_plan(session, *options_.folding);

  WriteOptions writing;
  writing.keeps_iterations = true;
  writing.output = options_.output;
  const auto made = write(std::move(session), writing);
  EXPECT_FALSE(made.plan.iterations);
  EXPECT_EQ(made.after.events, made.after.read -
                                   made.after.cut[static_cast<std::size_t>(EventKind::MpiSend)] -
                                   made.after.cut[static_cast<std::size_t>(EventKind::MpiRecv)]);
}

TEST_F(Reduce, WriteOrdersAllProcessesByGroupsWhereNothingIsToBeFolded) {
  PlanSession session(open(), context_);
  session.make_groups({}, KeepMessages::no);
  select(session.plan(), {});
  fold_plan(session, *options_.folding);

  WriteOptions writing;
  writing.folds = false;
  writing.output = options_.output;
  writing.output.rewrite.tree = TreeChoice::groups;
  const auto made = write(std::move(session), writing);
  EXPECT_EQ(made.after.locations, processes);
  EXPECT_EQ(made.after.events, made.plan.trace.events);
  EXPECT_FALSE(made.plan.representatives);
  EXPECT_THAT(diagnostics_.warnings(), IsEmpty());

  const Archive written((options_.output.folder / "traces.otf2").string(), diagnostics_);
  std::map<std::uint64_t, std::size_t> below;  // location groups, by node
  for (const auto& d : written.definitions().all())
    if (d.kind == DefinitionKind::LocationGroup)
      ++below[get_field<"systemTreeParent", DefinitionKind::LocationGroup>(d)];
  EXPECT_THAT(below, ElementsAre(Pair(_, 2), Pair(_, 2)));
}

// A trace that is given without a plan is grouped as `group` does without options.
TEST_F(Reduce, WriteShowsGroupsOfATraceWithoutAPlan) {
  WriteOptions writing;
  writing.output = options_.output;
  writing.output.rewrite.tree = TreeChoice::groups;
  const auto made = write({open(), context_}, writing);
  EXPECT_EQ(made.plan.groups->size(), 2u);
  EXPECT_EQ(made.after.locations, processes);
}

}  // namespace tracefold::reduce_test
