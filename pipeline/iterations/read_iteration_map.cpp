#include "pipeline/iterations/map_pass.hpp"

#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"

#include <algorithm>

namespace tracefold {

std::size_t find_main_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops) {
  for (auto m : members) {
    const auto& here = loops[m].loops;
    if (!here.empty())
      return static_cast<std::size_t>(
          std::max_element(here.begin(), here.end(),
                           [](const Loop& a, const Loop& b) { return a.ticks < b.ticks; }) -
          here.begin());
  }

  throw Error(ErrorKind::usage, "no loop was found")
      .hint("say what the iterations are with `region`");
}

namespace {

// With its place in each member.
SeriesLoop choose_map_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops, const MapOptions& options) {
  const auto number = options.loop.value_or(find_main_loop(members, loops));
  return {loops, number, find_same_loops(members, loops, number)};
}

// A map of the members that have the loop, without cells.
IterationMap list_map_rows(const std::vector<std::size_t>& members, const SeriesLoop& loop,
                           const MapOptions& options) {
  IterationMap map;
  map.loop = loop.loop;
  map.call_path = options.call_path;
  for (auto m : members)
    if (const auto iterations = loop.count_iterations(m)) {
      map.processes.push_back(m);
      map.iterations = std::max(map.iterations, iterations);
    }

  return map;
}

// How the plan folds the loop of a map on a process; null: it does not.
const KeptIterations* find_choice(const IterationSection& section, const AlignedProcess& aligned,
                                  const SeriesLoop& shown) {
  const auto place = shown.find_place(aligned.process);
  const auto& own = shown.loops[aligned.process].loops;
  if (!place || *place >= own.size())
    return nullptr;

  const auto& folded = aligned.loops.loops;
  const auto same = std::find_if(folded.begin(), folded.end(), [&](const Loop& loop) {
    return loop.iterations == own[*place].iterations;
  });
  return same == folded.end()
             ? nullptr
             : &section.loops[static_cast<std::size_t>(same - folded.begin())].choice;
}

RowSources find_row_sources(const Plan& plan, const SeriesLoop& shown) {
  auto sources = list_themselves(plan.processes.size());
  if (plan.iterations)
    for (const auto& aligned : plan.iterations->processes)
      if (const auto* choice = find_choice(*plan.iterations, aligned, shown))
        sources[aligned.process] = RowSource{aligned.process, choice->kept, choice->kept_of};
  if (plan.representatives)
    for (const auto& representative : *plan.representatives)
      for (auto m : representative.members)
        sources[m] = sources[representative.process];

  return sources;
}

}  // namespace

IterationMap read_iteration_map(const Archive& archive, const Plan& plan,
                                const std::vector<std::size_t>& members,
                                const std::vector<ProcessLoops>& loops, const MapOptions& options,
                                const ReadOptions& reading, Diagnostics& diagnostics) {
  const auto loop = choose_map_loop(members, loops, options);
  auto map = list_map_rows(members, loop, options);
  const MapPass pass(archive, plan, loop, options, WantLayers::no, reading, diagnostics, map);
  choose_iterations(options, map);
  make_cells(map, options.most_cells);
  fill_rows(map, list_themselves(plan.processes.size()), pass.read_values());
  return map;
}

ComparedMap read_compared_map(const Archive& archive, const Plan& plan,
                              const std::vector<ProcessLoops>& loops, const MapOptions& options,
                              const ReadOptions& reading, Diagnostics& diagnostics) {
  const auto members = list_processes(plan);
  const auto loop = choose_map_loop(members, loops, options);
  ComparedMap out;
  out.original = list_map_rows(members, loop, options);
  const MapPass pass(archive, plan, loop, options, WantLayers::yes, reading, diagnostics,
                     out.original);
  choose_iterations(options, out.original);
  make_cells(out.original, options.most_cells / 2);
  fill_rows(out.original, list_themselves(plan.processes.size()), pass.read_values());

  const auto sources = find_row_sources(plan, loop);
  add_reconstruction(sources, pass.read_values(), out);
  add_layers(
      pass.whole(), sources, [&](std::size_t part) { return pass.read_part(part); }, out);
  return out;
}

}  // namespace tracefold
