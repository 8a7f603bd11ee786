#include "emitters/png.hpp"

#include "base/base64.hpp"
#include "base/error.hpp"

#include <png.h>

#include <algorithm>
#include <limits>

namespace tracefold {

namespace {

// What libpng keeps with a picture is freed in any case. Its simplified functions report errors in
// `message`, so that no jump passes by destructors.
class PngWriter {
 public:
  PngWriter() { image_.version = PNG_IMAGE_VERSION; }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter() { ::png_image_free(&image_); }

  std::string write(const IndexedImage& image) {
    constexpr auto most = std::numeric_limits<::png_uint_32>::max();
    if (image.width > most || image.height > most)
      throw Error(ErrorKind::output, "the picture is too large");

    image_.width = static_cast<::png_uint_32>(image.width);
    image_.height = static_cast<::png_uint_32>(image.height);
    image_.format = PNG_FORMAT_RGB_COLORMAP;
    image_.colormap_entries = static_cast<::png_uint_32>(image.palette.size());

    std::vector<::png_byte> palette;
    for (const auto& colour : image.palette)
      palette.insert(palette.end(), {colour.red, colour.green, colour.blue});

    ::png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image_);
    std::string out(bytes, '\0');
    if (!::png_image_write_to_memory(&image_, out.data(), &bytes, 0, image.pixels.data(), 0,
                                     palette.data()))
      throw Error(ErrorKind::output, std::string("no PNG can be made: ") + image_.message);

    out.resize(bytes);
    return out;
  }

 private:
  ::png_image image_{};
};

}  // namespace

IndexedImage enlarge(const IndexedImage& image, std::size_t most_width, std::size_t most_height) {
  const auto across = std::max<std::size_t>(most_width / image.width, 1);
  const auto down = std::max<std::size_t>(most_height / image.height, 1);
  IndexedImage out{image.width * across, image.height * down, {}, image.palette};
  out.pixels.reserve(out.width * out.height);
  for (std::size_t y = 0; y < out.height; ++y)
    for (std::size_t x = 0; x < out.width; ++x)
      out.pixels.push_back(image.pixels[y / down * image.width + x / across]);

  return out;
}

std::string encode_png(const IndexedImage& image) {
  return PngWriter().write(image);
}

std::string write_png_uri(const IndexedImage& image) {
  return "data:image/png;base64," + encode_base64(encode_png(image));
}

}  // namespace tracefold
