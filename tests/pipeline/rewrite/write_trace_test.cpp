// What an output gets that the writer knows nothing of.
#include "pipeline/rewrite/write_trace.hpp"

#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <map>
#include <mutex>

namespace tracefold::write_trace_test {

using ::testing::ElementsAre;
using testing::TraceBuilder;

struct KeepingLocation {
  std::vector<EventKind> kinds;
  std::mutex& writing;
  std::vector<EventKind>& kept;

  void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) {
    kinds.push_back(EventKind::Enter);
  }
  void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) {
    kinds.push_back(EventKind::Leave);
  }
  void write(const Event& event) { kinds.push_back(event.kind); }
  std::uint64_t close() {
    const std::lock_guard lock(writing);
    kept = kinds;
    return kinds.size();
  }
};

// Keeps in memory what it gets.
struct KeepingOutput {
  void begin(std::size_t) {
    ++begun;
    events.clear();
  }
  KeepingLocation open_location(std::uint64_t id) {
    const std::lock_guard lock(writing);
    return {{}, writing, events[id]};
  }
  void write(const TraceMetadata& written) { metadata = written; }
  void check_metadata(const TraceMetadata&) {}
  void check_events(const std::vector<WrittenLocation>& written, const ReadOptions&) {
    checked = written;
  }

  int begun = 0;
  std::mutex writing;
  std::map<std::uint64_t, std::vector<EventKind>> events;  // by location
  TraceMetadata metadata;
  std::vector<WrittenLocation> checked;
};

TEST(WriteTrace, GivesAnyOutputTheEventsAndWhatATraceHoldsBesides) {
  const testing::TestFolder folder;
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(0, "main");
  for (std::uint64_t id = 0; id < 2; ++id)
    trace.record(id, EventKind::Enter, 1, {0}).record(id, EventKind::Leave, 9, {0});
  trace.record(1, EventKind::ParameterInt, 12, {0, 7});
  const auto archive = trace.write(folder.path());

  RewriteOptions options;
  options.verify = true;
  Diagnostics diagnostics;
  KeepingOutput output;
  const auto prepared = prepare_plan(archive, make_plan(archive, {}), options);
  const auto written = write_trace(archive, prepared, output, options, {}, diagnostics);

  using enum EventKind;
  EXPECT_EQ(output.begun, 1);
  EXPECT_THAT(output.events.at(0), ElementsAre(Enter, Leave));
  EXPECT_THAT(output.events.at(1), ElementsAre(Enter, Leave, ParameterInt));
  EXPECT_EQ(written.summary.events, 5u);
  EXPECT_EQ(written.locations.at(1).id, 1u);
  EXPECT_EQ(output.metadata.plan.plan, format_unprofiled(prepared.plan, 5).plan);
  ASSERT_EQ(output.checked.size(), 2u);
  EXPECT_EQ(output.checked[1].records, 3u);
}

}  // namespace tracefold::write_trace_test
