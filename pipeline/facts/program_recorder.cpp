#include "pipeline/facts/program_recorder.hpp"

#include "base/for_each_index.hpp"
#include "base/packed_values.hpp"
#include "base/ranges.hpp"
#include "base/team.hpp"
#include "filters/summary/measure_run.hpp"
#include "model/plan.hpp"
#include "pipeline/delays/find_delays.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/describe_program.hpp"
#include "pipeline/facts/file_operations.hpp"
#include "pipeline/facts/merge_call_paths.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/replay/critical_path.hpp"
#include "pipeline/replay/find_gains.hpp"
#include "pipeline/replay/fit_network.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
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
  Recorded() = default;
  Recorded(const ProgramRecorder& recorder, std::vector<std::size_t> lengths_of_loops)
      : lengths(std::move(lengths_of_loops)),
        path_series(std::make_unique<PathSeries>(recorder.path_functions_, recorder.path_columns_)),
        sums(std::make_unique<SeriesSums>(list_columns(recorder.pass_.columns()))),
        loop_sums(std::min(lengths.size(), most_loops_by_path),
                  SeriesSums(list_columns(recorder.pass_.columns()))),
        loops(lengths.size()),
        spans(lengths.size()) {}

  void add_iteration(const SeriesIteration& it, const MetricColumns& columns) {
    const auto& profile = it.profile;
    find_loop();
    extend(spans[loop], it.span);
    (loop < loop_sums.size() ? loop_sums[loop] : *sums).add(profile);
    if (loop < loop_sums.size()) {
      path_series->add(loop, loops[loop].size(), profile, it.paths);
    }
    totals.assign(columns.size(), 0);
    for (const auto& [column, value] : profile.values)
      totals[column] += value;
    replace_time_by_rest(columns, totals);
    loops[loop].add(totals);
  }
  // That of the next iteration.
  void find_loop() {
    while (loops[loop].size() == lengths[loop])
      ++loop;
  }

  // Gives the call tree, and packs the sums.
  Tree finish(std::span<const CallPath> paths, const CallPathProfile& beyond_mpi_profile,
              const MetricColumns& columns) {
    for (const auto& in_loop : loop_sums)
      sums->add(in_loop);
    sums->set_tree(paths);
    Tree out{sums->tree(), sums->list_paths()};
    for (auto path : out.second)
      values.add(sums->row(path));
    values.finish();
    if (!beyond_mpi_profile.rows.empty())
      pack_beyond_mpi(beyond_mpi_profile, out, columns);
    pack_loop_scopes(out);
    const auto root = sums->row(0);
    if (std::any_of(root.begin(), root.end(), [](auto value) { return value != 0; }))
      outside.assign(root.begin(), root.end());
    for (auto& rows : loops)
      rows.finish();
    path_series.reset();
    sums.reset();
    totals = std::vector<std::uint64_t>();

    return out;
  }

  void pack_beyond_mpi(const CallPathProfile& profile, const Tree& own_tree,
                       const MetricColumns& columns) {
    SeriesSums beyond(list_columns(columns));
    beyond.add(profile);
    beyond.set_tree(own_tree.first);
    beyond.list_paths();
    for (auto path : own_tree.second)
      beyond_mpi.add(beyond.row(path));
    beyond_mpi.finish();
  }

  void pack_loop_scopes(const Tree& own_tree) {
    std::vector<std::uint64_t> rest;
    for (auto& in_loop : loop_sums) {
      in_loop.set_tree(own_tree.first);
      in_loop.list_paths();
      auto& rest_rows = outside_of_loops.emplace_back();
      for (auto path : own_tree.second) {
        const auto all = sums->row(path), in = in_loop.row(path);
        rest.assign(all.begin(), all.end());
        std::transform(rest.begin(), rest.end(), in.begin(), rest.begin(), std::minus<>());
        rest_rows.add(rest);
      }
      rest_rows.finish();
    }
    loop_sums = {};
  }

  // Puts the paths of the tree into another order: path k of the new one is path places[k].
  void reorder(const std::vector<std::uint64_t>& places) {
    if (std::is_sorted(places.begin(), places.end()))
      return;
    values = values.reorder(places);
    if (beyond_mpi.size() > 0)
      beyond_mpi = beyond_mpi.reorder(places);
    for (auto& rest : outside_of_loops)
      rest = rest.reorder(places);
  }

  // Numbers all paths of its own tree, as RecordedTimes has them; `shape` are its paths of the
  // merged one in the order of places[], which are places in the paths of its own.
  // `all` is the number of paths of the merged one.
  void number_paths(const std::vector<PathIndex>& shape, const std::vector<std::uint64_t>& places,
                    std::size_t all) {
    path_in_all.resize(tree->first.size());
    path_in_all[0] = static_cast<PathIndex>(all + 1);  // what the recorder takes
    for (std::size_t k = 0; k < places.size(); ++k)
      path_in_all[tree->second[static_cast<std::size_t>(places[k])]] = shape[k] + 1;
  }

  // Once it is finished: how many rows it has, and what others know of it besides.
  Recorded leave_values() const {
    Recorded out;
    out.lengths = lengths;
    out.loops = leave_values_of(loops);
    out.spans = spans;
    out.values = values.leave_values();
    out.beyond_mpi = beyond_mpi.leave_values();
    out.outside_of_loops = leave_values_of(outside_of_loops);
    out.outside = outside;
    out.first_time = first_time;
    out.last_time = last_time;
    out.mpi = mpi;
    out.partners = partners;
    out.files = files;
    out.set_aside = set_aside;
    return out;
  }

  std::vector<std::size_t> lengths;  // of loops
  std::unique_ptr<PathSeries> path_series;
  std::vector<PathSeries::OfPath> series;
  std::unique_ptr<SeriesSums> sums;
  std::vector<SeriesSums> loop_sums;  // of the first loops
  std::size_t loop = 0;               // of the next iteration, or one before it
  std::vector<std::uint64_t> totals;  // of the last iteration
  std::vector<PackedRows> loops;
  std::vector<std::optional<Interval>> spans;  // by loop
  const Tree* tree = nullptr;
  // By path of the tree that it has: all, and what is not in a scope.
  PackedRows values, beyond_mpi;
  std::vector<PackedRows> outside_of_loops;  // of the first loops
  std::vector<std::uint64_t> outside;        // of calls, where there is any
  std::uint64_t first_time = 0, last_time = 0;
  Interval mpi;
  PartnerAmounts partners;
  std::map<FileId, FileOperations> files;
  SetAsideTimes set_aside;
  CallTimes times;
  CallDependencies dependencies;
  std::vector<PathIndex> path_in_all;  // as RecordedTimes has it

 private:
  static std::vector<PackedRows> leave_values_of(const std::vector<PackedRows>& all) {
    std::vector<PackedRows> out;
    for (const auto& rows : all)
      out.push_back(rows.leave_values());
    return out;
  }

  // Once it is finished, without its tree and what it is played from.
  friend auto list_members(Like<Recorded> auto& recorded) {
    return std::tie(recorded.lengths, recorded.loops, recorded.spans, recorded.values,
                    recorded.beyond_mpi, recorded.outside_of_loops, recorded.outside,
                    recorded.first_time, recorded.last_time, recorded.mpi, recorded.partners,
                    recorded.files, recorded.set_aside);
  }
};

// What members of a team give to each other.
struct ProgramRecorder::Shared {
  struct Trees {
    std::vector<Tree> trees;
    std::vector<SeriesOfTree> series;
    std::vector<std::pair<std::size_t, std::size_t>> of_processes;  // place in `trees`, by process
  };

  // What the run is played from, which the first member does for all.
  struct Times {
    std::size_t process = 0;
    CallTimes times;
    std::vector<KnownWait> waits;
    CallDependencies dependencies;
  };

 private:
  friend auto list_members(Like<Trees> auto& of) {
    return std::tie(of.trees, of.series, of.of_processes);
  }
  friend auto list_members(Like<Times> auto& of) {
    return std::tie(of.process, of.times, of.waits, of.dependencies);
  }
};

// What is known once the run was played.
struct ProgramRecorder::Played {
  std::vector<ProgramDelay> delays;
  std::vector<ProgramReplay> replays;
  std::vector<ProgramSequence> sequences;

 private:
  friend auto list_members(Like<Played> auto& played) {
    return std::tie(played.delays, played.replays, played.sequences);
  }
};

// Each distinct tree as a process whose values are the places of its paths, over the merged one.
struct ProgramRecorder::Merged {
  CallPathProfiles profiles;
  std::map<const Tree*, std::size_t> numbers;  // of these, in the order of processes
};

ProgramRecorder::ProgramRecorder(const SeriesPass& pass, FindLengths find_lengths,
                                 RecordProgram record)
    : pass_(pass),
      find_lengths_(std::move(find_lengths)),
      record_(record),
      path_functions_(find_large_functions(pass.trace().plan(), pass.functions())),
      path_columns_(list_time_columns(pass.columns())),
      processes_(pass.trace().plan().processes.size()) {}

ProgramRecorder::~ProgramRecorder() = default;

ProgramRecorder::Recorded& ProgramRecorder::open(std::size_t process) {
  auto& opened = processes_[process];
  if (!opened)
    opened = std::make_unique<Recorded>(*this, find_lengths_(process));
  return *opened;
}

void ProgramRecorder::add(const SeriesIteration& it) {
  open(it.process).add_iteration(it, pass_.columns());
}

void ProgramRecorder::end(const SeriesEnd& end) {
  auto& process = open(end.process);
  process.sums->add(end.outside);
  process.series = process.path_series->finish(process.lengths);
  process.tree = keep_tree(process.finish(end.paths, end.beyond_mpi, pass_.columns()));
  process.mpi = end.mpi;
  process.partners = std::move(end.partners);
  process.files = std::move(end.files);
  process.times = std::move(end.times);
  process.dependencies = std::move(end.dependencies);
  process.set_aside = end.set_aside;
  process.first_time = end.first_time;
  process.last_time = end.last_time;
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

void ProgramRecorder::share() {
  std::vector<std::size_t> own;
  for (std::size_t p = 0; p < processes_.size(); ++p)
    if (processes_[p])
      own.push_back(p);

  for (auto p : own)
    note_series(*processes_[p]);

  auto* team = pass_.trace().options().team;
  if (team)
    share_trees(*team, own);
  merge_trees();
  for_each_index(own.size(), [&](std::size_t k) { reorder(*processes_[own[k]]); });
  if (!team)
    return;

  std::vector<Shared::Times> times;
  std::vector<std::pair<std::size_t, Recorded>> given;
  for (auto p : own) {
    auto& recorded = *processes_[p];
    times.push_back({p, std::move(recorded.times), std::move(recorded.partners.waits),
                     std::move(recorded.dependencies)});
    recorded.partners.waits.clear();
    given.emplace_back(p, recorded.leave_values());
  }

  for (auto& of_member : tracefold::share(team, std::move(given)))
    for (auto& [process, recorded] : of_member) {
      auto& to = processes_.at(process);
      if (std::binary_search(own.begin(), own.end(), process))
        continue;
      const auto* tree = to->tree;
      to = std::make_unique<Recorded>(std::move(recorded));
      to->tree = tree;
    }
  for (const auto& bytes : team->gather(pack(times)))
    for (auto& of : unpack<std::vector<Shared::Times>>(bytes)) {
      auto& process = *processes_.at(of.process);
      process.times = std::move(of.times);
      process.partners.waits = std::move(of.waits);
      process.dependencies = std::move(of.dependencies);
    }
  pass_.share_oddities();
}

void ProgramRecorder::note_series(const Recorded& process) {
  auto& noted = series_[process.tree];
  for (const auto& [path, loops] : process.series)
    for (std::size_t l = 0; l < loops.size(); ++l)
      if (loops[l].size() > 0)
        noted.emplace(l, path);
}

void ProgramRecorder::share_trees(Team& team, const std::vector<std::size_t>& own) {
  Shared::Trees given;
  std::map<const Tree*, std::size_t> places;
  for (auto p : own) {
    const auto* tree = processes_[p]->tree;
    const auto [place, is_new] = places.try_emplace(tree, given.trees.size());
    if (is_new) {
      given.trees.push_back(*tree);
      given.series.push_back(series_.at(tree));
    }
    given.of_processes.emplace_back(p, place->second);
  }

  for (auto& of_member : tracefold::share(&team, std::move(given))) {
    std::vector<const Tree*> trees;
    for (std::size_t k = 0; k < of_member.trees.size(); ++k) {
      trees.push_back(keep_tree(std::move(of_member.trees[k])));
      series_[trees.back()].merge(of_member.series.at(k));
    }
    for (const auto& [process, place] : of_member.of_processes) {
      auto& to = processes_.at(process);
      if (!to)
        to = std::make_unique<Recorded>();
      to->tree = trees.at(place);
    }
  }
}

std::vector<std::size_t> ProgramRecorder::list_missing() const {
  std::vector<std::size_t> missing;
  for (std::size_t p = 0; p < processes_.size(); ++p)
    if (!processes_[p])
      missing.push_back(p);
  return missing;
}

void ProgramRecorder::merge_trees() {
  merged_ = std::make_unique<Merged>();
  std::vector<CallPathPart> parts;
  for (const auto& process : processes_) {
    const auto& [tree, paths] = *process->tree;
    if (!merged_->numbers.try_emplace(process->tree, parts.size()).second)
      continue;
    std::vector<std::uint64_t> places(paths.size());
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    const auto number = parts.size();
    parts.emplace_back().set_tree(tree);
    parts.back().add(number, paths, std::move(places));
  }
  merged_->profiles =
      merge_call_paths(std::move(parts), {{Metric::execution_time}, {}}, merged_->numbers.size());
  for (const auto& [tree, number] : merged_->numbers)
    for (const auto& [loop, path] : series_.at(tree))
      with_series_.emplace(loop, find_merged(tree, path));
}

PathIndex ProgramRecorder::find_merged(const Tree* tree, PathIndex path) const {
  const auto& of_tree = merged_->profiles.processes[merged_->numbers.at(tree)];
  const auto& own = tree->second;
  const auto& places = of_tree.values;
  const auto place = std::lower_bound(own.begin(), own.end(), path) - own.begin();
  const auto at = std::find(places.begin(), places.end(), static_cast<std::uint64_t>(place));
  return merged_->profiles.shapes[of_tree.shape]
      .paths[static_cast<std::size_t>(at - places.begin())];
}

void ProgramRecorder::reorder(Recorded& process) const {
  process.reorder(merged_->profiles.processes[merged_->numbers.at(process.tree)].values);
  for (auto& series : process.series)
    series.path = find_merged(process.tree, series.path);
}

void ProgramRecorder::put_calls(ProgramProfiles& out) {
  auto profiles = std::move(merged_->profiles);
  const auto trees = std::move(profiles.processes);
  profiles.columns = pass_.columns();
  profiles.processes.clear();
  std::vector<std::uint64_t> locations;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    auto& process = *processes_[p];
    const auto& of_tree = trees[merged_->numbers.at(process.tree)];
    process.number_paths(profiles.shapes[of_tree.shape].paths, of_tree.values,
                         profiles.paths.size());
    out.values.push_back(std::move(process.values));
    profiles.processes.push_back({of_tree.shape, {}, std::move(process.outside)});
    locations.push_back(pass_.trace().plan().processes[p].id);
  }
  out.calls = make_aggregates(pass_.functions(), pass_.time_metrics(), std::move(locations),
                              std::move(profiles));
}

// A process without a loop has nothing in its scope.
void ProgramRecorder::put_scopes(ProgramProfiles& out) {
  ProgramScope mpi{ProgramScope::mpi, std::vector<PackedRows>(processes_.size())};
  std::size_t loops = 0;
  bool has_mpi = false;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    auto& process = *processes_[p];
    out.processes[p].mpi_begin = process.mpi.begin;
    out.processes[p].mpi_end = process.mpi.end;
    has_mpi |= process.beyond_mpi.size() > 0;
    mpi.outside[p] = std::move(process.beyond_mpi);
    loops = std::max(loops, process.outside_of_loops.size());
  }
  if (has_mpi)
    out.scopes.push_back(std::move(mpi));

  for (std::size_t l = 0; l < loops; ++l) {
    auto& scope = out.scopes.emplace_back(ProgramScope{name_loop_scope(l), {}});
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      auto& outside = processes_[p]->outside_of_loops;
      scope.outside.push_back(l < outside.size() ? std::move(outside[l]) : out.values[p]);
      const auto& spans = processes_[p]->spans;
      scope.spans.push_back(l < spans.size() ? spans[l].value_or(Interval{}) : Interval{});
    }
  }
}

ProgramProfiles ProgramRecorder::take() {
  ProgramProfiles out;
  out.processes = describe_program(pass_.trace().definitions(), pass_.trace().plan());
  out.topologies = describe_topologies(pass_.trace().definitions(), pass_.trace().plan());
  put_calls(out);
  put_scopes(out);

  std::size_t loops = 0;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    out.processes[p].first_time = processes_[p]->first_time;
    out.processes[p].last_time = processes_[p]->last_time;
    out.processes[p].early_messages = pass_.count_early_messages(p);
    out.processes[p].set_aside = std::move(processes_[p]->set_aside);
    loops = std::max(loops, processes_[p]->loops.size());
  }
  out.loops.resize(loops);
  for (auto& loop : out.loops)
    loop.rows.resize(processes_.size());
  for (std::size_t p = 0; p < processes_.size(); ++p)
    for (std::size_t l = 0; l < processes_[p]->loops.size(); ++l)
      out.loops[l].rows[p] = std::move(processes_[p]->loops[l]);
  put_path_series(out);
  auto played = compute_once<Played>(pass_.trace().options().team, [&] { return play(out); });
  out.delays = std::move(played.delays);
  out.replays = std::move(played.replays);
  out.sequences = std::move(played.sequences);
  put_partners(out);
  put_files(out);
  put_unknown_counters(out);

  return out;
}

void ProgramRecorder::put_unknown_counters(ProgramProfiles& out) const {
  const auto& columns = pass_.columns();
  for (auto column = columns.measured.size(); column < columns.size(); ++column)
    for (std::size_t p = 0; p < processes_.size(); ++p)
      if (pass_.is_not_finite(p, column)) {
        auto& are_unknown = out.unknown_counters[column];
        are_unknown.resize(processes_.size());
        are_unknown[p] = true;
      }
}

// A process records its messages and what it waited for; others what they waited for it.
void ProgramRecorder::put_partners(ProgramProfiles& out) {
  const auto& plan = pass_.trace().plan();
  const auto& definitions = pass_.trace().definitions();
  std::unordered_map<std::uint64_t, std::size_t> places;  // of locations
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    places.emplace(plan.processes[p].id, p);

  std::map<std::pair<std::size_t, std::size_t>, ProgramPair> pairs;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    const auto own = places.find(definitions.endpoint(plan.processes[p].id));
    if (own == places.end())
      continue;
    for (const auto& [receiver, sent] : processes_[p]->partners.sent)
      if (const auto to = places.find(receiver); to != places.end()) {
        auto& pair = pairs[{own->second, to->second}];
        pair.messages += sent.messages;
        pair.bytes += sent.bytes;
      }
    for (const auto& [wait, ticks] : processes_[p]->partners.waited) {
      const auto [metric, location] = wait;
      const auto other = places.find(location);
      if (other == places.end())
        continue;
      if (metric == Metric::mpi_late_sender_time)
        pairs[{other->second, own->second}].late_sender += ticks;
      else if (metric == Metric::mpi_late_receiver_time)
        pairs[{own->second, other->second}].late_receiver += ticks;
      else
        out.caused.try_emplace(metric, processes_.size()).first->second[other->second] += ticks;
    }
    processes_[p]->partners = {};
  }

  for (auto& [ends, pair] : pairs) {
    std::tie(pair.sender, pair.receiver) = ends;
    out.pairs.push_back(pair);
  }
}

// Files of one name are one.
void ProgramRecorder::put_files(ProgramProfiles& out) {
  struct Use {
    FileOperations operations;
    std::uint64_t count = 0;
    std::vector<std::pair<std::size_t, std::size_t>> who;  // first and last, ascending
  };
  const auto& definitions = pass_.trace().definitions();
  std::map<std::string, Use> by_name;
  for (std::size_t p = 0; p < processes_.size(); ++p)
    for (const auto& [file, operations] : std::exchange(processes_[p]->files, {})) {
      auto& use = by_name[name_file(definitions, file)];
      use.operations.add(operations);
      if (!use.who.empty() && use.who.back().second == p)
        continue;
      ++use.count;
      if (!use.who.empty() && use.who.back().second + 1 == p)
        use.who.back().second = p;
      else
        use.who.emplace_back(p, p);
    }

  std::vector<const std::pair<const std::string, Use>*> ordered;
  for (const auto& one : by_name)
    ordered.push_back(&one);
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
    return a->second.operations.ticks() > b->second.operations.ticks();
  });
  for (const auto* one : ordered) {
    const auto& [name, use] = *one;
    auto& file = out.files.emplace_back();
    file.name = name.empty() ? "not known" : name;
    file.operations = use.operations;
    file.count = use.count;
    if (out.files.size() > ProgramFileUse::most)
      continue;
    std::vector<std::uint64_t> who;
    for (const auto& [first, last] : use.who)
      for (auto p = first; p <= last; ++p)
        who.push_back(p);
    file.who = to_ranges(who);
    if (file.who.size() > ProgramFileUse::longest_who)
      file.who.clear();
  }
  keep_first(ProgramFileUse::most, out.files);
}

ProgramRecorder::Played ProgramRecorder::play(const ProgramProfiles& program) {
  const auto& plan = pass_.trace().plan();
  const auto& definitions = pass_.trace().definitions();
  std::vector<RecordedTimes> recorded(processes_.size());
  std::unordered_map<std::uint64_t, std::size_t> places;  // of locations that communicate
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    auto& process = *processes_[p];
    if (!process.times.segments.empty())
      places.emplace(plan.processes[p].id, p);
    recorded[p] = {std::exchange(process.times, {}), std::exchange(process.partners.waits, {}),
                   std::exchange(process.dependencies, {}), std::exchange(process.path_in_all, {}),
                   process.mpi.begin};
  }
  // The rank of a message means the process's only location with messages.
  for (std::size_t p = 0; p < processes_.size(); ++p)
    if (plan.processes[p].has_messages)
      places.emplace(definitions.endpoint(plan.processes[p].id), p);

  const CollectiveMatcher matcher(definitions);
  const auto find_process = [&](std::uint64_t location) {
    const auto found = places.find(location);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  };
  const auto timed =
      make_timed(std::move(recorded), find_process, [&](const CollectiveMatcher::Key& key) {
        return pass_.columns().find(find_waiting_metric(key.first)) &&
               matcher.matches({key.first, key.second});
      });
  Played out{find_delays(timed), {}, {}};
  const bool is_whole = std::all_of(timed.begin(), timed.end(), [](const TimedProcess& process) {
    return process.dependencies.is_whole();
  });
  if (places.empty() || !is_whole || !pass_.knows_dependencies())
    return out;

  const auto kinds = classify_paths(program.calls);
  auto [paths, is_mpi] = list_played_paths(program.calls);
  const Replay replay(timed, find_process, std::move(is_mpi));
  const auto network = fit_network(timed);
  std::vector<Replay::Part> parts;
  const auto play_part = [&](const std::string& name, bool finds_gains, const auto& find_span) {
    auto& part = parts.emplace_back(processes_.size());
    for (const auto& [location, process] : places)
      part[process] = find_span(process);
    ProgramReplay played{name, 0, replay.play(part, replay.make_ideal()),
                         find_critical_path(replay, part)};
    played.recorded = played.critical_path.length;
    played.network = network;
    const bool is_loop = name != ProgramScope::mpi && name != ProgramReplay::run;
    if (finds_gains)
      played.gains = find_gains(replay, part, is_loop, paths, played);
    for (auto& gain : played.gains)
      if (gain.path > 0 && gain.path <= kinds.size() &&
          kinds[gain.path - 1].paradigm == Paradigm::openmp)
        gain.path = find_region(program.calls, kinds, gain.path - 1) + 1;
    if (!plan.what_if.empty())
      played.asked =
          play_asked(replay, part, is_loop, paths, program.calls.functions, plan.what_if);
    out.replays.push_back(std::move(played));
  };
  const auto find_span = [&](const ProgramScope& scope, std::size_t p) {
    return scope.name == ProgramScope::mpi ? processes_[p]->mpi : scope.spans.at(p);
  };
  const auto sum_spans = [&](bool of_mpi) {
    double sum = 0;
    for (const auto& scope : program.scopes)
      for (const auto& [location, process] : places)
        if (const auto span = find_span(scope, process);
            (scope.name == ProgramScope::mpi) == of_mpi)
          sum += static_cast<double>(span.end - span.begin);
    return sum;
  };
  // What is around loops matters only where it takes some time, or some begin a loop later.
  const auto begin_apart = [&] {
    for (const auto& scope : program.scopes) {
      std::uint64_t first = ~std::uint64_t{0}, last = 0, end = 0;
      for (const auto& [location, process] : places)
        if (const auto span = find_span(scope, process); span.end > 0) {
          first = std::min(first, span.begin);
          last = std::max(last, span.begin);
          end = std::max(end, span.end);
        }
      if (scope.name != ProgramScope::mpi && last > first &&
          static_cast<double>(last - first) > least_gain * static_cast<double>(end - first))
        return true;
    }
    return false;
  };
  const bool is_mpi_wanted = sum_spans(false) < most_in_loops * sum_spans(true) || begin_apart();
  for (const auto& scope : program.scopes)
    play_part(scope.name, scope.name != ProgramScope::mpi || is_mpi_wanted,
              [&](std::size_t p) { return find_span(scope, p); });
  // Of the whole run where it has no other parts.
  play_part(ProgramReplay::run, program.scopes.empty(), [&](std::size_t p) {
    return Interval{processes_[p]->first_time, processes_[p]->last_time};
  });
  if (record_ != RecordProgram::yes)
    out.sequences = replay.list_sequences(parts);

  return out;
}

void ProgramRecorder::put_path_series(ProgramProfiles& out) {
  out.path_columns = path_columns_;
  for (const auto& [l, path] : with_series_)
    out.loops[l].paths.push_back({path, {}});
  for (std::size_t p = 0; p < processes_.size(); ++p)
    for (auto& [path, loops] : processes_[p]->series)
      for (std::size_t l = 0; l < loops.size(); ++l) {
        if (loops[l].size() == 0)
          continue;
        auto& paths = out.loops[l].paths;
        const auto at =
            std::lower_bound(paths.begin(), paths.end(), path,
                             [](const auto& series, auto wanted) { return series.path < wanted; });
        at->rows.emplace(p, std::move(loops[l]));
      }
}

}  // namespace tracefold
