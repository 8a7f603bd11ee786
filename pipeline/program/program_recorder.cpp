#include "pipeline/program/program_recorder.hpp"

#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/profile/merge_call_paths.hpp"
#include "pipeline/program/describe_program.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

std::vector<std::size_t> list_columns(const MetricColumns& columns) {
  std::vector<std::size_t> all(columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

// One process: its sums while it is read, and then what is left of them.
struct ProgramRecorder::Recorded {
  Recorded(const MetricColumns& columns, std::vector<std::size_t> lengths_of_loops)
      : lengths(std::move(lengths_of_loops)),
        sums(std::in_place, list_columns(columns)),
        loops(lengths.size()) {}

  void add_iteration(const CallPathProfile& profile, const MetricColumns& columns) {
    sums->add(profile);
    while (loops[loop].size() == lengths[loop])
      ++loop;
    totals.assign(columns.size(), 0);
    for (const auto& [column, value] : profile.values)
      totals[column] += value;
    leave_rest(columns, totals);
    loops[loop].add(totals);
  }

  // Gives the call tree, and packs the sums.
  Tree finish(std::span<const CallPath> paths) {
    sums->set_tree(paths);
    Tree out{sums->tree(), sums->list_paths()};
    for (auto path : out.second)
      values.add(sums->row(path));
    values.finish();
    const auto root = sums->row(0);
    if (std::any_of(root.begin(), root.end(), [](auto value) { return value != 0; }))
      outside.assign(root.begin(), root.end());
    for (auto& rows : loops)
      rows.finish();
    sums.reset();
    totals = std::vector<std::uint64_t>();

    return out;
  }

  std::vector<std::size_t> lengths;  // of loops
  std::optional<SeriesSums> sums;
  std::size_t loop = 0;               // of the next iteration, or one before it
  std::vector<std::uint64_t> totals;  // of the last iteration
  std::vector<PackedRows> loops;
  const Tree* tree = nullptr;
  PackedRows values;                   // by path of the tree that it has
  std::vector<std::uint64_t> outside;  // of calls, where there is any
  std::uint64_t first_time = 0, last_time = 0;
};

ProgramRecorder::ProgramRecorder(const SeriesPass& pass, FindLengths find_lengths)
    : pass_(pass),
      find_lengths_(std::move(find_lengths)),
      processes_(pass.trace().plan().processes.size()) {}

ProgramRecorder::~ProgramRecorder() = default;

void ProgramRecorder::add(const SeriesIteration& it) {
  auto& process = processes_[it.process];
  if (!process)
    process = std::make_unique<Recorded>(pass_.columns(), find_lengths_(it.process));
  process->add_iteration(it.profile, pass_.columns());
}

void ProgramRecorder::end(const SeriesEnd& end) {
  auto& process = processes_[end.process];
  if (!process)
    process = std::make_unique<Recorded>(pass_.columns(), find_lengths_(end.process));
  process->sums->add(end.outside);
  process->tree = keep_tree(process->finish(end.paths));
  process->first_time = end.first_time;
  process->last_time = end.last_time;
}

bool ProgramRecorder::TreeOrder::operator()(const Tree& a, const Tree& b) const {
  if (a.second != b.second)
    return a.second < b.second;
  return std::lexicographical_compare(a.first.begin(), a.first.end(), b.first.begin(),
                                      b.first.end(), [](const CallPath& x, const CallPath& y) {
                                        return std::tie(x.caller, x.function) <
                                               std::tie(y.caller, y.function);
                                      });
}

const ProgramRecorder::Tree* ProgramRecorder::keep_tree(Tree tree) {
  const std::lock_guard lock(mutex_);
  return &*trees_.insert(std::move(tree)).first;
}

std::vector<std::size_t> ProgramRecorder::list_missing() const {
  std::vector<std::size_t> missing;
  for (std::size_t p = 0; p < processes_.size(); ++p)
    if (!processes_[p])
      missing.push_back(p);
  return missing;
}

void ProgramRecorder::put_calls(ProgramProfiles& out) {
  // Each distinct tree, in the order of processes, as a process whose values are the places of its
  // paths.
  std::map<const Tree*, std::size_t> numbers;
  std::vector<CallPathPart> parts;
  for (const auto& process : processes_) {
    const auto& [tree, paths] = *process->tree;
    if (!numbers.try_emplace(process->tree, parts.size()).second)
      continue;
    std::vector<std::uint64_t> places(paths.size());
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    const auto number = parts.size();
    parts.emplace_back().set_tree(tree);
    parts.back().add(number, paths, std::move(places));
  }
  auto profiles =
      merge_call_paths(std::move(parts), {{Metric::execution_time}, {}}, numbers.size());
  const auto trees = std::move(profiles.processes);

  profiles.columns = pass_.columns();
  profiles.processes.clear();
  std::vector<std::uint64_t> locations;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    auto& process = *processes_[p];
    const auto& tree = trees[numbers.at(process.tree)];
    out.values.push_back(std::is_sorted(tree.values.begin(), tree.values.end())
                             ? std::move(process.values)
                             : process.values.reorder(tree.values));
    process.values = {};
    profiles.processes.push_back({tree.shape, {}, std::move(process.outside)});
    locations.push_back(pass_.trace().plan().processes[p].id);
  }
  out.calls = make_aggregates(pass_.functions(), pass_.time_metrics(), std::move(locations),
                              std::move(profiles));
}

ProgramProfiles ProgramRecorder::take() {
  ProgramProfiles out;
  out.processes = describe_program(pass_.trace().definitions(), pass_.trace().plan());
  out.topologies = describe_topologies(pass_.trace().definitions(), pass_.trace().plan());
  put_calls(out);

  std::size_t loops = 0;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    out.processes[p].first_time = processes_[p]->first_time;
    out.processes[p].last_time = processes_[p]->last_time;
    loops = std::max(loops, processes_[p]->loops.size());
  }
  out.loops.resize(loops);
  for (auto& loop : out.loops)
    loop.rows.resize(processes_.size());
  for (std::size_t p = 0; p < processes_.size(); ++p)
    for (std::size_t l = 0; l < processes_[p]->loops.size(); ++l)
      out.loops[l].rows[p] = std::move(processes_[p]->loops[l]);

  return out;
}

}  // namespace tracefold
