// The places of a grid of ranks as cells, each in the colour of what is there; of a map that is the
// mean over iterations, and over the processes of a place.
//
// The last axis of the grid goes to the right, the one before it down, and for each place on all
// other axes there is a block of its own. Pure functions.
#pragma once

#include "emitters/iterations/colour_scale.hpp"
#include "emitters/svg.hpp"
#include "model/iterations/iteration_map.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// By place, the last axis the fastest; not a number where no process of the map is, or none has an
// iteration. Empty where the rows of the map are not in the order of a grid.
std::vector<double> find_place_values(const IterationMap& map);

// The place on all axes as one number, the last axis the fastest; and how many places there are.
std::size_t number_place(const std::vector<GridAxis>& axes,
                         const std::vector<std::uint64_t>& place);
std::size_t count_places(const std::vector<GridAxis>& axes);

struct PlaceCell {
  std::string attributes;  // of the rectangle: " fill=…"
  std::string words;       // where one points at it, behind the name of the place
  std::string label = {};  // in the cell, where there is room
  std::string_view label_attributes = {};
};

class PlaceDrawing {
 public:
  static constexpr double largest_place = 26;

  // In so many pixels.
  PlaceDrawing(const std::vector<GridAxis>& axes, double width, double largest = largest_place);

  double height() const { return height_; }
  // `find_cell` is asked for each place, by its number.
  using FindCell = std::function<PlaceCell(std::size_t)>;
  std::string draw(double x, double y, const FindCell& find_cell) const;
  // `values` are by place. `write_value` is for what is shown where one points at a cell.
  std::string draw(double x, double y, const std::vector<double>& values, const ColourScale& scale,
                   const std::function<std::string(double)>& write_value) const;

 private:
  std::string draw_block(std::size_t block, double x, double y, const FindCell& find_cell) const;
  std::string name_block(std::size_t block) const;
  std::string name_cell(std::size_t block, std::size_t row, std::size_t column) const;

  std::vector<std::size_t> outer_;  // sizes of the axes that blocks are for
  std::size_t rows_ = 1, columns_ = 1, blocks_ = 1, blocks_in_line_ = 1;
  bool has_rows_ = false;
  double cell_ = 1, block_height_ = 0, height_ = 0;
};

}  // namespace tracefold
