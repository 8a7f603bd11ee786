#include "base/zstd_frame.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tracefold::zstd_frame_test {

TEST(ZstdFrame, HoldsBytesAndTheirNumber) {
  for (const auto& bytes : {std::string(), std::string("a"), std::string(100'000, 'x')}) {
    const auto frame = pack_frame(bytes, FrameContent::text);
    EXPECT_EQ(read_frame_size(frame), bytes.size());
    EXPECT_EQ(unpack_frame(frame, bytes.size()), bytes);
    EXPECT_LT(frame.size(), 50u);
  }
}

TEST(ZstdFrame, IsRefusedWhereItIsDamaged) {
  const std::string bytes = "bytes that hold a line of text, and no second one";
  const auto frame = pack_frame(bytes, FrameContent::text);
  for (std::size_t size = 0; size < frame.size(); ++size)
    EXPECT_THROW(unpack_frame(frame.substr(0, size), bytes.size()), Error) << size;

  EXPECT_THROW(unpack_frame(frame, bytes.size() + 1), Error);
  EXPECT_THROW(unpack_frame(frame + frame, bytes.size()), Error);
  EXPECT_THROW(read_frame_size("no frame"), Error);
}

TEST(ZstdFrame, HasAChecksum) {
  const std::string bytes = "bytes that hold a line of text, and no second one";
  auto frame = pack_frame(bytes, FrameContent::text);
  const auto text = frame.find("line");  // so short that it stays as it is
  ASSERT_NE(text, std::string::npos);
  frame.replace(text, 4, "lime");
  EXPECT_THROW(unpack_frame(frame, bytes.size()), Error);
}

}  // namespace tracefold::zstd_frame_test
