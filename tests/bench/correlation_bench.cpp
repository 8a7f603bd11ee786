// What correlating one view with all others takes, beside the published times (frequency 5, Table
// 1: 52.3 s, 1.8 s and 0.6 s, from spectra that were computed before), beside reading the data
// once, and, where it was found when this was built, beside FFTW.
//   correlation_bench [--quick] [--threads N] [--only POINTS] [--chance QUERIES]
// Times are CPU seconds of all threads. "From spectra": the products, the way back and the largest
// values. "From views": means, transforms, energies, and all of that. "Reading": the sum of all
// values, in double as the views are, by as many threads. The batches of a case are made once, a
// few that together are far larger than the caches, and taken in turns. Ends with 1 where a result
// is not what was put into the views. --quick takes small grids, and checks only.
//
// --chance says instead how many of so many queries have a finding of chance 0.05 or less among 16
// views that have nothing to do with them, on a grid of 8 x 8 whose axes have ends: as chance is
// told, and with surrogates that take the axes as periodic. It should be one in twenty.
#include "filters/correlation/chance.hpp"
#include "filters/correlation/correlator.hpp"

#if defined(TRACEFOLD_FFTW)
#include <fftw3.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tracefold::bench {
namespace {

using namespace correlation;

struct Case {
  const char* name;
  std::vector<std::size_t> sizes;
  std::size_t views;
  double published;  // seconds; 0: none
  double spectra_limit, views_limit;
};

struct Options {
  bool quick = false;
  std::size_t chance = 0;
  std::size_t threads = 2;
  std::size_t only = 0;
};

struct Seconds {
  double cpu = 0;
  double wall = 0;
};

double read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Calls work(thread, batch) for all batches.
Seconds measure(std::size_t threads, std::size_t batches,
                const std::function<void(std::size_t, std::size_t)>& work) {
  const auto wall = read_clock(CLOCK_MONOTONIC);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  double cpu = 0;
  {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        const auto start = read_clock(CLOCK_THREAD_CPUTIME_ID);
        for (auto b = next++; b < batches; b = next++)
          work(t, b);
        const std::lock_guard lock(mutex);
        cpu += read_clock(CLOCK_THREAD_CPUTIME_ID) - start;
      });
  }
  return {cpu, read_clock(CLOCK_MONOTONIC) - wall};
}

// Noise, with the first view put into others: as it is, shifted, and turned around.
std::vector<double> make_values(std::size_t points, std::uint64_t seed) {
  std::vector<double> values(points * batch_views);
  auto state = seed * 0x9e3779b97f4a7c15u + 1;
  for (auto& value : values) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    value = static_cast<double>(state >> 11) * 0x1p-53 * 1e9;
  }

  for (std::size_t p = 0; p < points; ++p) {
    const auto value = values[p * batch_views];
    values[(p + 1) % points * batch_views + 5] = value;
    values[p * batch_views + 20] = 2e9 - value;
  }
  return values;
}

int failures = 0;

void check(bool good, const char* what) {
  if (good)
    return;
  std::printf("not as it has to be: %s\n", what);
  ++failures;
}

void check_matches(const Correlator::Matches& matches, std::size_t axes) {
  Shift one{};
  one[axes - 1] = 1;

  check(std::abs(matches[0].r - 1) < 1e-4f && matches[0].shift == Shift{}, "a view with itself");
  check(std::abs(matches[20].r + 1) < 1e-4f && matches[20].shift == Shift{}, "turned around");
  if (axes == 1)
    check(std::abs(matches[5].r - 1) < 1e-4f && matches[5].shift == one, "a shifted view");
}

#if defined(TRACEFOLD_FFTW)

// The transforms alone of as many views, single precision, planned with FFTW_MEASURE.
double measure_fftw(const Case& c) {
  std::vector<int> sizes(c.sizes.begin(), c.sizes.end());
  const auto points =
      std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<std::size_t>());
  float* values = fftwf_alloc_real(points);
  fftwf_complex* spectrum = fftwf_alloc_complex(points);
  const auto plan = fftwf_plan_dft_c2r(static_cast<int>(sizes.size()), sizes.data(), spectrum,
                                       values, FFTW_MEASURE);
  std::memset(spectrum, 0, points * sizeof(fftwf_complex));

  const auto rounds = std::min<std::size_t>(c.views, 32);
  const auto start = read_clock(CLOCK_THREAD_CPUTIME_ID);
  for (std::size_t i = 0; i < rounds; ++i)
    fftwf_execute(plan);
  const auto seconds = read_clock(CLOCK_THREAD_CPUTIME_ID) - start;

  fftwf_destroy_plan(plan);
  fftwf_free(spectrum);
  fftwf_free(values);
  return seconds * static_cast<double>(c.views) / static_cast<double>(rounds);
}

#endif

std::string show_sizes(const std::vector<std::size_t>& sizes) {
  std::string text;
  for (auto size : sizes)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

void run(const Case& c, const Options& options) {
  Grid grid;
  for (auto size : c.sizes)
    grid.axes.push_back({"axis", size, true, true});
  const Correlator correlator(grid, {});
  const auto points = correlator.points();
  const auto batches = (c.views + batch_views - 1) / batch_views;

  // At least 256 MiB of them, and no more than there are.
  const auto kept =
      std::min(batches, std::max<std::size_t>(2, (std::size_t{256} << 20) / (points * 256) + 1));
  std::vector<std::vector<double>> values;
  for (std::size_t b = 0; b < kept; ++b)
    values.push_back(make_values(points, b));

  std::vector<Correlator::Room> rooms;
  for (std::size_t t = 0; t < options.threads; ++t) {
    rooms.push_back(correlator.make_room());
    std::memset(rooms.back().points.data(), 0, correlator.spectra_bytes());
  }

  std::vector<Spectra> spectra;
  for (std::size_t b = 0; b < kept; ++b) {
    spectra.push_back(correlator.make_spectra());
    correlator.transform(values[b].data(), spectra.back(), rooms[0]);
  }
  const auto query = correlator.make_query(spectra[0], 0);

  std::vector<Correlator::Values> largest(batches);
  const auto from_spectra = measure(options.threads, batches, [&](std::size_t t, std::size_t b) {
    largest[b] = correlator.find_largest(query, spectra[b % kept], rooms[t]);
  });
  check(std::abs(largest[0][0] - 1) < 1e-4f, "the largest of a view with itself");

  std::vector<Correlator::Matches> found(batches);

  const auto from_views = measure(options.threads, batches, [&](std::size_t t, std::size_t b) {
    found[b] = correlator.correlate(query, values[b % kept].data(), rooms[t]);
  });
  check_matches(found[0], c.sizes.size());

  std::vector<double> sums(batches);
  const auto reading = measure(options.threads, batches, [&](std::size_t, std::size_t b) {
    double parts[batch_views] = {};
    for (std::size_t p = 0; p < points; ++p)
      for (std::size_t v = 0; v < batch_views; ++v)
        parts[v] += values[b % kept][p * batch_views + v];
    sums[b] = std::accumulate(std::begin(parts), std::end(parts), 0.0);
  });
  check(std::accumulate(sums.begin(), sums.end(), 0.0) > 0, "the sum of all values");

  std::printf("%-9s %-20s %9zu %6zu %9.3f %9.3f %9.3f %7.1f", c.name, show_sizes(c.sizes).c_str(),
              points, c.views, from_spectra.cpu, from_views.cpu, reading.cpu,
              from_views.cpu / reading.cpu);
  if (c.published > 0)
    std::printf(" %9.1f", c.published);
#if defined(TRACEFOLD_FFTW)
  const auto fftw = measure_fftw(c);
  std::printf("   FFTW, one way: %.3f (%.2f)", fftw, from_spectra.cpu / fftw);
#endif
  if (c.spectra_limit > 0)
    std::printf("   %s", from_spectra.cpu <= c.spectra_limit && from_views.cpu <= c.views_limit
                             ? "reached"
                             : "missed");
  std::printf("\n");
}

constexpr std::size_t side = 8;
constexpr std::size_t places = side * side;
constexpr std::size_t others = 16;

// Kinds of views that are independent of each other, from rough to smooth.
enum class Field { noise, smooth, smoother, walks };

class RandomViews {
 public:
  std::vector<double> make(Field field) {
    std::vector<double> view(places);
    if (field == Field::walks) {
      std::array<double, side> down{};
      std::array<double, side> right{};
      for (auto* walk : {&down, &right})
        for (double at = 0; auto& value : *walk)
          value = at += draw();
      for (std::size_t p = 0; p < places; ++p)
        view[p] = down[p / side] + right[p % side] + draw();
      return view;
    }

    // Noise beyond the ends counts as well, so that the field knows nothing of these.
    const auto width = field == Field::noise ? 0.0 : field == Field::smooth ? 1.5 : 3.0;
    const auto reach = static_cast<std::size_t>(4 * width);
    const auto whole = side + 2 * reach;
    std::vector<double> noise(whole * whole);
    for (auto& value : noise)
      value = draw();

    for (std::size_t p = 0; p < places; ++p)
      for (std::size_t down = 0; down <= 2 * reach; ++down)
        for (std::size_t right = 0; right <= 2 * reach; ++right) {
          const auto y = static_cast<double>(down) - static_cast<double>(reach);
          const auto x = static_cast<double>(right) - static_cast<double>(reach);
          const auto weight = width > 0 ? std::exp(-(x * x + y * y) / (2 * width * width)) : 1.0;
          view[p] += weight * noise[(p / side + down) * whole + p % side + right];
        }
    return view;
  }

 private:
  // About normal: the sum of some uniform ones.
  double draw() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
      state_ ^= state_ << 13;
      state_ ^= state_ >> 7;
      state_ ^= state_ << 17;
      sum += static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    return sum;
  }

  std::uint64_t state_ = 0x9e3779b97f4a7c15u;
};

Grid make_square(bool periodic) {
  return {{{"x", side, periodic, true}, {"y", side, periodic, true}}, {}};
}

// How likely luck is what the first view has in common with the one that is most like it.
double find_least_chance(const Correlator& correlator, const Correlator& of_surrogates,
                         const std::vector<double>& values) {
  auto room = correlator.make_room();
  auto spectra = correlator.make_spectra();
  auto made_spectra = correlator.make_spectra();
  correlator.transform(values.data(), spectra, room);
  const auto find_best = [&](const Query& query) {
    const auto largest = correlator.find_largest(query, spectra, room);
    return *std::max_element(largest.begin() + 1, largest.end());
  };

  const Surrogates surrogates(of_surrogates, values.data(), 0);
  std::vector<double> made(values.size());
  SurrogateMaxima maxima(surrogates_of_a_kind);
  for (auto kind : {SurrogateKind::phases, SurrogateKind::order})
    for (std::size_t first = 0; first < surrogates_of_a_kind; first += batch_views) {
      surrogates.make(kind, first, made.data());
      correlator.transform(made.data(), made_spectra, room);
      auto& reached = kind == SurrogateKind::phases ? maxima.phases : maxima.order;
      for (auto n = first; n < std::min(first + batch_views, surrogates_of_a_kind); ++n)
        reached[n] = find_best(correlator.make_query(made_spectra, n - first));
    }

  return maxima.find_chance(find_best(correlator.make_query(spectra, 0)));
}

void show_chance(std::size_t queries) {
  const Correlator correlator(make_square(false), {});
  const Correlator periodic(make_square(true), {});
  std::printf("queries of %zu with a finding of chance 0.05 or less, of unrelated views on 8 x 8\n",
              queries);
  std::printf("%-42s %9s %9s\n", "views", "mirrored", "periodic");

  const std::pair<Field, const char*> fields[] = {
      {Field::noise, "noise"},
      {Field::smooth, "smooth, over 1.5 steps"},
      {Field::smoother, "smooth, over 3 steps"},
      {Field::walks, "a random walk along each axis, and noise"}};
  for (const auto& [field, name] : fields) {
    RandomViews random;
    std::size_t mirrored = 0;
    std::size_t around = 0;
    for (std::size_t query = 0; query < queries; ++query) {
      std::vector<double> values(places * batch_views);
      for (std::size_t view = 0; view <= others; ++view) {
        const auto made = random.make(field);
        for (std::size_t p = 0; p < places; ++p)
          values[p * batch_views + view] = made[p];
      }
      mirrored += find_least_chance(correlator, correlator, values) <= usual_chance;
      around += find_least_chance(correlator, periodic, values) <= usual_chance;
    }
    const auto whole = static_cast<double>(queries);
    std::printf("%-42s %9.3f %9.3f\n", name, static_cast<double>(mirrored) / whole,
                static_cast<double>(around) / whole);
  }
}

}  // namespace
}  // namespace tracefold::bench

int main(int argc, char** argv) {
  using namespace tracefold::bench;
  Options options;

  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "--quick") == 0) {
      options.quick = true;
    } else if (std::strcmp(argv[i], "--threads") == 0 && more) {
      options.threads = std::strtoul(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--chance") == 0 && more) {
      options.chance = std::strtoul(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--only") == 0 && more) {
      options.only = std::strtoul(argv[++i], nullptr, 10);
    } else {
      std::fprintf(stderr,
                   "usage: correlation_bench [--quick] [--threads N] [--only POINTS] "
                   "[--chance QUERIES]\n");
      return 2;
    }
  }
  if (options.threads == 0)
    options.threads = 1;
  if (options.chance > 0) {
    show_chance(options.chance);
    return 0;
  }

  std::printf("CPU seconds of %zu thread%s, %s\n", options.threads, options.threads == 1 ? "" : "s",
              tracefold::correlation::choose_kernels().name);
  std::printf("%-9s %-20s %9s %6s %9s %9s %9s %7s %9s\n", "code", "grid", "points", "views",
              "spectra", "views", "reading", "ratio", "published");

  // The limits of those from views are only asked for at the largest one.
  const std::vector<Case> cases =
      options.quick
          ? std::vector<Case>{{"quick", {7, 8, 16, 5}, 64, 0, 0, 0}, {"quick", {8192}, 40, 0, 0, 0}}
          : std::vector<Case>{
                {"NEKBONE", {28, 8, 8, 8, 2, 16, 4}, 624, 52.3, 3, 7},
                {"psOpen", {16, 16, 16, 16}, 2031, 1.8, 0.3, 1e9},
                {"psOpen", {65536}, 2031, 1.8, 0.3, 1e9},
                {"Sweep3D", {16, 16, 16, 16}, 850, 0.6, 0.15, 1e9},
                {"Sweep3D", {256, 256}, 850, 0.6, 0.15, 1e9},
            };

  for (const auto& c : cases) {
    const auto points = std::accumulate(c.sizes.begin(), c.sizes.end(), std::size_t{1},
                                        std::multiplies<std::size_t>());
    if (options.only == 0 || options.only == points)
      run(c, options);
  }
  return failures == 0 ? 0 : 1;
}
