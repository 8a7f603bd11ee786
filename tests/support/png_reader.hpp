// Reads PNG back by libpng, as pixels of plain colours.
#pragma once

#include "emitters/png.hpp"

#include <png.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace tracefold::testing {

struct ReadImage {
  std::size_t width = 0, height = 0;
  std::vector<Colour> pixels;  // row by row

  const Colour& at(std::size_t x, std::size_t y) const { return pixels[y * width + x]; }
};

inline ReadImage read_png(const std::string& png) {
  ::png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!::png_image_begin_read_from_memory(&image, png.data(), png.size()))
    throw std::runtime_error(image.message);

  image.format = PNG_FORMAT_RGB;
  std::vector<::png_byte> bytes(PNG_IMAGE_SIZE(image));
  if (!::png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr))
    throw std::runtime_error(image.message);

  ReadImage out{image.width, image.height, {}};
  for (std::size_t k = 0; k < bytes.size(); k += 3)
    out.pixels.push_back({bytes[k], bytes[k + 1], bytes[k + 2]});

  return out;
}

inline std::string decode_base64(const std::string& text) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (auto character : text) {
    if (character == '=')
      break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(character));
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> held & 0xff);
    }
  }

  return bytes;
}

// The pictures inside of a drawing, in their order.
inline std::vector<ReadImage> read_images(const std::string& svg) {
  const std::string begin = "data:image/png;base64,";
  std::vector<ReadImage> images;
  for (auto at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at)) {
    at += begin.size();
    images.push_back(read_png(decode_base64(svg.substr(at, svg.find('"', at) - at))));
  }

  return images;
}

}  // namespace tracefold::testing
