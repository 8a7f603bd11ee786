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

// How all drawings look: attributes of text and of lines, and a length.
namespace svg_style {
inline constexpr std::string_view title_text = " font-size=\"17\" font-weight=\"bold\"";
inline constexpr std::string_view heading_text = " font-weight=\"bold\"";
inline constexpr std::string_view grey_text = " fill=\"#555555\"";
inline constexpr std::string_view line = " fill=\"none\" stroke=\"#404040\"";  // frames and ticks
inline constexpr std::string_view grid = " fill=\"none\" stroke=\"#e8e8e8\"";
inline constexpr std::string_view median = " fill=\"none\" stroke=\"#000000\" stroke-width=\"2.5\"";
inline constexpr double tick_length = 4;
}  // namespace svg_style

// With a white background, so that it can be read on any page.
std::string begin_svg(int width, int height);
std::string_view end_svg();

// A length with at most two decimals.
std::string write_length(double length);

// The begin of a path, or of its next part.
std::string move_to(double x, double y);

// "app/traces.otf2" for a path that ends so: drawings are passed on, and tell no more of it.
std::string shorten_anchor(const std::string& anchor);

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
