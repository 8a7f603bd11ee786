#include "pipeline/events/planned_trace.hpp"

#include "pipeline/events/call_hash.hpp"
#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace tracefold::planned_trace_test {

class PlannedTraceTest : public ::testing::Test {
 protected:
  // Processes 0, 1 and 2 call `solve` once, twice and three times, and then `write`.
  PlannedTraceTest() {
    testing::TraceBuilder trace;
    trace.add_region(0, "solve").add_region(1, "write").add_mpi_processes(3);
    for (std::uint64_t id = 0; id < 3; ++id)
      for (std::uint64_t call = 0; call <= id + 1; ++call) {
        const auto region = call <= id ? 0u : 1u;
        trace.record(id, EventKind::Enter, 10 * call + 1, {region});
        trace.record(id, EventKind::Leave, 10 * call + 5, {region});
      }
    archive_.emplace(trace.write(folder_.path()));
    plan_ = testing::keep_all(archive_->definitions());
  }

  // By process: a hash of its calls; 0 where it was not read.
  std::vector<CallHash> hash_calls(const std::vector<std::size_t>& processes) {
    const PlannedTrace trace(*archive_, plan_, {}, diagnostics_);
    std::vector<CallHash> hashes(plan_.processes.size());
    trace.read_each(processes, [&](std::size_t process, const auto& read_calls_to) {
      CallHashSink sink;
      EXPECT_TRUE(read_calls_to(sink).whole);
      hashes[process] = sink.hash();
    });
    return hashes;
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  std::optional<Archive> archive_;
  Plan plan_;
};

TEST_F(PlannedTraceTest, ReadsTheProcessesThatItIsAskedFor) {
  const auto all = hash_calls({0, 1, 2}), some = hash_calls({0, 2});
  EXPECT_NE(all[0], all[1]);
  EXPECT_NE(all[1], all[2]);
  EXPECT_EQ(some, (std::vector<CallHash>{all[0], 0, all[2]}));
}

TEST_F(PlannedTraceTest, LeavesOutWhatThePlanFilters) {
  plan_.filters.emplace_back().drop = {"solve"};
  const auto hashes = hash_calls({0, 1, 2});
  EXPECT_EQ(hashes[0], hashes[1]) << "one call of `write` is left";
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST_F(PlannedTraceTest, RefusesAPlanOfAnotherTrace) {
  plan_.processes[1].id = 123456;
  EXPECT_THROW(hash_calls({0, 1}), Error);
}

}  // namespace tracefold::planned_trace_test
