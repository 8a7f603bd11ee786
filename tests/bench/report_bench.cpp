// What the maps of a report page take, in bytes and in time: computation and waiting of 65,536
// processes in 1,000 iterations, by rank and by group, the largest value and the mean.
//
//   report_bench [--quick]     --quick: fewer processes, for a test
//
// Fails where they take more than a page may.
#include "emitters/report/column_data.hpp"
#include "filters/report/lay_out_poset.hpp"
#include "filters/report/pool_map.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

namespace {

using namespace tracefold;

constexpr std::size_t iterations = 1000;
constexpr std::size_t most_bytes = 6u << 20;  // of the page

// Seconds since the last call.
double measure() {
  static auto last = std::chrono::steady_clock::now();
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> taken = now - last;
  last = now;

  return taken.count();
}

// Numbers between 0 and 1 that look like chance: equal places have equal ones.
double draw(std::uint64_t row, std::uint64_t column) {
  auto x = row * 0x9e3779b97f4a7c15u + column * 0xc2b2ae3d27d4eb4fu;
  x = (x ^ x >> 31) * 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;

  return static_cast<double>(x >> 11) / 9007199254740992.0;
}

// About normal.
double draw_noise(std::uint64_t row, std::uint64_t column) {
  return draw(row, 3 * column) + draw(row, 3 * column + 1) + draw(row, 3 * column + 2) - 1.5;
}

IterationMap make_map(std::size_t processes) {
  IterationMap map;
  map.iterations = iterations;
  map.processes.resize(processes);
  make_cells(map);

  return map;
}

// A grid's edges compute less, one process is slow, each fiftieth iteration takes longer, and
// the others are disturbed by a few percent, seldom by more.
void compute(IterationMap& map, RowOwners& owners) {
  const auto processes = map.processes.size();
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(processes)));
  for (std::size_t r = 0; r < processes; ++r) {
    const auto x = r % side, y = r / side;
    const auto edges = (x == 0 || x + 1 == side) + (y == 0 || y + 1 == side);
    owners.process.push_back(static_cast<std::uint32_t>(r));
    owners.group.push_back(static_cast<std::uint32_t>(edges));
    for (std::size_t i = 0; i < iterations; ++i) {
      const double often = 0.03 * draw_noise(r, i);
      const double seldom = draw(r, i + 7777) < 0.001 ? 0.3 * draw(r, i + 9999) : 0;
      map.values[r * iterations + i] =
          1e6 * (1 - 0.1 * edges + often + seldom + (r == processes / 3 ? 0.5 : 0) +
                 (i % 50 == 0 ? 0.25 : 0));
    }
  }
}

// All wait for the slowest one.
void wait(IterationMap& map) {
  for (std::size_t i = 0; i < iterations; ++i) {
    double most = 0;
    for (std::size_t r = 0; r < map.processes.size(); ++r)
      most = std::max(most, map.values[r * iterations + i]);
    for (std::size_t r = 0; r < map.processes.size(); ++r)
      map.values[r * iterations + i] = most - map.values[r * iterations + i];
  }
}

void add_rows(const PooledRows& rows, const char* name, ColumnData& data) {
  data.add(rows.order);
  data.add(rows.first_of_row);
  for (const auto* levels : {&rows.largest, &rows.average}) {
    ColumnData alone;
    alone.add(levels->cells);
    std::printf("  %s, %s: %zu rows, %zu bytes packed\n", name,
                levels == &rows.largest ? "largest" : "mean", rows.rows(), alone.pack().size());
    data.add(levels->cells);
  }
}

void add_map(const PooledMap& map, ColumnData& data) {
  for (const auto* column : {&map.minimum, &map.mean, &map.maximum})
    data.add(*column);
  add_rows(map.by_rank, "by rank", data);
  add_rows(map.by_group, "by group", data);
}

void lay_out_many() {
  LatticeDrawing drawing;
  drawing.nodes.resize(5000);
  for (std::size_t n = 1; n < drawing.nodes.size(); ++n)
    for (std::size_t k = 0; k <= n % 3; ++k)
      drawing.nodes[n].up.push_back(
          static_cast<std::size_t>(draw(n, k) * static_cast<double>(n) / 2) + k % 2);
  for (auto& node : drawing.nodes) {
    std::sort(node.up.begin(), node.up.end());
    node.up.erase(std::unique(node.up.begin(), node.up.end()), node.up.end());
  }
  drawing.nodes[1].up = {0};
  measure();
  const auto layout = lay_out_poset(drawing, {});
  std::printf("lattice of %zu nodes and %zu edges: %.2f s\n", layout.nodes.size(),
              layout.edges.size(), measure());
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  const std::size_t processes = is_quick ? 4096 : 65536;
  auto map = make_map(processes);
  RowOwners owners;
  ColumnData data;
  compute(map, owners);

  double pooling = 0;
  for (const char* metric : {"computation", "waiting"}) {
    if (std::string_view(metric) == "waiting")
      wait(map);
    measure();
    const auto pooled = pool_map(map, owners, 1e-9);
    pooling += measure();
    std::printf("%s:\n", metric);
    add_map(pooled, data);
  }

  measure();
  const auto bytes = data.pack().size();
  std::printf(
      "%zu processes, %zu iterations: %zu bytes of columns, packed %zu; %.2f s to pool, "
      "%.2f s to pack\n",
      processes, iterations, data.size(), bytes, pooling, measure());
  lay_out_many();

  return bytes < most_bytes ? 0 : 1;
}
