#include "base/error.hpp"
#include "base/tar_reader.hpp"
#include "base/tar_writer.hpp"
#include "tests/support/test_folder.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tracefold::tar_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
constexpr std::size_t block = 512;

class Tar : public ::testing::Test {
 protected:
  Tar() {
    work_.write("from/traces/0.evt", std::string(20000, 'e'));
    work_.write("from/traces.def", std::string(block, 'd'));
    work_.write("from/traces.otf2", "anchor");
  }

  fs::path from() const { return work_.path() / "from"; }
  fs::path into() const { return work_.path() / "into"; }
  fs::path tar() const { return work_.path() / "tar"; }

  static std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string pack(TarPacking packing = TarPacking::none) const {
    const std::vector<std::string> names{"traces/", "traces/0.evt", "traces.def", "traces.otf2"};
    const int handle = ::open(tar().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const auto bytes = pack_tar(from(), names, packing, handle);
    ::close(handle);
    EXPECT_EQ(bytes, fs::file_size(tar()));
    return read(tar());
  }

  // All files but those whose last part is not wanted.
  UnpackedTar unpack(const std::string& bytes, const TarBound& bound = {plenty},
                     const std::string& unwanted = "") const {
    fs::remove_all(into());
    fs::create_directory(into());
    work_.write("tar", bytes);
    const int handle = ::open(tar().c_str(), O_RDONLY);
    try {
      auto unpacked = unpack_tar(handle, {}, into(), bound,
                                 [&](auto parts) { return parts.back() != unwanted; });
      ::close(handle);
      return unpacked;
    } catch (...) {
      ::close(handle);
      throw;
    }
  }

  std::string refusal(const std::string& bytes, const TarBound& bound = {plenty}) const {
    try {
      unpack(bytes, bound);
    } catch (const Error& problem) {
      EXPECT_EQ(problem.kind(), ErrorKind::input);
      return problem.what();
    }
    return "";
  }

  const testing::TestFolder work_;
};

TEST_F(Tar, GivesBackWhatWasPacked) {
  for (const auto packing : {TarPacking::none, TarPacking::gzip, TarPacking::zstd}) {
    const auto unpacked = unpack(pack(packing));
    EXPECT_THAT(unpacked.files, ElementsAre("traces/0.evt", "traces.def", "traces.otf2"));
    for (const auto& file : unpacked.files)
      EXPECT_EQ(read(into() / file), read(from() / file)) << file;
  }
}

TEST_F(Tar, HasTheSameBytesWheneverItIsMade) {
  for (const auto packing : {TarPacking::none, TarPacking::gzip, TarPacking::zstd}) {
    const auto before = pack(packing);
    for (const auto* file : {"traces.def", "traces.otf2"})
      fs::last_write_time(from() / file, fs::file_time_type::clock::now());
    fs::permissions(from() / "traces.def", fs::perms::owner_all);
    EXPECT_EQ(pack(packing), before);
  }
}

TEST_F(Tar, LeavesOutWhatIsNotWanted) {
  const auto unpacked = unpack(pack(), {plenty}, "traces.def");
  EXPECT_THAT(unpacked.files, ElementsAre("traces/0.evt", "traces.otf2"));
  EXPECT_EQ(unpacked.skipped, 1u);
  EXPECT_FALSE(fs::exists(into() / "traces.def"));
}

TEST_F(Tar, IsRefusedWhereverItIsCut) {
  const auto whole = pack();
  ASSERT_EQ(whole.size() % block, 0u);
  for (std::size_t bytes = 0; bytes + block < whole.size(); bytes += block / 2)
    EXPECT_THAT(refusal(whole.substr(0, bytes)), HasSubstr("cut")) << bytes;
  EXPECT_THAT(refusal(whole.substr(0, block / 2)), HasSubstr("is no tar of a trace, or cut (copy"));
  EXPECT_EQ(refusal(whole.substr(0, whole.size() - block)), "") << "one block of zeros is an end";
}

TEST_F(Tar, IsRefusedWherePackedBytesAreCut) {
  for (const auto packing : {TarPacking::gzip, TarPacking::zstd}) {
    const auto whole = pack(packing);
    for (std::size_t bytes = 1; bytes < whole.size(); ++bytes)
      ASSERT_THAT(refusal(whole.substr(0, bytes)), HasSubstr("(copy it again)")) << bytes;
  }
}

TEST_F(Tar, IsRefusedWhereSomethingFollowsIt) {
  EXPECT_THAT(refusal(pack() + std::string(block, 'x')), HasSubstr("something follows"));
  EXPECT_THAT(refusal(pack() + pack()), HasSubstr("something follows"));
  EXPECT_EQ(refusal(pack() + std::string(20 * block, '\0')), "");
}

TEST_F(Tar, IsRefusedWhereItBringsTooMuch) {
  EXPECT_EQ(refusal(pack(), {200000}), "");
  EXPECT_THAT(refusal(pack(), {30000}), HasSubstr("unpacks to more than"));
  EXPECT_THAT(refusal(pack(TarPacking::zstd), {30000}), HasSubstr("unpacks to more than"));
}

TEST_F(Tar, SaysWhichBoundItIsTooLargeFor) {
  EXPECT_THAT(refusal(pack(), {30000}), HasSubstr("`max_size` allows more"));
  try {
    unpack(pack(), {30000, "half of the free space in /tmp"});
    FAIL() << "it was unpacked";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::output);
    EXPECT_STREQ(problem.what(), "unpacks to more than 29.3 KiB, half of the free space in /tmp");
  }
}

TEST_F(Tar, MakesNoFileTwice) {
  const auto whole = pack();
  const auto members = whole.substr(0, whole.size() - 2 * block);
  EXPECT_THAT(refusal(members + whole), HasSubstr("two members 'traces/0.evt'"));
}

TEST_F(Tar, FollowsNoLink) {
  const auto bytes = pack();
  fs::create_directory(work_.path() / "other");
  fs::remove_all(into());
  fs::create_directory(into());
  fs::create_directory_symlink(work_.path() / "other", into() / "traces");
  const int handle = ::open(tar().c_str(), O_RDONLY);
  EXPECT_THROW(unpack_tar(handle, {}, into(), {plenty}, [](auto) { return true; }), Error);
  ::close(handle);
  EXPECT_TRUE(fs::is_empty(work_.path() / "other"));
}

TEST_F(Tar, IsKnownByHowItBegins) {
  EXPECT_TRUE(begins_as_plain_tar(pack()));
  EXPECT_TRUE(begins_as_tar(pack()));
  EXPECT_TRUE(begins_as_tar(pack(TarPacking::gzip)));
  EXPECT_TRUE(begins_as_tar(pack(TarPacking::zstd)));
  EXPECT_TRUE(begins_as_tar({"\xfd\x37\x7a\x58\x5a\x00", 6}));
  EXPECT_TRUE(begins_as_tar("BZh91AY&SY"));
  EXPECT_FALSE(begins_as_plain_tar(pack(TarPacking::gzip)));
  EXPECT_FALSE(begins_as_tar("{\"tracefold_plan\": 2}"));
  EXPECT_FALSE(begins_as_tar(""));
}

TEST_F(Tar, IsKnownByHowItsNameEnds) {
  EXPECT_EQ(find_tar_ending("small.tar"), ".tar");
  EXPECT_EQ(find_tar_ending("Small.TAR.GZ"), ".tar.gz");
  EXPECT_EQ(find_tar_ending("small.tar.zst"), ".tar.zst");
  EXPECT_EQ(find_tar_ending("small.tar.xz"), ".tar.xz");
  EXPECT_EQ(find_tar_ending("small.tbz2"), ".tbz2");
  EXPECT_EQ(find_tar_ending("small.gz"), "");
  EXPECT_EQ(find_tar_ending("traces.otf2"), "");
}

TEST_F(Tar, EndsWithoutAnEndWhereAFileIsMissing) {
  const std::vector<std::string> names{"traces.def", "missing"};
  const int handle = ::open(tar().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  EXPECT_THROW(pack_tar(from(), names, TarPacking::none, handle), Error);
  ::close(handle);
  EXPECT_NE(refusal(read(tar())), "");
}

}  // namespace tracefold::tar_test
