#include "otf2/anchor_file.hpp"

#include "base/error.hpp"
#include "tests/support/every_record.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace tracefold {
namespace {

constexpr std::size_t event_chunk_at = 12,
                      properties_behind =
                          19;  // the latter from the end: identifier, snapshots, thumbnails, marks

class AnchorFile : public ::testing::Test {
 protected:
  AnchorFile() {
    testing::write_archive({}, folder_.path());
    std::ifstream in(file(), std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::filesystem::path file() const { return folder_.path() / "traces.otf2"; }
  void check(const std::string& bytes) const {
    std::ofstream(file(), std::ios::binary) << bytes;
    check_anchor_file(file());
  }

  testing::TestFolder folder_;
  std::string whole_;
};

TEST_F(AnchorFile, IsAcceptedWhole) {
  EXPECT_NO_THROW(check_anchor_file(file()));
}

// What is behind the mark of its end is not looked at.
TEST_F(AnchorFile, IsRefusedWhereverItIsCutShort) {
  constexpr std::size_t after_the_end =
      2;  // marks behind the one that ends the file, which say no more
  for (std::size_t size = 0; size + after_the_end < whole_.size(); ++size)
    EXPECT_THROW(check(whole_.substr(0, size)), Error) << size << " bytes";
}

TEST_F(AnchorFile, IsRefusedWhereItClaimsMorePropertiesThanItHolds) {
  auto bytes = whole_;
  const auto count = bytes.size() - properties_behind - 4;
  for (const auto& claim : {std::string("\1\0\0\0", 4), std::string("\1\0\0\x80", 4),
                            std::string("\xff\xff\xff\xff")}) {
    bytes.replace(count, 4, claim);
    EXPECT_THROW(check(bytes), Error);
  }
}

TEST_F(AnchorFile, IsRefusedWhereChunksAreOfNoSize) {
  for (const auto& size :
       {std::string(8, '\0'), std::string("\1\0\0\0\0\0\0\0", 8), std::string(8, '\xff')}) {
    auto bytes = whole_;
    EXPECT_THROW(check(bytes.replace(event_chunk_at, 8, size)), Error);
  }
}

}  // namespace
}  // namespace tracefold
