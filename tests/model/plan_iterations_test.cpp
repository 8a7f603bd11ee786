#include "base/error.hpp"
#include "model/chosen_iterations.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace tracefold::plan_iterations_test {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Loop loop(LoopSource source, FunctionIndex function, std::vector<Interval> iterations) {
  Loop out;
  out.source = source;
  out.function = function;
  out.path = {0};
  out.iterations = std::move(iterations);
  for (const auto& i : out.iterations)
    out.ticks += i.end - i.begin;

  return out;
}

// Three processes with two loops of three and two iterations; the second takes its from the first.
Plan plan_with_iterations() {
  Plan plan;
  plan.functions = {{"main", "", "", 0}, {"step", "", "", 0}};
  plan.intents = {{{1, {{0, 1}, {virtual_root, 0}}, {}}, {}}};
  for (std::uint64_t id : {0, 4, 7})
    plan.processes.emplace_back().id = id;

  plan.groups = {{{0, 1, 2}, {0}, {1}}};
  IterationSection section;
  section.asked = {"", "step*", 3};
  section.max_clusters = 2;
  IterationFidelity near;
  near.mean = 0.125, near.counts_exact = false, near.times_above = {0.5, 0.25, 0, 0, 0, 0},
  near.phantoms = 3, near.mean_by_sum = 0.0625;
  near.functions = std::vector<FunctionError>{{"MPI_Wait", TimeKind::waiting, 0.375},
                                              {"step", TimeKind::computation, 0.25}};
  section.loops = {{{{0, 2}, {2, 1}, {0, 0, 1}, {0, 0, 1}, 2, 1, CallTreeEquivalence::weak},
                    near,
                    IterationFidelity{},
                    FoldingErrors{7, 1, near, {}, {}}},
                   {{{0, 1}, {1, 1}, {0, 1}, {0, 1}, 2, 7, CallTreeEquivalence::merged}, {}, {}}};

  constexpr std::uint64_t late = 0xfffffffffffffff0;
  auto sequence = loop(LoopSource::sequence, 1, {{30, 40}, {40, late}});
  sequence.orders = {0, 3};
  sequence.end_order = 2;

  section.processes = {
      {0, {{loop(LoopSource::marked, 1, {{5, 9}, {10, 12}, {12, 20}}), sequence}, 0, 0, {}}},
      {1,
       {{loop(LoopSource::call_path, 1, {{6, 9}, {9, 12}, {12, 21}}),
         loop(LoopSource::asked, virtual_root, {{30, 40}, {40, 41}})},
        0,
        0,
        0}}};
  plan.iterations = std::make_shared<const IterationSection>(section);
  FoldErrors errors{3, {0.5, {0.25, 0.125}, {1.5, 0.75}, std::nullopt}, {}};
  errors.functions_of_processes = {{"step", TimeKind::communication, 0.0625}};
  errors.hidden = HiddenDifference{"rank 5", "rank 0", "step", true, 0.25};
  errors.untypical = {{"rank 0"}, {}};
  errors.of_iterations = {0.375, {0.5, 0.25}, {0, 0}, TimeError{0.0625, 0.03125}};
  errors.of_loops = {*errors.of_iterations, errors.of_processes};
  errors.unmeasured = 1;
  plan.errors = std::make_shared<const FoldErrors>(errors);

  return plan;
}

TEST(PlanIterations, ComeBack) {
  const auto text = to_json(plan_with_iterations());
  EXPECT_EQ(to_json(plan_from_json(text)), text);
  const auto before = plan_with_iterations(), plan = plan_from_json(text);
  const auto &was = *before.iterations, &is = *plan.iterations;
  EXPECT_EQ(is.asked, was.asked);
  EXPECT_EQ(is.loops[0].all, was.loops[0].all);
  EXPECT_EQ(is.loops[0].kept, was.loops[0].kept);
  EXPECT_EQ(*plan.errors, *before.errors);
  EXPECT_EQ(is.max_clusters, 2u);
  ASSERT_EQ(is.loops.size(), 2u);
  EXPECT_EQ(is.loops[0].choice.kept, was.loops[0].choice.kept);
  EXPECT_EQ(is.loops[0].choice.kept_of, was.loops[0].choice.kept_of);
  EXPECT_THAT(is.loops[0].choice.counts, ElementsAre(2, 1));
  EXPECT_EQ(is.loops[0].choice.equivalence, CallTreeEquivalence::weak);
  EXPECT_EQ(is.loops[1].choice.classes, 7u);
  EXPECT_EQ(is.loops[1].choice.equivalence, CallTreeEquivalence::merged);
  EXPECT_EQ(is.loops[0].kept, was.loops[0].kept);
  EXPECT_FALSE(is.loops[1].kept);
  ASSERT_EQ(is.processes.size(), 2u);

  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(is.processes[p].process, p);
    EXPECT_EQ(is.processes[p].loops.taken_from, was.processes[p].loops.taken_from);
    for (std::size_t l = 0; l < 2; ++l) {
      const auto &a = is.processes[p].loops.loops[l], &b = was.processes[p].loops.loops[l];
      EXPECT_EQ(a.source, b.source);
      EXPECT_EQ(a.function, b.function);
      EXPECT_EQ(a.path, b.path);
      EXPECT_EQ(a.iterations, b.iterations);
      EXPECT_EQ(a.ticks, b.ticks);
    }
  }
}

const LoopRule rule_of_other_run{{"main", "so\nlve"},      "step", 1, {0, 2}, {0, 0, 1},
                                 CallTreeEquivalence::weak};

TEST(PlanIterations, ComeBackWithTheLoopsOfAnotherRun) {
  auto plan = plan_with_iterations();
  auto section = *plan.iterations;
  section.like = {rule_of_other_run};
  plan.iterations = std::make_shared<const IterationSection>(section);
  const auto after = plan_from_json(to_json(plan));
  EXPECT_EQ(after.iterations->like, section.like);
  EXPECT_EQ(list_options(*after.iterations).like, section.like);
}

TEST(PlanIterations, NeedNoLoops) {
  Plan plan = plan_with_iterations();
  plan.iterations = std::make_shared<const IterationSection>();
  plan.errors.reset();
  EXPECT_EQ(to_json(plan_from_json(to_json(plan))), to_json(plan));
}

// What is said of a section that was changed.
std::string refusal(const std::function<void(Json&)>& change) {
  auto json = Json::parse(to_json(plan_with_iterations()));
  change(json["iterations"]);
  try {
    plan_from_json(json.dump());
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
    return problem.what();
  }

  ADD_FAILURE() << "it was taken";

  return {};
}

TEST(PlanIterationsRefuse, KeptIterationsThatDoNotFit) {
  const char* words = "do not fit its loop";
  EXPECT_THAT(refusal([](Json& s) { s["loops"][0]["kept_of"][2] = 2; }), HasSubstr(words));
  EXPECT_THAT(refusal([](Json& s) { s["loops"][0]["kept_of"][2] = 0; }), HasSubstr(words))
      << "a kept iteration stands for itself";
  EXPECT_THAT(refusal([](Json& s) { s["loops"][0]["kept"] = "0,3"; }), HasSubstr(words));
  EXPECT_THAT(refusal([](Json& s) { s["loops"][0]["kept"] = "0,4294967296"; }), HasSubstr(words));
  EXPECT_THAT(refusal([](Json& s) { s["loops"][0]["iterations"] = 4; }), HasSubstr(words));
  EXPECT_THAT(refusal([](Json& s) { s["loops"][0]["cluster_of"].erase(0); }), HasSubstr(words));
}

TEST(PlanIterationsRefuse, IterationsOfAnotherRunThatDoNotFit) {
  const auto refuse = [](const char* key, const Json& value) {
    return refusal([&](Json& s) {
      s["like"] = Json::array({{{"path", {"main"}},
                                {"function", "step"},
                                {"place", 0},
                                {"kept", "0,2"},
                                {"kept_of", {0, 0, 1}},
                                {"call_trees", "strong"}}});
      s["like"][0][key] = value;
    });
  };
  const char* words = "do not fit its loop";
  EXPECT_THAT(refuse("kept", "0,3"), HasSubstr(words));
  EXPECT_THAT(refuse("kept_of", {1, 0, 1}), HasSubstr(words))
      << "a kept iteration stands for itself";
  EXPECT_THAT(refuse("kept_of", {0, 0, 2}), HasSubstr(words));
  EXPECT_THAT(refuse("kept_of", {0, 0, 0}), HasSubstr(words));
}

TEST(PlanIterationsRefuse, ErrorsThatDoNotFit) {
  const auto refuse = [](const std::function<void(Json&)>& change) {
    auto json = Json::parse(to_json(plan_with_iterations()));
    change(json["errors"]);
    EXPECT_THROW(plan_from_json(json.dump()), Error);
  };
  refuse([](Json& e) { e["of_iterations"]["loops"].erase(0); });
  refuse([](Json& e) { e.erase("of_iterations"); });
  refuse([](Json& e) { e["of_processes"].erase("computation"); });
  refuse([](Json& e) { e["of_processes"]["waiting"] = "much"; });
  refuse([](Json& e) { e["of_processes"]["functions"][0]["kind"] = "else"; });
  refuse([](Json& e) { e["processes"] = -1; });
}

TEST(PlanIterationsRefuse, ProcessesThatDoNotFit) {
  EXPECT_THAT(refusal([](Json& s) { s["processes"][0]["process"] = "5"; }),
              HasSubstr("no profile"));
  EXPECT_THAT(refusal([](Json& s) { s["processes"][1]["process"] = "0"; }),
              HasSubstr("process 0 do not fit"));
  EXPECT_THAT(refusal([](Json& s) { s["processes"][0]["loops"].erase(0); }),
              HasSubstr("do not fit"));
  EXPECT_THAT(refusal([](Json& s) {
                s["processes"][0]["loops"][1]["lengths"].push_back(1),
                    s["processes"][0]["loops"][1].erase("gaps");
              }),
              HasSubstr("do not fit"));

  EXPECT_THAT(refusal([](Json& s) { s["processes"][0]["loops"][0]["gaps"].erase(0); }),
              HasSubstr("do not fit together"));
  EXPECT_THAT(
      refusal([](Json& s) { s["processes"][0]["loops"][0]["lengths"][2] = 0xffffffffffffffff; }),
      HasSubstr("beyond all time"));
  EXPECT_THAT(refusal([](Json& s) { s["processes"][0]["loops"][0]["function"] = 2; }),
              HasSubstr("function 2 of 2"));
  EXPECT_THAT(refusal([](Json& s) { s["processes"][0]["loops"][0]["source"] = "guessed"; }),
              HasSubstr("no way that is known"));
  EXPECT_THAT(refusal([](Json& s) { s["processes"][1]["taken_from"] = "99"; }),
              HasSubstr("no profile"));
}

// Iterations 3, 70 and 71 of `step`; the second location has only the first of them.
Plan plan_with_chosen() {
  Plan plan;
  ChosenIterations chosen;
  chosen.numbers = {3, 70, 71};
  chosen.functions = {{"main", "", "", 0}, {"step", "", "step.c", 4}};
  auto first = loop(LoopSource::sequence, 1, {{30, 40}, {700, 712}, {712, 720}});
  first.orders = {0, 2, 0};
  first.confidence = 0.25;
  chosen.loops = {{0, first}, {4, loop(LoopSource::sequence, 1, {{31, 41}})}};
  plan.chosen = std::make_shared<const ChosenIterations>(chosen);
  return plan;
}

TEST(ChosenIterations, ComeBack) {
  const auto text = to_json(plan_with_chosen());
  const auto plan = plan_from_json(text);
  EXPECT_EQ(to_json(plan), text);
  EXPECT_EQ(plan.chosen->functions, plan_with_chosen().chosen->functions);
  const auto& found = plan.chosen->loops.at(0);
  EXPECT_THAT(found.iterations,
              ElementsAre(Interval{30, 40}, Interval{700, 712}, Interval{712, 720}));
  EXPECT_THAT(found.orders, ElementsAre(0, 2, 0));
  EXPECT_EQ(found.ticks, 30u);
  EXPECT_EQ(found.confidence, 0.25);
}

TEST(ChosenIterations, HaveNumbersOfTheOriginal) {
  const auto plan = plan_with_chosen();
  EXPECT_EQ(name_iterations(plan, 1, 1), "70");
  EXPECT_EQ(name_iterations(plan, 0, 2), "3,70-71");
  EXPECT_EQ(find_iteration(plan, 71), 2u);
  EXPECT_EQ(find_iteration(plan, 2), std::nullopt);
  EXPECT_EQ(name_iterations(Plan{}, 1, 2), "1-2");
  EXPECT_EQ(find_iteration(Plan{}, 71), 71u);
}

TEST(ChosenIterations, AreFoundByNumbers) {
  using Ends = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(find_iterations(Plan{}, 3, 7), Ends(3, 8));
  ChosenIterations chosen;
  chosen.numbers = {3, 70, 71, 140};
  Plan plan;
  plan.chosen = std::make_shared<const ChosenIterations>(chosen);
  EXPECT_EQ(find_iterations(plan, 60, 100), Ends(1, 3));
  EXPECT_EQ(find_iterations(plan, 72, 139), Ends(3, 3)) << "none";
}

TEST(ChosenIterations, AreOnlyThoseThatAreWholeOnAllLocations) {
  const auto chosen = plan_with_chosen().chosen;
  const auto kept = keep_whole(*chosen, {{{0, 725}}, {{4, {{32, 725}}}}});
  EXPECT_THAT(kept->numbers, ElementsAre(70, 71));
  EXPECT_THAT(kept->loops.at(0).iterations, ElementsAre(Interval{700, 712}, Interval{712, 720}));
  EXPECT_THAT(kept->loops.at(0).orders, ElementsAre(2, 0));
  EXPECT_FALSE(kept->loops.contains(4));
  EXPECT_EQ(keep_whole(*chosen, {{{0, 5}}}), nullptr);
}

TEST(ChosenIterations, AreRefusedWhereTheyDoNotFit) {
  const auto refuses = [](const std::function<void(Json&)>& change) {
    auto json = Json::parse(to_json(plan_with_chosen()));
    change(json["chosen"]);
    EXPECT_THROW(plan_from_json(json.dump()), Error) << json.dump();
  };
  refuses([](Json& chosen) { chosen["numbers"] = "3,70"; });
  refuses([](Json& chosen) { chosen["loops"][0]["loop"]["function"] = 2; });
  refuses([](Json& chosen) { chosen["loops"][0]["loop"]["path"][0] = virtual_root; });
  refuses([](Json& chosen) { chosen["loops"][1]["location"] = "0"; });
  refuses([](Json& chosen) { chosen["loops"] = Json::array(); });
}

}  // namespace tracefold::plan_iterations_test
