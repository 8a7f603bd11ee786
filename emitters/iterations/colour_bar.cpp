#include "emitters/iterations/colour_bar.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t most_bar_ticks = 8;

}  // namespace

std::string draw_colour_bar(const Box& bar, const ColourScale& scale, const AxisUnit& unit) {
  IndexedImage image{1, ColourScale::levels, {}, ColourScale::make_palette()};
  for (auto level = ColourScale::levels; level-- > 0;)
    image.pixels.push_back(
        static_cast<std::uint8_t>(scale.is_flat() ? ColourScale::levels / 2 : level));

  auto out = draw_image(bar, image) + draw_rectangle(bar, svg_style::line);
  std::string path;
  const auto add = [&](double share, const std::string& text) {
    const auto y = bar.bottom() - share * bar.height;
    path += move_to(bar.right(), y) + "h" + write_length(svg_style::tick_length);
    out += draw_text(bar.right() + svg_style::tick_length + 4, y + 4, "start", text);
  };

  const auto in_unit = [&](double value) { return value / unit.size; };
  if (scale.is_flat()) {
    add(0.5, write_numbers(std::vector<double>{in_unit(scale.low())}).front());
  } else if (scale.is_even()) {
    const auto low = in_unit(scale.low()), high = in_unit(scale.high());
    constexpr double least_gap = 22;  // so that numbers do not touch each other
    const auto room = static_cast<std::size_t>(std::max(bar.height / least_gap, 1.0));
    const auto ticks = choose_ticks(low, high, std::min(most_bar_ticks, room));
    for (auto value : ticks.values)
      add((value - low) / (high - low), write_number(value, ticks.step));
  } else {
    constexpr std::array shares{0.0, 0.25, 0.5, 0.75, 1.0};
    std::vector<double> values;
    for (auto share : shares)
      values.push_back(in_unit(scale.find_value(share)));
    const auto texts = write_numbers(values);
    for (std::size_t k = 0; k < shares.size(); ++k)
      add(shares[k], texts[k]);
  }

  out += draw_path(path, svg_style::line);
  if (!unit.name.empty())
    out += draw_text(bar.x, bar.y - 8, "start", unit.name);

  return out;
}

}  // namespace tracefold
