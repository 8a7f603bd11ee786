#include "base/deflate.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

namespace tracefold::deflate_test {

namespace {

std::string unpack(const std::string& packed, std::size_t size) {
  std::string out(size + 1, '\0');
  uLongf length = out.size();
  const int code = ::uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  out.resize(length);

  return code == Z_OK ? out : "damaged";
}

}  // namespace

TEST(Deflate, PacksWhatZlibUnpacks) {
  std::string noise, repeated;
  for (std::uint32_t k = 0; k < 300'000; ++k) {
    noise += static_cast<char>(k * 2'654'435'761u >> 24);
    repeated += "abc";
  }
  for (const auto& bytes : {std::string(), std::string("a"), noise, repeated})
    for (const int level : {1, 6, 9})
      EXPECT_EQ(unpack(deflate_bytes(bytes, level), bytes.size()), bytes) << level;
  EXPECT_LT(deflate_bytes(repeated, 6).size(), repeated.size() / 100);
}

}  // namespace tracefold::deflate_test
