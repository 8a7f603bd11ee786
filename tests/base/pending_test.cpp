#include "base/pending.hpp"

#include "base/error.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>

namespace tracefold::pending_test {

namespace fs = std::filesystem;

TEST(Pending, IsRemovedForGoodWhileOthersWriteIntoIt) {
  for (int round = 0; round < 20; ++round) {
    const testing::TestFolder folder;
    std::optional<Pending> pending(std::in_place, folder.path() / "out", PendingKind::folder);
    pending->expect_others();
    const auto path = pending->path();
    std::atomic<std::size_t> written{0};
    std::jthread other([&](std::stop_token stop) {
      while (!stop.stop_requested())
        std::ofstream(path / std::to_string(written++)) << "x";
    });
    while (written < 100)
      std::this_thread::yield();

    pending.reset();
    const auto before = written.load();
    while (written < before + 10)
      std::this_thread::yield();
    other.request_stop();
    other.join();
    EXPECT_TRUE(fs::is_empty(folder.path()));
  }
}

TEST(Pending, TriesWhetherAnOutputCanBeWritten) {
  const testing::TestFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_NO_THROW(check_writable(folder.path() / "out"));
  EXPECT_NO_THROW(check_writable(folder.path() / "out/"));
  EXPECT_NO_THROW(check_writable(folder.path() / "new" / "folder" / "out"));
  for (const auto& path : {folder.path() / "file" / "out", folder.path() / "file" / "in" / "out",
                           folder.path() / std::string(300, 'x'), fs::path("/proc/out")})
    EXPECT_THROW(check_writable(path), Error) << path;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(Pending, RemovesTheFoldersThatItHasMade) {
  const testing::TestFolder folder;
  const auto output = folder.path() / "new" / "folder" / "out";
  { const Pending pending(output, PendingKind::folder); }
  EXPECT_TRUE(fs::is_empty(folder.path()));

  Pending named(output, PendingKind::folder);
  fs::rename(named.path(), output);
  named.has_its_name();
  EXPECT_TRUE(fs::exists(output));
}

TEST(Pending, RemovesWhatNobodyFillsAnyMoreAndTellsIt) {
  const testing::TestFolder folder;
  take_removed_leftovers();
  fs::path left;
  {
    const Pending pending(folder.path() / "out", PendingKind::folder);
    left = pending.path();
    check_writable(folder.path() / "out");
    EXPECT_TRUE(fs::exists(left));  // it is filled
  }
  fs::create_directory(left);
  std::ofstream(left / "events") << "x";
  check_writable(folder.path() / "other");
  EXPECT_TRUE(fs::exists(left));
  check_writable(folder.path() / "out");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_THAT(take_removed_leftovers(), ::testing::ElementsAre(left));
  EXPECT_TRUE(take_removed_leftovers().empty());
}

}  // namespace tracefold::pending_test
