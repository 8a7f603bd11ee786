// What is recorded while processes are profiled against what reading them again gives.
#include "pipeline/iterations/recorded_processes.hpp"

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/program/pack_program.hpp"
#include "tests/support/made_ranks.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>

namespace tracefold::recorded_processes_test {

using testing::MadeTimes;

constexpr std::size_t ranks = 16, iterations = 20;
constexpr std::uint64_t init = 10, finalize = 11;  // ids of functions

// What folding gives, and how many processes it reads.
struct Folded {
  std::string plan, program;
  std::size_t read = 0;
};

class RecordedProcessesTest : public ::testing::Test {
 protected:
  static MadeTimes make_times(const std::vector<std::size_t>& lengths, std::uint64_t least) {
    MadeTimes times;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
      auto& own = times.emplace_back();
      for (std::size_t i = 0; i < lengths[rank]; ++i)
        own.push_back(least + 97 * ((rank * 5 + i * 3) % 11));
    }
    return times;
  }
  // Each rank waits for the one before, so that the first and the last one make other calls.
  static testing::TraceContent make_chain() {
    const std::vector lengths(ranks, iterations);
    return testing::make_chain(make_times(lengths, 1'000), make_times(lengths, 500));
  }
  // Before these iterations, each rank computes a few times, and calls MPI_Init; and MPI_Finalize
  // behind them.
  static testing::TraceContent make_chain_in_mpi() {
    auto content = make_chain();
    define_function(content, init, "MPI_Init");
    define_function(content, finalize, "MPI_Finalize");
    for (auto& [id, events] : content.events) {
      std::vector<Event> first{events.front()}, last;
      const auto call = [](std::vector<Event>& to, std::uint64_t region, std::uint64_t begin,
                           std::uint64_t end) {
        testing::record(to, EventKind::Enter, begin, {region});
        testing::record(to, EventKind::Leave, end, {region});
      };
      for (std::uint64_t time = 100; time < 500; time += 20)
        call(first, testing::made_compute, time, time + 15);
      call(first, init, 600, 700 + id);
      call(last, finalize, events.back().time - 8, events.back().time - 2);

      events.insert(events.end() - 1, last.begin(), last.end());
      events.erase(events.begin());
      events.insert(events.begin(), first.begin(), first.end());
    }

    return content;
  }
  // A function of MPI.
  static void define_function(testing::TraceContent& content, std::uint64_t id,
                              const std::string& name) {
    auto& all = content.definitions;
    const auto at = std::find_if(all.begin(), all.end(), [](const Definition& d) {
      return d.kind == DefinitionKind::Region && d.id() == testing::made_send;
    });
    auto region = *at;
    region.fields[0] = id;
    region.fields[1] = region.fields[2] = 100 + id;
    Definition text;
    text.kind = DefinitionKind::String;
    text.fields[0] = 100 + id;
    text.text = name;
    all.insert(at, {text, region});
  }
  void write(testing::TraceContent content) {
    for (auto& definition : content.definitions)
      if (definition.kind == DefinitionKind::Location)
        get_field<"numberOfEvents", DefinitionKind::Location>(definition) =
            content.events.at(definition.id()).size();
    write_archive(content, folder_.path());
  }

  Folded fold(const WantedCalls& wanted, std::uint64_t memory = ReadOptions{}.memory) {
    Diagnostics diagnostics;
    const Archive archive((folder_.path() / "traces.otf2").string(), diagnostics);
    Folded folded;
    std::atomic<std::size_t> read{0};
    ReadOptions reading;
    reading.memory = memory;

    auto plan = make_plan(archive, {});
    std::optional<CollectedCalls> calls;
    add_profiles(plan, archive, reading, diagnostics, {RecordOperations::no, wanted}, &calls);
    group(plan, 1);
    select(plan, {});
    reading.progress = [&](std::size_t done, std::size_t) { read += done > 0; };
    FoldOptions options;
    options.max_clusters = 4;
    auto& known = calls.value();
    const auto loops = find_loops_to_fold({archive, plan, reading, diagnostics}, options, nullptr,
                                          known.loops.get());
    fold_iterations(archive, plan, loops, options, reading, diagnostics, RecordProgram::yes,
                    &known);

    EXPECT_FALSE(plan.iterations->loops.empty());
    folded.plan = to_json(plan);
    folded.program = pack_program(plan, std::uint64_t{1} << 30).value().bytes;
    folded.read = read;
    return folded;
  }

  testing::TestFolder folder_;
};

TEST_F(RecordedProcessesTest, AreThoseThatReadingAgainGives) {
  write(make_chain());
  const auto right = fold({RecordWaits::all});
  const auto recorded = fold({RecordWaits::all, RecordSeries::by_iteration});
  EXPECT_EQ(recorded.plan, right.plan);
  EXPECT_EQ(recorded.program, right.program);
  EXPECT_GE(right.read, ranks);
  EXPECT_LT(recorded.read, ranks) << "only those that are kept are read again";
}

TEST_F(RecordedProcessesTest, AreToldApartWhereMpiCannotBeUsed) {
  write(make_chain_in_mpi());
  const auto right = fold({RecordWaits::all});
  const auto recorded = fold({RecordWaits::all, RecordSeries::by_iteration});
  EXPECT_EQ(recorded.plan, right.plan);
  EXPECT_EQ(recorded.program, right.program);
}

TEST_F(RecordedProcessesTest, AreReadAgainWhereTheirIterationsAreOthers) {
  std::vector lengths(ranks, iterations);
  for (std::size_t rank = ranks / 2; rank < ranks; ++rank)
    lengths[rank] = iterations - 3;
  // All are declared to have as many events.
  write_archive(testing::make_ranks(make_times(lengths, 1'000), make_times(lengths, 100)),
                folder_.path());
  const auto right = fold({RecordWaits::all});
  const auto recorded = fold({RecordWaits::all, RecordSeries::by_iteration});
  EXPECT_EQ(recorded.plan, right.plan);
  EXPECT_EQ(recorded.program, right.program);
}

TEST_F(RecordedProcessesTest, AreReadAgainWhereMemoryHasNoRoomForThem) {
  write(make_chain());
  const auto right = fold({RecordWaits::all});
  const auto recorded = fold({RecordWaits::all, RecordSeries::by_iteration}, 8'000);
  EXPECT_EQ(recorded.plan, right.plan);
  EXPECT_EQ(recorded.program, right.program);
  EXPECT_GE(recorded.read, ranks / 2);
}

}  // namespace tracefold::recorded_processes_test
