#include "filters/groups/draw_lattice.hpp"

#include "filters/groups/comparison.hpp"
#include "filters/groups/propose_ignored.hpp"
#include "lattice/concept_lattice.hpp"
#include "lattice/context.hpp"
#include "lattice/poset.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"
#include "model/united_runs.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace tracefold {

namespace {

// The distinct sets, and who has them.
struct ProcessContext {
  lattice::Context context;
  std::vector<std::vector<std::size_t>> members;  // of each intent its processes, ascending
  std::vector<std::uint64_t> weights;             // the weights of these, added up
};

ProcessContext make_context(const Plan& plan, const ComparedProcesses& compared,
                            bool closed = false) {
  std::vector<lattice::Set> sets;
  for (const auto& set : compared.sets)
    sets.push_back(closed ? compared.measure.add_implied(set.attributes) : set.attributes);

  ProcessContext made{lattice::build_context(sets), {}, {}};
  for (const auto& objects : made.context.objects) {
    auto& members = made.members.emplace_back();
    for (auto set : objects)
      members.insert(members.end(), compared.sets[set].members.begin(),
                     compared.sets[set].members.end());
    std::sort(members.begin(), members.end());
    made.weights.push_back(count_processes(plan, members));
  }

  return made;
}

// Which paradigms the attributes belong to, and how many of them; those with most first.
std::vector<std::pair<std::string, std::uint64_t>> count_paradigms(const CallMeasure& measure,
                                                                   const lattice::Set& attributes) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (auto attribute : attributes)
    ++counts[measure.paradigm(attribute)];

  std::vector<std::pair<std::string, std::uint64_t>> out;
  for (const auto& [paradigm, count] : counts)
    out.emplace_back(paradigm_name(paradigm), count);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return out;
}

// Whether a caller reaches what it calls through another of these pairs, too.
bool is_implied(lattice::Element pair, const lattice::Set& closed) {
  const auto caller = pair & ~lattice::Element{0xffffffff}, callee = pair & 0xffffffff;
  return std::any_of(closed.begin(), closed.end(), [&](auto other) {
    const auto between = other >> 32;
    return (other & 0xffffffff) == callee && other != pair && between != callee &&
           std::binary_search(closed.begin(), closed.end(), caller | between);
  });
}

// Those that lead to the others: whose caller none of the others calls. All, where each is called
// by another.
lattice::Set find_entries(const lattice::Set& attributes, CompareBy by, bool is_closed) {
  if (by == CompareBy::functions)
    return attributes;

  std::set<lattice::Element> callees;
  for (auto attribute : attributes)
    callees.insert(attribute & 0xffffffff);
  lattice::Set entries;
  for (auto attribute : attributes)
    if (!callees.contains(attribute >> 32) && !(is_closed && is_implied(attribute, attributes)))
      entries.push_back(attribute);

  return entries.empty() ? attributes : entries;
}

bool are_first_threads(const Plan& plan) {
  return std::all_of(plan.processes.begin(), plan.processes.end(),
                     [](const Process& process) { return process.rank && process.thread == 0; });
}

// For each node its own attributes and those of all nodes above, and its own intent (a row of the
// context) and those of all nodes below.
struct Inheritance {
  lattice::BitRows attributes, intents;

  Inheritance(const lattice::Hierarchy& graph, const lattice::Context& context)
      : attributes(num_vertices(graph), context.attributes.size()),
        intents(num_vertices(graph), context.size()) {
    // Edges lead to nodes with lower numbers, which are complete when they are needed.
    for (std::size_t n = 0; n < num_vertices(graph); ++n) {
      for (auto attribute : graph[n].attributes)
        lattice::set_bit(attributes.row(n), attribute);
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

// Leaves out what the lattice is called: the drawing's `kind` and `attribute`.
LatticeDrawing draw(const Plan& plan, const CallMeasure& measure, CompareBy by,
                    const ProcessContext& processes, const lattice::Hierarchy& graph,
                    bool is_closed) {
  const auto& [context, members, weights] = processes;
  LatticeDrawing drawing;
  drawing.is_closed = is_closed;
  drawing.has_only_ranks = are_first_threads(plan);
  drawing.attributes = context.attributes.size();
  drawing.processes = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const Inheritance inherited(graph, context);

  for (std::size_t n = 0; n < num_vertices(graph); ++n) {
    auto& node = drawing.nodes.emplace_back();

    lattice::Set own;
    for (auto column : graph[n].attributes)
      own.push_back(context.attributes[column]);
    for (auto attribute : own)
      node.attributes.push_back(measure.name(attribute));
    for (auto attribute : find_entries(own, by, is_closed))
      node.entries.push_back(measure.name(attribute));

    node.paradigms = count_paradigms(measure, own);
    if (!node.paradigms.empty())
      node.paradigm = node.paradigms.front().first;
    node.inherited = lattice::count_bits(inherited.attributes.row(n)) - own.size();

    if (const auto intent = graph[n].intent) {
      node.processes = name_places(plan, members[*intent]);
      node.members = members[*intent];
      node.count = weights[*intent];
    }

    lattice::for_each_bit(inherited.intents.row(n),
                          [&](std::size_t intent) { node.reaching += processes.weights[intent]; });

    for (auto [e, end] = out_edges(n, graph); e != end; ++e)
      node.up.push_back(target(*e, graph));

    std::sort(node.up.begin(), node.up.end());
  }

  return drawing;
}

// Where several names are equal, the second becomes "name #2", and so on.
void make_names_distinct(std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end());
  std::set<std::string> met;

  for (auto& name : names) {
    const auto plain = name;
    if (met.insert(plain).second)
      continue;

    for (std::size_t k = 2; !taken.insert(name).second; ++k)
      name = fmt::format("{} #{}", plain, k);
  }
}

// The setting of a comparison that leaves out few functions, so that the lattice has at most so
// many nodes; empty where few are not enough.
std::string propose_fewer_calls(const Plan& plan, const Comparison& comparison,
                                const ComparedProcesses& compared, bool closed,
                                std::size_t max_nodes) {
  constexpr std::size_t most_worth_a_look = 10'000;
  const auto count_nodes = [&](const Comparison& without) -> std::optional<std::size_t> {
    const auto context = make_context(plan, compare_processes(plan, without), closed);
    const auto lattice = lattice::build_concept_lattice(context.context.intents,
                                                        std::min(max_nodes, most_worth_a_look));
    return lattice ? std::optional(num_vertices(*lattice)) : std::nullopt;
  };

  const auto proposed = propose_ignored(plan, comparison, compared, count_nodes);
  if (!proposed)
    return {};
  std::string names;
  for (const auto& name : proposed->names)
    names += fmt::format("{}`ignore` '{}'", names.empty() ? "" : " ", name);
  return fmt::format("{} leaves {} node{}", names, proposed->nodes,
                     proposed->nodes == 1 ? "" : "s");
}

using MemberNamer = std::function<std::vector<std::string>(const std::vector<std::size_t>&)>;

NamedContext name_context(const Plan& plan, const Comparison& comparison, const MemberNamer& name) {
  const auto compared = compare_processes(plan, comparison);
  const auto [context, members, weights] = make_context(plan, compared);
  NamedContext named;

  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto names = name(members[i]);
    named.objects.push_back(fmt::format("{}", fmt::join(names, ", ")));

    auto& row = named.incidence.emplace_back(context.attributes.size());
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = lattice::has_bit(context.intents.row(i), j);
  }

  for (auto attribute : context.attributes)
    named.attributes.push_back(compared.measure.name(attribute));

  make_names_distinct(named.objects);
  make_names_distinct(named.attributes);

  return named;
}

// Fills in which runs the processes of nodes are of.
void add_runs(const UnitedRuns& runs, LatticeDrawing& drawing) {
  auto& nodes = drawing.nodes;
  drawing.runs = list_shares(runs);
  std::vector<std::size_t> labelled;  // nodes with processes
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (!nodes[n].members.empty())
      labelled.push_back(n);

  lattice::BitRows below(nodes.size(), labelled.size());  // by node: itself, and those below
  for (std::size_t n = nodes.size(), left = labelled.size(); n-- > 0;) {
    auto& node = nodes[n];
    node.processes = runs.name(node.members);
    node.of_runs = runs.count(node.members);
    if (!node.members.empty())
      lattice::set_bit(below.row(n), --left);
    for (auto up : node.up)
      lattice::unite(below.row(up), below.row(n));

    node.reaching_of_runs.resize(runs.plans.size());
    lattice::for_each_bit(below.row(n), [&](std::size_t k) {
      for (std::size_t r = 0; r < runs.plans.size(); ++r)
        node.reaching_of_runs[r] += nodes[labelled[k]].of_runs[r];
    });
  }
}

}  // namespace

LatticeDrawing draw_lattice(const Plan& plan, const Comparison& comparison,
                            const LatticeOptions& options, Diagnostics& diagnostics) {
  if (options.closed && comparison.by == CompareBy::functions)
    throw Error(ErrorKind::usage, "`closed` adds calls through others, and functions are compared")
        .hint("compare pairs, or leave out `closed`");

  const auto compared = compare_processes(plan, comparison);
  const auto processes = make_context(plan, compared, options.closed);
  const auto& intents = processes.context.intents;

  const auto draw_graph = [&](const char* kind, const lattice::Hierarchy& graph) {
    auto drawing = draw(plan, compared.measure, comparison.by, processes, graph, options.closed);
    drawing.kind = kind + std::string(options.closed ? " of closed sets" : "");
    drawing.attribute = to_text(comparison.by);
    return drawing;
  };
  const auto draw_poset = [&] {
    return draw_graph("AOC-poset", lattice::build_aoc_poset(intents));
  };

  if (!options.full)
    return draw_poset();

  const auto whole = lattice::build_concept_lattice(intents, options.max_nodes);
  if (whole)
    return draw_graph("concept lattice", *whole);

  const auto problem = fmt::format("the concept lattice of {} has more than {} nodes",
                                   to_text(comparison.by), options.max_nodes);
  const auto fewer =
      propose_fewer_calls(plan, comparison, compared, options.closed, options.max_nodes);
  if (options.on_limit == OnLimit::fail)
    throw Error(ErrorKind::no, problem)
        .hint("raise `max_nodes`, or leave out `full`" + (fewer.empty() ? "" : "; " + fewer));

  if (options.on_limit == OnLimit::functions && comparison.by != CompareBy::functions &&
      !options.closed) {
    diagnostics.note(problem + "; functions are compared instead");
    auto by_functions = comparison;
    by_functions.by = CompareBy::functions;
    const LatticeOptions again{.full = true, .max_nodes = options.max_nodes};

    return draw_lattice(plan, by_functions, again, diagnostics);
  }

  diagnostics.note(problem + "; the AOC-poset, which says the same, is drawn instead" +
                   (fewer.empty() ? "" : " (" + fewer + ")"));

  return draw_poset();
}

LatticeDrawing draw_lattice(const UnitedRuns& runs, const Comparison& comparison,
                            const LatticeOptions& options, Diagnostics& diagnostics) {
  auto drawing = draw_lattice(runs.all, comparison, options, diagnostics);
  add_runs(runs, drawing);
  return drawing;
}

NamedContext make_named_context(const Plan& plan, const Comparison& comparison) {
  return name_context(plan, comparison,
                      [&](const auto& members) { return name_places(plan, members); });
}

NamedContext make_named_context(const UnitedRuns& runs, const Comparison& comparison) {
  return name_context(runs.all, comparison,
                      [&](const auto& members) { return runs.name(members); });
}

}  // namespace tracefold
