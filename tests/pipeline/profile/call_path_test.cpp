#include "model/plan.hpp"
#include "pipeline/facts/call_path_sink.hpp"
#include "pipeline/facts/merge_call_paths.hpp"
#include "pipeline/profile/call_path_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/every_record.hpp"

#include "base/for_each_index.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace tracefold::call_path_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t f = 0, g = 1, h = 2;

Definitions regions() {
  Definitions definitions;

  for (std::uint64_t id : {f, g, h}) {
    Definition name;
    name.kind = DefinitionKind::String;
    name.fields[0] = id;
    name.text = std::string(1, static_cast<char>('f' + id));
    definitions.add(name);
  }

  for (std::uint64_t id : {f, g, h}) {
    Definition region;
    region.kind = DefinitionKind::Region;
    region.fields = {id, id, id, id};
    definitions.add(region);
  }

  definitions.finish();

  return definitions;
}

// The paths of the calls in `words`, each as "fgh 2 30": the functions from the
// outermost on, visits, exclusive ticks. "f" enters f, "." leaves, "F" leaves f;
// each takes one tick more than the one before.
class CallPathSinkTest : public ::testing::Test {
 protected:
  std::vector<std::string> paths_of(const std::string& words,
                                    const std::vector<FilterSection>& filters = {}) {
    const FunctionTable table(definitions_, filters);
    CleanEvents<CallPathSink> events(table, sink_);
    std::uint64_t time = 100, step = 0;
    std::string open;

    for (char c : words) {
      time += ++step;
      if (c >= 'f') {
        open += c;
        events.enter(time, static_cast<std::uint64_t>(c - 'f'), {});
      } else {
        const auto region = c == '.' ? open.back() : static_cast<char>(c - 'F' + 'f');
        if (!open.empty())
          open.pop_back();
        events.leave(time, static_cast<std::uint64_t>(region - 'f'), {});
      }
    }

    events.finish();
    folded_ = sink_.folded();

    return texts(sink_.take());
  }

  std::vector<std::string> texts(const LocationPaths& profile) {
    std::vector<std::string> out;
    for (std::size_t k = 0; k < profile.paths.size(); ++k) {
      std::string functions;
      for (auto p = profile.paths[k]; p != 0; p = sink_.paths()[p].caller)
        functions.insert(functions.begin(), static_cast<char>('f' + sink_.paths()[p].function));
      out.push_back(functions + " " +
                    std::to_string(profile.value(k, CallPathSink::visits_column)) + " " +
                    std::to_string(profile.value(k, CallPathSink::time_column)));
    }

    return out;
  }

  Definitions definitions_ = regions();
  CallPathSink sink_;
  std::uint64_t folded_ = 0;
};

TEST_F(CallPathSinkTest, TellsPathsApartByWhoCalls) {
  // Ticks: f 1, g 3, leave 6, h 10, g 15, leave 21, leave 28, leave 36.
  EXPECT_THAT(paths_of("fg.hg..."), ElementsAre("f 1 14", "fg 1 3", "fh 1 12", "fhg 1 6"));
}

TEST_F(CallPathSinkTest, KeepsRecursionAsItIs) {
  EXPECT_THAT(paths_of("ff.."), ElementsAre("f 1 6", "ff 1 3"));
  EXPECT_THAT(paths_of("fgfg...."), ElementsAre("f 1 10", "fg 1 10", "fgf 1 10", "fgfg 1 5"));
}

TEST_F(CallPathSinkTest, JoinsCalleesOfDroppedFunctionsToTheirCallers) {
  EXPECT_THAT(paths_of("fgh...", {{{"g"}, {}, ""}}), ElementsAre("f 1 16", "fh 1 4"));
}

TEST_F(CallPathSinkTest, SurvivesCallsThatDoNotNest) {
  EXPECT_THAT(paths_of("F"), IsEmpty());
  EXPECT_THAT(paths_of("fg"), ElementsAre("f 1 2", "fg 1 0")) << "open at the end";
  EXPECT_THAT(paths_of("fgFG"), ElementsAre("f 1 6", "fg 1 3")) << "overlapping";
}

TEST_F(CallPathSinkTest, ForgetsOneLocationBeforeTheNext) {
  paths_of("fg..hh..");
  EXPECT_THAT(paths_of("h."), ElementsAre("h 1 2"));
  EXPECT_THAT(paths_of(""), IsEmpty());
}

TEST_F(CallPathSinkTest, FindsEachOfManyPaths) {
  const FunctionTable table(definitions_, {});
  CallPathSink deep;
  CleanEvents<CallPathSink> events(table, deep);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t k = 0; k < 5000; ++k)
      events.enter(k, k % 3, {});
    for (std::uint64_t k = 5000; k-- > 0;)
      events.leave(10000 - k, k % 3, {});
  }

  events.finish();
  const auto found = deep.take();
  EXPECT_EQ(found.paths.size(), 5000u);
  for (std::size_t k = 0; k < found.paths.size(); ++k)
    ASSERT_EQ(found.value(k, CallPathSink::visits_column), 3u);
}

TEST_F(CallPathSinkTest, FoldsRecursionBeyondTheLimit) {
  sink_ = CallPathSink(3);
  EXPECT_THAT(paths_of("fgfgfgh......."), ElementsAre("f 1 16", "fg 3 48", "fgf 2 32", "fgh 1 8"));
  EXPECT_EQ(folded_, 2u);
}

TEST(MergeCallTrees, DoesNotDependOnTheOrderOfTrees) {
  const std::vector<CallPath> one{{}, {0, 2}, {1, 1}, {0, 0}},
      other{{}, {0, 0}, {1, 5}, {0, 2}, {3, 0}};
  const std::span<const CallPath> forth[] = {one, other}, back[] = {other, one};
  const auto merged = merge_call_trees(forth);
  EXPECT_EQ(merged.paths, merge_call_trees(back).paths);
  EXPECT_THAT(merged.paths, ElementsAre(CallPath{no_path, 0}, CallPath{0, 5}, CallPath{no_path, 2},
                                        CallPath{2, 0}, CallPath{2, 1}));
  EXPECT_THAT(merged.merged[0], ElementsAre(no_path, 2, 4, 0));
}

TEST(MergeCallPaths, BringsProfilesOfAnyMetricsOntoOneTree) {
  CallPathPart one;
  CallPathPart other;
  const std::vector<CallPath> tree{{}, {0, 2}, {1, 1}, {0, 0}};
  const std::vector<CallPath> other_tree{{}, {0, 0}};
  one.add(2, {1, 2, 3}, {10, 11, 20, 21, 30, 31});
  one.set_tree(tree);
  other.add(0, {1}, {40, 41});
  other.set_tree(other_tree);
  const MetricColumns columns{{Metric::visits}, {{"cycles"}}};

  const auto profiles = merge_call_paths({one, other}, columns, 3);
  EXPECT_THAT(profiles.paths,
              ElementsAre(CallPath{no_path, 0}, CallPath{no_path, 2}, CallPath{1, 1}));
  EXPECT_THAT(profiles.shape(0).paths, ElementsAre(0));
  EXPECT_THAT(profiles.shape(1).paths, IsEmpty());
  EXPECT_THAT(profiles.shape(2).paths, ElementsAre(0, 1, 2));
  EXPECT_THAT(profiles.shape(2).callers, ElementsAre(no_path, no_path, 1));
  EXPECT_THAT(profiles.processes[0].values, ElementsAre(40, 41));
  EXPECT_THAT(profiles.processes[2].values, ElementsAre(30, 31, 10, 11, 20, 21));
  EXPECT_EQ(profiles.value(2, 1, 1), 11u);
}

std::string text_of(const CallPathProfiles& profile) {
  std::string out;
  for (const auto& p : profile.paths)
    out += fmt::format("{} {}\n", p.caller, p.function);
  for (const auto& p : profile.processes)
    out += fmt::format("{}: {} {}\n", p.shape, fmt::join(profile.shapes[p.shape].paths, ","),
                       fmt::join(p.values, ","));

  return out;
}

class CallPathPassTest : public ::testing::Test {
 protected:
  CallPathPassTest() { write_archive(testing::every_record(), folder_.path()); }
  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  Archive archive() { return Archive((folder_.path() / "traces.otf2").string(), diagnostics_); }
};

TEST_F(CallPathPassTest, FillsThePlanAsTheProfilePassDoes) {
  const auto opened = archive();
  auto flat = make_plan(opened, {}), by_paths = make_plan(opened, {});
  add_profiles(flat, opened, {}, diagnostics_);
  const auto warnings = diagnostics_.warnings();
  Diagnostics again;
  call_path_and_profile_pass(by_paths, opened, {}, again);
  EXPECT_EQ(to_json(by_paths), to_json(flat));
  EXPECT_EQ(again.warnings(), warnings);
}

TEST_F(CallPathPassTest, GivesTheSameForAnyNumberOfThreads) {
  const auto opened = archive();
  std::vector<std::string> found;
  for (std::size_t threads : {1, 2, 4}) {
    const ThreadLimit limit(threads);
    auto plan = make_plan(opened, {});
    found.push_back(text_of(call_path_and_profile_pass(plan, opened, {}, diagnostics_)));
  }

  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST_F(CallPathPassTest, ReadsOnlyTheProcessesThatAreAskedFor) {
  const auto opened = archive();
  auto plan = make_plan(opened, {});
  const auto all = call_path_and_profile_pass(plan, opened, {}, diagnostics_);
  const auto one = call_path_pass(opened, plan, {1}, {}, diagnostics_);
  ASSERT_EQ(one.processes.size(), all.processes.size());
  EXPECT_EQ(one.processes[1].values, all.processes[1].values);
  EXPECT_THAT(one.processes[0].values, IsEmpty());
}

TEST_F(CallPathPassTest, RefusesAPlanOfAnotherTrace) {
  const auto opened = archive();
  auto plan = make_plan(opened, {});
  call_path_and_profile_pass(plan, opened, {}, diagnostics_);
  EXPECT_NO_THROW(call_path_pass(opened, plan, {0}, {}, diagnostics_));
  auto shorter = plan;
  shorter.functions.pop_back();
  EXPECT_THROW(call_path_pass(opened, shorter, {0}, {}, diagnostics_), Error);
  plan.processes[0].id = 123456;
  EXPECT_THROW(call_path_pass(opened, plan, {0}, {}, diagnostics_), Error);
}

}  // namespace tracefold::call_path_test
