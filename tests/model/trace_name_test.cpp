#include "model/trace_name.hpp"

#include "tests/support/test_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tracefold::trace_name_test {

namespace fs = std::filesystem;

class TraceName : public ::testing::Test {
 protected:
  std::string make_trace(const fs::path& folder) const {
    return folder_.write(folder / "traces.otf2", "anchor").string();
  }

  const testing::TestFolder folder_;
  const fs::path work_ = folder_.path();
};

TEST_F(TraceName, IsSeenFromTheFolderOfThePlan) {
  const auto trace = make_trace("app");
  EXPECT_EQ(name_trace_from(trace, work_), "app/traces.otf2");
  EXPECT_EQ(name_trace_from(trace, work_ / "small"), "../app/traces.otf2");
  EXPECT_EQ(name_trace_from(trace, work_ / "small/"), "../app/traces.otf2");
  EXPECT_EQ(name_trace_from(trace, work_ / "a/b"), "../../app/traces.otf2");
}

TEST_F(TraceName, IsAbsoluteWhereOnlyTheRootIsCommon) {
  EXPECT_EQ(name_trace_from("/nowhere/at/all.otf2", work_), "/nowhere/at/all.otf2");
}

TEST_F(TraceName, IsFoundFromTheFolderOfThePlan) {
  const auto trace = make_trace("app");
  for (const auto* folder : {".", "small", "a/b"}) {
    fs::create_directories(work_ / folder);
    EXPECT_EQ(find_trace_from(name_trace_from(trace, work_ / folder), work_ / folder), trace);
  }
}

TEST_F(TraceName, GoesUpWhereALinkOfThePlanLeadsTo) {
  const auto trace = make_trace("store/app");
  fs::create_directories(work_ / "store/small");
  fs::create_directory_symlink(work_ / "store/small", work_ / "link");
  const auto name = name_trace_from(trace, work_ / "link");
  EXPECT_EQ(name, "../app/traces.otf2");
  EXPECT_EQ(find_trace_from(name, work_ / "link"), trace);
}

TEST_F(TraceName, KeepsTheFileThatIsALink) {
  make_trace("app");
  std::ofstream(work_ / "blob") << "anchor";
  fs::create_symlink(work_ / "blob", work_ / "app/linked.otf2");
  EXPECT_EQ(name_trace_from((work_ / "app/linked.otf2").string(), work_), "app/linked.otf2");
}

TEST_F(TraceName, IsLookedForBelowThePlanWhereBothWereMoved) {
  const auto trace = make_trace("new/app");
  EXPECT_EQ(find_trace_from("/old/place/app/traces.otf2", work_ / "new"), trace);
  EXPECT_EQ(find_trace_from("/old/place/other/nothing.otf2", work_ / "new"),
            "/old/place/other/nothing.otf2");
  const auto other = make_trace("app");
  EXPECT_EQ(find_trace_from(other, work_ / "new"), other) << "it is where it was";
}

TEST_F(TraceName, IsNotTheReducedTraceBesideThePlan) {
  make_trace("small");
  EXPECT_EQ(find_trace_from("/old/place/app/traces.otf2", work_ / "small"),
            "/old/place/app/traces.otf2");
  const auto moved = make_trace("app");
  EXPECT_EQ(find_trace_from("/old/place/app/traces.otf2", work_ / "app/"), moved);
}

TEST_F(TraceName, StaysThatOfAPipe) {
  EXPECT_EQ(name_trace_from("-", work_), "-");
  EXPECT_EQ(find_trace_from("-", work_), "-");
}

TEST_F(TraceName, IsThatOfTheFolderOrOfTheTar) {
  EXPECT_EQ(name_after_folder("runs/a/traces.otf2"), "a");
  EXPECT_EQ(name_after_folder("/runs/b/../c//traces.otf2"), "c");
  EXPECT_EQ(name_after_folder("runs/d.tar.zst"), "d");
  EXPECT_EQ(name_after_folder("E.TGZ"), "E");
  EXPECT_EQ(name_after_folder("traces.otf2"), fs::current_path().filename());
  EXPECT_EQ(name_after_folder("/traces.otf2"), "");
}

}  // namespace tracefold::trace_name_test
