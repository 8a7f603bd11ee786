// Pictures of few colours as PNG, by libpng. Pure functions; equal pictures give equal bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;

  bool operator==(const Colour&) const = default;
};

// At least one pixel, each an index into the palette of at most 256 colours.
struct IndexedImage {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // row by row, from the top
  std::vector<Colour> palette;
};

// The picture with each pixel several times, as often as that many pixels have room, so that also
// viewers that blur pictures show small ones as they are.
IndexedImage enlarge(const IndexedImage& image, std::size_t most_width, std::size_t most_height);

// Throws Error(output) where libpng does not take the picture, as one that is too large.
std::string encode_png(const IndexedImage& image);

// The same as an URI that holds the picture itself, for documents that show it.
std::string write_png_uri(const IndexedImage& image);

}  // namespace tracefold
