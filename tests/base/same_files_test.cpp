#include "base/same_files.hpp"

#include "base/error.hpp"
#include "base/team.hpp"
#include "tests/local_team.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace tracefold::same_files_test {

using ::testing::HasSubstr;
using tracefold::testing::run_team;
using tracefold::testing::TestFolder;

// What the member that fails first says, and of which kind it is.
std::pair<ErrorKind, std::string> fail_in_team(const std::function<void(Team&)>& body) {
  try {
    run_team(3, body);
  } catch (const Error& problem) {
    return {problem.kind(), problem.what()};
  }
  return {ErrorKind::no, "nobody fails"};
}

TEST(SameFiles, OneProcessSeesWhatItSees) {
  EXPECT_NO_THROW(check_same_file(nullptr, "/nowhere"));
  EXPECT_NO_THROW(check_same_folder(nullptr, "/nowhere"));
}

TEST(SameFiles, CopiesAreTheSame) {
  const TestFolder folder;
  const auto first = folder.write("first/traces.otf2", "content");
  const auto second = folder.write("second/traces.otf2", "content");
  EXPECT_NO_THROW(
      run_team(3, [&](Team& team) { check_same_file(&team, team.rank() == 1 ? second : first); }));
}

TEST(SameFiles, AnotherFileIsRefused) {
  const TestFolder folder;
  const auto first = folder.write("first/traces.otf2", "content");
  const auto second = folder.write("second/traces.otf2", "Content");
  const auto [kind, words] =
      fail_in_team([&](Team& team) { check_same_file(&team, team.rank() == 1 ? second : first); });
  EXPECT_EQ(kind, ErrorKind::input);
  EXPECT_THAT(words, HasSubstr(second.string() + ": is not the file that rank 0 on "));
}

TEST(SameFiles, AFileThatOnlyTheFirstSeesIsRefused) {
  const TestFolder folder;
  const auto first = folder.write("traces.otf2");
  const auto [kind, words] = fail_in_team([&](Team& team) {
    check_same_file(&team, team.rank() == 2 ? folder.path() / "none.otf2" : first);
  });
  EXPECT_EQ(kind, ErrorKind::input);
  EXPECT_THAT(words, HasSubstr("none.otf2: no such file, which rank 0 on "));
}

TEST(SameFiles, AFileThatTheFirstDoesNotSeeIsForOthersToTell) {
  const TestFolder folder;
  EXPECT_NO_THROW(run_team(2, [&](Team& team) { check_same_file(&team, folder.path() / "none"); }));
}

TEST(SameFiles, NothingIsLeftInAFolder) {
  const TestFolder folder;
  EXPECT_NO_THROW(
      run_team(3, [&](Team& team) { check_same_folder(&team, folder.path() / "a/b"); }));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SameFiles, AFolderWithoutRoomIsToldByTheFirst) {
  const auto [kind, words] =
      fail_in_team([&](Team& team) { check_same_folder(&team, "/proc/self/none"); });
  EXPECT_EQ(kind, ErrorKind::output);
  EXPECT_THAT(words, HasSubstr("nothing can be written there"));
}

}  // namespace tracefold::same_files_test
