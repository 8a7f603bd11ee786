#include "pipeline/iterations/fold_pass.hpp"

#include "base/for_each_index.hpp"
#include "filters/iterations/align_loops.hpp"
#include "filters/iterations/cluster_iterations.hpp"
#include "filters/iterations/folding_errors.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/iteration_totals.hpp"
#include "pipeline/iterations/stored_profiles.hpp"
#include "pipeline/profile/merge_call_paths.hpp"
#include "pipeline/profile/series_pass.hpp"
#include "pipeline/profile/series_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

// Iterations whose errors are held at once, however little memory there is; and at most of one
// process alone.
constexpr std::size_t fewest_together = 1024;
constexpr std::size_t window_of_one = 4096;

// Parts of the memory limit (ReadOptions): half of it for the series by which iterations are
// chosen and then for the window of errors, and parts besides for stored profiles, and for totals,
// of all processes and of each.
constexpr std::uint64_t memory_for_stored_profiles = std::uint64_t{512} << 20;
constexpr std::uint64_t part_for_stored_profiles = 8;
constexpr std::uint64_t part_for_totals = 8, part_for_held_totals = 8;

// An iteration as a pass numbers it, through all loops of a process, is this one of a loop.
struct LoopIteration {
  std::size_t loop = 0;
  std::size_t iteration = 0;
};

std::vector<LoopIteration> list_iterations(const std::vector<Loop>& loops) {
  std::vector<LoopIteration> iterations;
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::size_t i = 0; i < loops[l].iterations.size(); ++i)
      iterations.push_back({l, i});

  return iterations;
}

// A process whose errors are measured, and the kept one that stands for it, which may be itself.
struct Measured {
  std::size_t process = 0;
  std::size_t representative = 0;
};

struct MeasuredProcessList {
  std::vector<Measured> processes;  // behind each representative those that it stands for
  std::uint64_t unmeasured = 0;     // that have other loops than what stands for them
};

bool have_equal_loops(const ProcessLoops& a, const ProcessLoops& b) {
  return std::equal(
      a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
      [](const Loop& x, const Loop& y) { return x.iterations.size() == y.iterations.size(); });
}

// The times of waiting that iterations are compared by, and errors measured in. All of them would
// take 12 to 15 % more time.
const std::vector waits_compared{Metric::mpi_late_sender_time};

// All processes that aligned ones stand for.
MeasuredProcessList list_measured_processes(const Plan& plan,
                                            const std::vector<std::size_t>& aligned,
                                            const std::vector<ProcessLoops>& loops) {
  std::map<std::size_t, const Representative*> representatives;
  if (plan.representatives)
    for (const auto& r : *plan.representatives)
      representatives[r.process] = &r;

  MeasuredProcessList out;
  for (auto p : aligned) {
    out.processes.push_back({p, p});
    const auto found = representatives.find(p);
    if (found == representatives.end())
      continue;
    for (auto m : found->second->members) {
      if (m == p)
        continue;
      if (have_equal_loops(loops[m], loops[p]))
        out.processes.push_back({m, p});
      else
        ++out.unmeasured;
    }
  }

  return out;
}

std::vector<std::size_t> list_sorted(const std::vector<Measured>& measured) {
  std::set<std::size_t> processes;
  for (const auto& m : measured)
    processes.insert(m.process);
  return {processes.begin(), processes.end()};
}

// Clusters the iterations of aligned processes, and measures the errors of that.
class Folding {
 public:
  Folding(const SeriesPass& pass, const std::vector<std::size_t>& processes,
          const std::vector<Loop>& loops, std::uint64_t memory)
      : pass_(pass),
        processes_(processes),
        iterations_(list_iterations(loops)),
        loops_(loops.size()),
        memory_(memory) {}

  // Lets iterations be chosen by what all measured processes do together. Reads those that are not
  // read anyway, and holds what those that are not kept did for measuring errors.
  void read_totals(const MeasuredProcessList& measured, Diagnostics& diagnostics) {
    const auto read_anyway = sample_processes();
    std::vector<std::size_t> to_read;
    for (auto p : list_sorted(measured.processes))
      if (!std::binary_search(read_anyway.begin(), read_anyway.end(), p))
        to_read.push_back(p);
    if (to_read.empty())
      return;

    const auto columns = pass_.columns().size();
    if (IterationTotals::count_bytes(iterations_.size(), columns) > memory_ / part_for_totals) {
      diagnostics.warn("iterations are chosen by kept processes: all would need more `memory`");
      return;
    }

    totals_.emplace(iterations_.size(), columns, memory_ / part_for_held_totals);
    for (auto p : to_read)
      if (!std::binary_search(processes_.begin(), processes_.end(), p))
        totals_->expect(p);
    pass_.read_totals(to_read, [&](std::size_t process, std::size_t k, std::span<const Wide> sums) {
      totals_->add(process, k, sums);
    });
  }

  // The kept iterations, by number of clusters and by loop.
  std::vector<std::vector<FoldedLoop>> cluster(const std::vector<std::size_t>& clusters,
                                               const std::vector<std::uint64_t>& keep,
                                               Diagnostics& diagnostics) {
    const auto sampled = sample_processes();
    if (sampled.size() < processes_.size())
      diagnostics.warn(
          fmt::format("iterations are chosen by {} of {} processes: more would need more `memory`",
                      sampled.size(), processes_.size()));
    const auto series = record_series(sampled);

    std::vector<std::vector<FoldedLoop>> folded(clusters.size());
    std::size_t first = 0;
    for (const auto& of_loop : series) {
      const auto iterations = of_loop[0].iterations();
      const auto totals = totals_ ? totals_->list_totals(first, iterations) : std::vector<double>{};
      first += iterations;
      for (std::size_t c = 0; c < clusters.size(); ++c)
        folded[c].push_back(
            {choose_iterations(of_loop, pass_.columns(), make_options(clusters[c]), keep, totals),
             {},
             {}});
    }

    return folded;
  }

  // Lets the errors on the kept processes be measured with a record of what kept iterations did
  // that the records of a reduced trace may not tell. The choices must stay.
  void record_lost_amounts(const std::vector<FoldedLoop>& folded) {
    for (std::size_t c = 0; c < pass_.columns().size(); ++c)
      if (is_lost(pass_.columns(), c))
        lost_columns_.push_back(c);
    for (const auto& loop : folded)
      recorded_.push_back(&loop.choice);
    for (auto p : processes_)
      amounts_[p].resize(loops_);
  }

  // The amounts of a loop on one process, over the tree of all; ask after sum_processes.
  std::vector<SeriesAmounts> list_amounts(std::size_t process, std::size_t loop,
                                          const PathNumbers::Tree& tree) const {
    std::vector<SeriesAmounts> out;
    const auto& paths = trees_.at(process);
    PathNumbers numbers;
    for (const auto& [key, values] : amounts_.at(process)[loop])
      if (const auto path = numbers.find(tree, key.second, paths); path != no_path)
        out.push_back({key.first, path, values});

    return out;
  }

  // What some processes did in all, with all metrics: of those that were read before and of others.
  CallPathProfiles sum_processes(const std::vector<std::size_t>& processes) {
    std::vector<std::size_t> to_read;
    for (auto p : processes)
      if (!sums_.contains(p)) {
        to_read.push_back(p);
        begin_sums(p);
      }
    if (!to_read.empty())
      pass_.read(to_read,
                 {[&](const SeriesIteration& it) { sums_.at(it.process).add(it.profile); },
                  [&](std::size_t process, std::span<const CallPath> paths,
                      const CallPathProfile& outside) { end_sums(process, paths, outside); }});

    for (auto p : processes_)
      trees_.emplace(p, sums_.at(p).tree());
    std::vector<CallPathPart> parts;
    for (std::size_t k = 0; k < processes.size(); ++k)
      parts.push_back(std::move(sums_.at(processes[k])).make_part(k));
    sums_.clear();

    return merge_call_paths(std::move(parts), pass_.columns(), processes.size());
  }

  // Fills in the errors of all choices: on the kept processes and, where `all` is not null, on
  // those that they stand for, too.
  void measure_errors(const MeasuredProcessList* all, const std::vector<std::size_t>& clusters,
                      std::vector<std::vector<FoldedLoop>>& folded) {
    const auto choices = list_choices(clusters, folded);
    const auto window = choose_first_window(count_bytes_of_errors(all, clusters.size()));
    const bool is_alone = processes_.size() == 1 && (!all || all->processes.size() == 1);
    Errors errors;
    for (std::size_t l = 0; l < loops_; ++l)
      errors.push_back(make_errors(
          choices[l], {window.first, is_alone ? std::min(window.size, window_of_one) : window.size},
          all != nullptr));

    if (is_alone)
      measure_alone(choices, errors);
    else
      measure_in_windows(all, choices, errors);

    for (std::size_t l = 0; l < loops_; ++l) {
      const auto of_kept = errors[l].of_kept.figures();
      const auto of_all =
          errors[l].of_all ? errors[l].of_all->figures() : std::vector<FoldingErrors>{};
      for (std::size_t c = 0; c < clusters.size(); ++c) {
        folded[c][l].kept = of_kept[c].kept;
        folded[c][l].local = of_kept[c].clusters;
        if (!all)
          continue;
        folded[c][l].all = of_all[c];
        folded[c][l].all->unmeasured = all->unmeasured;
      }
    }
  }

 private:
  // The errors of one loop.
  struct LoopErrors {
    IterationWindow window;
    LoopFoldingErrors of_kept;
    std::optional<AllFoldingErrors> of_all;  // where they are asked for

    void begin(IterationWindow next) {
      window = next;
      of_kept.begin(next);
      if (of_all)
        of_all->begin(next);
    }
  };
  using Errors = std::vector<LoopErrors>;                                          // by loop
  using Choices = std::vector<std::vector<MeasuredChoice>>;                        // by loop
  using MeasuredLoops = std::map<std::size_t, std::vector<ProcessFoldingErrors>>;  // by process

  LoopErrors make_errors(const std::vector<MeasuredChoice>& choices, IterationWindow window,
                         bool measures_all) const {
    LoopErrors errors{window, LoopFoldingErrors(pass_.columns(), choices, window), {}};
    if (measures_all)
      errors.of_all.emplace(pass_.columns(), choices, choices.front().kept->kept_of.size(), window);
    return errors;
  }

  std::uint64_t count_bytes_of_errors(const MeasuredProcessList* all, std::size_t choices) const {
    const auto together = count_held_together();
    auto bytes = LoopFoldingErrors::bytes_per_iteration(pass_.columns(), choices) +
                 std::min(together, processes_.size()) *
                     ProcessFoldingErrors::bytes_per_iteration(pass_.columns());
    if (all)
      bytes += AllFoldingErrors::bytes_per_iteration(pass_.columns(), choices) +
               together * ProcessEntries::bytes_per_iteration(pass_.columns());

    return loops_ * bytes;
  }

  ClusterOptions make_options(std::size_t clusters) const {
    ClusterOptions options;
    options.max_clusters = clusters;
    options.sampled = pass_.sampled();
    return options;
  }

  // By loop and number of clusters.
  Choices list_choices(const std::vector<std::size_t>& clusters,
                       const std::vector<std::vector<FoldedLoop>>& folded) const {
    Choices choices(loops_);
    for (std::size_t l = 0; l < loops_; ++l)
      for (std::size_t c = 0; c < clusters.size(); ++c)
        choices[l].push_back({&folded[c][l].choice, make_options(clusters[c])});

    return choices;
  }

  // Adds the errors of some processes, of which those that are kept were measured, and so were
  // the representatives of all.
  void add_errors(std::span<const Measured> processes, const Choices& choices,
                  const MeasuredLoops& kept, Errors& errors) const {
    std::map<std::size_t, std::vector<ProcessEntries>> others;  // by process: of each loop
    std::vector<std::size_t> to_read;
    for (const auto& m : processes) {
      if (kept.contains(m.process))
        continue;
      to_read.push_back(m.process);
      for (std::size_t l = 0; l < loops_; ++l)
        others[m.process].emplace_back(pass_.columns(), choices[l], errors[l].window);
    }

    std::erase_if(to_read, [&](auto process) {
      if (!totals_ || !totals_->holds(process))
        return false;
      totals_->visit(process, [&](std::size_t k, std::span<const Wide> sums) {
        const auto [loop, iteration] = iterations_[k];
        others.at(process)[loop].add(iteration, sums);
      });
      return true;
    });

    std::sort(to_read.begin(), to_read.end());
    if (!to_read.empty())
      pass_.read_totals(to_read,
                        [&](std::size_t process, std::size_t k, std::span<const Wide> sums) {
                          const auto [loop, iteration] = iterations_[k];
                          others.at(process)[loop].add(iteration, sums);
                        });

    for (const auto& m : processes) {
      const auto& representative = kept.at(m.representative);
      const auto other = others.find(m.process);
      for (std::size_t l = 0; l < loops_; ++l)
        errors[l].of_all->add(
            other != others.end() ? other->second[l] : kept.at(m.process)[l].entries(),
            representative[l].entries());
    }
  }

  // The kept processes by which iterations are chosen: all, or an even sample that half of the
  // memory has room for.
  std::vector<std::size_t> sample_processes() const {
    const auto bytes = iterations_.size() * SeriesRecorder::bytes_per_iteration(pass_.columns());
    const auto most = std::max<std::uint64_t>(memory_ / 2 / std::max<std::uint64_t>(bytes, 1), 1);
    const auto step = static_cast<std::size_t>((processes_.size() + most - 1) / most);

    std::vector<std::size_t> sampled;
    for (std::size_t k = 0; k < processes_.size(); k += step)
      sampled.push_back(processes_[k]);

    return sampled;
  }

  // What clustering needs, by loop and by sampled process. Stores the profiles, too.
  std::vector<std::vector<IterationSeries>> record_series(const std::vector<std::size_t>& sampled) {
    const auto bytes_for_all =
        std::min(memory_ / part_for_stored_profiles, memory_for_stored_profiles);
    const CondensedForm form(pass_.columns());
    const SeriesRecorder recorder(pass_.columns(), pass_.sampled());
    std::map<std::size_t, std::vector<SeriesRecorder>> recorders;  // by process: of each loop
    for (auto p : sampled) {
      recorders.emplace(p, std::vector<SeriesRecorder>(loops_, recorder));
      stored_.emplace(p, StoredProfiles(bytes_for_all / sampled.size()));
      begin_sums(p);
    }

    pass_.read(sampled,
               {[&](const SeriesIteration& it) {
                  recorders.at(it.process)[iterations_[it.iteration].loop].add(it.profile);
                  stored_.at(it.process).add(it.profile);
                  sums_.at(it.process).add(it.profile);
                  if (totals_)
                    totals_->add(it.process, it.iteration, form.column_sums(it.profile));
                },
                [&](std::size_t process, std::span<const CallPath> paths,
                    const CallPathProfile& outside) { end_sums(process, paths, outside); }});

    std::vector<std::vector<IterationSeries>> series(loops_);
    for (auto& [process, of_loops] : recorders)
      for (std::size_t l = 0; l < loops_; ++l)
        series[l].push_back(std::move(of_loops[l]).take());

    return series;
  }

  void record_lost_amounts(std::size_t process, std::size_t loop, std::size_t iteration,
                           const CallPathProfile& profile) {
    const auto& kept = recorded_[loop]->kept;
    const auto at = std::lower_bound(kept.begin(), kept.end(), iteration);
    if (at == kept.end() || *at != iteration)
      return;

    auto& amounts = amounts_.at(process)[loop];
    for (std::size_t r = 0; r < profile.rows.size(); ++r)
      for (auto column : lost_columns_)
        if (const auto value = profile.row(r)[column]) {
          auto& values = amounts[{column, profile.rows[r].path}];
          values.resize(kept.size());
          values[static_cast<std::size_t>(at - kept.begin())] = value;
        }
  }

  void begin_sums(std::size_t process) {
    std::vector<std::size_t> columns(pass_.columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    sums_.emplace(process, SeriesSums(std::move(columns)));
  }
  void end_sums(std::size_t process, std::span<const CallPath> paths,
                const CallPathProfile& outside) {
    auto& sums = sums_.at(process);
    sums.add(outside);
    sums.set_tree(paths);
  }

  std::size_t get_longest_loop() const {
    std::size_t longest = 0;
    for (const auto& [loop, iteration] : iterations_)
      longest = std::max(longest, iteration + 1);
    return longest;
  }

  // Bounds how many processes are held at once.
  static std::size_t count_held_together() { return 2 * count_threads(); }

  // As many iterations as half of the memory has room for, with so many bytes for each.
  IterationWindow choose_first_window(std::uint64_t bytes_per_iteration) const {
    return {0, std::max<std::size_t>(memory_ / 2 / bytes_per_iteration, fewest_together)};
  }

  template <class Element, class Visit>
  static void for_each_batch(std::span<const Element> all, std::size_t size, Visit&& visit) {
    for (std::size_t first = 0; first < all.size(); first += size)
      visit(all.subspan(first, std::min(size, all.size() - first)));
  }

  // Calls visit(process, iteration through all loops, profile) for all iterations of some
  // processes, of different processes at the same time: as they are stored, or else by reading
  // the events again.
  template <class Visit>
  void visit_iterations(std::span<const std::size_t> processes, Visit&& visit) const {
    std::vector<std::size_t> stored;
    std::vector<std::size_t> to_read;
    for (auto p : processes) {
      const auto found = stored_.find(p);
      const bool is_stored = found != stored_.end() && found->second.are_complete();
      (is_stored ? stored : to_read).push_back(p);
    }

    for_each_index(stored.size(), [&](std::size_t k) {
      check_stop();
      stored_.at(stored[k]).visit([&](std::size_t iteration, const CallPathProfile& profile) {
        visit(stored[k], iteration, profile);
      });
    });

    if (!to_read.empty())
      pass_.read(
          to_read,
          {[&](const SeriesIteration& it) { visit(it.process, it.iteration, it.profile); }, {}});
  }

  // All processes for each window.
  void measure_in_windows(const MeasuredProcessList* all, const Choices& choices, Errors& errors) {
    const auto together = count_held_together();
    for (auto window = errors.front().window;;) {
      std::span<const Measured> others;
      if (all)
        others = all->processes;

      for_each_batch(std::span<const std::size_t>(processes_), together, [&](auto batch) {
        const auto kept = measure_window(batch, choices, errors);
        std::size_t size = 0;
        while (size < others.size() && kept.contains(others[size].representative))
          ++size;
        for_each_batch(others.first(size), together,
                       [&](auto some) { add_errors(some, choices, kept, errors); });
        others = others.subspan(size);
      });

      window.first += window.size;
      if (window.first >= get_longest_loop())
        return;
      for (auto& of_loop : errors)
        of_loop.begin(window);
    }
  }

  // One process for all windows: they come in turn while it is read.
  void measure_alone(const Choices& choices, Errors& errors) {
    auto measured = measure_first_round(processes_, choices, errors);
    auto& loops = measured.begin()->second;
    const auto end_window = [&](std::size_t l) {
      errors[l].of_kept.add(loops[l]);
      if (errors[l].of_all)
        errors[l].of_all->add(loops[l].entries(), loops[l].entries());
    };

    visit_iterations(processes_,
                     [&](std::size_t process, std::size_t k, const CallPathProfile& profile) {
                       const auto [l, iteration] = iterations_[k];
                       auto next = errors[l].window;
                       if (!next.contains(iteration)) {
                         end_window(l);
                         next.first += next.size;
                         errors[l].begin(next);
                         loops[l].begin(next);
                       }

                       loops[l].second(iteration, profile);
                       if (!recorded_.empty())
                         record_lost_amounts(process, l, iteration, profile);
                     });
    for (std::size_t l = 0; l < loops_; ++l)
      end_window(l);
  }

  // Some kept processes up to the end of the first of both rounds.
  MeasuredLoops measure_first_round(std::span<const std::size_t> processes, const Choices& choices,
                                    const Errors& errors) const {
    MeasuredLoops measured;
    for (auto p : processes)
      for (std::size_t l = 0; l < loops_; ++l)
        measured[p].emplace_back(pass_.columns(), choices[l], errors[l].window);

    visit_iterations(processes,
                     [&](std::size_t process, std::size_t k, const CallPathProfile& profile) {
                       const auto [loop, iteration] = iterations_[k];
                       measured.at(process)[loop].first(iteration, profile);
                     });

    for (auto& [process, loops] : measured)
      for (auto& loop : loops)
        loop.turn();

    return measured;
  }

  // Measures some kept processes, and adds their errors.
  MeasuredLoops measure_window(std::span<const std::size_t> processes, const Choices& choices,
                               Errors& errors) {
    auto measured = measure_first_round(processes, choices, errors);
    visit_iterations(processes,
                     [&](std::size_t process, std::size_t k, const CallPathProfile& profile) {
                       const auto [loop, iteration] = iterations_[k];
                       measured.at(process)[loop].second(iteration, profile);
                       if (!recorded_.empty() && errors[loop].window.first == 0)
                         record_lost_amounts(process, loop, iteration, profile);
                     });

    for (const auto& [process, loops] : measured)
      for (std::size_t l = 0; l < loops.size(); ++l)
        errors[l].of_kept.add(loops[l]);

    return measured;
  }

  const SeriesPass& pass_;
  const std::vector<std::size_t>& processes_;  // ascending
  std::vector<LoopIteration> iterations_;      // by number through all loops
  std::size_t loops_;
  std::uint64_t memory_;
  std::map<std::size_t, StoredProfiles> stored_;  // of the sampled processes
  std::optional<IterationTotals> totals_;         // of all that are measured
  std::map<std::size_t, SeriesSums> sums_;        // of them, and of others where they are asked for
  std::map<std::size_t, std::vector<CallPath>> trees_;

  // By process and loop, column and path: what each kept iteration did.
  using Amounts = std::map<std::pair<std::size_t, PathIndex>, std::vector<std::uint64_t>>;
  std::map<std::size_t, std::vector<Amounts>> amounts_;
  std::vector<std::size_t> lost_columns_;
  std::vector<const KeptIterations*> recorded_;  // by loop; empty: amounts are not recorded
};

// Iterations are counted in each loop anew: some loop has to have each of them.
void check_kept(const std::vector<std::uint64_t>& keep, const std::vector<Loop>& loops) {
  std::size_t longest = 0;
  for (const auto& loop : loops)
    longest = std::max(longest, loop.iterations.size());
  for (auto iteration : keep)
    if (iteration >= longest)
      throw Error(ErrorKind::usage,
                  fmt::format("`keep_iterations` {}: there is no such iteration", iteration))
          .hint(fmt::format("iterations are 0 to {}", longest - 1));
}

}  // namespace

std::vector<std::size_t> choose_processes_to_search(const Plan& plan,
                                                    const Definitions& definitions,
                                                    MeasuredProcesses errors) {
  if (errors == MeasuredProcesses::all) {
    std::vector<std::size_t> all(plan.processes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }

  const auto creators = find_creators(definitions);
  std::set<std::size_t> wanted;
  std::set<std::uint64_t> groups;

  for (auto p : kept_processes(plan)) {
    wanted.insert(p);
    const auto group = plan.processes[p].location_group;
    groups.insert(group);
    if (const auto creator = creators.find(group); creator != creators.end())
      groups.insert(creator->second);
  }

  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (plan.processes[p].thread == 0 && groups.contains(plan.processes[p].location_group))
      wanted.insert(p);

  return {wanted.begin(), wanted.end()};
}

namespace {

// What folding gives; the aggregates only where they are asked for.
struct FoldedSections {
  std::vector<IterationSection> sections;  // by number of clusters
  std::optional<Aggregates> aggregates;
};

// The kept processes, and the members of the pass with them.
std::vector<std::size_t> unite(const std::vector<std::size_t>& a,
                               const std::vector<std::size_t>& b) {
  std::vector<std::size_t> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// How the iterations of a process were folded; none where it stays whole.
std::vector<KeptSeries> list_series(std::size_t process, const IterationSection& section,
                                    const std::vector<SeriesFold>& folds,
                                    const PathNumbers::Tree& tree, const Folding& folding) {
  std::vector<KeptSeries> series;
  for (const auto& aligned : section.processes)
    if (aligned.process == process)
      for (std::size_t l = 0; l < folds.size(); ++l) {
        series.push_back(make_kept_series(aligned.loops.loops[l],
                                          aligned.loops.taken_from.has_value(), folds[l]));
        series.back().amounts = folding.list_amounts(process, l, tree);
      }

  return series;
}

Aggregates sum_kept_processes(const Archive& archive, const Plan& plan,
                              const std::vector<std::size_t>& kept, const SeriesPass& pass,
                              const IterationSection& section, Folding& folding) {
  const auto earlier = find_earlier_reductions(archive.definitions());
  const auto find_source = [&](std::size_t process) {
    const auto id = plan.processes[process].id;
    const auto at = earlier.find(id);
    return at == earlier.end() ? id : at->second.source;
  };
  auto by_source = kept;
  std::sort(by_source.begin(), by_source.end(),
            [&](auto a, auto b) { return find_source(a) < find_source(b); });
  std::vector<std::uint64_t> locations;
  for (auto p : by_source)
    locations.push_back(find_source(p));

  auto profiles = folding.sum_processes(by_source);
  const auto tree = PathNumbers::make_tree(profiles.paths);
  std::vector<SeriesFold> folds;
  for (const auto& loop : section.loops)
    folds.push_back({loop.choice.kept, loop.choice.kept_of});
  std::vector<std::vector<KeptSeries>> series;
  for (auto p : by_source)
    series.push_back(list_series(p, section, folds, tree, folding));

  auto out = make_aggregates(pass.functions(), pass.time_metrics(), std::move(locations),
                             std::move(profiles));
  out.loops = std::move(folds);
  out.series = std::move(series);

  return out;
}

bool leaves_anything_out(const Archive& archive, const std::vector<std::size_t>& kept,
                         const IterationSection& section) {
  return kept.size() < archive.definitions().locations().size() ||
         std::any_of(section.loops.begin(), section.loops.end(), [](const FoldedLoop& loop) {
           return loop.choice.kept.size() < loop.choice.kept_of.size();
         });
}

FoldedSections fold(const Archive& archive, const Plan& plan,
                    const std::vector<ProcessLoops>& loops, const FoldOptions& options,
                    const std::vector<std::size_t>& clusters, bool sums_up,
                    const ReadOptions& reading, Diagnostics& diagnostics,
                    CollectedMessages* messages = nullptr) {
  FoldedSections result;
  auto& out = result.sections;
  out.resize(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].asked = options.asked;
    out[c].max_clusters = clusters[c];
  }

  // Align.
  const auto processes = find_aligned_processes(plan, loops);
  if (processes.empty())
    return result;

  check_kept(options.keep, loops[processes[0]].loops);

  // Cluster, and measure what is lost by it.
  const bool measures_all = options.errors == MeasuredProcesses::all;
  const auto measured = list_measured_processes(plan, processes, loops);
  const auto kept = kept_processes(plan);
  auto to_read = measures_all ? list_sorted(measured.processes) : processes;
  if (sums_up)
    to_read = unite(kept, to_read);
  const SeriesPass pass(archive, plan, loops, std::move(to_read), waits_compared, reading,
                        diagnostics, messages);
  Folding folding(pass, processes, loops[processes[0]].loops, reading.memory);
  if (measures_all)
    folding.read_totals(measured, diagnostics);
  auto folded = folding.cluster(clusters, options.keep, diagnostics);
  if (sums_up)
    folding.record_lost_amounts(folded[0]);
  folding.measure_errors(measures_all ? &measured : nullptr, clusters, folded);

  // Fold: what rewriting a trace needs to know.
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].loops = std::move(folded[c]);
    for (auto p : processes)
      out[c].processes.push_back({p, loops[p]});
  }

  if (sums_up && leaves_anything_out(archive, kept, out[0]))
    result.aggregates = sum_kept_processes(archive, plan, kept, pass, out[0], folding);

  return result;
}

}  // namespace

std::vector<IterationSection> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const FoldOptions& options,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading,
                                               Diagnostics& diagnostics) {
  return fold(archive, plan, loops, options, clusters, false, reading, diagnostics).sections;
}

void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics, CollectedMessages* messages) {
  auto folded = fold(archive, plan, loops, options, {options.max_clusters}, true, reading,
                     diagnostics, messages);
  plan.iterations = std::move(folded.sections[0]);
  plan.aggregates = std::move(folded.aggregates);
}

}  // namespace tracefold
