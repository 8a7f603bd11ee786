#include "base/sha256.hpp"

#include <gtest/gtest.h>

namespace tracefold::sha256_test {

// FIPS 180-4: the examples that NIST publishes for it.
TEST(Sha256, IsThePublishedOne) {
  EXPECT_EQ(hash_text(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, TakesItsBytesInPieces) {
  const std::string text(1000, 'x');
  Sha256 hash;
  for (std::size_t at = 0; at < text.size(); at += 37)
    hash.add(std::string_view(text).substr(at, 37));
  EXPECT_EQ(hash.hex(), hash_text(text));
}

}  // namespace tracefold::sha256_test
