#include "filters/summary/measure_run.hpp"

#include "base/ranges.hpp"
#include "filters/summary/know_waiting.hpp"
#include "model/profile/time_metric.hpp"
#include "model/run_span.hpp"
#include "model/summary/accelerator_calls.hpp"
#include "otf2/otf2_values.hpp"
#include "otf2/program_paradigms.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

Paradigm find_paradigm(Metric metric) {
  switch (metric) {
    case Metric::mpi_point_to_point_time:
    case Metric::mpi_one_sided_time: return Paradigm::point_to_point;
    case Metric::mpi_collective_time: return Paradigm::collective;
    case Metric::mpi_collective_synchronization_time:
    case Metric::mpi_one_sided_synchronization_time: return Paradigm::synchronisation;
    case Metric::mpi_individual_file_time:
    case Metric::mpi_collective_file_time:
    case Metric::other_file_time: return Paradigm::io;
    case Metric::mpi_management_time: return Paradigm::other_mpi;
    case Metric::openmp_flush_time:
    case Metric::openmp_management_time:
    case Metric::openmp_synchronization_time: return Paradigm::openmp;
    default: return Paradigm::computation;
  }
}

// Functions that read and write files, where the recorder does not say what they are.
bool is_of_files(const Function& function) {
  const std::string_view name = function.name;
  constexpr std::array names{"fopen", "fclose", "fread",  "fwrite",    "fflush",  "fprintf",
                             "fputs", "fgets",  "fscanf", "open",      "open64",  "close",
                             "read",  "write",  "pread",  "pwrite",    "pread64", "pwrite64",
                             "readv", "writev", "fsync",  "fdatasync", "lseek",   "fseek"};
  constexpr std::array libraries{"H5D", "H5F", "nc_", "nf_", "ncmpi_", "adios2_"};
  return function.paradigm == otf2_value::paradigm_unknown &&
         (std::find(names.begin(), names.end(), name) != names.end() ||
          std::any_of(libraries.begin(), libraries.end(),
                      [&](std::string_view begin) { return name.starts_with(begin); }));
}

bool is_parallel_region(const Function& function) {
  return !is_user_code(function.paradigm) &&
         (function.role == otf2_value::region_role_parallel || function.name.starts_with("!$omp") ||
          function.name.find("omp parallel") != std::string::npos);
}

// The columns that a summary reads.
struct SummaryColumns {
  explicit SummaryColumns(const MetricColumns& columns)
      : time(*columns.find(Metric::execution_time)) {
    for (auto metric : columns.list_waits())
      waits.push_back(*columns.find(metric));
  }
  std::size_t time;
  std::vector<std::size_t> waits;
};

bool is_left_out(const RunFacts& facts, std::size_t process) {
  const auto& early = facts.early_ends;
  return early.are_left_out &&
         std::binary_search(early.processes.begin(), early.processes.end(), process);
}

// Ranks, or where nobody has one, what has threads of a CPU and recorded anything. The masters of
// ranks of which no event file is there are added to `missing`.
std::vector<RankTimes> list_ranks(const RunFacts& facts, std::vector<std::size_t>& missing) {
  const bool has_ranks = std::any_of(facts.processes.begin(), facts.processes.end(),
                                     [](const Process& p) { return p.rank.has_value(); });
  std::map<std::pair<bool, std::uint64_t>, std::vector<std::size_t>> owners;
  for (std::size_t p = 0; p < facts.processes.size(); ++p) {
    const bool is_cpu = facts.types[p] != otf2_value::location_type_accelerator &&
                        facts.types[p] != otf2_value::location_type_metric;
    if (is_cpu && facts.processes[p].rank.has_value() == has_ranks && !is_left_out(facts, p))
      owners[facts.processes[p].owner()].push_back(p);
  }

  std::vector<RankTimes> ranks;
  for (auto& [owner, threads] : owners) {
    const bool does_nothing = std::all_of(threads.begin(), threads.end(), [&](std::size_t p) {
      return facts.processes[p].events == 0;
    });
    if (does_nothing && !has_ranks)
      continue;
    if (does_nothing && facts.processes[threads.front()].damaged) {
      missing.push_back(threads.front());
      continue;
    }
    std::stable_sort(threads.begin(), threads.end(), [&](std::size_t a, std::size_t b) {
      const auto order = [&](std::size_t p) {
        return std::tuple(!facts.processes[p].is_mpi_endpoint, facts.processes[p].thread);
      };
      return order(a) < order(b);
    });
    auto& rank = ranks.emplace_back();
    rank.master = threads.front();
    rank.threads = std::move(threads);
  }
  return ranks;
}

class RunMeasure {
 public:
  explicit RunMeasure(const RunFacts& facts)
      : facts_(facts),
        profiles_(facts.calls.profiles),
        columns_(profiles_.columns),
        kinds_(classify_paths(facts.calls)) {}

  Summary measure() {
    describe();
    out_.ranks = list_ranks(facts_, out_.missing);
    for (auto& rank : out_.ranks)
      measure_rank(rank);
    knows_waiting_ =
        out_.has_mpi && facts_.early_messages.are_few() && know_waiting(facts_.calls, in_mpi_);
    if (!knows_waiting_)
      for (auto& rank : out_.ranks) {
        rank.transfer = rank.mpi - rank.mpi_io;
        rank.waiting.reset();
      }
    measure_runtime();
    measure_presence();
    measure_efficiencies();
    for (auto& paradigm : out_.paradigms)
      if (!knows_waiting_)
        paradigm.waiting.reset();
    list_calls();
    if (knows_waiting_)
      list_waits();
    list_critical();
    take_network();
    list_gains();
    list_groups();
    list_files();
    measure_streams();

    return std::move(out_);
  }

 private:
  double seconds(double ticks) const { return facts_.to_seconds(ticks); }
  double read_time(std::size_t p, std::size_t k) const {
    return static_cast<double>(profiles_.value(p, k, columns_.time));
  }
  // A time of waiting is at most that of its call.
  double read_waiting(std::size_t p, std::size_t k) const {
    double sum = 0;
    for (auto column : columns_.waits)
      sum += static_cast<double>(profiles_.value(p, k, column));
    return std::min(sum, read_time(p, k));
  }

  // What a process has of the times that are set aside, in seconds.
  double read_aside(const std::vector<std::uint64_t>& ticks, std::size_t process) const {
    return ticks.empty() ? 0 : seconds(static_cast<double>(ticks[process]));
  }

  void describe() {
    out_.trace = facts_.trace;
    out_.part = facts_.part;
    out_.window = facts_.window;
    out_.processes = facts_.processes;
    out_.outside_loops = facts_.outside_loops;
    out_.early_ends = facts_.early_ends;
    out_.late_starts = facts_.late_starts;
    out_.early_messages = facts_.early_messages;
    out_.counters = facts_.counters;
    out_.percent = facts_.percent;
    out_.recording_off = facts_.recording_off;
    if (facts_.part == RunPart::loop) {
      out_.loops = facts_.spans.size();
      out_.loops_are_unsure = facts_.loops_are_unsure;
      out_.numbers = facts_.numbers;
      describe_iterations();
    }
    for (const auto& process : facts_.processes)
      out_.has_ranks |= process.rank.has_value();
    for (const auto& path : profiles_.paths)
      out_.has_openmp |=
          path.function != virtual_root &&
          facts_.calls.functions[path.function].paradigm == otf2_value::paradigm_openmp;
    for (std::size_t p = 0; p < profiles_.processes.size(); ++p) {
      out_.streams += facts_.types[p] == otf2_value::location_type_accelerator;
    }
    // Also where the part that is looked at has no call of it.
    const auto& metrics = facts_.calls.time_metrics;
    out_.has_mpi = std::any_of(metrics.begin(), metrics.end(), is_mpi_time);
  }

  void list_files() {
    constexpr std::size_t most = 20;
    if (!facts_.files)
      return;
    auto uses = *facts_.files;
    keep_first(most, uses);
    const auto all = seconds(static_cast<double>(facts_.masters_ticks));
    out_.files.emplace();
    for (const auto& use : uses) {
      auto& file = out_.files->emplace_back();
      file.name = use.name;
      file.files = use.files;
      file.read = show_amounts(use.operations.read);
      file.written = show_amounts(use.operations.written);
      file.other = show_amounts(use.operations.other);
      file.seconds = seconds(static_cast<double>(use.operations.ticks()));
      file.share = all > 0 ? file.seconds / all : 0;
      file.count = static_cast<std::size_t>(use.count);
      for (auto p : parse_ranges(use.who, facts_.processes.size()))
        file.who.push_back(static_cast<std::size_t>(p));
    }
  }
  FileTimes::Amount show_amounts(const FileAmounts& of) const {
    return {of.operations, seconds(static_cast<double>(of.ticks)),
            of.unknown > 0 ? std::nullopt : std::optional(of.bytes)};
  }

  void describe_iterations() {
    std::map<std::size_t, std::vector<const IterationTimes*>> by_number;
    for (const auto& loop : facts_.loops)
      by_number[loop.number].push_back(&loop);
    for (const auto& [number, loops] : by_number) {
      const auto& largest = **std::max_element(
          loops.begin(), loops.end(),
          [](const auto* a, const auto* b) { return a->ranks.size() < b->ranks.size(); });
      out_.iterations += largest.iterations;
    }
    if (by_number.size() == 1 && facts_.loops.size() > 1)
      for (const auto& loop : facts_.loops)
        out_.rank_loops.push_back({loop.ranks, loop.iterations});
  }

  void measure_rank(RankTimes& rank) {
    const auto m = rank.master;
    double in_calls = 0, waiting = 0;
    rank.computation.assign(rank.threads.size(), 0);
    for (std::size_t t = 0; t < rank.threads.size(); ++t) {
      const auto p = rank.threads[t];
      const auto& paths = profiles_.shape(p).paths;
      for (std::size_t k = 0; k < paths.size(); ++k) {
        const auto& kind = kinds_[paths[k]];
        const auto time = read_time(p, k), waits = read_waiting(p, k);
        auto& of_paradigm = out_.paradigms[static_cast<std::size_t>(kind.paradigm)];
        of_paradigm.seconds += seconds(time);
        out_.time += seconds(time);
        if (kind.is_mpi)
          of_paradigm.waiting = of_paradigm.waiting.value_or(0) + seconds(waits);
        if (!kind.is_mpi && kind.paradigm != Paradigm::openmp && kind.paradigm != Paradigm::io)
          rank.computation[t] += seconds(time);
        if (p != m)
          continue;

        in_calls += time;
        if (kind.is_mpi) {
          rank.mpi += seconds(time);
          waiting += seconds(waits);
          in_mpi_[static_cast<std::size_t>(kind.paradigm)] += time;
        }
        if (kind.paradigm == Paradigm::io)
          (kind.is_mpi ? rank.mpi_io : rank.io) += seconds(time);
        if (kind.paradigm == Paradigm::openmp)
          rank.openmp += seconds(time);
        else if (!kind.is_mpi && !kind.is_parallel && kind.paradigm != Paradigm::io)
          rank.serial += seconds(time);
      }
      add_measurement(p);
      ++out_.threads;
    }
    rank.measurement = read_aside(facts_.set_aside.flushes, m);
    const auto io_outside_mpi = rank.io;
    rank.io += rank.mpi_io;
    rank.time = seconds(in_calls);
    measure_span(rank);
    take_exact(rank, in_calls, waiting);
    rank.useful = std::max(rank.useful - io_outside_mpi, 0.0);
    rank.waiting = std::min(waiting, rank.mpi);
    rank.transfer = std::max(rank.mpi - *rank.waiting - rank.mpi_io, 0.0);
    take_forks(rank);
    // What is in no call is computation of a program of which not all calls were recorded.
    rank.computation[0] = std::max(rank.useful - rank.openmp, 0.0);
  }

  // A master begins a parallel region before its threads, and ends it after them: the difference is
  // no computation, but OpenMP's, as far as it is the region's own time.
  //
  //   master   !$omp parallel ------------------- 60 us, 60 us of it its own
  //   thread 1          !$omp parallel ----       20 us: 40 us of fork and join
  void take_forks(RankTimes& rank) {
    std::map<FunctionIndex, double> longest;
    for (std::size_t t = 1; t < rank.threads.size(); ++t)
      for (const auto& [function, times] : sum_regions(rank.threads[t]))
        longest[function] = std::max(longest[function], times.inclusive);
    for (const auto& [function, times] : sum_regions(rank.master))
      if (const auto of_threads = longest.find(function); of_threads != longest.end()) {
        const auto fork =
            seconds(std::clamp(times.inclusive - of_threads->second, 0.0, times.exclusive));
        rank.openmp += fork;
        out_.paradigms[static_cast<std::size_t>(Paradigm::openmp)].seconds += fork;
        out_.paradigms[static_cast<std::size_t>(Paradigm::computation)].seconds -= fork;
      }
  }
  // Of the outermost parallel regions of a process.
  struct RegionTimes {
    double inclusive = 0, exclusive = 0;  // exclusive: what counts as computation
  };
  std::map<FunctionIndex, RegionTimes> sum_regions(std::size_t process) const {
    std::map<FunctionIndex, RegionTimes> regions;
    const auto& paths = profiles_.shape(process).paths;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      auto outermost = no_path;
      for (auto path = paths[k]; path != no_path && kinds_[path].is_parallel;
           path = profiles_.paths[path].caller)
        outermost = path;
      if (outermost == no_path)
        continue;
      auto& region = regions[profiles_.paths[outermost].function];
      region.inclusive += read_time(process, k);
      if (outermost == paths[k] && kinds_[paths[k]].paradigm == Paradigm::computation)
        region.exclusive += read_time(process, k);
    }
    return regions;
  }

  // Where values of call paths are not exact, the smaller one of the times inside and outside of
  // MPI is nearer to the truth, and the other is what is left of an exact time.
  void take_exact(RankTimes& rank, double in_calls, double& waiting) const {
    const auto m = rank.master;
    const auto outside_mpi = std::max(seconds(in_calls) - rank.mpi, 0.0);
    rank.useful = std::max(rank.time - rank.measurement - rank.mpi, 0.0);
    if (facts_.sums.in_calls.empty())
      return;
    const auto exact = seconds(static_cast<double>(facts_.sums.in_calls[m]));
    if (facts_.spans.empty())
      rank.time = exact + rank.measurement;
    waiting = seconds(static_cast<double>(facts_.sums.waiting[m]));
    const auto own = rank.time - rank.measurement;
    const auto in_no_call = std::max(own - exact, 0.0);
    if (outside_mpi < rank.mpi) {
      rank.useful = std::min(outside_mpi + in_no_call, own);
      rank.mpi = own - rank.useful;
    } else {
      rank.useful = std::max(own - rank.mpi, 0.0);
    }
    rank.mpi = std::min(rank.mpi, own);
  }

  // Calls do not have the time in which the recorder writes its buffer.
  void add_measurement(std::size_t process) {
    const auto time = read_aside(facts_.set_aside.flushes, process);
    out_.paradigms[static_cast<std::size_t>(Paradigm::measurement)].seconds += time;
    out_.time += time;
  }

  // The time of a rank is that between the begin and the end, also where no call is open; a master
  // without calls has none, whatever else it records.
  void measure_span(RankTimes& rank) {
    if (profiles_.shape(rank.master).paths.empty())
      return;
    double span = 0;
    for (const auto& piece : facts_.spans)
      span += static_cast<double>(piece[rank.master].end) -
              static_cast<double>(piece[rank.master].begin);
    if (facts_.spans.empty())
      return;
    const auto& exact = facts_.sums.in_calls;
    const auto least = exact.empty() ? rank.mpi : seconds(static_cast<double>(exact[rank.master]));
    const auto recorded = seconds(span) - read_aside(facts_.set_aside.off, rank.master);
    rank.time = std::max(recorded, least + rank.measurement);
  }

  // Uses the times of masters, or of all threads in a piece where no master has any. The whole run
  // is that of all threads and streams, or of whatever has records where these have none. Time
  // in which recording is off does not count: that of a master on average.
  void measure_runtime() {
    for (const auto& piece : facts_.spans) {
      std::optional<Interval> all;
      const auto add = [&](std::size_t process) {
        const auto& own = piece[process];
        if (own.end <= own.begin)
          return;
        if (!all)
          all = own;
        all->begin = std::min(all->begin, own.begin);
        all->end = std::max(all->end, own.end);
      };
      if (facts_.part == RunPart::run || facts_.part == RunPart::window) {
        RunSpan run;
        for (std::size_t p = 0; p < facts_.processes.size(); ++p)
          if (const auto& own = piece[p]; own.end > own.begin)
            run.add(!profiles_.shape(p).paths.empty(), {own.begin, own.end});
        if (const auto found = run.get())
          all = Interval{found->begin, found->end};
      }
      if (!all)
        for (const auto& rank : out_.ranks)
          add(rank.master);
      if (!all)
        for (const auto& rank : out_.ranks)
          std::for_each(rank.threads.begin(), rank.threads.end(), add);
      if (all)
        out_.runtime += seconds(static_cast<double>(all->end - all->begin));
    }
    double off = 0;
    for (const auto& rank : out_.ranks)
      off += read_aside(facts_.set_aside.off, rank.master);
    if (off > 0)
      out_.runtime -= off / static_cast<double>(out_.ranks.size());
    for (const auto& rank : out_.ranks)
      out_.runtime = std::max(out_.runtime, off > 0 ? rank.useful + rank.io : rank.time);
  }

  // A rank that begins later than others is there from its begin to its end.
  void measure_presence() {
    const auto& late = facts_.late_starts.masters;
    for (auto& rank : out_.ranks)
      rank.present = std::binary_search(late.begin(), late.end(), rank.master)
                         ? std::min(rank.time, out_.runtime)
                         : out_.runtime;
  }

  void measure_efficiencies() {
    std::vector<RankMeasure> measures;
    double of_threads = 0, of_masters = 0;
    bool has_threads = false;
    for (const auto& rank : out_.ranks) {
      measures.push_back({rank.useful, rank.transfer, rank.io, rank.measurement, rank.present});
      out_.useful += rank.useful;
      of_threads += std::accumulate(rank.computation.begin(), rank.computation.end(), 0.0);
      const auto possible = out_.has_mpi || out_.has_openmp ? rank.useful : rank.present;
      of_masters += static_cast<double>(rank.threads.size()) * possible;
      has_threads |= rank.threads.size() > 1 || rank.openmp > 0;
    }
    if (out_.has_mpi)
      out_.efficiencies =
          compute_efficiencies(measures, out_.runtime, {knows_waiting_, find_ideal()}, &out_.ideal);
    auto& all = out_.efficiencies;
    if (has_threads && of_masters > 0)
      all.threads = std::min(of_threads / of_masters, 1.0);
    if (all.threads && all.parallel)
      all.hybrid = *all.threads * *all.parallel;
  }

  // The share of the runtime that remains on an ideal network, where it was played.
  std::optional<double> find_ideal() const {
    if (!facts_.replay || facts_.replay->recorded == 0)
      return std::nullopt;
    return std::min(
        static_cast<double>(facts_.replay->ideal) / static_cast<double>(facts_.replay->recorded),
        1.0);
  }

  void take_network() {
    if (!facts_.replay || !facts_.replay->network)
      return;
    const auto& fit = *facts_.replay->network;
    const auto bandwidth =
        fit.per_byte > 0 ? std::optional(1 / seconds(fit.per_byte)) : std::nullopt;
    out_.network = {seconds(fit.latency), bandwidth, fit.error, fit.messages};
  }

  void list_critical() {
    if (!facts_.replay || facts_.replay->critical_path.times.empty() || out_.ranks.empty())
      return;
    const auto& path = facts_.replay->critical_path;
    std::map<std::string, std::map<std::size_t, double>> of_functions;  // by process
    for (const auto& [process, number, ticks] : path.times)
      if (number > 0 && number <= kinds_.size())
        if (auto call = name_call(facts_.calls, number - 1); !call.empty())
          of_functions[call.function][process] += static_cast<double>(ticks);

    const auto means = find_means();
    auto& out = out_.critical.emplace();
    out.seconds = seconds(static_cast<double>(path.length));
    out.network = seconds(static_cast<double>(path.network));
    out.over_time = path.over_time;
    for (const auto& [function, of_processes] : of_functions) {
      auto& call = out.calls.emplace_back(CriticalTimes::Call{function});
      double most = 0;
      for (const auto& [process, ticks] : of_processes) {
        call.seconds += seconds(ticks);
        if (ticks > most) {
          most = ticks;
          call.most = process;
        }
      }
      call.seconds = std::min(call.seconds, out.seconds);  // stored times are rounded
      call.share = out.seconds > 0 ? call.seconds / out.seconds : 0;
      call.share_of_most = call.seconds > 0 ? std::min(seconds(most) / call.seconds, 1.0) : 0;
      const auto mean = means.find(function);
      call.imbalance = std::max(call.seconds - (mean == means.end() ? 0 : mean->second), 0.0);
    }
    std::stable_sort(out.calls.begin(), out.calls.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  }

  void list_gains() {
    if (!facts_.replay || facts_.replay->recorded == 0)
      return;
    if (facts_.replay->asked)
      out_.what_if = seconds(static_cast<double>(*facts_.replay->asked));
    for (const auto& gain : facts_.replay->gains)
      out_.gains.push_back(
          {gain.kind, gain.path > 0 ? name_call(facts_.calls, gain.path - 1) : NamedCall(),
           gain.who, gain.iterations, seconds(static_cast<double>(gain.ticks)),
           static_cast<double>(gain.ticks) / static_cast<double>(facts_.replay->recorded)});
  }

  // How long masters of ranks are in each function on average, without waiting.
  std::map<std::string, double> find_means() const {
    std::vector<double> of_paths(kinds_.size());
    for (const auto& rank : out_.ranks) {
      const auto& paths = profiles_.shape(rank.master).paths;
      for (std::size_t k = 0; k < paths.size(); ++k)
        of_paths[paths[k]] += read_time(rank.master, k) - read_waiting(rank.master, k);
    }

    std::map<std::string, double> out;
    for (PathIndex path = 0; path < of_paths.size(); ++path)
      out[name_call(facts_.calls, path).function] +=
          seconds(of_paths[path]) / static_cast<double>(out_.ranks.size());
    return out;
  }

  // By function, over ranks with their threads.
  void list_calls() {
    struct OfFunction {
      std::vector<double> times;  // by rank
      bool is_mpi = false;
    };
    std::map<std::string, OfFunction> of_functions;
    for (std::size_t r = 0; r < out_.ranks.size(); ++r)
      for (auto p : out_.ranks[r].threads) {
        const auto& paths = profiles_.shape(p).paths;
        for (std::size_t k = 0; k < paths.size(); ++k)
          if (const auto time = read_time(p, k); time > 0) {
            auto& [times, is_mpi] = of_functions[name_call(facts_.calls, paths[k]).function];
            times.resize(out_.ranks.size());
            times[r] += seconds(time);
            is_mpi |= kinds_[paths[k]].is_mpi;
          }
      }
    for (const auto& [function, of_function] : of_functions) {
      if (function.empty())
        continue;
      const auto& times = of_function.times;
      CallTime call{function};
      call.is_mpi = of_function.is_mpi;
      call.seconds = std::accumulate(times.begin(), times.end(), 0.0);
      call.share = out_.time > 0 ? call.seconds / out_.time : 0;
      call.mean = call.seconds / static_cast<double>(times.size());
      const auto most = std::max_element(times.begin(), times.end());
      call.most = *most;
      call.slowest = out_.ranks[static_cast<std::size_t>(most - times.begin())].master;
      out_.calls.push_back(std::move(call));
    }
    std::stable_sort(out_.calls.begin(), out_.calls.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  }

  void list_waits() {
    struct Sums {
      double time = 0, waiting = 0;
      std::map<std::size_t, double> of_column;
    };
    std::map<std::pair<std::string, std::string>, Sums> sums;
    double all = 0;
    for (const auto& rank : out_.ranks)
      for (auto p : rank.threads) {
        const auto& paths = profiles_.shape(p).paths;
        for (std::size_t k = 0; k < paths.size(); ++k) {
          if (!kinds_[paths[k]].is_mpi || read_time(p, k) == 0)
            continue;
          const auto call = name_call(facts_.calls, paths[k]);
          auto& sum = sums[{call.function, call.caller}];
          sum.time += read_time(p, k);
          sum.waiting += read_waiting(p, k);
          all += read_waiting(p, k);
          for (auto column : columns_.waits)
            sum.of_column[column] += static_cast<double>(profiles_.value(p, k, column));
        }
      }
    for (const auto& [names, sum] : sums) {
      if (sum.waiting <= 0)
        continue;
      const auto most =
          std::max_element(sum.of_column.begin(), sum.of_column.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      out_.waits.push_back({{names.first, names.second},
                            seconds(sum.waiting),
                            sum.waiting / all,
                            sum.waiting / sum.time,
                            profiles_.columns.measured[most->first]});
    }
    std::stable_sort(out_.waits.begin(), out_.waits.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  }

  void list_groups() {
    std::vector<std::optional<double>> computation(facts_.processes.size());
    for (const auto& rank : out_.ranks)
      for (std::size_t t = 0; t < rank.threads.size(); ++t)
        computation[rank.threads[t]] = rank.computation[t];
    for (const auto& group : facts_.groups) {
      GroupTimes times{group.name};
      for (auto member : group.members)
        if (const auto& own = computation[member]) {
          times.least = times.members == 0 ? *own : std::min(times.least, *own);
          times.most = std::max(times.most, *own);
          times.mean += *own;
          ++times.members;
        }
      if (times.members == 0)
        continue;
      times.mean /= static_cast<double>(times.members);
      out_.groups.push_back(std::move(times));
    }
  }

  // Streams that record nothing in the whole run do not count.
  void measure_streams() {
    double kernels = 0;
    std::size_t streams = 0;
    for (std::size_t p = 0; p < facts_.processes.size(); ++p) {
      if (facts_.types[p] != otf2_value::location_type_accelerator)
        continue;
      double own = 0, all_work = 0;
      const auto& paths = profiles_.shape(p).paths;
      for (std::size_t k = 0; k < paths.size(); ++k) {
        const auto time = seconds(read_time(p, k));
        const auto function = profiles_.paths[paths[k]].function;
        if (function == virtual_root)
          continue;
        all_work += time;
        if (find_stream_work(facts_.calls.functions[function]) == StreamWork::kernel)
          own += time;
      }
      // A stream is not busier where several kernels run on it at the same time.
      const auto overlaps = std::min(read_aside(facts_.set_aside.overlaps, p), all_work);
      own *= all_work > 0 ? 1 - overlaps / all_work : 1;
      kernels += std::min(own, out_.runtime);
      streams += facts_.processes[p].events > 0;
    }
    out_.recording_streams = streams;
    if (streams == 0 || out_.runtime <= 0)
      return;
    out_.efficiencies.accelerator = kernels / (static_cast<double>(streams) * out_.runtime);
    measure_devices();
  }

  void measure_devices() {
    if (!facts_.devices || facts_.devices->time == 0)
      return;
    auto& out = out_.devices.emplace(DeviceUse{*facts_.devices});
    const auto& hosts = out.sums.hosts;
    const auto most =
        std::max_element(hosts.begin(), hosts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == hosts.end() || most->second == 0)
      return;
    out.host = name_call(facts_.calls, most->first);
    out.host_share = static_cast<double>(most->second) / static_cast<double>(out.sums.idle);
  }

  const RunFacts& facts_;
  const CallPathProfiles& profiles_;
  const SummaryColumns columns_;
  const std::vector<SummedKind> kinds_;
  std::array<double, paradigm_count> in_mpi_{};  // ticks of the masters
  bool knows_waiting_ = false;
  Summary out_;
};

}  // namespace

Efficiencies compute_efficiencies(const std::vector<RankMeasure>& ranks, double runtime,
                                  const IdealRuntime& on_ideal, std::optional<double>* ideal) {
  Efficiencies out;
  if (ranks.empty() || runtime <= 0)
    return out;

  double most = 0, useful = 0, io = 0, present = 0;
  double least_transfer = runtime, measurement = runtime;
  for (const auto& rank : ranks) {
    const auto own = rank.present.value_or(runtime);
    if (own <= 0)
      continue;
    // As if it did the same for the whole runtime.
    const auto scale = runtime / own;
    most = std::max(most, (rank.useful + rank.io) * scale);
    useful += rank.useful;
    io += rank.io;
    present += own;
    least_transfer = std::min(least_transfer, rank.transfer * scale);
    measurement = std::min(measurement, rank.measurement * scale);
  }
  if (present <= 0)
    return out;
  const auto count = present / runtime;
  out.parallel = useful / count / runtime;
  if (measurement > 0)
    out.measurement = 1 - measurement / runtime;
  runtime -= measurement;
  if (runtime <= 0)
    return out;
  out.communication = most / runtime;
  if (most > 0)
    out.load_balance = (useful + io) / count / most;
  if (io > 0)
    out.io = useful / (useful + io);
  if (!on_ideal.is_known())
    return out;

  const auto ideal_runtime =
      on_ideal.share ? std::max(runtime * *on_ideal.share, most) : runtime - least_transfer;
  if (ideal)
    *ideal = ideal_runtime;
  out.transfer = ideal_runtime / runtime;
  if (ideal_runtime > 0)
    out.serialisation = most / ideal_runtime;

  return out;
}

std::vector<SummedKind> classify_paths(const Aggregates& calls) {
  const auto& paths = calls.profiles.paths;
  std::vector<SummedKind> kinds(paths.size());
  for (std::size_t path = 0; path < paths.size(); ++path) {
    auto& kind = kinds[path];
    const auto [caller, function] = paths[path];
    if (caller != no_path)
      kind.is_parallel = kinds[caller].is_parallel;
    const auto metric =
        function == virtual_root ? Metric::execution_time : calls.time_metrics[function];
    kind.paradigm = find_paradigm(metric);
    kind.is_mpi = is_mpi_time(metric);
    if (function != virtual_root) {
      const auto& called = calls.functions[function];
      kind.is_parallel |= is_parallel_region(called);
      if (kind.paradigm == Paradigm::computation && is_of_accelerator(called))
        kind.paradigm = Paradigm::accelerator;
      if (kind.paradigm == Paradigm::computation && is_of_files(called))
        kind.paradigm = Paradigm::io;
    }
    // What MPI calls is its own, as what an operation of a reduction does.
    if (caller != no_path && kinds[caller].is_mpi && !kind.is_mpi) {
      kind.is_mpi = true;
      if (kind.paradigm != Paradigm::io)
        kind.paradigm = kinds[caller].paradigm;
    }
    kind.is_mpi_io = kind.is_mpi && kind.paradigm == Paradigm::io;
  }
  return kinds;
}

PathIndex find_region(const Aggregates& calls, const std::vector<SummedKind>& kinds,
                      PathIndex path) {
  const auto& paths = calls.profiles.paths;
  while (paths[path].caller != no_path && kinds[paths[path].caller].is_parallel)
    path = paths[path].caller;
  return path;
}

NamedCall name_call(const Aggregates& calls, PathIndex path) {
  const auto& paths = calls.profiles.paths;
  const auto name = [&](PathIndex of) {
    const auto function = paths[of].function;
    return function == virtual_root ? std::string() : calls.functions[function].shown_name();
  };
  const auto caller = paths[path].caller;
  return {name(path), caller == no_path ? std::string() : name(caller)};
}

Summary measure_run(const RunFacts& facts) {
  return RunMeasure(facts).measure();
}

}  // namespace tracefold
