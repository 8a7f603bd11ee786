// A drawing of a map of iterations, in SVG 1.1, and beside it what is left of it where processes
// and iterations are folded:
//
//   map            process by iteration, a picture (PNG) inside of the drawing, with a scale of
//                  colours; marks at the processes and iterations that stay
//   graph          minimum, median and maximum over processes, by iteration
//   parts          the metrics that add up to the whole that the map's metric is a part of, on
//                  top of each other; means over processes
//   graph          minimum, median and maximum over iterations, by process
//   places         where rows are in the order of a grid that the processes form: the mean over
//                  iterations at each of its places
//
// Where there are more rows or columns than `bins`, a pixel of the map is the mean of several
// processes and iterations, and the drawing says of how many; the graph has the smallest and the
// largest value of all of them. Equal maps give equal bytes. Memory: the maps' pixels, and what
// summarize_rows takes.
//
// Source: dynamics 3.1 (graphs and value maps), 4.3 (original and reconstruction side by side), B
// (stacked parts).
#pragma once

#include "emitters/iterations/colour_scale.hpp"
#include "model/iterations/iteration_map.hpp"

#include <string>

namespace tracefold {

struct Plan;

struct MapDrawing {
  ColourScaling scaling = ColourScaling::linear;
  MapBins bins;  // of each of the two maps
};

std::string to_svg(const Plan& plan, ComparedMap maps, const MapDrawing& options);

}  // namespace tracefold
