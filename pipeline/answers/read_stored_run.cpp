#include "pipeline/answers/read_stored_run.hpp"

#include "base/interrupt.hpp"
#include "filters/summary/measure_run.hpp"
#include "model/messages/early_messages.hpp"
#include "model/profile/time_metric.hpp"
#include "model/run_masters.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/answers/play_stored.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "pipeline/replay/find_gains.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t most_loops_in_scopes = 16;

// Reads one program that is stored, of an original as well as of a reduced trace.
class ProgramReader {
 public:
  // `devices`: an original alone tells what is waited for on them.
  ProgramReader(const StoredProgram& stored, RunFacts& out, std::vector<ProgramDevices> devices,
                const std::vector<WhatIf>& what_if = {})
      : stored_(stored), out_(out), devices_(std::move(devices)), what_if_(what_if) {}

  void read(RunPart part) {
    for (const auto& kind : stored_.read_kinds())
      out_.types.push_back(kind.type);
    masters_ = list_run_masters(out_.processes, out_.types);
    if (const auto& early = out_.early_ends; early.are_left_out)
      std::erase_if(masters_, [&](std::size_t p) {
        return std::binary_search(early.processes.begin(), early.processes.end(), p);
      });
    out_.nodes = stored_.read_nodes();
    out_.percent = stored_.detail().percent;
    out_.part = choose(part);
    switch (out_.part) {
      case RunPart::loop: read_loops(); break;
      case RunPart::mpi: {
        const auto scope = stored_.find_scope(ProgramScope::mpi);
        out_.calls = stored_.read_scope(*scope, StoredColumns::all);
        out_.spans = {stored_.read_mpi_intervals()};
        add_sums(scope);
        add_set_aside(scope);
        find_outside_loops();
        break;
      }
      default:
        out_.calls = stored_.read_calls(StoredColumns::all);
        out_.spans = {stored_.read_lives()};
        add_sums(std::nullopt);
        add_set_aside(std::nullopt);
        break;
    }
    if (part == RunPart::automatic && out_.part == RunPart::loop &&
        stored_.find_scope(ProgramScope::mpi))
      read_around();
    out_.recording_off = find_recording_off();
    out_.pairs = stored_.read_pairs();
    out_.delays = stored_.read_delays();
    if (auto caused = stored_.read_caused())
      out_.caused = std::move(*caused);
    find_late_starts();
    read_replay();
    read_devices();
    count_early_messages();
    sum_counters();
    out_.files = stored_.read_files();
    const auto lives = stored_.read_lives();
    for (auto p : masters_)
      out_.masters_ticks += lives[p].end - lives[p].begin;
  }

 private:
  // MPI_Comm_spawn, MPI_Comm_spawn_multiple, and as Fortran spells them.
  bool calls_spawn() const {
    const auto& calls = out_.calls;
    for (std::size_t f = 0; f < calls.functions.size(); ++f)
      if (is_mpi_time(calls.time_metrics[f]) &&
          calls.functions[f].name.find("omm_spawn") != std::string::npos)
        return true;
    return false;
  }

  // Ranks that begin when others have been able to use MPI for a while cannot have been started
  // together with these.
  void find_late_starts() {
    constexpr double least_share = 0.01;
    if (masters_.size() < 2 || !out_.processes[masters_.front()].rank)
      return;
    const auto lives = stored_.read_lives(), in_mpi = stored_.read_mpi_intervals();
    const auto begins_first = [](const auto& intervals) {
      return [&](std::size_t a, std::size_t b) { return intervals[a].begin < intervals[b].begin; };
    };
    const auto run_begin =
        lives[*std::min_element(masters_.begin(), masters_.end(), begins_first(lives))].begin;
    const auto first_in_mpi =
        *std::min_element(masters_.begin(), masters_.end(), begins_first(in_mpi));
    const auto mpi_begin = in_mpi[first_in_mpi].begin;
    const bool knows_init = mpi_begin > lives[first_in_mpi].begin;
    if (!knows_init && !calls_spawn())
      return;
    std::uint64_t run_end = run_begin;
    for (auto p : masters_)
      run_end = std::max(run_end, lives[p].end);
    const auto length = static_cast<double>(run_end - run_begin);

    auto& late = out_.late_starts;
    late.first = 1;
    for (auto p : masters_) {
      const auto after = static_cast<double>(lives[p].begin - std::min(lives[p].begin, mpi_begin));
      if (after <= least_share * length)
        continue;
      late.masters.push_back(p);
      late.first = std::min(late.first, static_cast<double>(lives[p].begin - run_begin) / length);
    }
  }

  // Where clocks do not fit, nobody knows who waits for whom.
  void count_early_messages() {
    const auto early = stored_.count_early_messages();
    out_.early_messages =
        out_.pairs ? find_early_messages(early, *out_.pairs) : EarlyMessages{early};
    if (!out_.pairs || out_.early_messages.are_few())
      return;
    for (auto& pair : *out_.pairs)
      pair.late_sender = pair.late_receiver = 0;
    out_.caused.clear();
    out_.delays.reset();
    out_.replay.reset();
    for (auto& loop : out_.loops)
      for (auto& column : loop.columns)
        column.waiting = 0;
  }

  // Whether a scope, or ProgramReplay::run, is of the part; a loop is one of several.
  bool is_of_part(const std::string& scope) const {
    switch (out_.part) {
      case RunPart::loop: return scope != ProgramScope::mpi && scope != ProgramReplay::run;
      case RunPart::mpi: return scope == ProgramScope::mpi;
      default: return scope == ProgramReplay::run;
    }
  }

  void read_devices() {
    for (const auto& of : devices_)
      if (is_of_part(of.part)) {
        auto& all = out_.devices ? *out_.devices : out_.devices.emplace();
        const auto devices = std::max(all.devices, of.devices);
        all.add(of);
        all.devices = devices;
      }
  }

  // What was played of the part. Where processes are left out, or not all that takes time is in
  // calls, it is of something else.
  void read_replay() {
    const bool is_other = out_.early_ends.are_left_out || !out_.late_starts.masters.empty() ||
                          out_.part == RunPart::window || out_.recording_off > 0 ||
                          has_gaps(out_.numbers) || has_any(out_.set_aside.flushes);
    if (is_other)
      return;
    auto replays = stored_.read_replays();
    try {
      play_stored(stored_, what_if_, replays);
    } catch (Error& problem) {
      throw problem.in(out_.trace);
    }
    for (const auto& replay : replays) {
      if (!is_of_part(replay.part))
        continue;
      if (!out_.replay) {
        out_.replay = replay;
        continue;
      }
      auto& all = *out_.replay;
      all.recorded += replay.recorded;
      all.ideal += replay.ideal;
      if (all.asked && replay.asked)
        *all.asked += *replay.asked;
      all.critical_path.add(replay.critical_path);
      add_gains(replay.gains, all.gains);
    }
    if (out_.part == RunPart::mpi && out_.replay && out_.replay->gains.empty())
      take_gains_of_loops(replays, *out_.replay);
  }
  // Where loops take nearly all of a part, what is gained was looked for in these alone.
  void take_gains_of_loops(const std::vector<ProgramReplay>& replays, ProgramReplay& all) const {
    std::uint64_t in_loops = 0;
    std::vector<ProgramGain> gains;
    for (const auto& replay : replays)
      if (replay.part != ProgramScope::mpi && replay.part != ProgramReplay::run) {
        in_loops += replay.recorded;
        add_gains(replay.gains, gains);
      }
    const auto recorded = static_cast<double>(all.recorded);
    std::erase_if(gains, [&](const ProgramGain& gain) {
      return static_cast<double>(gain.ticks) < least_gain * recorded;
    });
    if (static_cast<double>(in_loops) >= most_in_loops * recorded)
      all.gains = std::move(gains);
  }
  // Gains in loops that follow each other add up; in which iterations is of one loop alone.
  void add_gains(const std::vector<ProgramGain>& more, std::vector<ProgramGain>& to) const {
    const auto find_function = [&](const ProgramGain& gain) {
      const auto& paths = out_.calls.profiles.paths;
      return gain.path > 0 && gain.path <= paths.size() ? paths[gain.path - 1].function
                                                        : virtual_root;
    };
    for (const auto& gain : more) {
      const auto same = std::find_if(to.begin(), to.end(), [&](const ProgramGain& one) {
        return one.kind == gain.kind && find_function(one) == find_function(gain);
      });
      if (same == to.end()) {
        to.push_back(gain);
        continue;
      }
      same->ticks += gain.ticks;
      if (same->who != gain.who)
        same->who.clear();
    }
    for (auto& gain : to)
      gain.iterations = {};
    std::stable_sort(to.begin(), to.end(),
                     [](const auto& a, const auto& b) { return a.ticks > b.ticks; });
  }
  // Whether some iterations between others are left out.
  static bool has_gaps(const std::vector<std::uint64_t>& numbers) {
    return !numbers.empty() && numbers.back() - numbers.front() != numbers.size() - 1;
  }
  static bool has_any(const std::vector<std::uint64_t>& ticks) {
    return std::any_of(ticks.begin(), ticks.end(), [](auto of) { return of > 0; });
  }

  void sum_counters() {
    const auto& counters = stored_.columns().counters;
    const bool has_owners = std::find(out_.types.begin(), out_.types.end(),
                                      otf2_value::location_type_metric) != out_.types.end();
    if (counters.empty() || !has_owners)
      return;
    const auto profiles = stored_.read_calls(StoredColumns::all).profiles;
    const auto first = profiles.columns.measured.size();
    for (std::size_t c = 0; c < counters.size(); ++c) {
      double steps = 0;
      for (std::size_t p = 0; p < profiles.processes.size(); ++p)
        if (const auto& outside = profiles.processes[p].outside;
            profiles.shape(p).paths.empty() && !outside.empty())
          steps += static_cast<double>(outside[first + c]);
      if (steps > 0)
        out_.counters.push_back(
            {counters[c].name, steps / static_cast<double>(counters[c].steps_per_unit)});
    }
  }

  // By function that computes: the time of the masters.
  std::map<FunctionIndex, double> sum_functions(const Aggregates& calls) const {
    const auto kinds = classify_paths(calls);
    const auto& profiles = calls.profiles;
    const auto column = *profiles.columns.find(Metric::execution_time);
    std::map<FunctionIndex, double> sums;
    for (auto p : masters_) {
      const auto& paths = profiles.shape(p).paths;
      for (std::size_t k = 0; k < paths.size(); ++k)
        if (const auto function = profiles.paths[paths[k]].function;
            function != virtual_root && !kinds[paths[k]].is_mpi)
          sums[function] += static_cast<double>(profiles.value(p, k, column));
    }
    return sums;
  }

  void find_outside_loops() {
    const auto loops = count_loops();
    const auto in_mpi = stored_.read_mpi_intervals();
    if (loops == 0 || !have_all_loops())
      return;
    auto outside = sum_functions(out_.calls);
    std::vector<Interval> spans(in_mpi.size());  // from the first to the last
    for (std::size_t l = 0; l < loops; ++l) {
      const auto scope = *stored_.find_scope(name_loop_scope(l));
      const auto intervals = stored_.read_intervals(scope);
      if (!intervals)
        return;
      for (auto p : masters_) {
        const auto& own = (*intervals)[p];
        spans[p] =
            l == 0 ? own
                   : Interval{std::min(spans[p].begin, own.begin), std::max(spans[p].end, own.end)};
      }
      for (const auto& [function, time] :
           sum_functions(stored_.read_scope(scope, StoredColumns::time_and_visits)))
        outside[function] -= time;
    }

    double all = 0;
    OutsideLoops found;
    for (auto p : masters_) {
      all += static_cast<double>(in_mpi[p].end - in_mpi[p].begin);
      found.before +=
          static_cast<double>(spans[p].begin - std::min(spans[p].begin, in_mpi[p].begin));
      found.behind += static_cast<double>(std::max(spans[p].end, in_mpi[p].end) - spans[p].end);
    }
    if (all <= 0)
      return;
    found.before /= all;
    found.behind /= all;
    const auto most =
        std::max_element(outside.begin(), outside.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != outside.end()) {
      found.function = out_.calls.functions[most->first].shown_name();
      found.in_function = most->second / all;
    }
    out_.outside_loops = std::move(found);
  }

  void read_around() {
    auto around = std::make_shared<RunFacts>();
    around->trace = out_.trace;
    around->ticks_per_second = out_.ticks_per_second;
    around->processes = out_.processes;
    around->groups = out_.groups;
    around->early_ends = out_.early_ends;
    ProgramReader(stored_, *around, devices_).read(RunPart::mpi);
    out_.around = std::move(around);
  }

  // By process the sum over all call paths of one stored column in a scope, or of all. It is exact;
  // none where the file has nothing but the values themselves.
  std::optional<std::vector<std::uint64_t>> read_sums(std::optional<std::size_t> scope,
                                                      std::size_t column) const {
    const auto stored = name_stored_column(stored_.columns(), column);
    const auto* table = stored_.file().find(
        (scope ? name_scope_table(*scope, stored) : "calls/" + stored) + "/by process");
    if (!table || table->rows != stored_.size() || table->columns != 1)
      return std::nullopt;
    return stored_.file().read(*table);
  }

  static void add_all(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& values) {
    to.resize(std::max(to.size(), values.size()));
    std::transform(values.begin(), values.end(), to.begin(), to.begin(), std::plus<>());
  }

  // Adds what no call has alone in a piece.
  void add_set_aside(std::optional<std::size_t> scope) {
    add_all(out_.set_aside.off, stored_.read_set_aside(recording_off, scope));
    add_all(out_.set_aside.flushes, stored_.read_set_aside(buffer_flushes, scope));
    add_all(out_.set_aside.overlaps, stored_.read_set_aside(call_overlaps, scope));
  }

  // The share of the lives of the masters in which recording is off.
  double find_recording_off() const {
    const auto off = stored_.read_set_aside(recording_off, std::nullopt);
    if (off.empty())
      return 0;
    const auto lives = stored_.read_lives();
    double time = 0, of_time = 0;
    for (auto p : masters_) {
      time += static_cast<double>(lives[p].end - lives[p].begin);
      of_time += static_cast<double>(off[p]);
    }
    return time > 0 ? of_time / time : 0;
  }

  // Adds exact sums of a piece.
  void add_sums(std::optional<std::size_t> scope) {
    const auto& columns = stored_.columns();
    if (const auto sums = read_sums(scope, *columns.find(Metric::execution_time)))
      add_all(out_.sums.in_calls, *sums);
    for (auto wait : columns.list_waits())
      if (const auto sums = read_sums(scope, *columns.find(wait))) {
        add_all(out_.sums.waiting, *sums);
        out_.sums.waits[wait] += std::accumulate(sums->begin(), sums->end(), std::uint64_t{0});
      }
    if (!out_.sums.in_calls.empty())
      out_.sums.waiting.resize(out_.sums.in_calls.size());
  }

  std::size_t count_loops() const {
    std::size_t loops = 0;
    while (loops < std::min(stored_.loops(), most_loops_in_scopes) &&
           stored_.find_scope(name_loop_scope(loops)))
      ++loops;
    return loops;
  }

  // All ranks have all loops.
  bool have_all_loops() const {
    for (std::size_t l = 0; l < count_loops(); ++l)
      for (auto p : masters_)
        if (stored_.iterations(l)[p] == 0)
          return false;
    return true;
  }

  // The time of the masters in a scope, or without one in all.
  double sum_time(std::optional<std::size_t> scope) const {
    const auto calls = scope ? stored_.read_scope(*scope, StoredColumns::time_and_visits)
                             : stored_.read_calls(StoredColumns::time_and_visits);
    const auto& profiles = calls.profiles;
    const auto column = *profiles.columns.find(Metric::execution_time);
    double sum = 0;
    for (auto p : masters_)
      for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k)
        sum += static_cast<double>(profiles.value(p, k, column));
    return sum;
  }

  RunPart choose(RunPart asked) const {
    const bool has_mpi = stored_.find_scope(ProgramScope::mpi).has_value();
    if (asked == RunPart::loop) {
      if (count_loops() == 0)
        throw Error(ErrorKind::input, "no main loop is found")
            .in(out_.trace)
            .hint("'tracefold iterations' shows what is found, and takes what iterations are");
      return RunPart::loop;
    }
    if (asked == RunPart::mpi && !has_mpi)
      return RunPart::run;  // all of it is between the two
    if (asked != RunPart::automatic)
      return asked;
    if (count_loops() > 0 && have_all_loops()) {
      double in_loops = 0;
      for (std::size_t l = 0; l < count_loops(); ++l)
        in_loops += sum_time(stored_.find_scope(name_loop_scope(l)));
      if (in_loops > 0 && in_loops >= 0.5 * sum_time(stored_.find_scope(ProgramScope::mpi)))
        return RunPart::loop;
    }
    return has_mpi ? RunPart::mpi : RunPart::run;
  }

  void read_loops() {
    for (std::size_t l = 0; l < count_loops(); ++l) {
      const auto scope = *stored_.find_scope(name_loop_scope(l));
      out_.loops_are_unsure |= stored_.is_unsure(l);
      auto calls = stored_.read_scope(scope, StoredColumns::all);
      const auto parts = list_parts(l, calls);
      if (l == 0)
        out_.calls = std::move(calls);
      else
        for (std::size_t p = 0; p < calls.profiles.processes.size(); ++p) {
          auto& to = out_.calls.profiles.processes[p].values;
          const auto& from = calls.profiles.processes[p].values;
          std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::plus<>());
        }
      add_sums(scope);
      add_set_aside(scope);
      if (auto spans = stored_.read_intervals(scope))
        out_.spans.push_back(std::move(*spans));
      if (stored_.has_iterations())
        for (const auto& ranks : parts)
          out_.loops.push_back(read_series(l, ranks));
    }
    // Files of before do not tell when loops begin and end.
    if (out_.spans.size() < count_loops())
      out_.spans.clear();
  }

  // Ranks that have a loop, and what any of them calls in it outside of MPI.
  struct LoopPart {
    std::vector<std::size_t> ranks;
    std::set<PathIndex> paths = {};
    std::set<FunctionIndex> functions = {};
  };

  static LoopPart make_part(const Aggregates& calls, std::size_t p) {
    const auto& profiles = calls.profiles;
    const auto visits = *profiles.columns.find(Metric::visits);
    const auto& paths = profiles.shape(p).paths;
    LoopPart out{{p}};
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto function = profiles.paths[paths[k]].function;
      if (function == virtual_root || is_mpi_time(calls.time_metrics[function]) ||
          profiles.value(p, k, visits) == 0)
        continue;
      out.paths.insert(paths[k]);
      out.functions.insert(function);
    }
    return out;
  }

  template <class Index>
  static bool have_common(const std::set<Index>& a, const std::set<Index>& b) {
    return std::any_of(a.begin(), a.end(), [&](Index one) { return b.contains(one); });
  }

  // The ranks that have a loop. Parts of a coupled program have loops of their own: they have no
  // function in common, or no call path and another number of iterations. Who calls nothing but MPI
  // belongs to those with as many iterations.
  std::vector<std::vector<std::size_t>> list_parts(std::size_t loop,
                                                   const Aggregates& calls) const {
    const auto& iterations = stored_.iterations(loop);
    std::vector<LoopPart> parts;
    std::vector<std::size_t> in_mpi_alone;
    for (auto p : masters_) {
      if (iterations[p] == 0)
        continue;
      auto joined = make_part(calls, p);
      if (joined.paths.empty()) {
        in_mpi_alone.push_back(p);
        continue;
      }
      for (auto& part : parts) {
        const bool is_as_long = iterations[part.ranks.front()] == iterations[p];
        if (!have_common(joined.paths, part.paths) &&
            !(is_as_long && have_common(joined.functions, part.functions)))
          continue;
        joined.paths.merge(part.paths);
        joined.functions.merge(part.functions);
        joined.ranks.insert(joined.ranks.end(), part.ranks.begin(), part.ranks.end());
        part.ranks.clear();
      }
      std::erase_if(parts, [](const LoopPart& part) { return part.ranks.empty(); });
      parts.push_back(std::move(joined));
    }
    for (auto p : in_mpi_alone) {
      const auto same = std::find_if(parts.begin(), parts.end(), [&](const LoopPart& part) {
        return iterations[part.ranks.front()] == iterations[p];
      });
      if (same == parts.end())
        parts.push_back({{p}});
      else
        same->ranks.push_back(p);
    }

    std::vector<std::vector<std::size_t>> ranks;
    for (auto& part : parts) {
      std::sort(part.ranks.begin(), part.ranks.end());
      ranks.push_back(std::move(part.ranks));
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
  }

  IterationTimes read_series(std::size_t loop, const std::vector<std::size_t>& ranks) const {
    IterationTimes out;
    out.number = loop;
    out.per_column = stored_.detail().iterations_per_column;
    out.ranks = ranks;
    std::vector<std::uint64_t> lengths;
    for (auto p : ranks)
      if (const auto own = stored_.iterations(loop)[p])
        lengths.push_back(own);
    if (lengths.empty())
      return out;
    std::nth_element(lengths.begin(),
                     lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2),
                     lengths.end());
    out.iterations = lengths[lengths.size() / 2];

    // A rank that has ended its iterations is not there, and does not count as 0. What only few
    // ranks do is left out.
    const auto most = (out.iterations + out.per_column - 1) / out.per_column;
    std::vector<double> present(most);  // by column: ranks
    for (auto own : lengths)
      for (std::size_t k = 0; k < most && k * out.per_column < own; ++k)
        present[k] += std::min(1.0, static_cast<double>(own - k * out.per_column) /
                                        static_cast<double>(out.per_column));

    const auto& columns = stored_.columns();
    std::vector<double> outside_mpi;  // by master and column
    for (std::size_t c = 0; c < columns.measured.size(); ++c) {
      const auto metric = columns.measured[c];
      const bool is_of_messages = metric == Metric::sends || metric == Metric::bytes_sent;
      if (get_entry(metric).kind != MetricKind::time && !is_of_messages)
        continue;
      check_stop();
      const auto series = stored_.read_series(loop, c);
      out.columns.resize(std::min<std::size_t>(series.columns, most));
      outside_mpi.resize(ranks.size() * out.columns.size());
      if (series.values.empty())
        continue;
      for (std::size_t m = 0; m < ranks.size(); ++m)
        for (std::size_t k = 0; k < out.columns.size(); ++k) {
          const auto value = static_cast<double>(series.values[ranks[m] * series.columns + k]);
          if (is_of_messages) {
            (metric == Metric::sends ? out.columns[k].messages : out.columns[k].bytes) += value;
            continue;
          }
          if (is_waiting(metric)) {
            out.columns[k].waiting += value / present[k];
            continue;
          }
          out.columns[k].total += value / present[k];
          if (!is_mpi_time(metric))
            outside_mpi[m * out.columns.size() + k] += value;
        }
    }
    for (std::size_t m = 0; m < ranks.size(); ++m)
      for (std::size_t k = 0; k < out.columns.size(); ++k) {
        const auto value = outside_mpi[m * out.columns.size() + k];
        auto& column = out.columns[k];
        column.computation += value / present[k];
        if (value > column.most) {
          column.most = value;
          column.slowest = ranks[m];
        }
      }
    return out;
  }

  const StoredProgram& stored_;
  RunFacts& out_;
  const std::vector<ProgramDevices> devices_;
  const std::vector<WhatIf> what_if_;
  std::vector<std::size_t> masters_;
};

}  // namespace

void read_stored_run(const StoredProgram& stored, RunPart part, std::vector<ProgramDevices> devices,
                     const std::vector<WhatIf>& what_if, RunFacts& out) {
  ProgramReader(stored, out, std::move(devices), what_if).read(part);
}

}  // namespace tracefold
