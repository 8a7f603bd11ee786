#include "pipeline/jobs/trace_files.hpp"

#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>

namespace tracefold::trace_files_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TraceFilesTest : public ::testing::Test {
 protected:
  TraceFilesTest() {
    for (const auto* name : {"traces.otf2", "traces.def", "traces/0.evt", "traces/0.def", "notes"})
      folder_.write(name);
  }
  TraceFiles list() const { return list_trace_files(paths_); }

  testing::TestFolder folder_;
  const ArchivePaths paths_{folder_.path() / "traces.otf2"};
};

TEST_F(TraceFilesTest, AreDeletedAndNothingElse) {
  const auto files = list();
  EXPECT_THAT(files.oddity, IsEmpty());
  ASSERT_EQ(files.files.size(), 4u);
  EXPECT_EQ(files.files[0].path, paths_.anchor);
  EXPECT_FALSE(delete_trace(paths_, files));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "traces"));
  EXPECT_FALSE(std::filesystem::exists(paths_.anchor));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "notes"));
}

TEST_F(TraceFilesTest, DifferOnceOneIsWrittenToOrReplacedOrNew) {
  const auto before = list();
  EXPECT_EQ(list(), before);
  folder_.write("traces/0.evt", "longer");
  const auto longer = list();
  EXPECT_NE(longer, before);
  std::filesystem::remove(folder_.path() / "traces/0.def");
  EXPECT_NE(list(), longer);
  const auto fewer = list();
  folder_.write("traces/1.evt");
  EXPECT_NE(list(), fewer);
}

TEST_F(TraceFilesTest, AreOddWhereSomethingElseIsAmongThem) {
  folder_.write("traces/notes.txt");
  EXPECT_THAT(list().oddity, HasSubstr("'notes.txt'"));
}

TEST_F(TraceFilesTest, AreOddWhereOneIsALink) {
  const testing::TestFolder elsewhere;
  const auto file = elsewhere.write("1.evt");
  std::filesystem::create_symlink(file, folder_.path() / "traces/1.evt");
  EXPECT_THAT(list().oddity, HasSubstr("1.evt is a link"));
}

TEST_F(TraceFilesTest, AreOddWhereTheirFolderIsALink) {
  const testing::TestFolder elsewhere;
  elsewhere.write("0.evt");
  std::filesystem::remove_all(folder_.path() / "traces");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder_.path() / "traces");
  EXPECT_THAT(list().oddity, HasSubstr("traces is a link"));
}

TEST_F(TraceFilesTest, AreOddWhereOneHasAnotherName) {
  std::filesystem::create_hard_link(folder_.path() / "traces/0.evt", folder_.path() / "mine");
  EXPECT_THAT(list().oddity, HasSubstr("0.evt has another name"));
}

}  // namespace tracefold::trace_files_test
