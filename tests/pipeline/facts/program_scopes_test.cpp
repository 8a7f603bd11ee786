// What processes did in parts of the run, recorded, packed and read again; times to 1 %.
#include "model/plan_files.hpp"
#include "pipeline/facts/cut_program.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/reduce/reduce.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <map>

namespace tracefold::program_scopes_test {

using ::testing::ElementsAre;
using ::testing::Pair;
using testing::TraceBuilder;
using ::testing::UnorderedElementsAre;

enum Region : std::uint64_t { main_region, setup, init, step, compute, finalize };

// Two processes of MPI, of which the second takes twice the time, and a thread that only computes:
//   0 main, 10 setup 30, 30 MPI_Init 70, 80 setup 90, 100 to 160 three steps, in each compute of
//   10; between the first and the second step compute of 3; 200 MPI_Finalize 240, 250 compute 260,
//   270
TraceBuilder build_trace() {
  using enum EventKind;
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  std::uint64_t regions = 0;
  for (const auto* name : {"main", "setup", "MPI_Init", "step", "compute", "MPI_Finalize"})
    trace.add_region(regions++, name);

  for (std::uint64_t process = 0; process < 2; ++process) {
    const auto at = [&](std::uint64_t time) { return time * (process + 1); };
    const auto call = [&](std::uint64_t region, std::uint64_t begin, std::uint64_t end) {
      trace.record(process, Enter, at(begin), {region});
      trace.record(process, Leave, at(end), {region});
    };
    trace.record(process, Enter, 0, {main_region});
    call(setup, 10, 30);
    call(init, 30, 70);
    call(setup, 80, 90);
    for (std::uint64_t begin : {100, 120, 140}) {
      trace.record(process, Enter, at(begin), {step});
      call(compute, begin + 2, begin + 12);
      trace.record(process, Leave, at(begin + 15), {step});
      if (begin == 100)
        call(compute, 116, 119);
    }
    call(finalize, 200, 240);
    call(compute, 250, 260);
    trace.record(process, Leave, at(270), {main_region});
  }
  trace.add_location_group(9, {9}, otf2_value::location_group_process, 1);
  trace.record(9, Enter, 20, {compute});
  trace.record(9, Leave, 520, {compute});

  return trace;
}

class ProgramScopes : public ::testing::Test {
 protected:
  ProgramScopes() {
    build_trace().write(folder_.path());
    Diagnostics ignored;
    const Context context{ignored};
    ReduceOptions options;
    options.output.folder = folder_.path() / "small";
    options.folding->asked.region = "step";
    reduce(open_trace((folder_.path() / "traces.otf2").string(), ignored), options, context);
    const auto small = open_trace((folder_.path() / "small" / "traces.otf2").string(), ignored);
    program_ = read_whole_program(*small, ignored);
  }

  using Values = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;

  static std::string name_path(const Aggregates& calls, PathIndex path) {
    std::string name;
    for (; path != no_path; path = calls.profiles.paths[path].caller)
      name = calls.functions[calls.profiles.paths[path].function].name +
             (name.empty() ? "" : "/" + name);
    return name;
  }

  // By call path what a process did: visits and ticks.
  static Values list(const Aggregates& calls, std::size_t process) {
    const auto& profiles = calls.profiles;
    const auto visits = *profiles.columns.find(Metric::visits),
               time = *profiles.columns.find(Metric::execution_time);
    Values out;
    const auto& paths = profiles.shape(process).paths;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      std::string name;
      for (auto path = paths[k]; path != no_path; path = profiles.paths[path].caller)
        name =
            calls.functions[profiles.paths[path].function].name + (name.empty() ? "" : "/" + name);
      if (profiles.value(process, k, visits) + profiles.value(process, k, time) > 0)
        out[name] = {profiles.value(process, k, visits), profiles.value(process, k, time)};
    }
    return out;
  }

  Values list(const char* scope, std::size_t process, const StoredProgram& stored) const {
    const auto number = stored.find_scope(scope);
    EXPECT_TRUE(number) << scope;
    return list(stored.read_scope(number.value_or(0), StoredColumns::all), process);
  }
  Values list(const char* scope, std::size_t process) const {
    return list(scope, process, *program_->stored);
  }

  testing::TestFolder folder_;
  std::shared_ptr<const WholeProgram> program_;
};

using Pair2 = std::pair<std::uint64_t, std::uint64_t>;

TEST_F(ProgramScopes, OfMpiAreFromTheEndOfInitToTheBeginOfFinalize) {
  ASSERT_TRUE(program_);
  EXPECT_THAT(list("MPI", 0), UnorderedElementsAre(Pair("main", Pair2{0, 130 - 10 - 45 - 3}),
                                                   Pair("main/setup", Pair2{1, 10}),
                                                   Pair("main/step", Pair2{3, 15}),
                                                   Pair("main/step/compute", Pair2{3, 30}),
                                                   Pair("main/compute", Pair2{1, 3})));
  EXPECT_THAT(
      list("MPI", 1),
      UnorderedElementsAre(Pair("main", Pair2{0, 143}), Pair("main/setup", Pair2{1, 20}),
                           Pair("main/step", Pair2{3, 30}), Pair("main/step/compute", Pair2{3, 60}),
                           Pair("main/compute", Pair2{1, 6})));
  EXPECT_THAT(program_->stored->read_mpi_intervals(),
              ElementsAre(Interval{70, 200}, Interval{140, 400}, Interval{20, 520}));
}

TEST_F(ProgramScopes, OfMpiAreAllOfAProcessThatDoesNotCallIt) {
  EXPECT_THAT(list("MPI", 2), UnorderedElementsAre(Pair("compute", Pair2{1, 503})));
}

TEST_F(ProgramScopes, OfLoopsAreTheirIterations) {
  EXPECT_THAT(list("loop 0", 0), UnorderedElementsAre(Pair("main/step", Pair2{3, 15}),
                                                      Pair("main/step/compute", Pair2{3, 30})));
  // A thread has the iterations of its rank.
  EXPECT_THAT(list("loop 0", 2), UnorderedElementsAre(Pair("compute", Pair2{0, 90})));
}

// A thread without events in it does not tell when its loop begins.
TEST_F(ProgramScopes, OfLoopsTellWhenTheseBeginAndEnd) {
  const auto& stored = *program_->stored;
  const auto found = stored.read_intervals(*stored.find_scope("loop 0"));
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(Interval{100, 155}, Interval{200, 310}, Interval{0, 0}));

  const StoredProgram cut(cut_program(stored, {1, 9}));
  EXPECT_THAT(*cut.read_intervals(*cut.find_scope("loop 0")),
              ElementsAre(Interval{200, 310}, Interval{0, 0}));
}

// They take no room where all of a call path is in a scope.
TEST_F(ProgramScopes, HaveTablesOfThoseCallPathsOnlyThatAreElsewhereToo) {
  const auto& stored = *program_->stored;
  const auto mpi = std::to_string(*stored.find_scope("MPI")),
             loop = std::to_string(*stored.find_scope("loop 0"));
  const auto* visits = stored.file().find("scope " + mpi + "/visits");
  ASSERT_NE(visits, nullptr);
  EXPECT_EQ(visits->columns, 2u);  // main/setup and main/compute
  EXPECT_EQ(stored.file().find("scope " + loop + "/visits"), nullptr);
  const auto* sums = stored.file().find("scope " + loop + "/execution time/by process");
  ASSERT_NE(sums, nullptr);
  EXPECT_THAT(stored.file().read(*sums), ElementsAre(45, 90, 90));
  stored.check();
}

TEST_F(ProgramScopes, StayWhereTheFileIsCut) {
  const StoredProgram cut(cut_program(*program_->stored, {1, 9}));
  cut.check();
  EXPECT_EQ(list("MPI", 0, cut), list("MPI", 1));
  EXPECT_EQ(list("loop 0", 0, cut), list("loop 0", 1));
  EXPECT_EQ(list("MPI", 1, cut), list("MPI", 2));
  EXPECT_THAT(cut.read_mpi_intervals(), ElementsAre(Interval{140, 400}, Interval{20, 520}));
}

// Functions with the most time have them; main/compute is in no iteration.
TEST_F(ProgramScopes, HaveSeriesOfCallPathsOfLoops) {
  const auto& stored = *program_->stored;
  std::map<std::string, std::vector<std::uint64_t>> series;
  for (PathIndex path = 0; path < program_->calls.profiles.paths.size(); ++path)
    if (stored.has_path_series(0, path)) {
      const auto read =
          stored.read_path_series(0, path, *stored.columns().find(Metric::execution_time));
      series[name_path(program_->calls, path)] = read.values;
      EXPECT_EQ(read.of_column.size(), 3u);
    }
  EXPECT_THAT(series, UnorderedElementsAre(
                          Pair("main/step", ElementsAre(5, 5, 5, 10, 10, 10, 0, 0, 0)),
                          Pair("main/step/compute", ElementsAre(10, 10, 10, 20, 20, 20, 0, 0, 0)),
                          Pair("compute", ElementsAre(0, 0, 0, 0, 0, 0, 30, 30, 30))));
}

TEST_F(ProgramScopes, HaveSeriesOfCallPathsWhereTheFileIsCut) {
  const StoredProgram cut(cut_program(*program_->stored, {1}));
  const auto calls = cut.read_frame();
  std::map<std::string, std::vector<std::uint64_t>> series;
  for (PathIndex path = 0; path < calls.profiles.paths.size(); ++path)
    if (cut.has_path_series(0, path))
      series[name_path(calls, path)] = cut.read_path_series(0, path, 0).values;
  EXPECT_THAT(series, UnorderedElementsAre(Pair("main/step", ElementsAre(10, 10, 10)),
                                           Pair("main/step/compute", ElementsAre(20, 20, 20))));
}

}  // namespace tracefold::program_scopes_test
