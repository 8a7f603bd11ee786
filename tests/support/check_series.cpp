// Checks the call-path profiles of a trace's iterations against what other readings
// of it say.
//   check_series TRACE.otf2
//
// Over all iterations and what is outside of them, visits and exclusive times of each
// call path add up to those of the call-path profile, messages, collectives and their
// bytes to those of a count of records, and metrics that accumulate to how far they
// came. An iteration of a process's own loop takes exactly its time. Clusters of
// iterations, weighted by counts, add up to all iterations. Nothing depends on the
// number of threads. Prints a line of figures; exits 1 where something does not hold.
#include "base/for_each_index.hpp"
#include "filters/iterations/process_clusters.hpp"
#include "model/plan.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/stream_calls.hpp"
#include "pipeline/facts/call_path_sink.hpp"
#include "pipeline/facts/series_pass.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <string>

namespace tracefold {
namespace {

std::atomic<int> failures{0};

void expect(bool holds, const std::string& what) {
  if (holds)
    return;
  ++failures;
  fmt::print("FAIL: {}\n", what);
}

// How often a call path is visited, and its exclusive ticks.
struct Tally {
  std::uint64_t visits = 0, ticks = 0;
  bool operator==(const Tally&) const = default;
};
using Path = std::vector<FunctionIndex>;

Path path_of(std::span<const CallPath> paths, PathIndex path) {
  Path out;
  for (; path != 0; path = paths[path].caller)
    out.insert(out.begin(), paths[path].function);
  return out;
}

// The totals of a location, by plain counting.
struct Totals {
  CallPathSink calls;
  std::map<Metric, std::uint64_t> counts;
  std::map<std::pair<std::uint64_t, std::size_t>, std::pair<std::uint64_t, std::uint64_t>>
      counters;  // first and last value

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    calls.enter(call, attributes);
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    calls.leave(call, attributes);
  }
  void other(const Event& event) {
    using enum EventKind;
    const auto& f = event.fields;
    if (event.kind == MpiSend || event.kind == MpiIsend)
      ++counts[f[3] ? Metric::sends : Metric::send_synchronizations],
          counts[Metric::bytes_sent] += f[3];

    if (event.kind == MpiRecv || event.kind == MpiIrecv)
      ++counts[f[3] ? Metric::receives : Metric::receive_synchronizations],
          counts[Metric::bytes_received] += f[3];

    if (event.kind == MpiCollectiveEnd || event.kind == NonBlockingCollectiveComplete) {
      ++counts[f[0] != otf2_value::collective_barrier && (f[3] || f[4])
                   ? Metric::collectives
                   : Metric::collective_synchronizations];
      if (f[0] != otf2_value::collective_barrier)
        counts[Metric::collective_bytes_outgoing] += f[3],
            counts[Metric::collective_bytes_incoming] += f[4];
    }

    if (event.kind == EventKind::Metric)
      for (std::size_t k = 0; k < event.list.size() / 2; ++k) {
        const auto value = event.list[event.list.size() / 2 + k];
        counters.try_emplace({f[0], k}, value, value).first->second.second = value;
      }
  }
  void unknown(std::uint64_t) {}
};

// What the pass says of one process, added up.
struct Sums {
  std::vector<std::uint64_t> columns;
  std::map<PathIndex, Tally> tallies;
  std::map<Path, Tally> paths;
  std::vector<std::uint64_t> ticks;  // by iteration
  ProfileSums all;
  std::optional<ProcessClusters> clusters;
  std::uint64_t hash = 0, rows = 0;

  std::uint64_t add(const MetricColumns& form, const CallPathProfile& profile) {
    std::uint64_t time = 0;
    columns.resize(form.size());

    for (std::size_t r = 0; r < profile.rows.size(); ++r) {
      if (r > 0)
        expect(profile.rows[r - 1].path < profile.rows[r].path, "call paths do not ascend");

      auto& tally = tallies[profile.rows[r].path];
      for (std::size_t c = 0; c < form.size(); ++c) {
        const auto value = profile.value(r, c);
        columns[c] += value;
        hash = (hash ^ value) * 1099511628211u + static_cast<std::uint64_t>(profile.rows[r].path);
        if (c == *form.find(Metric::execution_time))
          tally.ticks += value, time += value;
      }

      tally.visits += profile.value(r, *form.find(Metric::visits));
    }

    rows += profile.rows.size();

    return time;
  }
};

std::vector<Sums> sums_of(const SeriesPass& pass, std::size_t processes) {
  std::vector<Sums> sums(processes);
  ClusterOptions options;
  options.max_clusters = 8;
  for (auto& s : sums)
    s.clusters.emplace(pass.columns(), options);

  pass.read({[&](const SeriesIteration& i) {
               auto& s = sums[i.process];
               expect(i.iteration == s.ticks.size(), "iterations are not in order");
               s.ticks.push_back(s.add(pass.columns(), i.profile));
               if (i.iteration == 0)
                 s.all = ProfileSums(i.profile);
               else
                 s.all.add(ProfileSums(i.profile));

               s.clusters->add(i.profile);
             },
             [&](const SeriesEnd& end) {
               auto& s = sums[end.process];
               s.add(pass.columns(), end.outside);
               for (const auto& [path, tally] : s.tallies)
                 if (path != 0)
                   s.paths[path_of(end.paths, path)] = tally;
             }});

  return sums;
}

// Each iteration of the location's own loops is as long as the calls in it and around it are, where
// there are any.
void check_iterations(const ProcessLoops& loops, const Sums& sums, const std::string& where) {
  std::size_t iteration = 0;
  for (const auto& loop : loops.loops)
    for (const auto& interval : loop.iterations) {
      const auto ticks = sums.ticks.at(iteration++), length = interval.end - interval.begin;
      const bool in_calls = !loop.path.empty() || loop.source == LoopSource::asked ||
                            loop.source == LoopSource::marked;
      if (!loops.taken_from && in_calls)
        expect(ticks == length, fmt::format("{}: iteration {} has {} ticks of {}", where,
                                            iteration - 1, ticks, length));
    }

  expect(iteration == sums.ticks.size(), where + ": iterations are missing");
}

void check_clusters(const Sums& sums, const std::string& where) {
  if (sums.ticks.empty())
    return;

  ProfileSums together;
  std::uint64_t iterations = 0;

  for (const auto* cluster : sums.clusters->profiles()) {
    iterations += cluster->iterations();
    if (iterations == cluster->iterations())
      together = *cluster;
    else
      together.add(*cluster);
  }

  expect(iterations == sums.ticks.size(), where + ": clusters do not hold all iterations");
  expect(together == sums.all, where + ": clusters do not add up to all iterations");
}

void check_totals(const SeriesPass& pass, const Sums& sums, Totals& totals,
                  const std::string& where) {
  const auto calls = totals.calls.take();
  std::map<Path, Tally> paths;
  for (std::size_t k = 0; k < calls.paths.size(); ++k)
    paths[path_of(totals.calls.paths(), calls.paths[k])] = {
        calls.value(k, CallPathSink::visits_column), calls.value(k, CallPathSink::time_column)};

  expect(paths == sums.paths, where + ": call paths do not add up");
  const auto& columns = pass.columns();

  for (std::size_t c = 0; c < columns.measured.size(); ++c) {
    const auto metric = columns.measured[c];
    if (metric == Metric::visits || get_entry(metric).kind == MetricKind::time ||
        metric == Metric::collectives_as_source || metric == Metric::collectives_as_destination)
      continue;

    const auto sum = sums.columns.empty() ? 0 : sums.columns[c];
    expect(
        sum == totals.counts[metric],
        fmt::format("{}: {} {} of {}", where, sum, get_entry(metric).name, totals.counts[metric]));
  }

  if (columns.counters.size() != 1)
    return;

  std::uint64_t grown = 0;
  for (const auto& [key, values] : totals.counters)
    grown += values.second - values.first;

  expect(sums.columns.back() == grown, fmt::format("{}: {} {} of {}", where, sums.columns.back(),
                                                   columns.counters[0].name, grown));
}

double waiting(const SeriesPass& pass, const std::vector<Sums>& sums) {
  const auto all = pass.columns().find(Metric::mpi_point_to_point_time),
             late = pass.columns().find(Metric::mpi_late_sender_time);
  if (!all || !late)
    return 0;

  double times = 0, waits = 0;
  for (const auto& s : sums)
    times += static_cast<double>(s.columns[*all]), waits += static_cast<double>(s.columns[*late]);

  return waits > 0 ? 100 * waits / times : 0;
}

int check(const std::string& anchor) {
  Diagnostics diagnostics;
  const Archive archive(anchor, diagnostics);
  auto plan = make_plan(archive, {});
  add_profiles(plan, archive, {}, diagnostics);
  std::vector<std::size_t> members(plan.processes.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  const auto loops = find_loops_pass({archive, plan, {}, diagnostics}, members, {});
  const SeriesPass pass({archive, plan, {}, diagnostics}, loops, members,
                        {waiting_metrics.begin(), waiting_metrics.end()});
  const auto read_by = [&](std::size_t threads) {
    const ThreadLimit limit(threads);
    return sums_of(pass, members.size());
  };

  const auto sums = read_by(2), by_one = read_by(1);
  const FunctionTable functions(archive.definitions(), plan.filters);
  std::uint64_t iterations = 0, rows = 0;

  for (const auto m : members) {
    const auto id = plan.processes[m].id;
    const auto where = fmt::format("location {}", id);
    Totals totals;
    EventReader reader(archive, std::span(&id, 1), {}, diagnostics);
    const auto read_by_rules = [&](auto events) {
      reader.read(id, *events);
      events->finish();
    };
    if (functions.is_stream(id))
      read_by_rules(std::make_unique<StreamCalls<Totals>>(functions, totals));
    else
      read_by_rules(std::make_unique<CleanEvents<Totals>>(functions, totals));
    expect(sums[m].hash == by_one[m].hash && sums[m].columns == by_one[m].columns,
           where + ": depends on threads");
    check_totals(pass, sums[m], totals, where);
    check_iterations(loops[m], sums[m], where);
    check_clusters(sums[m], where);
    iterations += sums[m].ticks.size();
    rows += sums[m].rows;
  }

  fmt::print(
      "{} locations, {} iterations, {} rows, {} metrics, {:.0f} % of point-to-point time waits for "
      "late senders\n",
      members.size(), iterations, rows, pass.columns().size(), waiting(pass, sums));

  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tracefold

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: check_series TRACE.otf2\n", stderr);
    return 2;
  }

  try {
    return tracefold::check(argv[1]);
  } catch (const tracefold::Error& error) {
    fmt::print(stderr, "check_series: {}\n", error.what());
    return 3;
  }
}
