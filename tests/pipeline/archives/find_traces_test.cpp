#include "pipeline/archives/find_traces.hpp"

#include "base/interrupt.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

namespace tracefold::find_traces_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);

class FindTracesTest : public ::testing::Test {
 protected:
  // "ANCHOR -> OUTPUT", relative to the folder.
  std::vector<std::string> find() const {
    std::vector<std::string> lines;
    for (const auto& trace : find_traces(job_.path(), later).traces)
      lines.push_back(trace.anchor.lexically_relative(job_.path()).string() + " -> " +
                      trace.output.lexically_relative(job_.path()).string());
    return lines;
  }

  testing::TestFolder job_;
};

TEST_F(FindTracesTest, FindsThemAtAnyDepthInOrder) {
  job_.write("b/run/traces.otf2");
  job_.write("b/run/traces.def");
  job_.write("a/traces.otf2");
  job_.write("a/deeper/ring_trace/eztrace_log.otf2");
  job_.write("otf2/notes.txt");
  EXPECT_THAT(find(),
              ElementsAre("a/traces.otf2 -> a-small",
                          "a/deeper/ring_trace/eztrace_log.otf2 -> a/deeper/ring_trace-small",
                          "b/run/traces.otf2 -> b/run-small"));
}

TEST_F(FindTracesTest, WritesBesideTheFolderItselfWhereTheTraceIsInThat) {
  job_.write("traces.otf2");
  EXPECT_THAT(find(),
              ElementsAre("traces.otf2 -> ../" + job_.path().filename().string() + "-small"));
}

TEST_F(FindTracesTest, TellsTracesOfOneFolderApart) {
  job_.write("run/one.otf2");
  job_.write("run/two.otf2");
  EXPECT_THAT(find(),
              ElementsAre("run/one.otf2 -> run-one-small", "run/two.otf2 -> run-two-small"));
}

TEST_F(FindTracesTest, SaysWhichOutputsAreNotOfOneTraceOnly) {
  for (const auto* name : {"run/one.otf2", "run/two.otf2", "run-one/traces.otf2"})
    job_.write(name);
  std::vector<std::string> shared;
  for (const auto& trace : find_traces(job_.path(), later).traces)
    if (trace.shares_output)
      shared.push_back(trace.anchor.lexically_relative(job_.path()).string());
  EXPECT_THAT(shared, ElementsAre("run/one.otf2", "run-one/traces.otf2"));
}

TEST_F(FindTracesTest, LooksNeitherIntoFoldersOfEventsNorIntoUnfinishedOutputs) {
  job_.write("run/traces.otf2");
  job_.write("run/traces/nested.otf2");
  job_.write(".run-small.tracefold-host-AbCdEf/traces.otf2");
  EXPECT_THAT(find(), ElementsAre("run/traces.otf2 -> run-small"));
}

TEST_F(FindTracesTest, FollowsNoLinks) {
  const testing::TestFolder elsewhere;
  const auto anchor = elsewhere.write("run/traces.otf2");
  std::filesystem::create_directory_symlink(elsewhere.path(), job_.path() / "out");
  std::filesystem::create_directory_symlink(job_.path(), job_.path() / "again");
  std::filesystem::create_symlink(anchor, job_.path() / "traces.otf2");
  EXPECT_THAT(find(), IsEmpty());

  const auto link = elsewhere.path() / "job";
  std::filesystem::create_directory_symlink(job_.path(), link);
  job_.write("run/traces.otf2");
  EXPECT_EQ(find_traces(link, later).traces.size(), 1u);
}

TEST_F(FindTracesTest, SaysWhatIsNoFolder) {
  for (const auto* name : {"none", "file"}) {
    job_.write("file");
    const auto found = find_traces(job_.path() / name, later);
    EXPECT_THAT(found.traces, IsEmpty());
    ASSERT_EQ(found.unreadable.size(), 1u);
    EXPECT_EQ(found.unreadable[0].first, job_.path() / name);
  }
}

TEST_F(FindTracesTest, EndsInTime) {
  job_.write("run/traces.otf2");
  const auto found = find_traces(job_.path(), std::chrono::steady_clock::now());
  EXPECT_FALSE(found.is_complete);
  EXPECT_THAT(found.traces, IsEmpty());
}

}  // namespace tracefold::find_traces_test
