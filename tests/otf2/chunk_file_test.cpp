#include "otf2/chunk_file.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace tracefold::chunk_file_test {

namespace fs = std::filesystem;

constexpr std::uint64_t chunk = wire::smallest_chunk;

class ChunkFileTest : public ::testing::Test {
 protected:
  ChunkFileTest() {
    std::string name = (fs::temp_directory_path() / "tracefold-chunks-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~ChunkFileTest() override { fs::remove_all(folder_); }
  fs::path file(std::size_t size) const {
    std::string bytes(size, 'x');
    for (std::size_t i = 0; i < size; i += chunk)
      bytes[i] = static_cast<char>('a' + i / chunk);
    std::ofstream(folder_ / "file", std::ios::binary) << bytes;
    return folder_ / "file";
  }

 private:
  fs::path folder_;
};

TEST_F(ChunkFileTest, GivesWholeChunksAndTheRest) {
  for (const std::size_t rest : {std::size_t{1}, std::size_t{10}, chunk / 2, chunk - 1}) {
    const auto opened = ChunkFile::open(file(3 * chunk + rest), chunk);
    ASSERT_TRUE(opened);
    ASSERT_EQ(opened->chunks(), 4u);
    ChunkBuffer buffer;

    for (std::size_t k = 0; k < 4; ++k) {
      const auto got = opened->read(k, buffer);
      EXPECT_EQ(got.whole, k < 3);
      EXPECT_FALSE(got.has_failed);
      EXPECT_EQ(got.bytes.size(), k < 3 ? chunk : rest);
      EXPECT_EQ(got.bytes[0], 'a' + k);
      EXPECT_EQ(std::count(got.bytes.begin(), got.bytes.end(), 'x'),
                static_cast<std::ptrdiff_t>(got.bytes.size() - 1));
      const auto* end = got.bytes.data() + got.bytes.size();
      EXPECT_EQ(std::count(end, end + ChunkBuffer::slack, 0), ChunkBuffer::slack);
    }
  }
}

TEST_F(ChunkFileTest, RefusesAPipeInsteadOfWaitingForIt) {
  const auto pipe = file(1).parent_path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(ChunkFile::open(pipe, chunk), Error);
  EXPECT_THROW(ChunkFile::open("/dev/zero", chunk), Error);
  EXPECT_THROW(ChunkFile::open(pipe.parent_path(), chunk), Error);
}

TEST_F(ChunkFileTest, EndsWhereTheFileEndsWithAChunk) {
  const auto opened = ChunkFile::open(file(2 * chunk), chunk);
  ChunkBuffer buffer;
  EXPECT_EQ(opened->chunks(), 2u);
  EXPECT_TRUE(opened->read(1, buffer).whole);
}

TEST_F(ChunkFileTest, GivesWhatIsLeftOfAFileThatIsCutShort) {
  const auto path = file(4 * chunk);
  const auto opened = ChunkFile::open(path, chunk);
  ChunkBuffer buffer;
  EXPECT_EQ(opened->read(3, buffer).bytes.size(), chunk);

  fs::resize_file(path, chunk + 100);
  const auto got = opened->read(1, buffer);
  EXPECT_EQ(got.bytes.size(), 100u);
  EXPECT_FALSE(got.whole);
  EXPECT_EQ(got.bytes[0], 'b');
  EXPECT_EQ(got.bytes.data()[100], 0);
  EXPECT_TRUE(opened->read(2, buffer).bytes.empty());
  EXPECT_TRUE(opened->read(0, buffer).whole);
}

TEST_F(ChunkFileTest, TellsFilesApartThatShareABuffer) {
  const auto path = file(3 * chunk);
  const auto renamed = path.parent_path() / "renamed";
  ChunkBuffer buffer;
  auto one = ChunkFile::open(path, chunk);
  EXPECT_EQ(one->read(0, buffer).bytes[1], 'x');
  one.reset();  // the next one may get its handle
  fs::rename(path, renamed);
  std::ofstream(path, std::ios::binary) << std::string(3 * chunk, 'y');
  const auto two = ChunkFile::open(path, chunk);
  EXPECT_EQ(two->read(0, buffer).bytes[1], 'y');
  const auto again = ChunkFile::open(renamed, chunk);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(again->read(1, buffer).bytes[0], 'b');
    EXPECT_EQ(two->read(1, buffer).bytes[0], 'y');
    EXPECT_EQ(again->read(0, buffer).bytes[0], 'a');
  }
}

TEST_F(ChunkFileTest, IsNoneWhereThereIsNoFile) {
  EXPECT_FALSE(ChunkFile::open("/nowhere/at/all", chunk));
}

}  // namespace tracefold::chunk_file_test
