#include "model/plan.hpp"

#include "base/error.hpp"
#include "model/groups/like_section.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/messages/messages.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold::plan_test {

Process process(std::uint64_t id, std::uint32_t intent, std::vector<std::uint64_t> exclusive) {
  Process p;
  p.id = id;
  p.name = "process \"" + std::to_string(id) + "\" ×";
  p.location_group = id;
  p.location_group_name = "MPI Rank " + std::to_string(id);
  if (id % 2 == 1)
    p.creator = id + 100;
  p.intent = intent;
  p.events = 12;
  p.exclusive = std::move(exclusive);
  p.rest = 3;

  return p;
}

Plan whole_plan() {
  Plan plan;
  plan.trace = {"/data/run/traces.otf2", 3, 0xffffffffffffffff, 36'652, 1'000'000'000,
                {4096, "abc123"}};

  const TimeWindow window{{{10, 30}, {40, no_end}}, {{4, {{12, 20}}}, {6, {}}}, 5};
  plan.filters = {{{"MPI_*"}, {"main"}, "0-6:2", window}};
  plan.functions = {{"main", "main()", "main.c", 3},
                    {"f", "", "", 0, 4, otf2_value::region_role_artificial}};
  PlanIntent calling, reading;
  calling.set = {1, {{0, 1}, {virtual_root, 0}}, {}};
  calling.functions = {1, 0};
  reading.set = {3, {}, {"cycles", "power"}};
  plan.intents = {calling, reading};
  plan.processes = {process(0, 0, {7, 8}), process(4, 0, {9, 0xffffffffffffff}),
                    process(0xffffffffffff, 1, {})};
  plan.processes[0].rank = 0;
  plan.processes[0].is_mpi_endpoint = plan.processes[0].has_messages = true;
  plan.processes[1].weight = 17;
  plan.processes[1].thread = 2;
  plan.processes[2].damaged = true;
  plan.groups = {{{0, 1}, {0}, {1, 0.25}}, {{2}, {1}, {0.25, 1}}};
  (*plan.groups)[0].name = "corner of the grid";
  plan.grid = {{4, false}, {2, true}};
  (*plan.groups)[0].merged = {{0}, {1}};
  plan.threshold = 0.83;
  plan.comparison = {CompareBy::functions, {"MPI_*", "f"}, true, {"CUDA*"}};
  plan.ignored = {1};
  plan.selection = Selection{Choice::slowest, auto_per_group, {4, 0xffffffffffff}};
  plan.representatives = {{0, 1, {0, 1}, "medoid of exclusive times"}, {1, 2, {2}, "only member"}};

  return plan;
}

// A whole plan in one line, but for some characters of it.
std::string replaced(const std::string& from, const std::string& to) {
  auto text = nlohmann::ordered_json::parse(to_json(whole_plan())).dump();
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  try {
    plan_from_json(text);
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input) << problem.what();
    return problem.what();
  }

  ADD_FAILURE() << "it was taken";

  return {};
}

// The text of a plan whose first intent has other pairs.
std::string with_pairs(const std::string& pairs) {
  auto text = to_json(whole_plan());
  const auto begin = text.find('[', text.find("\"pairs\"")), end = text.find(']', begin);
  return text.replace(begin, end - begin + 1, pairs);
}

TEST(Plan, KeepsClustersAndMessages) {
  auto plan = whole_plan();
  plan.comparison.by = CompareBy::signature;
  (*plan.groups)[0].clusters = SignatureClusters{2, 5, "0 3"};
  Messages messages;
  messages.size = 4;
  messages.names = {"MPI_Send"};
  messages.paths = {{}, {0, 0}};
  messages.columns = {parse_column("+1", 4), parse_column("0", 4)};
  messages.operations = {{EventKind::MpiSend, 0, false, 1, {0, 1, 1, 1}}};
  messages.clusters = {{{0, 1, 3}, {{0, 1, 250}, {0, 0, 1}}, {{1, {7, 8, 9}}}}};
  plan.messages = std::make_shared<const Messages>(messages);

  const auto text = to_json(plan);
  const auto read = plan_from_json(text);
  EXPECT_EQ(to_json(read), text);
  EXPECT_EQ(*read.messages, *plan.messages);
  EXPECT_EQ((*read.groups)[0].clusters, (*plan.groups)[0].clusters);
  EXPECT_FALSE((*read.groups)[1].clusters);
}

TEST(Plan, ComesBackAsEqualText) {
  const auto text = to_json(whole_plan());
  EXPECT_EQ(to_json(plan_from_json(text)), text);
  Plan empty;
  EXPECT_EQ(to_json(plan_from_json(to_json(empty))), to_json(empty));
}

TEST(Plan, ComesBackWithWhatItHeld) {
  const auto before = whole_plan(), after = plan_from_json(to_json(before));
  EXPECT_EQ(after.trace.anchor, before.trace.anchor);
  EXPECT_EQ(after.trace.events, before.trace.events);
  EXPECT_EQ(after.trace.messages, before.trace.messages);
  EXPECT_EQ(after.trace.identity, before.trace.identity);
  EXPECT_EQ(after.filters, before.filters);
  EXPECT_EQ(after.functions, before.functions);
  EXPECT_FALSE(after.functions[0].is_artificial());
  EXPECT_TRUE(after.functions[1].is_artificial());
  EXPECT_EQ(after.functions[1].paradigm, 4u);
  ASSERT_EQ(after.intents.size(), 2u);
  EXPECT_EQ(after.intents[0].set, before.intents[0].set);
  EXPECT_EQ(after.intents[1].set, before.intents[1].set);
  EXPECT_EQ(after.intents[0].functions, before.intents[0].functions);
  ASSERT_EQ(after.processes.size(), 3u);

  for (std::size_t i = 0; i < 3; ++i) {
    const auto &a = after.processes[i], &b = before.processes[i];
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.location_group_name, b.location_group_name);
    EXPECT_EQ(a.creator, b.creator);
    EXPECT_EQ(a.rank, b.rank);
    EXPECT_EQ(a.thread, b.thread);
    EXPECT_EQ(a.is_mpi_endpoint, b.is_mpi_endpoint);
    EXPECT_EQ(a.weight, b.weight);
    EXPECT_EQ(a.has_messages, b.has_messages);
    EXPECT_EQ(a.damaged, b.damaged);
    EXPECT_EQ(a.events, b.events);
    EXPECT_EQ(a.intent, b.intent);
    EXPECT_EQ(a.exclusive, b.exclusive);
    EXPECT_EQ(a.rest, b.rest);
  }

  ASSERT_TRUE(after.groups && after.representatives);
  EXPECT_EQ(after.threshold, 0.83);
  EXPECT_EQ(after.comparison, before.comparison);
  EXPECT_EQ(after.ignored, before.ignored);
  EXPECT_EQ(after.selection, before.selection);
  EXPECT_EQ((*after.groups)[0].members, (*before.groups)[0].members);
  EXPECT_EQ((*after.groups)[0].name, "corner of the grid");
  EXPECT_EQ(after.grid, before.grid);
  EXPECT_EQ((*after.groups)[0].merged, (*before.groups)[0].merged);
  EXPECT_EQ((*after.groups)[1].similarity, (*before.groups)[1].similarity);
  EXPECT_EQ((*after.representatives)[0].process, 1u);
  EXPECT_EQ((*after.representatives)[0].why, "medoid of exclusive times");
}

TEST(Plan, ComesBackWithWhatItTookFromAnotherRun) {
  auto before = whole_plan();
  before.like = std::make_shared<const LikeSection>(
      LikeSection{"small/traces.otf2", 16, 9, true, {"loop main > f is not here"}});
  const auto after = plan_from_json(to_json(before));
  ASSERT_TRUE(after.like);
  EXPECT_EQ(*after.like, *before.like);
  EXPECT_FALSE(plan_from_json(to_json(whole_plan())).like);
}

TEST(Plan, LeavesProfilesOutAndKeepsWhoStandsForWhom) {
  auto plan = whole_plan();
  IterationSection section;
  section.loops.emplace_back().choice = {{0}, {2}, {0, 0}, {0, 0}};
  Loop loop;
  loop.iterations = {{5, 7}, {7, 9}};
  loop.path = {1};
  loop.function = 2;
  section.processes = {{1, {{loop}, 0, 0, {}}}};
  plan.iterations = std::make_shared<const IterationSection>(section);
  plan.functions.insert(plan.functions.begin(), {{"nobody", "", "", 0}});
  plan.ignored = {2};

  const auto text = to_json(leave_out_profiles(plan));
  const auto after = plan_from_json(text);
  EXPECT_EQ(to_json(after), text);
  EXPECT_EQ(to_json(leave_out_profiles(after)), text);
  EXPECT_EQ(text.find("exclusive\":"), std::string::npos);
  EXPECT_EQ(text.find("nobody"), std::string::npos);

  EXPECT_TRUE(after.lacks_profiles);
  ASSERT_EQ(after.processes.size(), 3u);
  EXPECT_EQ(after.processes[2].id, 0xffffffffffffu);
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(after.processes[p].name, plan.processes[p].name);
    EXPECT_EQ(after.processes[p].location_group, plan.processes[p].location_group);
    EXPECT_EQ(after.processes[p].location_group_name, plan.processes[p].location_group_name);
  }
  EXPECT_TRUE(after.processes[0].has_messages);
  EXPECT_FALSE(after.processes[1].has_messages);
  EXPECT_TRUE(after.processes[2].damaged);
  EXPECT_EQ((*after.groups)[0].members, (*plan.groups)[0].members);
  EXPECT_EQ((*after.groups)[0].merged, (*plan.groups)[0].merged);
  EXPECT_EQ((*after.representatives)[0].members, (*plan.representatives)[0].members);

  ASSERT_EQ(after.ignored.size(), 1u);
  EXPECT_EQ(after.functions[after.ignored[0]], plan.functions[2]);
  const auto& same_loop = after.iterations->processes[0].loops.loops[0];
  EXPECT_EQ(same_loop.iterations, loop.iterations);
  EXPECT_EQ(after.functions[same_loop.path[0]], plan.functions[1]);
  EXPECT_EQ(after.functions[same_loop.function], plan.functions[2]);
}

TEST(Plan, RefusesProcessesThatDoNotFit) {
  auto json = nlohmann::ordered_json::parse(to_json(leave_out_profiles(whole_plan())));
  for (const auto& [field, value] :
       {std::pair{"ids", "\"0,4\""}, std::pair{"ids", "\"4,0\""}, std::pair{"talks", "\"5\""},
        std::pair{"damaged", "\"x\""}, std::pair{"location_groups", "[[2,0,0]]"},
        std::pair{"location_groups", "[[4,0,0]]"}, std::pair{"names", "[[1,\"a\",false]]"},
        std::pair{"location_group_names", "[[18446744073709551615,\"a\",true]]"}}) {
    auto wrong = json;
    wrong["processes"][field] = nlohmann::ordered_json::parse(value);
    EXPECT_NE(refusal(wrong.dump()), "");
  }
}

TEST(Plan, IsReadWithoutWhatGroupAndSelectWereAskedFor) {
  auto json = nlohmann::ordered_json::parse(to_json(whole_plan()));
  json["groups"].erase("comparison");
  json["groups"].erase("ignored");
  json.erase("selection");
  for (auto& p : json["profiles"])
    p.erase("location_group_name");

  const auto plan = plan_from_json(json.dump());
  EXPECT_EQ(plan.comparison, Comparison{});
  EXPECT_TRUE(plan.ignored.empty());
  EXPECT_FALSE(plan.selection);
  EXPECT_EQ(plan.representatives->size(), 2u);
}

TEST(Plan, WritesNamesThatAreNoUtf8) {
  auto plan = whole_plan();
  plan.processes[0].name = "caf\xe9";
  const auto text = to_json(plan);
  EXPECT_EQ(to_json(plan_from_json(text)), text);
}

TEST(PlanRefuses, WhatIsNotJson) {
  for (auto text : {"", "{", "hello", "[]", "1", "null", "{\"tracefold_plan\": 2}",
                    "{\"tracefold_plan\": \"2\"}"})
    refusal(text);
  EXPECT_NE(refusal("{").find("not a plan"), std::string::npos);
}

TEST(PlanRefuses, AnotherVersion) {
  EXPECT_NE(refusal(replaced("\"tracefold_plan\":2", "\"tracefold_plan\":1")).find("version 2"),
            std::string::npos);
}

TEST(PlanRefuses, WindowsInTimeThatAreNone) {
  auto plan = whole_plan();
  plan.filters.push_back(plan.filters[0]);
  EXPECT_NE(refusal(to_json(plan)).find("two windows"), std::string::npos);
  for (const auto& spans : {TimeSpans{{30, 10}}, {{10, 20}, {20, 30}}, {{20, 30}, {5, 10}}}) {
    plan.filters = {{{}, {}, "", TimeWindow{spans}}};
    EXPECT_NE(refusal(to_json(plan)).find("do not ascend"), std::string::npos);
  }
}

TEST(PlanRefuses, WindowsInTimeThatAreTooLarge) {
  auto json = nlohmann::ordered_json::parse(to_json(whole_plan()));
  auto& own = json["filters"][0]["time"]["own"];
  const auto refuse = [&](const std::string& locations, const nlohmann::ordered_json& spans) {
    own = {{{"locations", locations}, {"spans", spans}}};
    return refusal(json.dump());
  };
  const auto spans = nlohmann::ordered_json::parse(R"([["1", "2"], ["3", "4"], ["5", "6"]])");

  // The trace says that it has three locations, then that it has very many.
  EXPECT_NE(refuse("0-3", spans).find("too many"), std::string::npos);
  EXPECT_NE(refuse("0-16777214", {}).find("too many"), std::string::npos);
  json["trace"]["locations"] = std::uint64_t{1} << 40;
  EXPECT_NE(refuse("0-16777214", {}).find("too many"), std::string::npos);

  nlohmann::ordered_json many = spans;
  for (int k = 7; k < 2000; k += 2)
    many.push_back({std::to_string(k), std::to_string(k + 1)});
  EXPECT_NE(refuse("0-99999", many).find("parts"), std::string::npos);

  own = {{{"locations", "0-2"}, {"spans", spans}}, {{"locations", "2"}, {"spans", spans}}};
  EXPECT_NE(refusal(json.dump()).find("two lists of times of location 2"), std::string::npos);
}

TEST(PlanRefuses, AFunctionThatItDoesNotList) {
  EXPECT_NE(refusal(with_pairs("[-1, 2]")).find("function 2 of 2"), std::string::npos);
  refusal(with_pairs("[2, 0]"));
  refusal(with_pairs("[0, -1]"));
  refusal(with_pairs("[0, 4294967296]"));
}

TEST(PlanRefuses, HalfACallPair) {
  EXPECT_NE(refusal(with_pairs("[-1, 0, 1]")).find("half a call pair"), std::string::npos);
}

TEST(PlanRefuses, AMemberWithTwoRepresentatives) {
  auto plan = whole_plan();
  (*plan.representatives)[1].members = {1, 2};
  EXPECT_NE(refusal(to_json(plan)).find("two representatives"), std::string::npos);
}

TEST(PlanRefuses, ARepresentativeThatIsNoMember) {
  auto plan = whole_plan();
  (*plan.representatives)[0].members = {0};
  EXPECT_NE(refusal(to_json(plan)).find("not itself"), std::string::npos);
}

TEST(PlanRefuses, AGridThatHoldsNoRanksOrTooMany) {
  auto plan = whole_plan();
  for (const auto& grid :
       {std::vector<GridAxis>{{4}, {0}}, {{1u << 20}, {1u << 20}}, std::vector<GridAxis>(9)}) {
    plan.grid = grid;
    EXPECT_NE(refusal(to_json(plan)).find("the grid of the plan"), std::string::npos);
  }
}

TEST(PlanRefuses, AMemberWithoutProfile) {
  refusal(replaced("\"members\":\"0,4\"", "\"members\":\"0,5\""));
}

TEST(PlanRefuses, AGroupWithoutMembers) {
  refusal(replaced("\"members\":\"0,4\"", "\"members\":\"\""));
}

TEST(PlanRefuses, AProfileThatDoesNotFitItsIntent) {
  auto plan = whole_plan();
  plan.processes[0].intent = 1;
  refusal(to_json(plan));
  plan.processes[0].intent = 9;
  refusal(to_json(plan));
}

TEST(PlanRefuses, ProfilesThatDoNotAscend) {
  auto plan = whole_plan();
  plan.groups.reset();
  plan.representatives.reset();
  plan.processes[1].id = 0;
  refusal(to_json(plan));
}

TEST(PlanRefuses, WordsThatGroupAndSelectDoNotKnow) {
  EXPECT_NE(refusal(replaced("\"by\":\"functions\"", "\"by\":\"colour\"")).find("colour"),
            std::string::npos);
  refusal(replaced("\"by\":\"slowest\"", "\"by\":\"fattest\""));
  refusal(replaced("\"per_group\":\"auto\"", "\"per_group\":\"0\""));
  refusal(replaced("\"per_group\":\"auto\"", "\"per_group\":0"));
}

TEST(PlanRefuses, AProcessThatStandsForNone) {
  refusal(replaced("\"weight\":17", "\"weight\":0"));
}

TEST(PlanRefuses, GroupsThatDoNotDivideTheProcesses) {
  auto plan = whole_plan();
  plan.representatives.reset();
  auto& groups = *plan.groups;
  groups[0].intents = {1};
  EXPECT_NE(refusal(to_json(plan)).find("group 0 of the plan has other intents"),
            std::string::npos);
  groups[0].intents = {0};
  groups[1].members = {1, 2};
  EXPECT_NE(refusal(to_json(plan)).find("process 4 is in two groups"), std::string::npos);
  groups[1].members = {2};
  groups[1].similarity = {1};
  EXPECT_NE(refusal(to_json(plan)).find("do not fit"), std::string::npos);
  groups.pop_back();
  groups[0].similarity = {1};
  EXPECT_NE(refusal(to_json(plan)).find("is in no group"), std::string::npos);
}

TEST(PlanRefuses, MergedSetsThatDoNotDivideTheirGroup) {
  for (const auto& sets :
       std::vector<std::vector<std::vector<std::size_t>>>{{{0}}, {{0}, {1}, {1}}, {{0, 1}, {2}}}) {
    auto plan = whole_plan();
    (*plan.groups)[0].merged = sets;
    EXPECT_NE(refusal(to_json(plan)).find("merged from other processes"), std::string::npos);
  }
}

TEST(PlanRefuses, AnIdThatIsNoNumber) {
  refusal(replaced("\"id\":\"4\"", "\"id\":\"four\""));
}

TEST(PlanRefuses, ANegativeOrBrokenNumber) {
  refusal(replaced("\"locations\":3", "\"locations\":\"three\""));
  refusal(replaced("\"intent\":0", "\"intent\":null"));
  for (auto value : {"-1", "1e300", "0.5", "18446744073709551616"}) {
    EXPECT_NE(refusal(replaced("\"locations\":3", std::string("\"locations\":") + value))
                  .find("number that counts"),
              std::string::npos)
        << value;
    refusal(replaced("\"rank\":0", std::string("\"rank\":") + value));
    refusal(replaced("\"tracefold_plan\":2", std::string("\"tracefold_plan\":") + value));
  }

  refusal(replaced("\"group\":0", "\"group\":4294967296"));
}

TEST(PlanRefuses, AThresholdThatIsNone) {
  for (auto value : {"-0.5", "1.5", "1e300"})
    EXPECT_NE(refusal(replaced("\"threshold\":0.83", std::string("\"threshold\":") + value))
                  .find("not between"),
              std::string::npos);
}

TEST(PlanRefuses, ARepresentativeOfAnotherGroup) {
  auto plan = whole_plan();
  (*plan.representatives)[1].group = 0;
  EXPECT_NE(refusal(to_json(plan)).find("which it is not in"), std::string::npos);
  (*plan.representatives)[1].group = 2;
  EXPECT_NE(refusal(to_json(plan)).find("2 groups"), std::string::npos);
  plan.groups.reset();
  EXPECT_NE(refusal(to_json(plan)).find("no groups"), std::string::npos);
}

}  // namespace tracefold::plan_test
