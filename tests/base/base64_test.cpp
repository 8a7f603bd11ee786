#include "base/base64.hpp"

#include <gmock/gmock.h>

namespace tracefold::base64_test {

TEST(Base64, EncodesTheVectorsOfTheStandard) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode_base64(std::string("\x00\xff\xfe", 3)), "AP/+");
}

}  // namespace tracefold::base64_test
