#include "pipeline/export/export_tables.hpp"

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "pipeline/events/trace_times.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>

namespace tracefold::export_tables_test {

using enum EventKind;
using ::testing::HasSubstr;
using testing::TestFolder;
using testing::TraceBuilder;

constexpr std::uint64_t outer = 0, inner = 1;

// What tables hold of a trace, as CSV.
class Exported {
 public:
  explicit Exported(TraceBuilder& trace)
      : archive_(std::make_shared<const Archive>(trace.write(folder_.path()))) {
    Diagnostics diagnostics;
    const Context context{diagnostics};
    PlanSession session(archive_, context);
    export_tables(session, {folder_.path() / "tables", false, TableFormat::csv, {}});
  }

  // Without the heading, and with "\n" behind each row.
  std::string read(const std::string& table) const {
    auto text = *read_file(folder_.path() / "tables" / (table + ".csv"));
    text.erase(0, text.find('\n') + 1);
    std::erase(text, '\r');
    return text;
  }
  std::filesystem::path folder() const { return folder_.path() / "tables"; }
  const std::shared_ptr<const Archive>& archive() const { return archive_; }

 private:
  TestFolder folder_;
  std::shared_ptr<const Archive> archive_;
};

TraceBuilder make_process() {
  TraceBuilder trace;
  trace.add_mpi_processes(1).add_region(outer, "outer").add_region(inner, "inner");
  return trace;
}

// The columns of calls without the call path, which is a hash.
std::string cut_paths(const std::string& rows) {
  std::string out;
  for (std::size_t begin = 0; begin < rows.size();) {
    const auto end = rows.find('\n', begin);
    std::size_t comma = begin;
    for (int i = 0; i < 5; ++i)
      comma = rows.find(',', comma) + 1;
    out += rows.substr(begin, comma - begin) +
           rows.substr(rows.find(',', comma) + 1, end - rows.find(',', comma));
    begin = end + 1;
  }
  return out;
}

TEST(ExportTables, HasCallsByTheirEnds) {
  auto trace = make_process();
  trace.record(0, Enter, 10, {outer}).record(0, Enter, 20, {inner}).record(0, Leave, 50, {inner});
  trace.record(0, Enter, 50, {inner}).record(0, Leave, 50, {inner}).record(0, Leave, 100, {outer});
  EXPECT_EQ(cut_paths(Exported(trace).read("calls")),
            "0,0,0,1,inner,50,30,30\n0,0,0,1,inner,50,0,0\n0,0,0,0,outer,100,90,60\n");
}

TEST(ExportTables, HasRecursionAndCallsThatNeverEnd) {
  auto trace = make_process();
  trace.record(0, Enter, 10, {outer}).record(0, Enter, 20, {outer}).record(0, Leave, 40, {outer});
  trace.record(0, Enter, 45, {inner});
  const Exported exported(trace);
  EXPECT_EQ(cut_paths(exported.read("calls")),
            "0,0,0,1,outer,40,20,20\n0,0,0,1,inner,45,0,0\n0,0,0,0,outer,45,35,15\n");
  EXPECT_THAT(exported.read("call_paths"), HasSubstr("outer > outer"));
}

TEST(ExportTables, GivesCallsOfAStreamAllOfTheirTime) {
  auto trace = make_process();
  for (auto& definition : trace.content().definitions)
    if (definition.kind == DefinitionKind::Location)
      get_field<"locationType", DefinitionKind::Location>(definition) =
          otf2_value::location_type_accelerator;
  trace.record(0, Enter, 100, {outer}).record(0, Enter, 150, {inner});
  trace.record(0, Enter, 160, {outer}).record(0, Leave, 300, {outer});
  trace.record(0, Leave, 400, {outer}).record(0, Leave, 800, {inner});
  EXPECT_EQ(cut_paths(Exported(trace).read("calls")),
            "0,0,0,0,outer,300,200,200\n0,0,0,0,outer,400,240,240\n0,0,0,0,inner,800,650,650\n");
}

TEST(ExportTables, GivesAPathTheSameIdInAllTables) {
  auto trace = make_process();
  trace.record(0, Enter, 10, {outer}).record(0, Enter, 20, {inner}).record(0, Leave, 50, {inner});
  trace.record(0, Leave, 100, {outer});
  const Exported exported(trace);
  const auto calls = exported.read("calls"), profile = exported.read("profile");
  const auto paths = exported.read("call_paths");
  const auto id = paths.substr(0, paths.find(','));  // of the outer one
  EXPECT_THAT(calls, HasSubstr(",outer," + id + ",100,90,60"));
  EXPECT_THAT(profile, HasSubstr("," + id + ",outer,1,90,60"));
}

TEST(ExportTables, LeavesOutTimeThatIsNotRecorded) {
  auto trace = make_process();
  trace.record(0, Enter, 0, {outer}).record(0, MeasurementOnOff, 10, {2});
  trace.record(0, MeasurementOnOff, 40, {1}).record(0, Leave, 100, {outer});
  EXPECT_EQ(cut_paths(Exported(trace).read("calls")), "0,0,0,0,outer,100,100,70\n");
}

TEST(ExportTables, PutsBothEndsOfMessagesTogether) {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  trace.record(0, MpiSend, 30, {1, TraceBuilder::world, 7, 100});
  trace.record(0, MpiSend, 40, {1, TraceBuilder::world, 8, 200});
  trace.record(1, MpiRecv, 50, {0, TraceBuilder::world, 7, 100});
  EXPECT_EQ(Exported(trace).read("messages"), "0,1,7,0,100,30,30,50,50,0\n0,1,8,0,200,40,40,,,\n");
}

TEST(ExportTables, CountsCollectivesOfEachKind) {
  TraceBuilder trace;
  trace.add_mpi_processes(1);
  constexpr auto none = otf2_value::root_none;
  for (std::uint64_t time : {10, 20})
    trace.record(0, MpiCollectiveBegin, time)
        .record(0, MpiCollectiveEnd, time + 5,
                {otf2_value::collective_barrier, TraceBuilder::world, none, 0, 0});
  EXPECT_EQ(Exported(trace).read("collectives"),
            "0,0,barrier,blocking,0,0,,0,0,15,5\n0,0,barrier,blocking,0,1,,0,0,25,5\n");
}

TEST(ExportTables, RefusesFoldersWithOtherFiles) {
  auto trace = make_process();
  const Exported exported(trace);
  Diagnostics diagnostics;
  const Context context{diagnostics};
  PlanSession session(exported.archive(), context);
  ExportOptions again{exported.folder(), false, TableFormat::parquet, {ExportTable::facts}};
  EXPECT_THROW(export_tables(session, again), Error);

  again.force = true;
  EXPECT_EQ(export_tables(session, again).size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(exported.folder() / "calls.csv"));

  std::ofstream(exported.folder() / "calls.csv") << "mine";
  EXPECT_THROW(export_tables(session, again), Error);
  EXPECT_EQ(*read_file(exported.folder() / "calls.csv"), "mine");
}

TEST(TraceTimes, AreRoundedDown) {
  TraceBuilder trace;
  trace.content().definitions[0].fields = {3'000'000'000, 100, 0, 0};
  const TraceTimes times(trace.definitions());
  EXPECT_EQ(times.find_nanoseconds(100), 0);
  EXPECT_EQ(times.find_nanoseconds(105), 1);
  EXPECT_EQ(times.find_nanoseconds(99), -1);
  EXPECT_EQ(times.find_nanoseconds(97), -1);
  EXPECT_EQ(times.find_nanoseconds(100 + (std::uint64_t{1} << 62)), 1537228672809129301);
}

}  // namespace tracefold::export_tables_test
