// How many bytes a number takes in tracefold.profiles, and how fast tables are packed and read,
// with values in steps of 1 percent.
//   profiles_bench [--quick]
#include "base/for_each_index.hpp"
#include "model/program/profiles_file.hpp"
#include "model/program/profiles_writer.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string_view>

namespace {

using namespace tracefold;

constexpr std::size_t processes = 64;

struct Series {
  std::string name;
  std::size_t columns = 0;
  std::vector<std::uint64_t> values;  // of each process one row behind the other
};

template <class Value>
Series make_series(std::string name, std::size_t columns, Value value) {
  Series series{std::move(name), columns, {}};
  for (std::size_t row = 0; row < processes; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      series.values.push_back(value(row, column));
  return series;
}

std::vector<Series> make_all(std::size_t paths) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> levels;
  for (std::size_t path = 0; path < paths; ++path)
    levels.push_back(1e6 * std::exp(3 * normal(random)));
  double walk = 0;

  const auto draw_walk = [&](auto, auto column) {
    walk =
        column == 0 ? 1e6 * std::exp(0.3 * normal(random)) : walk * std::exp(0.02 * normal(random));
    return static_cast<std::uint64_t>(walk);
  };
  const auto draw_noise = [&](double level, double share) {
    return static_cast<std::uint64_t>(level * std::exp(share * normal(random)));
  };
  return {
      make_series("random walk of 2 %, 149 iterations", 149, draw_walk),
      make_series("noise of 5 %, 149 iterations", 149,
                  [&](auto...) { return draw_noise(1e6, 0.05); }),
      make_series("noise of 5 %, by call path", paths,
                  [&](auto, auto path) { return draw_noise(levels[path], 0.05); }),
      make_series("half of processes each", paths,
                  [&](auto row, auto path) {
                    return (row + path) % 2 ? draw_noise(levels[path], 0.05) : 0;
                  }),
      make_series("few numbers among zeros", paths,
                  [&](auto, auto) { return random() % 1'000 ? 0 : random() % 1'000'000; }),
      make_series("zeros", paths, [](auto...) { return std::uint64_t{0}; }),
      make_series("one number", paths, [](auto...) { return std::uint64_t{1'234'567}; }),
  };
}

// Of processor time.
double measure_seconds(const auto& work) {
  const auto begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// A table for each repetition, as there is one for each metric or call path.
void measure(const Series& series, std::size_t repetitions) {
  const auto columns = series.columns;
  std::string bytes;
  const auto packing = measure_seconds([&] {
    ProfilesWriter writer(std::vector<std::uint32_t>(processes, 0));
    for (std::size_t k = 0; k < repetitions; ++k)
      writer.add({.name = std::to_string(k), .rows = processes, .columns = columns, .percent = 1},
                 [&](std::size_t row, std::span<std::uint64_t> out) {
                   std::copy_n(series.values.begin() + static_cast<std::ptrdiff_t>(row * columns),
                               columns, out.begin());
                 });
    bytes = *writer.finish({});
  });

  const auto numbers = static_cast<double>(repetitions * series.values.size());
  const ProfilesFile file(bytes);
  std::uint64_t seen = 0;
  const auto reading = measure_seconds([&] {
    for (const auto& table : file.tables())
      seen += file.read(table).size();
  });
  if (seen != repetitions * series.values.size())
    std::abort();
  std::printf("%-36s %8.4f bytes a number  %7.1f M/s packed  %7.1f M/s read\n", series.name.c_str(),
              static_cast<double>(bytes.size()) / numbers, numbers / packing / 1e6,
              numbers / reading / 1e6);
}

}  // namespace

int main(int count, char** words) {
  const bool quick = count > 1 && std::string_view(words[1]) == "--quick";
  const ThreadLimit one_thread(1);
  const std::size_t numbers = quick ? 100'000 : 20'000'000;
  for (const auto& series : make_all(quick ? 1'000 : 20'000))
    measure(series, numbers / series.values.size() + 1);
}
