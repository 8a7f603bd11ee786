// A box plot of drawings: a box from 25 % to 75 % with a line at the median, and whiskers to 2 %
// and 98 %. Pure.
//
// Source: thesis 4.4.2; McGill, Tukey, Larsen (1978).
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace tracefold {

// The x of these five, around a line at height y.
std::string draw_box_plot(const std::array<double, 5>& at, double y, double height);

std::string draw_line(double x1, double y1, double x2, double y2, std::string_view style);

}  // namespace tracefold
