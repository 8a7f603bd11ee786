// What clustering costs per iteration, and the memory it holds, against the number of
// clusters; beside the published 1.9 ms per iteration of the slowest code (265 call
// paths, 64 clusters, call-tree classes; dynamics 4.2.3). Profiles are made beforehand.
//   iteration_clusters_bench [--quick] [--rounds N]
// Times are those of iterations after the first clusters had to be merged. Mean: over
// iterations, of the median round; median and 99th percentile: over iterations, of
// all rounds. Ends with 1 where sums or clusters are not what they have to be. --quick
// takes 300 iterations, at most 64 clusters and one round.
#include "filters/iterations/cluster_iterations.hpp"
#include "filters/iterations/process_clusters.hpp"
#include "tests/support/made_iterations.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace tracefold::bench {
namespace {

using testing::MadeProcess;
using testing::mpi_columns;
using testing::Shape;

struct Options {
  bool quick = false;
  int rounds = 5;
};

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

int failures = 0;
void check(bool good, const char* what) {
  if (good)
    return;
  std::printf("not as it has to be: %s\n", what);
  ++failures;
}

// "one class": noise only. "many": an extra call path in each tenth iteration, and more
// strong classes than clusters, from message counts that change.
Shape shape_of(bool many, std::uint32_t iteration) {
  if (!many)
    return {};
  return {iteration % 25 == 0 ? 3.0 : 1.0, 1, 1 + iteration % 300, iteration % 10 == 3};
}

std::vector<CallPathProfile> made(std::size_t paths, bool many, std::uint32_t iterations) {
  MadeProcess process(paths, 1, 0.1);
  std::vector<CallPathProfile> profiles;
  for (std::uint32_t i = 0; i < iterations; ++i)
    profiles.push_back(process.iteration(shape_of(many, i)));
  return profiles;
}

struct Measured {
  std::vector<double> each, means;  // us
  std::size_t bytes = 0, clusters = 0, classes = 0;
};

void run(const std::vector<CallPathProfile>& profiles, std::size_t most, Measured& measured) {
  ProcessClusters clusters(mpi_columns(), {most, {}, false});
  std::vector<double> each;

  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    clusters.add(profiles[i]);
    if (i > most)
      each.push_back(microseconds_since(start));
  }

  measured.means.push_back(std::accumulate(each.begin(), each.end(), 0.0) /
                           static_cast<double>(each.size()));
  measured.each.insert(measured.each.end(), each.begin(), each.end());
  measured.bytes = clusters.bytes();
  measured.clusters = clusters.size();
  measured.classes = clusters.classes();

  ProfileSums all;
  for (const auto& profile : profiles)
    all.add(ProfileSums(profile));

  const auto sums = testing::add_up(clusters);
  check(sums == all, "the sum of all clusters");
  check(clusters.size() <= std::max(most, clusters.classes()), "the number of clusters");
  const auto of = clusters.number_clusters();
  const auto kept = clusters.profiles();
  for (std::size_t i = 0; i < profiles.size(); ++i)
    check(kept[of[i]]->rows() == profiles[i].rows, "the call paths of a cluster");
}

void measure(std::size_t paths, bool many, const Options& options) {
  const auto profiles = made(paths, many, options.quick ? 300 : 2000);

  for (const std::size_t most : {8u, 16u, 32u, 64u, 128u, 256u}) {
    if (options.quick && most > 64)
      break;

    Measured measured;
    for (int round = 0; round < options.rounds; ++round)
      run(profiles, most, measured);

    const double mean = quantile(measured.means, 0.5), aim = paths <= 25 ? 50 : 200;
    std::printf("%5zu %-9s %8zu %8zu %7zu %9.1f %9.1f %9.1f %9.0f", paths,
                many ? "many" : "one class", most, measured.clusters, measured.classes, mean,
                quantile(measured.each, 0.5), quantile(measured.each, 0.99),
                static_cast<double>(measured.bytes) / 1024);

    if (most == 64 && !options.quick)
      std::printf("   aim %.0f %s", aim, mean <= aim ? "met" : "MISSED");
    if (most == 64 && paths == 265 && many)
      std::printf(" (published: 1900)");

    std::printf("\n");
    std::fflush(stdout);
  }
}

void measure_joint(std::size_t processes, const Options& options) {
  const std::uint32_t iterations = options.quick ? 200 : 1000;
  std::vector<IterationSeries> series;
  std::size_t bytes = 0;

  for (std::size_t p = 0; p < processes; ++p) {
    MadeProcess process(25, p, 0.1);
    SeriesRecorder recorder(mpi_columns(), false);
    for (std::uint32_t i = 0; i < iterations; ++i)
      recorder.add(process.iteration(shape_of(false, i)));
    series.push_back(std::move(recorder).take());
    bytes += series.back().bytes();
  }

  std::vector<double> times;
  KeptIterations kept;
  for (int round = 0; round < options.rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    kept = choose_iterations(series, mpi_columns());
    times.push_back(microseconds_since(start));
  }

  check(kept.clusters == 64 && kept.kept.size() <= 66, "the number of kept iterations");
  check(std::accumulate(kept.counts.begin(), kept.counts.end(), std::uint64_t{0}) == iterations,
        "the counts of kept iterations");
  std::printf(
      "joint: %zu processes, %u iterations, 64 clusters: %.1f us per iteration, medoids included; "
      "series of %.0f KiB\n",
      processes, iterations, quantile(times, 0.5) / iterations, static_cast<double>(bytes) / 1024);
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--quick"))
      options.quick = true, options.rounds = 1;
    else if (!std::strcmp(argv[i], "--rounds") && i + 1 < argc)
      options.rounds = std::max(1, std::atoi(argv[++i]));
    else
      std::fprintf(stderr, "usage: iteration_clusters_bench [--quick] [--rounds N]\n"),
          std::exit(2);
  }

  return options;
}

}  // namespace
}  // namespace tracefold::bench

int main(int argc, char** argv) {
  using namespace tracefold::bench;
  const auto options = options_of(argc, argv);
  std::printf("%5s %-9s %8s %8s %7s %9s %9s %9s %9s\n", "paths", "trees", "most", "clusters",
              "classes", "mean us", "median us", "99 % us", "KiB");
  for (const std::size_t paths : {25u, 265u})
    for (const bool many : {false, true})
      measure(paths, many, options);

  for (const std::size_t processes : {1u, 16u, 64u})
    measure_joint(processes, options);

  return failures == 0 ? 0 : 1;
}
