// The layers of a map as they are drawn: which ones, in which colours, and stacked. Pure functions.
//
// Source: dynamics B (parts of the execution time, stacked).
#pragma once

#include "emitters/colours.hpp"
#include "model/iterations/iteration_map.hpp"

#include <string>
#include <vector>

namespace tracefold {

// A layer that is drawn, and its colour.
struct DrawnLayer {
  MapLayer layer;
  Colour colour;
};

// The layers that can be seen, those with colours of their own in their order; where they are more
// than there are colours, the smallest ones are added up to one behind them. Where there are few
// layers, each has the same colour whether or not others are seen.
std::vector<DrawnLayer> choose_layers(const MapLayers& all);

// A layer as it lies on those below it: by column, where it begins and where it ends; not a number
// where the layer has no value.
struct StackedLayer {
  std::string name;  // without the word "time"
  Colour colour;
  std::vector<double> lower, upper;
};

// `values` says whether layers of the original or of the reconstruction are stacked. A value below
// 0 counts as 0.
std::vector<StackedLayer> stack_layers(const std::vector<DrawnLayer>& layers, MetricKind kind,
                                       std::vector<double> MapLayer::*values);

// Makes percentages of the whole of them.
void show_shares(std::vector<StackedLayer>& stack);

}  // namespace tracefold
