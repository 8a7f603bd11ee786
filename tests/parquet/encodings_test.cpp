#include "parquet/encodings.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace tracefold::parquet::encodings_test {

using Values = std::vector<std::uint64_t>;

// Reads bytes as parquet-format's Encodings.md says, value by value.
class Reader {
 public:
  explicit Reader(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  std::uint64_t read_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = bytes_.at(at_++);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return value;
    }
  }
  std::uint64_t read_zigzag() {
    const auto value = read_varint();
    return value >> 1 ^ (0 - (value & 1));
  }
  std::uint64_t read_bytes(unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value |= std::uint64_t{bytes_.at(at_++)} << 8 * i;
    return value;
  }
  Values read_packed(std::size_t count, unsigned width) {
    Values values(count);
    for (std::size_t bit = 0; bit < count * width; ++bit)
      values[bit / width] |= std::uint64_t{bytes_.at(at_ + bit / 8) >> bit % 8 & 1u} << bit % width;
    at_ += (count * width + 7) / 8;
    return values;
  }
  std::size_t at() const { return at_; }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0;
};

Values read_differences(const std::vector<std::uint8_t>& bytes, std::uint64_t mask) {
  Reader reader(bytes);
  EXPECT_EQ(reader.read_varint(), 128u);
  EXPECT_EQ(reader.read_varint(), 4u);
  const auto count = reader.read_varint();
  Values values{reader.read_zigzag() & mask};
  while (values.size() < count) {
    const auto least = reader.read_zigzag();
    unsigned widths[4];
    for (auto& width : widths)
      width = static_cast<unsigned>(reader.read_bytes(1));
    for (auto width : widths) {
      if (values.size() >= count)
        break;
      for (auto above : reader.read_packed(32, width))
        if (values.size() < count)
          values.push_back((values.back() + least + above) & mask);
    }
  }
  if (count == 0)
    values.clear();
  EXPECT_EQ(reader.at(), bytes.size());
  return values;
}

Values read_runs(const std::vector<std::uint8_t>& bytes, unsigned width, std::size_t count) {
  Reader reader(bytes);
  Values values;
  while (values.size() < count) {
    const auto head = reader.read_varint();
    if (head & 1)
      for (auto value : reader.read_packed((head >> 1) * 8, width))
        values.push_back(value);
    else
      values.insert(values.end(), head >> 1, reader.read_bytes((width + 7) / 8));
  }
  EXPECT_EQ(reader.at(), bytes.size());
  EXPECT_LT(values.size(), count + 8);
  values.resize(count);
  return values;
}

Values pass_differences(const Values& values) {
  std::vector<std::uint8_t> bytes;
  bytes.resize(encode_differences_64(values, bytes));
  return read_differences(bytes, ~std::uint64_t{0});
}

Values pass_runs(const Values& values, unsigned width) {
  std::vector<std::uint8_t> bytes;
  bytes.resize(encode_runs(values, width, bytes));
  return read_runs(bytes, width, values.size());
}

Values draw_values(std::mt19937_64& random, std::size_t count, unsigned width) {
  Values values(count);
  for (auto& value : values)
    value = width == 0 ? 0 : random() >> (64 - width);
  return values;
}

TEST(EncodeDifferences, GivesBackNumbersOfAllWidthsAndSizes) {
  std::mt19937_64 random(1);
  for (unsigned width = 0; width <= 64; ++width)
    for (const std::size_t count : {0u, 1u, 2u, 32u, 33u, 128u, 129u, 130u, 1000u}) {
      const auto values = draw_values(random, count, width);
      EXPECT_EQ(pass_differences(values), values) << width << " bits, " << count;
    }
}

TEST(EncodeDifferences, WrapsWhereDifferencesHaveNoRoom) {
  constexpr auto least = std::uint64_t{1} << 63;
  constexpr auto greatest = least - 1;
  const Values values{0, greatest, least, greatest, 0, ~std::uint64_t{0}, 1, least};
  EXPECT_EQ(pass_differences(values), values);
}

TEST(EncodeDifferences, WrapsIn32BitsForNumbersOf32Bits) {
  const Values values{0, 0x7fffffff, 0x80000000, 0x7fffffff, 0xffffffff, 5};
  std::vector<std::uint8_t> bytes;
  bytes.resize(encode_differences_32(values, bytes));
  EXPECT_EQ(read_differences(bytes, 0xffffffff), values);
  // A width is 32 bits at most: 4 bytes of widths stand behind the least difference.
  Reader reader(bytes);
  for (int i = 0; i < 5; ++i)
    reader.read_varint();
  EXPECT_LE(reader.read_bytes(1), 32u);
}

TEST(EncodeDifferences, TakesLittleRoomForAscendingTimes) {
  Values times;
  for (std::uint64_t i = 0; i < 10'000; ++i)
    times.push_back(1'000'000'000'000 + 1000 * i);
  std::vector<std::uint8_t> bytes;
  EXPECT_LT(encode_differences_64(times, bytes), 1000u);
}

TEST(EncodeRuns, GivesBackMixturesOfRunsAndOthers) {
  std::mt19937_64 random(2);
  for (const unsigned width : {1u, 2u, 8u, 16u, 24u, 32u})
    for (int turn = 0; turn < 200; ++turn) {
      Values values;
      while (values.size() < random() % 300)
        values.insert(values.end(), random() % 4 == 0 ? random() % 60 : 1,
                      random() >> (64 - width));
      EXPECT_EQ(pass_runs(values, width), values) << width << " bits, turn " << turn;
    }
}

TEST(EncodeRuns, IsShortForOneRun) {
  std::vector<std::uint8_t> bytes;
  EXPECT_LT(encode_runs(Values(16'384, 7), 8, bytes), 8u);
}

TEST(EncodeRuns, WritesBehindWhatIsThere) {
  std::vector<std::uint8_t> bytes{8};
  const auto end = encode_runs(Values{1, 2, 3}, 8, bytes, 1);
  EXPECT_EQ(bytes[0], 8);
  EXPECT_EQ(end, 1u + 1 + 8);
}

}  // namespace tracefold::parquet::encodings_test
