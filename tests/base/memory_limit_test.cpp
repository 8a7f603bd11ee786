#include "base/memory_limit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace tracefold::memory_limit_test {

namespace fs = std::filesystem;

class MemoryLimit : public ::testing::Test {
 protected:
  MemoryLimit()
      : root_(fs::temp_directory_path() / ("memory_limit." + std::to_string(::getpid()))) {
    put("proc/meminfo", "Buffers: 1 kB\nMemTotal:  8000 kB\nMemFree: 2 kB\n");
  }
  ~MemoryLimit() override { fs::remove_all(root_); }
  void put(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::uint64_t limit() const { return default_memory_limit(root_); }

 private:
  fs::path root_;
};

TEST_F(MemoryLimit, IsAQuarterOfTheMachine) {
  EXPECT_EQ(limit(), 8000u * 1024 / 4);
}

TEST_F(MemoryLimit, IsThatOfTheGroup) {
  put("proc/self/cgroup", "0::/jobs/42\n");
  put("sys/fs/cgroup/jobs/42/memory.max", "4096000\n");
  EXPECT_EQ(limit(), 1024000u);
}

TEST_F(MemoryLimit, IsThatOfAGroupAround) {
  put("proc/self/cgroup", "0::/jobs/42\n");
  put("sys/fs/cgroup/jobs/42/memory.max", "max\n");
  put("sys/fs/cgroup/jobs/memory.max", "2048000\n");
  EXPECT_EQ(limit(), 512000u);
}

TEST_F(MemoryLimit, IsThatOfAGroupOfTheFirstVersion) {
  put("proc/self/cgroup", "5:cpu,cpuacct:/jobs\n4:memory:/jobs/7\n");
  put("sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "4000\n");
  put("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(limit(), 1000u);
}

TEST_F(MemoryLimit, IsThatOfTheMachineWhereTheGroupHasMore) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "99999999999\n");
  EXPECT_EQ(limit(), 8000u * 1024 / 4);
}

TEST_F(MemoryLimit, IsNoneWhereNothingIsSaid) {
  put("proc/meminfo", "");
  put("proc/self/cgroup", "nonsense\n0:\n");
  EXPECT_EQ(limit(), unlimited_memory);
}

}  // namespace tracefold::memory_limit_test
