#include "base/lock_file.hpp"

#include "base/error.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tracefold::lock_file_test {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr const char* lock_of_another_host =
    R"({"host":"elsewhere","process":1,"job":"7","seconds":60,)"
    R"("process_start":"1","process_space":"x"})";

class LockFileTest : public ::testing::Test {
 protected:
  LockFile make_lock(std::chrono::seconds longest = 60s) const { return {file_, "12", longest}; }
  void write_lock(const std::string& content, std::chrono::seconds age = 0s) const {
    std::ofstream(file_) << content;
    std::filesystem::last_write_time(file_, std::filesystem::file_time_type::clock::now() - age);
  }

  testing::TestFolder folder_;
  std::filesystem::path file_ = folder_.path() / "out.lock";
};

TEST_F(LockFileTest, IsTakenByOneOnly) {
  auto one = make_lock(), other = make_lock();
  EXPECT_FALSE(one.find_holder());
  EXPECT_TRUE(one.take());
  EXPECT_TRUE(one.is_ours());
  EXPECT_FALSE(other.take());
  EXPECT_FALSE(other.is_ours());
  EXPECT_FALSE(one.find_holder());
  EXPECT_THAT(other.find_holder().value_or("nobody"),
              HasSubstr("process " + std::to_string(::getpid()) + ", job 12"));

  other.release();
  EXPECT_TRUE(one.is_ours());
  one.release();
  EXPECT_TRUE(other.take());
}

TEST_F(LockFileTest, OfAProcessThatHasGoneIsTakenOver) {
  const auto child = ::fork();
  if (child == 0) {
    auto lock = make_lock();
    ::_exit(lock.take() ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(std::filesystem::exists(file_));

  auto lock = make_lock();
  EXPECT_FALSE(lock.find_holder());
  EXPECT_TRUE(lock.take());
  EXPECT_TRUE(lock.is_ours());
}

TEST_F(LockFileTest, OfAnotherHostIsHeldUntilItIsTooOld) {
  auto lock = make_lock(60s);
  write_lock(lock_of_another_host);
  EXPECT_FALSE(lock.take());
  EXPECT_EQ(lock.find_holder(), "host elsewhere, process 1, job 7");

  write_lock(lock_of_another_host, 100s);
  EXPECT_FALSE(lock.find_holder());
  EXPECT_TRUE(lock.take());
  EXPECT_TRUE(lock.is_ours());
}

TEST_F(LockFileTest, IsAsOldAsItsHolderAndWhoAsksBothAllow) {
  write_lock(lock_of_another_host, 100s);
  EXPECT_TRUE(make_lock(200s).find_holder());
  write_lock(R"({"host":"elsewhere","process":1,"seconds":200})", 100s);
  EXPECT_TRUE(make_lock(60s).find_holder());
}

TEST_F(LockFileTest, FarInTheFutureIsTakenOver) {
  write_lock(lock_of_another_host, -1000s);
  EXPECT_FALSE(make_lock(60s).find_holder());
}

TEST_F(LockFileTest, ThatSaysNothingIsHeldUntilItIsTooOld) {
  for (const auto* content : {"", "{", "[]", R"({"process":"x","host":7,"seconds":"long"})"}) {
    write_lock(content);
    EXPECT_EQ(make_lock().find_holder(), "somebody unknown") << content;
    write_lock(content, 100s);
    EXPECT_FALSE(make_lock().find_holder()) << content;
  }
}

TEST_F(LockFileTest, IsNeverAFolderOrALink) {
  const auto victim = folder_.write("victim", "as it was");
  std::filesystem::create_symlink(victim, file_);
  EXPECT_FALSE(make_lock().take());
  EXPECT_TRUE(make_lock().find_holder());
  EXPECT_EQ(std::filesystem::file_size(victim), 9u);
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_FALSE(make_lock().take());
  make_lock().release();
  EXPECT_TRUE(std::filesystem::exists(file_));
}

TEST_F(LockFileTest, LeavesNothingBesideIt) {
  write_lock(lock_of_another_host, 100s);
  auto lock = make_lock();
  EXPECT_TRUE(lock.take());
  lock.release();
  const std::filesystem::directory_iterator left(folder_.path());
  EXPECT_EQ(std::distance(begin(left), end(left)), 0);
}

TEST_F(LockFileTest, CannotBeMadeWhereThereIsNoFolder) {
  LockFile lock(folder_.path() / "none" / "out.lock", "", 60s);
  try {
    lock.take();
    FAIL();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::output);
    EXPECT_THAT(problem.what(), HasSubstr("No such file or directory"));
  }
}

}  // namespace tracefold::lock_file_test
