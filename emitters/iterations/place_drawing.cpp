#include "emitters/iterations/place_drawing.hpp"

#include "base/text.hpp"
#include "emitters/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tracefold {

namespace {

// Pixels.
constexpr double block_gap = 34, block_name_height = 16, numbers_height = 16;
constexpr double smallest_place = 5;
constexpr std::size_t most_numbers = 5;

}  // namespace

std::size_t number_place(const std::vector<GridAxis>& axes,
                         const std::vector<std::uint64_t>& place) {
  std::size_t number = 0;
  for (std::size_t a = 0; a < axes.size(); ++a)
    number = number * axes[a].size + place[a];
  return number;
}

std::size_t count_places(const std::vector<GridAxis>& axes) {
  std::size_t places = 1;
  for (const auto& axis : axes)
    places *= axis.size;
  return places;
}

std::vector<double> find_place_values(const IterationMap& map) {
  const auto& shown = map.shown;
  if (shown.axes.empty())
    return {};

  const auto cells = count_places(shown.axes);
  std::vector<double> sums(cells), counts(cells);
  for (std::size_t r = 0; r < shown.places.size(); ++r) {
    if (shown.places[r].empty())
      continue;
    const auto cell = number_place(shown.axes, shown.places[r]);
    for (auto value : map.row(r))
      if (!std::isnan(value)) {
        sums[cell] += value;
        ++counts[cell];
      }
  }

  for (std::size_t cell = 0; cell < cells; ++cell)
    sums[cell] =
        counts[cell] > 0 ? sums[cell] / counts[cell] : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

PlaceDrawing::PlaceDrawing(const std::vector<GridAxis>& axes, double width, double largest) {
  const auto count = axes.size();
  columns_ = count > 0 ? axes[count - 1].size : 1;
  has_rows_ = count > 1;
  rows_ = has_rows_ ? axes[count - 2].size : 1;
  for (std::size_t a = 0; a + 2 < count; ++a) {
    outer_.push_back(axes[a].size);
    blocks_ *= axes[a].size;
  }

  const auto columns = static_cast<double>(columns_);
  blocks_in_line_ = static_cast<std::size_t>(
      std::clamp((width + block_gap) / (columns * 2 * smallest_place + block_gap), 1.0,
                 static_cast<double>(blocks_)));
  const auto in_line = static_cast<double>(blocks_in_line_);
  cell_ = std::min(largest, (width - (in_line - 1) * block_gap) / (in_line * columns));
  block_height_ = (outer_.empty() ? 0 : block_name_height) + cell_ * static_cast<double>(rows_) +
                  numbers_height + 6;
  height_ = block_height_ * std::ceil(static_cast<double>(blocks_) / in_line);
}

std::string PlaceDrawing::draw(double x, double y, const std::vector<double>& values,
                               const ColourScale& scale,
                               const std::function<std::string(double)>& write_value) const {
  static const auto palette = ColourScale::make_palette();
  return draw(x, y, [&](std::size_t place) {
    const auto value = values[place];
    return PlaceCell{fmt::format(" fill=\"{}\"", write_colour(palette[scale.choose_level(value)])),
                     std::isnan(value) ? "no value" : write_value(value)};
  });
}

std::string PlaceDrawing::draw(double x, double y, const FindCell& find_cell) const {
  std::string out;
  for (std::size_t block = 0; block < blocks_; ++block) {
    const auto across = static_cast<double>(block % blocks_in_line_);
    const auto down = static_cast<double>(block / blocks_in_line_);
    out += draw_block(block, x + across * (cell_ * static_cast<double>(columns_) + block_gap),
                      y + down * block_height_, find_cell);
  }
  return out;
}

std::string PlaceDrawing::draw_block(std::size_t block, double x, double y,
                                     const FindCell& find_cell) const {
  constexpr double least_of_label = 18, width_of_character = 7;
  std::string out;
  if (!outer_.empty()) {
    out += draw_text(x, y + block_name_height - 5, "start", name_block(block));
    y += block_name_height;
  }

  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t column = 0; column < columns_; ++column) {
      const auto cell = find_cell((block * rows_ + row) * columns_ + column);
      const auto words = name_cell(block, row, column) + ": " + cell.words;
      const Box box{x + cell_ * static_cast<double>(column), y + cell_ * static_cast<double>(row),
                    cell_, cell_};
      out += "<g><title>" + escape_xml(words) + "</title>" + draw_rectangle(box, cell.attributes);
      const auto label_width = width_of_character * static_cast<double>(cell.label.size()) + 4;
      if (!cell.label.empty() && cell_ >= std::max(least_of_label, label_width))
        out += draw_text(box.x + cell_ / 2, box.y + cell_ / 2 + 4, "middle", cell.label,
                         cell.label_attributes);
      out += "</g>\n";
    }

  const Box frame{x, y, cell_ * static_cast<double>(columns_), cell_ * static_cast<double>(rows_)};
  out += draw_rectangle(frame, svg_style::line);
  const auto middle = [this](std::size_t place) {
    return cell_ * (static_cast<double>(place) + 0.5);
  };
  const auto most_across = static_cast<std::size_t>(std::max(frame.width / 30, 1.0));
  for (auto column : choose_whole_ticks(columns_, std::min(most_numbers, most_across)))
    out += draw_text(x + middle(column), frame.bottom() + 13, "middle", std::to_string(column));
  const auto most_down = static_cast<std::size_t>(std::max(frame.height / 20, 1.0));
  if (has_rows_)
    for (auto row : choose_whole_ticks(rows_, std::min(most_numbers, most_down)))
      out += draw_text(x - 5, y + middle(row) + 4, "end", std::to_string(row));
  return out;
}

// "(2, *, *)"
std::string PlaceDrawing::name_block(std::size_t block) const {
  std::vector<std::string> parts(outer_.size() + 2, "*");
  for (auto a = outer_.size(); a-- > 0;) {
    parts[a] = std::to_string(block % outer_[a]);
    block /= outer_[a];
  }
  return fmt::format("({})", fmt::join(parts, ", "));
}

std::string PlaceDrawing::name_cell(std::size_t block, std::size_t row, std::size_t column) const {
  std::vector<std::size_t> place(outer_.size());
  for (auto a = outer_.size(); a-- > 0;) {
    place[a] = block % outer_[a];
    block /= outer_[a];
  }
  if (has_rows_)
    place.push_back(row);
  place.push_back(column);
  return fmt::format("({})", fmt::join(place, ", "));
}

}  // namespace tracefold
