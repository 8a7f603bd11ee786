// Whatever is asked for together, on plans made at random: what holds of every
// answer, and what it must not depend on.
#include "filters/groups/group.hpp"
#include "filters/groups/odd_processes.hpp"
#include "filters/groups/select.hpp"
#include "model/plan.hpp"
#include "model/profile/profile.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <random>
#include <set>

namespace tracefold::any_choice_test {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t limit) {
  return random() % limit;
}

template <class T>
T one_of(Random& random, std::initializer_list<T> list) {
  return list.begin()[below(random, list.size())];
}

PlanIntent made_intent(Random& random, std::size_t functions) {
  PlanIntent intent;
  intent.set.type = 1 + below(random, 2);
  if (below(random, 6) == 0) {
    intent.set.metrics = {"power" + std::to_string(below(random, 2))};
    return intent;
  }

  std::set<CallPair> pairs;
  std::vector<FunctionIndex> callers{virtual_root};
  for (std::size_t k = 1 + below(random, 6); k-- > 0;) {
    const auto callee = static_cast<FunctionIndex>(below(random, functions));
    pairs.insert({callers[below(random, callers.size())], callee});
    callers.push_back(callee);
  }

  intent.set.pairs.assign(pairs.begin(), pairs.end());
  intent.functions = find_called_functions(intent.set);

  return intent;
}

Plan made_plan(Random& random) {
  Plan plan;
  for (auto name : {"main", "PARALLEL", "MPI_Send", "MPI_Recv", "solve", "flush"})
    plan.functions.emplace_back().name = name;

  plan.functions.back().role = otf2_value::region_role_artificial;
  std::set<Intent> known;
  for (std::size_t k = 2 + below(random, 8); k-- > 0;)
    if (auto intent = made_intent(random, plan.functions.size()); known.insert(intent.set).second)
      plan.intents.push_back(std::move(intent));

  for (std::size_t i = 0, n = 1 + below(random, 40); i < n; ++i) {
    auto& p = plan.processes.emplace_back();
    p.id = 3 * i;
    p.location_group = below(random, 8);
    p.location_group_name = "Rank " + std::to_string(p.location_group);
    p.name = one_of(random, {"Master", "Stream 0", "Stream 1"});
    p.is_mpi_endpoint = below(random, 3) == 0;
    p.weight = 1 + below(random, 4) * below(random, 4);
    p.intent = static_cast<std::uint32_t>(below(random, plan.intents.size()));
    for (std::size_t k = 0; k < plan.intents[p.intent].functions.size(); ++k)
      p.exclusive.push_back(below(random, 5) ? random() >> 20 : 0);

    p.rest = below(random, 2) * below(random, 1000);
  }

  return plan;
}

Comparison made_comparison(Random& random) {
  Comparison c;
  c.by = one_of(random, {CompareBy::pairs, CompareBy::functions});
  for (auto glob : {"MPI_*", "so?ve", "PARALLEL"})
    if (below(random, 3) == 0)
      c.ignore.push_back(glob);

  c.ignore_root = below(random, 2);
  for (auto glob : {"Stream*", "Rank [0-3]/*"})
    if (below(random, 3) == 0)
      c.combine.push_back(glob);

  return c;
}

Selection made_selection(Random& random, const Plan& plan) {
  Selection s;
  s.choice = one_of(random, {Choice::first, Choice::medoid, Choice::slowest, Choice::connected});
  s.per_group = below(random, 6);  // 0: auto
  s.features = below(random, 2) ? TimeFeatures::all : TimeFeatures::ten;
  for (const auto& p : plan.processes)
    if (below(random, 10) == 0)
      s.always.push_back(p.id);

  return s;
}

void group_and_select(Plan& plan, double threshold, const Comparison& comparison,
                      const Selection& selection) {
  group(plan, threshold, comparison);
  select(plan, selection);
}

void expect_groups(const Plan& plan) {
  std::vector<int> seen(plan.processes.size());

  for (const auto& g : *plan.groups) {
    EXPECT_TRUE(std::is_sorted(g.members.begin(), g.members.end()));
    EXPECT_EQ(g.similarity.size(), plan.groups->size());
    for (auto m : g.members) {
      ++seen[m];
      const auto &set = plan.intents[plan.processes[m].intent].set,
                 &first = plan.intents[plan.processes[g.members[0]].intent].set;
      EXPECT_EQ(set.type, first.type);
      EXPECT_EQ(set.pairs.empty(), first.pairs.empty());
      EXPECT_EQ(set.metrics, first.metrics);
    }
  }

  EXPECT_THAT(seen, ::testing::Each(1));
}

void expect_representatives(const Plan& plan) {
  const auto& s = *plan.selection;
  std::vector<int> seen(plan.processes.size());
  std::vector<std::size_t> per_group(plan.groups->size());
  std::uint64_t count = 0;

  for (const auto& r : *plan.representatives) {
    const auto& group = (*plan.groups)[r.group].members;
    EXPECT_TRUE(std::includes(group.begin(), group.end(), r.members.begin(), r.members.end()));
    EXPECT_TRUE(std::binary_search(r.members.begin(), r.members.end(), r.process));
    for (auto m : r.members)
      ++seen[m], count += plan.processes[m].weight;

    const bool is_class = r.why.starts_with("odd: one of ");
    const bool alone = r.why.find("request") != std::string::npos || r.why.starts_with(odd_sign);
    if (alone && !is_class) {
      EXPECT_EQ(r.members.size(), 1u);
    }
    if (!alone)
      ++per_group[r.group];

    EXPECT_FALSE(r.why.empty());
  }

  EXPECT_THAT(seen, ::testing::Each(1));
  EXPECT_THAT(per_group,
              ::testing::Each(::testing::Le(s.per_group == auto_per_group ? 8 : s.per_group)));
  EXPECT_EQ(count, std::accumulate(plan.processes.begin(), plan.processes.end(), std::uint64_t{0},
                                   [](auto sum, const auto& p) { return sum + p.weight; }));
  for (auto id : s.always)
    EXPECT_THAT(*plan.representatives, ::testing::Contains(::testing::Truly([&](const auto& r) {
      return plan.processes[r.process].id == id && r.members.size() == 1;
    })));
}

// The same processes with intents and functions in another order.
Plan renumbered(const Plan& plan, Random& random) {
  std::vector<std::uint32_t> intents(plan.intents.size()), functions(plan.functions.size());
  std::iota(intents.begin(), intents.end(), 0u);
  std::iota(functions.begin(), functions.end(), 0u);
  std::shuffle(intents.begin(), intents.end(), random);
  std::shuffle(functions.begin(), functions.end(), random);
  Plan other = plan;
  for (std::size_t f = 0; f < functions.size(); ++f)
    other.functions[functions[f]] = plan.functions[f];

  for (std::size_t i = 0; i < intents.size(); ++i) {
    auto& intent = other.intents[intents[i]] = plan.intents[i];
    for (auto& [caller, callee] : intent.set.pairs) {
      if (caller != virtual_root)
        caller = functions[caller];
      callee = functions[callee];
    }

    std::sort(intent.set.pairs.begin(), intent.set.pairs.end());
    for (auto& f : intent.functions)
      f = functions[f];
  }

  for (auto& p : other.processes)
    p.intent = intents[p.intent];

  return other;
}

// All that a plan says of processes, without intents and functions.
std::string answer(const Plan& plan) {
  std::string text;
  for (const auto& g : *plan.groups)
    text += "group " + ::testing::PrintToString(g.members) +
            ::testing::PrintToString(g.similarity) + "\n";

  for (const auto& r : *plan.representatives)
    text += std::to_string(r.process) + ": " + ::testing::PrintToString(r.members) + r.why + "\n";

  return text;
}

TEST(AnyChoice, PutsEveryProcessUnderOneRepresentative) {
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    auto plan = made_plan(random);
    const auto comparison = made_comparison(random);
    const auto selection = made_selection(random, plan);
    group_and_select(plan, one_of(random, {0.0, 0.4, 0.83, 1.0}), comparison, selection);
    expect_groups(plan);
    expect_representatives(plan);
    if (HasFailure())
      break;
  }
}

TEST(AnyChoice, DoesNotDependOnTheOrderOfEqualThings) {
  Random random(8);

  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(round);
    auto plan = made_plan(random);
    auto other = renumbered(plan, random);
    auto comparison = made_comparison(random);
    const auto selection = made_selection(random, plan);
    const auto threshold = one_of(random, {0.0, 0.4, 0.83, 1.0});
    group_and_select(plan, threshold, comparison, selection);
    std::reverse(comparison.ignore.begin(), comparison.ignore.end());
    std::reverse(comparison.combine.begin(), comparison.combine.end());
    group_and_select(other, threshold, comparison, selection);
    ASSERT_EQ(answer(plan), answer(other));
  }
}

TEST(AnyChoice, IsTheSameThroughTheTextOfThePlan) {
  Random random(9);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    auto plan = made_plan(random);
    const auto comparison = made_comparison(random);
    const auto selection = made_selection(random, plan);
    group(plan, 0.83, comparison);
    auto read = plan_from_json(to_json(plan));
    select(plan, selection);
    select(read, selection);
    ASSERT_EQ(to_json(plan), to_json(read));
    ASSERT_EQ(to_json(plan_from_json(to_json(plan))), to_json(plan));
  }
}

}  // namespace tracefold::any_choice_test
