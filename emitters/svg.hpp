// Parts of drawings in SVG 1.1, as browsers and Inkscape show them: text of XML that stands alone
// where begin_svg comes first and end_svg last. Lengths are pixels; text may be any bytes.
#pragma once

#include "emitters/colours.hpp"
#include "emitters/png.hpp"

#include <string>
#include <string_view>

namespace tracefold {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

// With a white background, so that it can be read on any page.
std::string begin_svg(int width, int height);
std::string_view end_svg();

// A length with at most two decimals.
std::string write_length(double length);

// `anchor` is SVG's: start, middle or end. `attributes` are written as they are: " fill=…".
std::string draw_text(double x, double y, const char* anchor, const std::string& text,
                      std::string_view attributes = {});
// The same, upwards.
std::string draw_upright_text(double x, double y, const char* anchor, const std::string& text);

std::string draw_rectangle(const Box& box, std::string_view attributes);
// Nothing where the path is empty.
std::string draw_path(const std::string& path, std::string_view attributes);

// The picture fills the box, each of its pixels a rectangle of one colour.
std::string draw_image(const Box& box, const IndexedImage& image);

}  // namespace tracefold
