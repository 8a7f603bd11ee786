#include "emitters/box_plot.hpp"

#include "emitters/svg.hpp"

#include <fmt/format.h>

namespace tracefold {

std::string draw_line(double x1, double y1, double x2, double y2, std::string_view style) {
  return draw_path(move_to(x1, y1) + "L" + write_length(x2) + " " + write_length(y2), style);
}

std::string draw_box_plot(const std::array<double, 5>& at, double y, double height) {
  const auto [low, first, middle, last, high] = at;
  const auto top = y - height / 2;
  auto out =
      draw_line(low, y, first, y, svg_style::line) + draw_line(last, y, high, y, svg_style::line);
  for (const auto end : {low, high})
    out += draw_line(end, y - height / 4, end, y + height / 4, svg_style::line);
  out += draw_rectangle({first, top, last - first, height},
                        fmt::format(" fill=\"{}\" fill-opacity=\"0.55\" stroke=\"#404040\"",
                                    write_colour(okabe_ito::sky_blue)));
  return out + draw_line(middle, top, middle, top + height, svg_style::median);
}

}  // namespace tracefold
