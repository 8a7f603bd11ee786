// Fuzzing of plans: text that is taken for a plan comes back from what is written of
// it, and every stage that needs no trace works on it or refuses it with a word.
#include "base/error.hpp"
#include "emitters/errors/fold_error_formats.hpp"
#include "emitters/groups/group_formats.hpp"
#include "emitters/groups/lattice_formats.hpp"
#include "emitters/groups/similarity_formats.hpp"
#include "emitters/iterations/folded_loop_formats.hpp"
#include "filters/groups/compare_groups.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/draw_lattice.hpp"
#include "filters/groups/find_process_pairs.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "tests/support/cxt_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace tracefold;
using Json = nlohmann::ordered_json;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

template <class Stage>
void allow_refusal(Stage&& stage) {
  try {
    stage();
  } catch (const Error& problem) {
    demand(problem.kind() == ErrorKind::usage || problem.kind() == ErrorKind::input);
  }
}

void demand_same(const Plan& plan) try {
  const auto text = to_json(plan);
  demand(to_json(plan_from_json(text)) == text);
} catch (const Error&) {
  demand(false);
}

void show(const Plan& plan) {
  if (plan.errors)
    fold_errors_table(*plan.errors);
  if (plan.groups)
    to_group_table(plan);
  if (!plan.groups)
    return;

  if (plan.iterations) {
    folded_table(plan);
    const std::vector<ComparedClusters> sweep{
        {*plan.iterations, plan.errors ? std::optional(*plan.errors) : std::nullopt}};
    sweep_table(plan, sweep);
    sweep_csv(plan, sweep);
    sweep_json(plan, sweep);
  }

  Diagnostics diagnostics;
  const auto pairs = find_process_pairs(plan);
  to_table(plan, pairs);
  to_csv(plan, pairs);
  to_json(plan, pairs);
  allow_refusal(
      [&] { to_csv(plan, compare_groups(plan, plan.comparison, GroupMeasure::subsumption)); });
  allow_refusal([&] {
    const LatticeOptions options{.full = true, .max_nodes = 200, .on_limit = OnLimit::functions};
    to_dot(draw_lattice(plan, plan.comparison, options, diagnostics));
  });
  allow_refusal([&] {
    demand(testing::from_cxt(to_cxt(make_named_context(plan, plan.comparison))).objects.size() > 0);
  });
}

void go_on(Plan plan) {
  show(plan);
  if (plan.processes.empty() && !plan.groups)
    return;

  auto again = plan;
  allow_refusal([&] { group(again, plan.threshold, plan.comparison); });
  allow_refusal([&] { select(again, plan.selection.value_or(Selection{})); });
  if (again.groups)
    demand_same(again);

  allow_refusal([&] {
    for (auto features : {TimeFeatures::all, TimeFeatures::ten}) {
      select(plan, Selection{Choice::medoid, auto_per_group, {}, features});
      demand_same(plan);
    }
    show(plan);
  });
}

// A value somewhere in a document, counted in the order of the text.
Json* value_at(Json& in, std::size_t& place) {
  if (place == 0)
    return &in;

  --place;
  if (!in.is_structured())
    return nullptr;
  for (auto& inner : in)
    if (auto* found = value_at(inner, place))
      return found;

  return nullptr;
}

Json odd_value(std::mt19937& random) {
  switch (random() % 12) {
    case 0: return nullptr;
    case 1: return -1;
    case 2: return 1e300;
    case 3: return 0.5;
    case 4: return ~std::uint64_t{0};
    case 5: return std::uint64_t{random() % 8};
    case 6: return std::to_string(random() % 8);
    case 7: return "0-" + std::to_string(random() % 8);
    case 8: return std::string("a\0*\x1b[\xff", 6);
    case 9: return Json::array();
    case 10: return Json::object();
    default: return random() % 2 == 0;
  }
}

}  // namespace

// Every other time it changes values of the document instead of bytes of the text.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::mt19937 random(seed);
  auto plan = Json::parse(data, data + size, nullptr, false);
  if (random() % 2 || plan.is_discarded())
    return LLVMFuzzerMutate(data, size, most);

  const auto pick = [&]() -> Json& {
    for (std::size_t place = random() % (1 + size / 4);; place /= 2) {
      auto left = place;
      if (auto* found = value_at(plan, left))
        return *found;
    }
  };

  Json other = random() % 2 ? odd_value(random) : pick();
  Json& at = pick();

  if (random() % 4 == 0 && at.is_array())
    at.push_back(std::move(other));
  else if (random() % 4 == 0 && at.is_structured() && !at.empty())
    at.erase(std::next(at.begin(), static_cast<std::ptrdiff_t>(random() % at.size())));
  else
    at = std::move(other);

  const auto text = plan.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most)
    return LLVMFuzzerMutate(data, size, most);

  std::copy(text.begin(), text.end(), data);

  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Plan plan;
  try {
    plan = plan_from_json(text);
  } catch (const Error& problem) {
    demand(problem.kind() == ErrorKind::input);
    return 0;
  }

  demand_same(plan);
  go_on(std::move(plan));

  return 0;
}
