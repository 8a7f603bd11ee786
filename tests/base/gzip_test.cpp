#include "base/gzip.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <vector>

namespace tracefold::gzip_test {

namespace {

// What a reader of gzip finds in one member; empty where the file is damaged or goes on behind it.
std::string unpack(const std::string& file, std::size_t size) {
  constexpr int gzip_window = 15 + 16;
  ::z_stream stream{};
  ::inflateInit2(&stream, gzip_window);
  std::string out(size + 1, '\0');
  auto in = file;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = ::inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  const bool is_whole = code == Z_STREAM_END && stream.avail_in == 0;
  ::inflateEnd(&stream);

  return is_whole ? out : "";
}

std::string pack(const std::vector<std::string>& parts) {
  std::string file(gzip_begin);
  GzipSum all;
  for (const auto& bytes : parts) {
    GzipPart part;
    part.add(std::string_view(bytes).substr(0, bytes.size() / 2), file);
    part.add(std::string_view(bytes).substr(bytes.size() / 2), file);
    part.finish(file);
    all.append(part.sum());
  }

  return file + end_gzip(all);
}

}  // namespace

TEST(GzipParts, AreOneMemberTogether) {
  std::string noise, repeated;
  for (std::uint32_t k = 0; k < 300'000; ++k) {
    noise += static_cast<char>(k * 2'654'435'761u >> 24);
    repeated += "abc";
  }
  const std::vector<std::string> parts{"begin", "", repeated, noise, "end"};

  std::string all;
  for (const auto& part : parts)
    all += part;
  const auto file = pack(parts);
  EXPECT_EQ(unpack(file, all.size()), all);
  EXPECT_LT(file.size(), noise.size() + 10'000);
}

TEST(GzipParts, MayBeNone) {
  const auto file = pack({});
  EXPECT_EQ(file.size(), 20u);
  EXPECT_EQ(unpack(file, 0), "");
  EXPECT_EQ(unpack(pack({"a"}), 1), "a");
}

TEST(GzipParts, AreTheSameEachTime) {
  EXPECT_EQ(pack({"some", "text"}), pack({"some", "text"}));
}

}  // namespace tracefold::gzip_test
