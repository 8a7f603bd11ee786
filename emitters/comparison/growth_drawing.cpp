#include "emitters/comparison/growth_drawing.hpp"

#include "base/text.hpp"
#include "emitters/comparison/comparison_formats.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tracefold {

namespace {

constexpr std::array colours{okabe_ito::black,         okabe_ito::vermillion, okabe_ito::blue,
                             okabe_ito::bluish_green,  okabe_ito::orange,     okabe_ito::sky_blue,
                             okabe_ito::reddish_purple};
constexpr int width = 900, height = 460;
constexpr Box frame{80, 50, 400, 350};
constexpr double square = 7, legend_step = 40;
constexpr std::size_t longest_name = 52;
constexpr int steps = 60;  // of a line

// From the lowest to the highest of two positive numbers, by their logarithms.
double place(double value, double low, double high) {
  return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
}

}  // namespace

std::string to_svg(const GrowthTable& table) {
  const auto shown = std::min(table.calls.size(), colours.size());
  const auto [least, most] = std::minmax_element(table.ranks.begin(), table.ranks.end());
  const auto first = *least, last = 2 * *most;
  double low = 0, high = 0;
  for (std::size_t k = 0; k < shown; ++k)
    for (auto time : table.calls[k].times)
      if (time > 0) {
        low = low > 0 ? std::min(low, time) : time;
        high = std::max(high, time);
      }
  if (low <= 0)
    low = high = 1;
  low = std::pow(10, std::floor(std::log10(low)));
  high = std::pow(10, std::floor(std::log10(high * 1.5)) + 1);
  const auto find_x = [&](double p) { return frame.x + frame.width * place(p, first, last); };
  const auto find_y = [&](double time) {
    return frame.bottom() - frame.height * std::clamp(place(time, low, high), 0.0, 1.0);
  };

  auto out = begin_svg(width, height);
  out += draw_text(frame.x, 28, "start",
                   fmt::format("time per process by ranks, {} scaling", to_text(table.scaling)),
                   svg_style::title_text);
  for (auto time = low; time < high * 1.01; time *= 10) {
    out += draw_path(move_to(frame.x, find_y(time)) + "H" + write_length(frame.right()),
                     svg_style::grid);
    out += draw_text(frame.x - 6, find_y(time) + 4, "end", format_seconds(time));
  }
  for (auto p : table.ranks) {
    out +=
        draw_path(move_to(find_x(p), frame.bottom()) + "v" + write_length(svg_style::tick_length),
                  svg_style::line);
    out += draw_text(find_x(p), frame.bottom() + 18, "middle", fmt::format("{:.0f}", p));
  }
  out += draw_text(frame.x + frame.width / 2, frame.bottom() + 40, "middle", "ranks");
  out += draw_rectangle(frame, svg_style::line);

  for (std::size_t k = 0; k < shown; ++k) {
    const auto& call = table.calls[k];
    const auto colour = write_colour(colours[k]);
    std::string path;
    for (int s = 0; s <= steps; ++s) {
      const auto p = first * std::pow(last / first, static_cast<double>(s) / steps);
      const auto time = table.find_time(call, p);
      if (time < low)
        continue;
      path += path.empty() ? move_to(find_x(p), find_y(time))
                           : "L" + write_length(find_x(p)) + " " + write_length(find_y(time));
    }
    out +=
        draw_path(path, fmt::format(" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"", colour));
    for (std::size_t r = 0; r < call.times.size(); ++r)
      if (call.times[r] > 0)
        out += draw_rectangle({find_x(table.ranks[r]) - square / 2,
                               find_y(call.times[r]) - square / 2, square, square},
                              fmt::format(" fill=\"{}\"", colour));
    const auto y = frame.y + 10 + legend_step * static_cast<double>(k);
    out += draw_rectangle({frame.right() + 20, y - square, square, square},
                          fmt::format(" fill=\"{}\"", colour));
    out += draw_text(frame.right() + 34, y, "start",
                     shorten_name(make_printable(call.path), longest_name));
    out += draw_text(frame.right() + 34, y + 16, "start", write_growth(table, call.growth),
                     svg_style::grey_text);
  }
  out += end_svg();
  return out;
}

}  // namespace tracefold
