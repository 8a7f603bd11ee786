#include "pipeline/answers/read_report.hpp"

#include "base/interrupt.hpp"
#include "base/text.hpp"
#include "filters/groups/compare_groups.hpp"
#include "filters/groups/draw_lattice.hpp"
#include "filters/groups/name_groups.hpp"
#include "filters/iterations/find_group_kinds.hpp"
#include "filters/messages/make_skeletons.hpp"
#include "filters/report/lay_out_poset.hpp"
#include "filters/report/order_similar.hpp"
#include "filters/report/pool_map.hpp"
#include "filters/report/rank_matrix.hpp"
#include "filters/report/report_calls.hpp"
#include "filters/report/report_functions.hpp"
#include "filters/report/report_groups.hpp"
#include "filters/report/report_waits.hpp"
#include "filters/report/seen_in_map.hpp"
#include "filters/summary/find_causes.hpp"
#include "filters/summary/find_loss.hpp"
#include "filters/summary/measure_run.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/answers/read_timeline.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/events/trace_times.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/iterations/program_map.hpp"
#include "pipeline/iterations/program_values.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/reduce/profile_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_report_loops = 8;
// Maps of more cells than these together are computation and waiting only.
constexpr std::size_t most_cells_of_all_metrics = 200'000;
constexpr std::size_t most_timeline_rows = 64;
constexpr std::size_t most_grid_places = 1u << 20;
constexpr std::size_t most_similar_groups = 128, most_poset_sets = 1000, most_poset_nodes = 5000;

Summary summarize(const RunFacts& facts) {
  auto out = measure_run(facts);
  find_loss(facts, out);
  find_causes(facts, out);
  return out;
}

// By id of a location the index of its process.
std::unordered_map<std::uint64_t, std::size_t> number_by_id(const std::vector<Process>& processes) {
  std::unordered_map<std::uint64_t, std::size_t> out;
  for (std::size_t p = 0; p < processes.size(); ++p)
    out.emplace(processes[p].id, p);
  return out;
}

// By group of the run the processes that stay of it, ascending.
std::vector<std::vector<std::size_t>> list_representatives(const RunFacts& facts,
                                                           const std::vector<std::size_t>& kept) {
  std::vector<std::size_t> group_of(facts.processes.size());
  for (std::size_t g = 0; g < facts.groups.size(); ++g)
    for (auto p : facts.groups[g].members)
      group_of[p] = g;
  std::vector<std::vector<std::size_t>> out(facts.groups.size());
  for (auto p : kept)
    if (!out.empty())
      out[group_of[p]].push_back(p);
  return out;
}

// The innermost path that both are in, or one of them itself. Callers stand before their callees.
PathIndex find_common_caller(const std::vector<CallPath>& paths, PathIndex a, PathIndex b) {
  while (a != b) {
    if (a == no_path || b == no_path)
      return no_path;
    if (a > b)
      a = paths[a].caller;
    else
      b = paths[b].caller;
  }
  return a;
}

// Leaves out rows of threads that have nothing to do with MPI, as it is not known how long they
// wait. `always`, by process of the facts, says which keep a row even if all its values are 0.
void keep_rows(const std::vector<bool>& always, IterationMap& map, RowOwners& owners) {
  const auto has_any = [](std::span<const double> values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return value > 0; });
  };
  std::size_t kept = 0;
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    const auto row = map.row(r);
    if (!always[map.processes[r]] && !has_any(row))
      continue;
    if (kept < r)
      std::copy(row.begin(), row.end(),
                map.values.begin() + static_cast<std::ptrdiff_t>(kept * map.columns));
    map.processes[kept] = map.processes[r];
    owners.process[kept] = owners.process[r];
    owners.group[kept] = owners.group[r];
    ++kept;
  }
  map.processes.resize(kept);
  map.values.resize(kept * map.columns);
  owners.process.resize(kept);
  owners.group.resize(kept);
}

class ReportReader {
 public:
  ReportReader(PlanSession& session, const ReadRun& run) : session_(session), run_(run) {}

  Report read() {
    out_.runs.push_back(summarize(run_.facts));
    read_run_data();
    if (was_reduced(session_.archive()))
      beside_ = read_plan_beside(session_.archive());
    out_.order = order_processes(run_.facts.processes);
    if (session_.plan().processes.size() == out_.order.size() && session_.plan().groups)
      out_.plan = std::make_shared<Plan>(session_.plan());
    // Groups of the facts are those of the plan, in their order.
    list_report_groups(run_.facts, out_.runs.front(), session_.find_known_reasons(),
                       list_representatives(run_.facts, list_kept()), out_);
    out_.waits = list_report_waits(run_.facts, out_.runs.front());
    out_.late = list_report_late(run_.facts, out_.waits);
    add_group_waits(run_.facts, out_.runs.front(), out_);
    check_stop();
    out_.functions_are_around = out_.runs.front().finding_is_around && run_.facts.around;
    const auto& of_calls = out_.functions_are_around ? *run_.facts.around : run_.facts;
    list_report_functions(of_calls, out_);
    list_report_calls(of_calls, out_);
    read_kept_rows();
    out_.matrix = sum_rank_matrix(run_.facts, out_, knows_waiting());
    read_loops();
    describe_structure();
    describe_fold();
    place_processes();
    describe_clusters();
    return std::move(out_);
  }

 private:
  // What no profile has: nodes, and when the run begins and ends.
  void read_run_data() {
    const auto& nodes = run_.facts.nodes;
    const std::set<std::string> names(nodes.begin(), nodes.end());
    out_.nodes = names.size() - names.count({});
    const auto& trace = session_.plan().trace;
    if (trace.run)
      out_.whole_run =
          run_.facts.to_seconds(static_cast<double>(trace.run->end - trace.run->begin));
    if (const auto begun = TraceTimes(session_.archive().definitions()).wall_clock(); begun > 0)
      out_.begun = begun / 1'000'000'000;
  }

  // The timeline of the processes that stay, or would: of a reduced trace those that it has.
  void read_kept_rows() {
    const auto& archive = session_.archive();
    const bool is_reduced = was_reduced(archive);
    Plan kept;
    std::vector<std::size_t> rows;
    if (is_reduced) {
      kept.trace = session_.plan().trace;
      for (const auto id : archive.definitions().locations()) {
        rows.push_back(kept.processes.size());
        kept.processes.emplace_back().id = id;
      }
    } else {
      kept = session_.plan();
      if (kept.representatives)
        for (const auto& representative : *kept.representatives)
          rows.push_back(representative.process);
      std::sort(rows.begin(), rows.end());
    }
    rows.resize(std::min(rows.size(), most_timeline_rows));
    if (!kept.trace.run || rows.empty())
      return;
    check_stop();

    std::map<std::string, Paradigm> kinds;
    const auto of_paths = classify_paths(run_.facts.calls);
    for (PathIndex path = 0; path < of_paths.size(); ++path)
      kinds.try_emplace(name_call(run_.facts.calls, path).function, of_paths[path].paradigm);
    const PlannedTrace trace{archive, kept, session_.context().read_as("report"),
                             session_.diagnostics()};
    out_.timeline = read_timeline(trace, rows, *kept.trace.run, kinds);
    if (!out_.timeline)
      return;
    const auto& definitions = archive.definitions();
    for (const auto row : rows)
      out_.timeline->rows.push_back(is_reduced ? name_location(definitions, kept.processes[row].id)
                                               : name_process(kept.processes[row]));
  }

  // With the name of what it is a thread of, which says how many it stands for.
  static std::string name_location(const Definitions& definitions, std::uint64_t id) {
    using K = DefinitionKind;
    const auto name = [&](Ref kind, std::uint64_t of) {
      const auto* found = definitions.find(kind, of);
      return found ? definitions.text(found->fields[1]) : std::string();
    };
    static_assert(field_place<"name", K::Location, K::LocationGroup>() == 1);
    return name(Ref::location_group, definitions.location_group(id)) + " " +
           name(Ref::location, id);
  }

  const Plan* find_beside() const {
    return beside_ && beside_->is_that && beside_->plan ? &*beside_->plan : nullptr;
  }
  bool knows_waiting() const {
    const auto& ranks = out_.runs.front().ranks;
    return !ranks.empty() && ranks.front().waiting.has_value();
  }

  // Processes of the facts that stay, or would.
  std::vector<std::size_t> list_kept() const {
    std::vector<std::size_t> out;
    const auto number = number_by_id(run_.facts.processes);
    const auto add = [&](const Plan& plan) {
      for (const auto& representative : *plan.representatives)
        if (const auto at = number.find(plan.processes[representative.process].id);
            at != number.end())
          out.push_back(at->second);
    };
    if (const auto* beside = find_beside(); beside && beside->representatives) {
      add(*beside);
    } else if (session_.plan().representatives) {
      add(session_.plan());
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  std::vector<ShownMetric> list_metrics(std::vector<std::string>& names) const {
    const auto& columns = run_.program->columns();
    std::vector<ShownMetric> out;
    const auto add = [&](const char* name, ShownMetric metric) {
      if (metric.entry.columns.empty())
        return;
      metric.entry.name = name;
      metric.entry.kind = MetricKind::time;
      names.emplace_back(name);
      out.push_back(std::move(metric));
    };
    const auto take = [&](const auto& wanted) {
      ShownMetric metric;
      for (std::size_t c = 0; c < columns.measured.size(); ++c)
        if (wanted(columns.measured[c]))
          metric.entry.columns.push_back(c);
      return metric;
    };
    add(map_computation, make_computation_time(columns));
    if (knows_waiting())
      add(map_waiting, take([](Metric metric) { return is_waiting(metric); }));
    add("execution time", take([](Metric metric) { return metric == Metric::execution_time; }));
    add(map_mpi, take([](Metric metric) {
          return is_mpi_time(metric) && is_part_of_execution_time(metric);
        }));
    add(map_files, take([](Metric metric) { return metric == Metric::other_file_time; }));
    add("OpenMP time", take(is_openmp_time));
    return out;
  }

  void read_loops() {
    if (!run_.program || run_.program->loops() == 0)
      return;
    out_.has_iterations = run_.program->has_iterations();
    const auto owners = list_owners();
    std::vector<Places> shown;  // by loop of the page
    // False where none of these is the same loop.
    const auto put_to_same = [&](std::size_t number, const Places& places) {
      const auto same = std::find_if(shown.begin(), shown.end(), [&](const Places& other) {
        return std::includes(other.begin(), other.end(), places.begin(), places.end());
      });
      if (same == shown.end())
        return false;
      out_.loops[static_cast<std::size_t>(same - shown.begin())].also.push_back(number);
      return true;
    };

    std::size_t number = 0;
    for (; const auto loop = find_loop(number); ++number) {
      auto places = list_places(*loop);
      if (put_to_same(number, places))
        continue;
      if (shown.size() == most_report_loops) {
        out_.leaves_out_loops = true;
        break;
      }
      check_stop();
      read_loop(*loop, owners, is_of_finding(places));
      shown.push_back(std::move(places));
    }

    // What the headline says is seen in its loop.
    const auto& found = out_.runs.front().finding;
    if (found.loss == Loss::iterations && found.loop >= number)
      if (const auto loop = find_loop(found.loop);
          loop && !put_to_same(found.loop, list_places(*loop)))
        read_loop(*loop, owners, true);
  }

  // Processes that have a loop, each with the one of its loops that it is. Processes that have
  // fewer loops than another one may have the same loop at another number.
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;
  static Places list_places(const StoredLoop& loop) {
    Places out;
    for (auto p : loop.list_processes())
      out.emplace_back(p, *loop.find_place(p));
    return out;
  }

  // None: there are no more loops.
  std::optional<StoredLoop> find_loop(std::size_t number) const {
    try {
      return StoredLoop(*run_.program, number);
    } catch (const Error& problem) {
      if (problem.kind() != ErrorKind::usage)
        throw;
      return std::nullopt;
    }
  }

  struct Owners {
    std::vector<std::uint32_t> number_of, group_of;  // by process of the facts
  };
  Owners list_owners() const {
    Owners out{std::vector<std::uint32_t>(out_.order.size()), out_.group_of};
    for (std::size_t number = 0; number < out_.order.size(); ++number)
      out.number_of[out_.order[number]] = static_cast<std::uint32_t>(number);
    return out;
  }

  void read_loop(const StoredLoop& loop, const Owners& owners, bool has_finding) {
    auto& shown = out_.loops.emplace_back();
    shown.number = loop.number();
    shown.name = name_loop(loop);
    const auto processes = loop.list_processes();
    for (auto p : processes)
      shown.iterations = std::max<std::uint64_t>(shown.iterations, loop.count_iterations(p));
    shown.kept = find_kept_iterations(loop);
    shown.numbers = run_.facts.numbers;
    if (!run_.program->has_iterations())
      return;

    RowOwners rows;
    for (auto p : processes) {
      rows.process.push_back(owners.number_of[p]);
      rows.group.push_back(owners.group_of[p]);
    }
    std::vector<bool> can_call_mpi(out_.order.size());
    for (const auto& rank : out_.runs.front().ranks)
      can_call_mpi[rank.master] = true;
    std::vector<std::string> names;
    const auto metrics = list_metrics(names);
    const bool shows_all = processes.size() * shown.iterations * metrics.size() *
                               std::min(run_.program->loops(), most_report_loops) <=
                           most_cells_of_all_metrics;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      const bool is_first = names[m] == map_computation || names[m] == map_waiting;
      if (!is_first && (!shows_all || !has_any(metrics[m])))
        continue;
      auto map = read_program_map(loop, metrics[m]);
      auto of_rows = rows;
      if (names[m] == map_waiting || names[m] == map_mpi)
        keep_rows(can_call_mpi, map, of_rows);
      const bool is_cause = names[m] == map_files && out_.runs.front().finding.loss == Loss::io;
      if (has_finding && (shown.finding_metric.empty() || is_cause) && shows_finding(map))
        shown.finding_metric = names[m];
      auto pooled = pool_map(map, of_rows, run_.facts.to_seconds(1));
      pooled.averaged = std::max(pooled.averaged, run_.program->detail().iterations_per_column);
      pooled.metric = pooled.label = names[m];
      pooled.unit = "s";
      shown.maps.push_back(std::move(pooled));
    }
    find_kinds(loop, shown);
  }

  void find_kinds(const StoredLoop& loop, ReportLoop& shown) {
    const auto* program = session_.program();
    if (!out_.plan || (!program && !run_.kinds))
      return;
    const auto& archive = session_.archive();
    const auto& columns = run_.program->columns();
    MapOptions options;
    options.metric = get_entry(Metric::execution_time).name;
    options.loop = loop.number();
    auto maps =
        program ? compare_program_map(archive, *program, options, WantLayers::no)
                : compare_program_map(
                      loop, find_metric(archive.definitions(), columns, options.metric, columns),
                      *out_.plan, *run_.kinds);
    auto& kinds = shown.kinds.emplace();
    kinds.kinds = find_group_kinds(*out_.plan, maps);
    maps.original.processes.clear();
    maps.original.values.clear();
    kinds.map = std::move(maps.original);
  }

  // Whether the finding is of the loop that these processes have.
  bool is_of_finding(const Places& places) const {
    const auto& run = out_.runs.front();
    if (run.finding.loss != Loss::iterations)
      return run.part == RunPart::loop && !run.finding_is_around;
    const auto loop = find_loop(run.finding.loop);
    if (!loop)
      return false;
    const auto own = list_places(*loop);
    return std::includes(places.begin(), places.end(), own.begin(), own.end());
  }

  // Whether the finding is seen in a map of its loop.
  bool shows_finding(const IterationMap& map) const {
    const auto& run = out_.runs.front();
    const auto& found = run.finding;
    const auto to_ticks = [&](double seconds) { return seconds / run_.facts.to_seconds(1); };
    auto who = found.who;
    std::sort(who.begin(), who.end());
    if (found.loss == Loss::iterations) {
      // Where all of them change little by little, the first half differs from the second one.
      const bool are_all = found.first == 0 && found.last + 1 >= map.iterations;
      const auto last = are_all ? map.iterations / 2 - 1 : found.last;
      return map.iterations > 1 &&
             shows_iterations(map, who, found.first, last,
                              to_ticks(0.3 * std::abs(found.value - found.usual)));
    }

    if (map.iterations != run.iterations)
      return false;
    const auto iteration = run.runtime / static_cast<double>(run.iterations);
    return !who.empty() && shows_processes(map, who, to_ticks(0.02 * iteration));
  }

  // Whether any process has time of it.
  bool has_any(const ShownMetric& metric) const {
    const auto& profiles = run_.facts.calls.profiles;
    for (auto stored : metric.entry.columns) {
      const auto column = profiles.columns.find(run_.program->columns().measured[stored]);
      if (!column)
        continue;
      for (std::size_t p = 0; p < profiles.processes.size(); ++p)
        for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k)
          if (profiles.value(p, k, *column) > 0)
            return true;
    }
    return false;
  }

  // The innermost call path that all calls of the loop are in.
  std::string name_loop(const StoredLoop& loop) const {
    const auto number = fmt::format("loop {}", loop.number() + 1);
    const auto processes = loop.list_processes();
    const auto place = processes.empty() ? std::nullopt : loop.find_place(processes.front());
    const auto scope =
        place ? run_.program->find_scope(name_loop_scope(*place)) : std::optional<std::size_t>();
    if (!scope)
      return number;

    const auto calls = run_.program->read_scope(*scope, StoredColumns::time_and_visits);
    const auto& profiles = calls.profiles;
    const auto visits = *profiles.columns.find(Metric::visits);
    const auto& own = profiles.shape(processes.front()).paths;
    std::optional<PathIndex> common;
    for (std::size_t k = 0; k < own.size(); ++k)
      if (profiles.value(processes.front(), k, visits) > 0)
        common = common ? find_common_caller(profiles.paths, *common, own[k]) : own[k];
    std::string name;
    for (auto at = common.value_or(no_path); at != no_path; at = profiles.paths[at].caller) {
      const std::string function(calls.functions[profiles.paths[at].function].shown_name());
      name = name.empty() ? function : function + " > " + name;
    }
    return name.empty() ? number : name;
  }

  // The folded loop that has as many iterations; loops are in one order everywhere.
  std::vector<std::uint32_t> find_kept_iterations(const StoredLoop& loop) const {
    const auto* beside = find_beside();
    if (!beside || !beside->iterations)
      return {};
    std::size_t next = 0;
    const auto& folded = beside->iterations->loops;
    for (const auto& earlier : out_.loops) {
      if (next >= folded.size())
        return {};
      const auto& choice = folded[next].choice;
      const bool is_it = choice.kept_of.size() == earlier.iterations;
      if (earlier.number == loop.number())
        return is_it ? choice.kept : std::vector<std::uint32_t>();
      next += is_it;
    }
    return {};
  }

  void describe_structure() {
    const auto& plan = session_.plan();
    if (out_.groups.empty() || plan.processes.size() != run_.facts.processes.size())
      return;
    const bool merges = std::any_of(out_.groups.begin(), out_.groups.end(),
                                    [](const ReportGroup& group) { return group.merged > 1; });
    if (!merges && plan.groups && plan.groups->size() == out_.groups.size() &&
        plan.intents.size() <= most_tabulated_sets)
      compare_report_groups(plan);
    if (plan.intents.size() <= most_poset_sets) {
      Diagnostics ignored;  // what it cannot do is told by what is not there
      const auto drawing = draw_lattice(plan, plan.comparison, {}, ignored);
      if (drawing.nodes.size() <= most_poset_nodes)
        out_.poset = lay_out_poset(drawing, out_.group_of);
    }
  }

  void place_processes() {
    const auto places = session_.find_places();
    const auto& processes = run_.facts.processes;
    if (places.grids.empty() || places.grids.front().axes.empty())
      return;
    const auto& [axes, coordinates] = places.grids.front();
    ReportGrid grid;
    std::uint64_t all = 1;
    for (const auto& axis : axes) {
      if (axis.size == 0 || all > most_grid_places / axis.size)
        return;
      grid.sizes.push_back(axis.size);
      all *= axis.size;
    }
    const auto ranks = coordinates.size() / axes.size();
    for (const auto& process : processes) {
      std::uint64_t place = process.rank && *process.rank < ranks ? 0 : no_grid_place;
      if (place != no_grid_place)
        for (std::size_t a = 0; a < axes.size(); ++a)
          place = place * axes[a].size + coordinates[*process.rank * axes.size() + a];
      grid.places.push_back(static_cast<std::uint32_t>(place));
    }
    out_.grid = std::move(grid);
  }

  // Of signatures that are stored, or were recorded with all else; what cannot be read of them is
  // not shown.
  void describe_clusters() {
    auto& plan = session_.plan();
    if (!out_.plan || !run_.program)
      return;
    try {
      const auto* communication = session_.find_known_communication();
      if (!communication || communication->operations.empty())
        return;
      GroupOptions by_signature;
      by_signature.comparison.by = CompareBy::signature;
      session_.group(by_signature);
      const auto calls = run_.program->read_calls(StoredColumns::all);
      Diagnostics ignored;  // of waiting that is not known: the section on it says so
      const auto profiles =
          choose_profiles(calls, list_processes(plan), session_.archive(), ignored);
      auto clusters = std::make_shared<Plan>(plan);
      // Paths refer to functions with names that are UTF-8, and operations to those as recorded.
      clusters->functions = calls.functions;
      std::map<std::string, std::string> recorded;
      for (const auto& function : plan.functions)
        recorded.emplace(make_utf8(function.name), function.name);
      for (auto& function : clusters->functions)
        if (const auto at = recorded.find(function.name); at != recorded.end())
          function.name = at->second;
      out_.clusters = {clusters, make_skeletons(*clusters, *communication, profiles)};
    } catch (const Error& problem) {
      if (problem.kind() != ErrorKind::input)
        throw;
    }
    plan = *out_.plan;
  }

  void compare_report_groups(const Plan& plan) {
    const auto table = compare_groups(plan, plan.comparison, GroupMeasure::similarity);
    std::vector<std::uint64_t> members;
    for (const auto& group : out_.groups)
      members.push_back(group.members.size());
    const auto largest = choose_largest(members, most_similar_groups);
    std::vector<std::vector<double>> values;
    for (auto a : largest) {
      auto& row = values.emplace_back();
      for (auto b : largest)
        row.push_back(table.values[a][b]);
    }
    auto& similarity = out_.similarity.emplace();
    similarity.of = out_.groups.size();
    const auto order = order_similar(values);
    for (auto a : order) {
      similarity.groups.push_back(largest[a]);
      for (auto b : order)
        similarity.values.push_back(static_cast<float>(values[a][b]));
    }
  }

  void describe_fold() {
    if (!was_reduced(session_.archive()) || is_whole(session_.archive().facts()))
      return;
    auto& fold = out_.fold.emplace();
    fold.processes = run_.facts.processes.size();
    fold.kept_processes = list_kept().size();
    const auto* beside = find_beside();
    if (!beside)
      return;
    fold.keeps_messages = beside->messages != nullptr;
    if (beside->errors)
      fold.errors = *beside->errors;
    if (!beside->iterations)
      return;
    auto next = out_.loops.begin();
    for (std::size_t k = 0; k < beside->iterations->loops.size(); ++k) {
      const auto& choice = beside->iterations->loops[k].choice;
      auto name = fmt::format("loop {}", k + 1);
      const auto same = std::find_if(next, out_.loops.end(), [&](const ReportLoop& loop) {
        return loop.iterations == choice.kept_of.size() && !loop.kept.empty();
      });
      if (same != out_.loops.end()) {
        name = same->name;
        next = same + 1;
      }
      fold.loops.push_back({std::move(name), choice.kept_of.size(), choice.kept.size()});
    }
  }

  PlanSession& session_;
  const ReadRun& run_;
  std::optional<PlanBeside> beside_;
  Report out_;
};

}  // namespace

Report read_report(PlanSession& session, const ReadRun& run) {
  return ReportReader(session, run).read();
}

Summary read_summary(PlanSession& session, const RunPartOptions& options) {
  return summarize(read_run(session, options).facts);
}

}  // namespace tracefold
