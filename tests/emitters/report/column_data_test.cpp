#include "emitters/report/column_data.hpp"

#include <gmock/gmock.h>
#include <zlib.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <limits>

namespace tracefold::column_data_test {

namespace {

std::string decode_base64(const std::string& text) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    held += 6;
    if (held >= 8)
      bytes += static_cast<char>(bits >> (held -= 8) & 0xff);
  }

  return bytes;
}

std::string unpack(const ColumnData& data) {
  const auto packed = decode_base64(data.pack());
  std::string out(data.size() + 1, '\0');
  uLongf length = out.size();
  EXPECT_EQ(::uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  out.resize(length);

  return out;
}

template <class Number>
std::vector<Number> read_column(const std::string& bytes, const nlohmann::ordered_json& column) {
  std::vector<Number> values(column.at("length").get<std::size_t>());
  std::memcpy(values.data(), bytes.data() + column.at("at").get<std::size_t>(),
              values.size() * sizeof(Number));

  return values;
}

}  // namespace

TEST(ColumnData, GivesBackEachColumn) {
  const std::vector<std::uint8_t> levels{0, 63, 255};
  const std::vector<std::uint16_t> groups{1, 300, 65535};
  const std::vector<std::uint32_t> ranks{0, 70'000, 0xffffffff};
  const std::vector<float> seconds{1.5f, std::numeric_limits<float>::quiet_NaN(), -2e30f};
  ColumnData data;
  const auto a = data.add(levels), b = data.add(groups), c = data.add(ranks), d = data.add(seconds);
  EXPECT_EQ(a.dump(), R"({"at":0,"length":3,"type":"u8"})");
  EXPECT_EQ(b.dump(), R"({"at":4,"length":3,"type":"u16"})");
  EXPECT_EQ(c.dump(), R"({"at":12,"length":3,"type":"u32"})");
  EXPECT_EQ(d.dump(), R"({"at":24,"length":3,"type":"f32"})");

  const auto bytes = unpack(data);
  ASSERT_EQ(bytes.size(), 36u);
  EXPECT_EQ(read_column<std::uint8_t>(bytes, a), levels);
  EXPECT_EQ(read_column<std::uint16_t>(bytes, b), groups);
  EXPECT_EQ(read_column<std::uint32_t>(bytes, c), ranks);
  const auto back = read_column<float>(bytes, d);
  EXPECT_EQ(back[0], 1.5f);
  EXPECT_TRUE(std::isnan(back[1]));
  EXPECT_EQ(back[2], -2e30f);
}

TEST(ColumnData, KeepsEqualColumnsOnce) {
  ColumnData data;
  const auto first = data.add(std::vector<std::uint32_t>{1, 2, 3});
  data.add(std::vector<std::uint32_t>{1, 2, 4});
  EXPECT_EQ(data.add(std::vector<std::uint32_t>{1, 2, 3}), first);
  EXPECT_EQ(data.size(), 24u);
}

TEST(ColumnData, ChoosesTheSmallestWholeNumbers) {
  ColumnData data;
  EXPECT_EQ(data.add_whole({0, 255}).at("type"), "u8");
  EXPECT_EQ(data.add_whole({0, 256}).at("type"), "u16");
  EXPECT_EQ(data.add_whole({0, 65'536}).at("type"), "u32");
  EXPECT_EQ(data.add_whole({}).at("length"), 0);
}

TEST(ColumnData, IsTheSameTextEachTime) {
  const auto make = [] {
    ColumnData data;
    data.add(std::vector<float>{1, 2, 3});
    data.add(std::vector<std::uint8_t>(1000, 7));
    return data.pack();
  };
  EXPECT_EQ(make(), make());
  EXPECT_EQ(unpack(ColumnData()), "");
}

}  // namespace tracefold::column_data_test
