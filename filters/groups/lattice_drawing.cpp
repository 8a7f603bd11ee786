#include "filters/groups/lattice_drawing.hpp"

#include "filters/groups/comparison.hpp"
#include "filters/groups/process_names.hpp"
#include "lattice/concept_lattice.hpp"
#include "lattice/context.hpp"
#include "lattice/poset.hpp"
#include "otf2/paradigm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tracefold {

OnLimit on_limit_of(std::string_view word) {
  if (word == "poset")
    return OnLimit::poset;
  if (word == "functions")
    return OnLimit::functions;
  if (word == "fail")
    return OnLimit::fail;

  throw Error(ErrorKind::usage, fmt::format("--on-limit {}: no such way out", word))
      .hint("poset, functions or fail");
}

namespace {

// All processes with their sets; objects are indexes into plan.processes.
lattice::Context compared_context(const Plan& plan, const Comparison& comparison) {
  const auto sets = compared_sets(plan, comparison, ignored_functions(plan, comparison));
  std::vector<std::size_t> set_of(plan.processes.size());
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (auto m : sets[s].members)
      set_of[m] = s;

  lattice::ContextBuilder builder;
  for (std::size_t i = 0; i < set_of.size(); ++i)
    builder.add(i, sets[set_of[i]].elements, plan.processes[i].weight);

  return std::move(builder).build();
}

std::vector<std::size_t> processes_of(const lattice::Members& members) {
  const auto list = members.list();
  return {list.begin(), list.end()};
}

// The paradigm of most of the functions that are called.
std::string commonest_paradigm(const Plan& plan, const std::vector<lattice::Element>& attributes) {
  std::map<std::uint64_t, std::size_t> times;
  for (auto a : attributes)
    ++times[callee_of_element(plan, a).paradigm];
  const auto most = std::max_element(
      times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == times.end() ? std::string() : paradigm_name(most->first);
}

// What each node has with all that it inherits: attributes from above, intents from below.
struct Inherited {
  lattice::BitRows attributes, intents;

  Inherited(const lattice::Hierarchy& graph, const lattice::Context& context)
      : attributes(num_vertices(graph), context.attributes.size()),
        intents(num_vertices(graph), context.size()) {
    for (std::size_t n = 0; n < num_vertices(graph); ++n) {  // edges lead to lower numbers
      for (auto a : graph[n].attributes)
        lattice::set_bit(attributes.row(n), a);
      for (auto [e, end] = out_edges(n, graph); e != end; ++e)
        lattice::unite(attributes.row(n), attributes.row(target(*e, graph)));
    }

    for (std::size_t n = num_vertices(graph); n-- > 0;) {
      if (graph[n].intent)
        lattice::set_bit(intents.row(n), *graph[n].intent);
      for (auto [e, end] = in_edges(n, graph); e != end; ++e)
        lattice::unite(intents.row(n), intents.row(source(*e, graph)));
    }
  }
};

LatticeDrawing drawing_of(const Plan& plan, const lattice::Context& context,
                          const lattice::Hierarchy& graph, CompareBy by) {
  LatticeDrawing drawing;
  drawing.attribute = word_of(by);
  drawing.attributes = context.attributes.size();
  drawing.processes =
      std::accumulate(context.weights.begin(), context.weights.end(), std::uint64_t{0});
  const Inherited inherited(graph, context);

  for (std::size_t n = 0; n < num_vertices(graph); ++n) {
    auto& node = drawing.nodes.emplace_back();
    std::vector<lattice::Element> here;
    for (auto column : graph[n].attributes)
      here.push_back(context.attributes[column]);
    for (auto a : here)
      node.attributes.push_back(name_of_element(plan, a, by));

    node.paradigm = commonest_paradigm(plan, here);
    if (const auto intent = graph[n].intent) {
      node.processes = condensed_names(plan, processes_of(context.members[*intent]));
      node.count = context.weights[*intent];
    }

    lattice::for_each_bit(inherited.intents.row(n),
                          [&](std::size_t intent) { node.reaching += context.weights[intent]; });
    node.inherited = lattice::count_bits(inherited.attributes.row(n)) - here.size();
    for (auto [e, end] = out_edges(n, graph); e != end; ++e)
      node.up.push_back(target(*e, graph));

    std::sort(node.up.begin(), node.up.end());
  }

  return drawing;
}

LatticeDrawing poset_drawing(const Plan& plan, const lattice::Context& context, CompareBy by) {
  auto drawing = drawing_of(plan, context, lattice::aoc_poset(context.intents), by);
  drawing.kind = "AOC-poset";
  return drawing;
}

}  // namespace

LatticeDrawing draw_lattice(const Plan& plan, const Comparison& comparison,
                            const LatticeOptions& options, Diagnostics& diagnostics) {
  const auto context = compared_context(plan, comparison);
  if (!options.full)
    return poset_drawing(plan, context, comparison.by);

  const auto whole = lattice::concept_lattice(context.intents, options.max_nodes);
  if (whole.complete) {
    auto drawing = drawing_of(plan, context, whole.graph, comparison.by);
    drawing.kind = "concept lattice";
    return drawing;
  }

  const auto stopped = fmt::format("the concept lattice of {} has more than {} nodes",
                                   word_of(comparison.by), options.max_nodes);
  if (options.on_limit == OnLimit::fail)
    throw Error(ErrorKind::no, stopped).hint("raise --max-nodes, or leave out --full");

  if (options.on_limit == OnLimit::functions && comparison.by == CompareBy::pairs) {
    diagnostics.note(stopped + "; functions are compared instead");
    auto coarser = comparison;
    coarser.by = CompareBy::functions;
    return draw_lattice(plan, coarser, {.full = true, .max_nodes = options.max_nodes}, diagnostics);
  }

  diagnostics.note(stopped + "; the AOC-poset, which says the same, is drawn instead");

  return poset_drawing(plan, context, comparison.by);
}

namespace {

// Of names that are alike the second is called "name #2", and so on.
void make_distinct(std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end()), met;
  for (auto& name : names) {
    const auto plain = name;
    if (met.insert(plain).second)
      continue;
    for (std::size_t k = 2; !taken.insert(name).second; ++k)
      name = fmt::format("{} #{}", plain, k);
  }
}

}  // namespace

NamedContext named_context(const Plan& plan, const Comparison& comparison) {
  const auto context = compared_context(plan, comparison);
  NamedContext named;

  for (std::size_t i = 0; i < context.members.size(); ++i) {
    named.objects.push_back(fmt::format(
        "{}", fmt::join(condensed_names(plan, processes_of(context.members[i])), ", ")));
    auto& row = named.incidence.emplace_back(context.attributes.size());
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = lattice::has_bit(context.intents.row(i), j);
  }

  for (auto attribute : context.attributes)
    named.attributes.push_back(name_of_element(plan, attribute, comparison.by));

  make_distinct(named.objects);
  make_distinct(named.attributes);

  return named;
}

}  // namespace tracefold
