#include "base/packed_values.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tracefold::packed_values_test {

enum class Colour : std::uint8_t { red, green };

struct Point {
  std::uint64_t x = 0;
  std::uint32_t y = 0;

  bool operator==(const Point&) const = default;
};
auto list_members(Like<Point> auto& point) {
  return std::tie(point.x, point.y);
}

class Drawing {
 public:
  Colour colour = Colour::red;
  bool is_open = false;
  std::string name;
  std::vector<Point> points;
  std::map<std::vector<std::uint32_t>, std::string> places;
  std::array<std::uint64_t, 2> sizes{};
  std::pair<std::uint8_t, std::string> label;

  bool operator==(const Drawing&) const = default;

 private:
  friend auto list_members(Like<Drawing> auto& drawing) {
    return std::tie(drawing.colour, drawing.is_open, drawing.name, drawing.points, drawing.places,
                    drawing.sizes, drawing.label);
  }
};

Drawing make_drawing() {
  Drawing drawing;
  drawing.colour = Colour::green;
  drawing.is_open = true;
  drawing.name = std::string("\xff\0é", 4);
  drawing.points = {{0, 1}, {~std::uint64_t{0}, 0xffffffff}, {127, 128}};
  drawing.places = {{{}, "nowhere"}, {{1, 2}, ""}};
  drawing.sizes = {std::uint64_t{1} << 63, 7};
  drawing.label = {9, "nine"};
  return drawing;
}

TEST(PackedValues, HoldBitsAndSetsWithoutOrder) {
  for (const std::size_t size : {0, 1, 7, 8, 9, 1000}) {
    std::vector<bool> bits(size);
    for (std::size_t i = 0; i < size; ++i)
      bits[i] = i % 3 == 0;
    EXPECT_EQ(unpack<std::vector<bool>>(pack(bits)), bits);
    EXPECT_LE(pack(bits).size(), pack(std::string()).size() + size / 8 + 4);
  }
  const std::unordered_set<std::uint64_t> set{7, 0, ~std::uint64_t{0}};
  EXPECT_EQ(unpack<std::unordered_set<std::uint64_t>>(pack(set)), set);
}

TEST(PackedValues, AreNoBitsWhereTheirNumberIsAnother) {
  EXPECT_THROW(unpack<std::vector<bool>>(pack(std::pair<std::uint64_t, std::string>(9, "x"))),
               Error);
}

TEST(PackedValues, AreTheSameWhenTheyAreUnpacked) {
  EXPECT_EQ(unpack<Drawing>(pack(make_drawing())), make_drawing());
  EXPECT_EQ(unpack<Drawing>(pack(Drawing())), Drawing());
}

TEST(PackedValues, TakeOneByteForSmallNumbers) {
  const auto size = [](std::uint64_t number) { return pack(Point{number, 0}).size(); };
  EXPECT_EQ(size(127), size(0));
  EXPECT_EQ(size(128), size(0) + 1);
}

TEST(PackedValues, AreAnErrorWhereverTheyAreDamaged) {
  const auto bytes = pack(make_drawing());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(unpack<Drawing>(bytes.substr(0, size)), Error) << size;
  EXPECT_THROW(unpack<Drawing>(bytes + "x"), Error);

  for (std::size_t at = 0; at < bytes.size(); ++at) {
    auto damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_THROW(unpack<Drawing>(damaged), Error) << at;
  }
}

// As where two processes run different versions of the program.
TEST(PackedValues, AreAnErrorWhereTheyAreOfAnotherType) {
  using Numbers = std::vector<std::uint64_t>;
  EXPECT_THROW(unpack<std::string>(pack(Numbers{1, 2, 3, 1000})), Error);
  EXPECT_THROW(unpack<Numbers>(pack(std::string("\x85"))), Error);
  EXPECT_THROW(unpack<Point>(pack(std::string(20, '\xff'))), Error);
}

}  // namespace tracefold::packed_values_test
