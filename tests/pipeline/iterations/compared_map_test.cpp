// Maps beside what is left of them.
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numeric>

namespace tracefold::compared_map_test {

constexpr std::uint64_t main_region = 0, step_region = 1, barrier_region = 2, io_region = 3;
constexpr std::uint64_t processes = 4, steps = 6;

// Steps that compute and wait, each for another time; the last process also reads.
testing::TraceBuilder make_steps() {
  testing::TraceBuilder trace;
  trace.add_mpi_processes(processes);
  trace.add_region(main_region, "main").add_region(step_region, "step");
  trace.add_region(barrier_region, "MPI_Barrier").add_region(io_region, "MPI_File_read");

  for (std::uint64_t p = 0; p < processes; ++p) {
    std::uint64_t now = 0;
    const auto record = [&](EventKind kind, std::uint64_t region, std::uint64_t after) {
      now += after;
      trace.record(p, kind, now, {region});
    };

    record(EventKind::Enter, main_region, 0);
    for (std::uint64_t i = 0; i < steps; ++i) {
      record(EventKind::Enter, step_region, 5);
      if (p + 1 == processes) {
        record(EventKind::Enter, io_region, 10);
        record(EventKind::Leave, io_region, 7 * (i % 2 + 1));
      }
      record(EventKind::Enter, barrier_region, 1000 + 300 * (i % 3) + 17 * p);
      record(EventKind::Leave, barrier_region, 100 * (p + 1) + i);
      record(EventKind::Leave, step_region, 20);
    }
    record(EventKind::Leave, main_region, 5);
  }

  return trace;
}

// Two ranks that do different things, and two threads that do the same, but nothing in steps.
testing::TraceBuilder make_idle_threads() {
  testing::TraceBuilder trace;
  trace.add_location_group(0, {0, 1}).add_location_group(1, {10, 11}).add_world({0, 10});
  trace.add_region(main_region, "main").add_region(step_region, "step");
  trace.add_region(barrier_region, "MPI_Barrier").add_region(io_region, "MPI_File_read");

  for (std::uint64_t rank : {0, 10}) {
    trace.record(rank + 1, EventKind::Enter, 1, {main_region});
    trace.record(rank + 1, EventKind::Leave, 2, {main_region});
    trace.record(rank, EventKind::Enter, 0, {main_region});
    for (std::uint64_t i = 0; i < steps; ++i) {
      const auto call = rank == 0 ? barrier_region : io_region;
      const auto begin = 100 * (i + 1);
      trace.record(rank, EventKind::Enter, begin, {step_region});
      trace.record(rank, EventKind::Enter, begin + 10, {call});
      trace.record(rank, EventKind::Leave, begin + 20, {call});
      trace.record(rank, EventKind::Leave, begin + 90, {step_region});
    }
    trace.record(rank, EventKind::Leave, 1000, {main_region});
  }

  return trace;
}

class ComparedMapTest : public ::testing::Test {
 protected:
  ComparedMapTest() { open(make_steps(), folder_); }

  void open(testing::TraceBuilder trace, const testing::TestFolder& folder) {
    archive_.emplace(trace.write(folder.path()));
    plan_ = make_plan(*archive_, {});
    add_profiles(plan_, *archive_, {}, diagnostics_);
    group(plan_, 1);
    select(plan_, {});

    options_.asked.region = "step";
    std::vector<std::size_t> all(plan_.processes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    loops_ = find_loops_pass({*archive_, plan_, {}, diagnostics_}, all, options_.asked);
  }

  void fold(std::size_t clusters) {
    options_.max_clusters = clusters;
    fold_iterations(*archive_, plan_, loops_, options_, {}, diagnostics_);
  }

  ComparedMap read(const std::string& metric, std::size_t most = most_cells) {
    return read_compared_map(*archive_, plan_, loops_, {metric, "", {}, most}, {}, diagnostics_);
  }

  // The value of a cell by the plan's own words: what stands for its process and iteration.
  double find_stand_in(const IterationMap& map, std::size_t row, std::size_t iteration) const {
    std::map<std::size_t, std::size_t> row_of;
    for (std::size_t r = 0; r < map.processes.size(); ++r)
      row_of[map.processes[r]] = r;

    auto process = map.processes[row];
    for (const auto& r : *plan_.representatives)
      if (std::count(r.members.begin(), r.members.end(), process))
        process = r.process;

    const auto& choice = plan_.iterations->loops.at(0).choice;
    for (const auto& aligned : plan_.iterations->processes)
      if (aligned.process == process)
        iteration = choice.kept[choice.kept_of[iteration]];

    return map.row(row_of.at(process))[iteration];
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  std::optional<Archive> archive_;
  Plan plan_;
  FoldOptions options_;
  std::vector<ProcessLoops> loops_;
};

TEST_F(ComparedMapTest, EachCellHasWhatStandsForIt) {
  for (std::size_t clusters : {1, 3}) {
    fold(clusters);
    for (const auto* metric : {"execution time", "visits", "computation time"}) {
      const auto maps = read(metric);
      ASSERT_TRUE(maps.reconstruction);
      EXPECT_LT(maps.kept_rows.size(), maps.original.processes.size());
      EXPECT_EQ(maps.kept_iterations, plan_.iterations->loops.at(0).choice.kept);

      std::size_t different = 0;
      for (std::size_t r = 0; r < maps.original.processes.size(); ++r)
        for (std::size_t i = 0; i < maps.original.iterations; ++i) {
          const auto expected = find_stand_in(maps.original, r, i);
          const auto found = maps.reconstruction->row(r)[i];
          EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected)))
              << metric << " of row " << r << ", iteration " << i;
          different += found != maps.original.row(r)[i];
        }
      EXPECT_EQ(different > 0, metric != std::string("visits"));
    }
  }
}

TEST_F(ComparedMapTest, LayersAddUpToTheWhole) {
  fold(1);
  const auto maps = read("execution time");
  EXPECT_EQ(maps.layers.whole, "execution time");
  ASSERT_GE(maps.layers.layers.size(), 2u);
  EXPECT_EQ(maps.layers.layers.front().metric, "computation time");

  const auto mean = [](const IterationMap& map, std::size_t column) {
    double sum = 0, values = 0;
    for (std::size_t r = 0; r < map.processes.size(); ++r)
      if (const auto value = map.row(r)[column]; !std::isnan(value)) {
        sum += value;
        ++values;
      }
    return sum / values;
  };
  for (std::size_t i = 0; i < maps.original.iterations; ++i) {
    double original = 0, reconstruction = 0;
    for (const auto& layer : maps.layers.layers) {
      original += layer.original.at(i);
      reconstruction += layer.reconstruction.at(i);
    }
    EXPECT_NEAR(original, mean(maps.original, i), 1e-9 * original);
    EXPECT_NEAR(reconstruction, mean(*maps.reconstruction, i), 1e-9 * reconstruction);
  }
}

TEST_F(ComparedMapTest, ShowsSomeIterations) {
  fold(2);
  const auto all = read("execution time");
  MapOptions options{"execution time", ""};
  options.first = 2;
  options.end = 4;
  const auto show = [&] {
    return read_compared_map(*archive_, plan_, loops_, options, {}, diagnostics_);
  };
  const auto part = show();
  EXPECT_EQ(part.original.first, 2u);
  ASSERT_EQ(part.original.columns, 2u);
  for (std::size_t r = 0; r < all.original.processes.size(); ++r)
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_EQ(part.original.row(r)[c], all.original.row(r)[2 + c]);
      EXPECT_EQ(part.reconstruction->row(r)[c], all.reconstruction->row(r)[2 + c]);
    }
  for (std::size_t l = 0; l < all.layers.layers.size(); ++l)
    EXPECT_EQ(part.layers.layers[l].original[1], all.layers.layers[l].original[3]);
  for (auto kept : *part.kept_iterations)
    EXPECT_TRUE(std::count(all.kept_iterations->begin(), all.kept_iterations->end(), kept + 2));

  options.end = 1000;
  EXPECT_EQ(show().original.iterations, all.original.iterations - 2) << "up to the last one";
  options.first = all.original.iterations;
  EXPECT_THROW(show(), Error);
}

TEST_F(ComparedMapTest, IterationsShareColumnsWhereThereAreTooMany) {
  fold(1);
  const auto fine = read("visits");
  // Two maps, of two columns each.
  const auto coarse = read("visits", 2 * 2 * fine.original.processes.size());
  EXPECT_EQ(fine.original.per_column, 1u);
  ASSERT_EQ(coarse.original.per_column, 3u);
  ASSERT_EQ(coarse.reconstruction->columns, 2u);
  for (std::size_t r = 0; r < fine.original.processes.size(); ++r)
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0;
      for (std::size_t i = 3 * c; i < 3 * c + 3; ++i)
        sum += fine.reconstruction->row(r)[i];
      const auto found = coarse.reconstruction->row(r)[c];
      EXPECT_TRUE(std::isnan(sum) ? std::isnan(found) : std::abs(found - sum / 3) < 1e-9);
    }
}

TEST_F(ComparedMapTest, NothingIsReconstructedWhereAllStays) {
  plan_.representatives.reset();
  const auto maps = read("visits");
  EXPECT_FALSE(maps.reconstruction);
  EXPECT_FALSE(maps.kept_iterations);
  EXPECT_EQ(maps.kept_rows.size(), maps.original.processes.size());
}

TEST_F(ComparedMapTest, NothingIsReconstructedWhereWhatIsFoldedIsNotShown) {
  const testing::TestFolder folder;
  open(make_idle_threads(), folder);
  ASSERT_LT(plan_.representatives->size(), plan_.processes.size());
  ASSERT_EQ(loops_.at(1).loops.size(), 1u);

  const auto maps = read("visits");
  EXPECT_EQ(maps.original.processes, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(maps.kept_rows, (std::vector<std::size_t>{0, 1}));
  EXPECT_FALSE(maps.reconstruction);
  for (const auto& layer : maps.layers.layers)
    EXPECT_TRUE(layer.reconstruction.empty());
}

}  // namespace tracefold::compared_map_test
