#include "emitters/png.hpp"

#include "base/error.hpp"
#include "tests/support/png_reader.hpp"

#include <gmock/gmock.h>

namespace tracefold::png_test {

using ::testing::ElementsAre;
using testing::read_png;
using ::testing::StartsWith;

constexpr Colour red{255, 0, 0}, green{0, 255, 0}, grey{128, 128, 128};

TEST(Png, IsReadBackAsItWas) {
  const IndexedImage image{3, 2, {0, 1, 2, 2, 1, 0}, {red, green, grey}};
  const auto png = encode_png(image);
  EXPECT_THAT(png, StartsWith("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(png[25], 3) << "the colours are in a palette";

  const auto read = read_png(png);
  EXPECT_EQ(read.width, 3u);
  EXPECT_EQ(read.height, 2u);
  EXPECT_THAT(read.pixels, ElementsAre(red, green, grey, grey, green, red));
}

TEST(Png, KeepsAllColoursOfAFullPalette) {
  IndexedImage image{16, 16, {}, {}};
  for (std::size_t k = 0; k < 256; ++k) {
    image.pixels.push_back(static_cast<std::uint8_t>(k));
    image.palette.push_back({static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(255 - k), 7});
  }

  EXPECT_EQ(read_png(encode_png(image)).pixels, image.palette);
}

TEST(Png, EqualPicturesGiveEqualBytes) {
  const IndexedImage image{1, 1, {0}, {green}};
  EXPECT_EQ(encode_png(image), encode_png(image));
  EXPECT_EQ(testing::read_images("\"" + write_png_uri(image) + "\"").at(0).at(0, 0), green);
}

TEST(Png, RefusesAPictureWithoutPixels) {
  EXPECT_THROW(encode_png({0, 0, {}, {green}}), Error);
}

TEST(Png, EnlargesAPictureAsOftenAsThereIsRoom) {
  const IndexedImage image{2, 1, {0, 1}, {red, green}};
  const auto large = enlarge(image, 5, 2);
  EXPECT_EQ(large.width, 4u);
  EXPECT_EQ(large.height, 2u);
  EXPECT_THAT(large.pixels, ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_EQ(large.palette, image.palette);
  EXPECT_EQ(enlarge(image, 1, 1).pixels, image.pixels);
}

}  // namespace tracefold::png_test
