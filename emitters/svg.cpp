#include "emitters/svg.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tracefold {

std::string begin_svg(int width, int height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"Helvetica, sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height);
}

std::string_view end_svg() {
  return "</svg>\n";
}

std::string write_length(double length) {
  const auto text = fmt::format("{:.2f}", length);
  const auto last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

std::string move_to(double x, double y) {
  return fmt::format("M{} {}", write_length(x), write_length(y));
}

std::string shorten_anchor(const std::string& anchor) {
  const std::filesystem::path path(anchor);
  return (path.parent_path().filename() / path.filename()).string();
}

std::string draw_text(double x, double y, const char* anchor, const std::string& text,
                      std::string_view attributes) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", write_length(x),
                     write_length(y), anchor, attributes, escape_xml(text));
}

std::string draw_upright_text(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<g transform=\"translate({} {}) rotate(-90)\">", write_length(x),
                     write_length(y)) +
         draw_text(0, 0, anchor, text) + "</g>\n";
}

std::string draw_rectangle(const Box& box, std::string_view attributes) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n",
                     write_length(box.x), write_length(box.y), write_length(box.width),
                     write_length(box.height), attributes);
}

std::string draw_path(const std::string& path, std::string_view attributes) {
  return path.empty() ? path : fmt::format("<path d=\"{}\"{}/>\n", path, attributes);
}

// Viewers that do not know the style of CSS take the attribute.
std::string draw_image(const Box& box, const IndexedImage& image) {
  return fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"{}\"/>\n",
      write_length(box.x), write_length(box.y), write_length(box.width), write_length(box.height),
      write_png_uri(image));
}

}  // namespace tracefold
