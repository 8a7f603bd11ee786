#include "base/pending.hpp"

#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
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

}  // namespace tracefold::pending_test
