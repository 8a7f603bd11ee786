// A profile in SVG 1.1: its Process Summary (process_summary.hpp), and below it box plots of all
// processes together, unless threads or streams are among them, and of each group. In each there is
// a box for every row from 25 % to 75 % of the processes, with a line at the median, whiskers
// to 2 % and 98 %, and circles for the outliers that are named. All boxes have one axis, from zero.
// Where kept processes stand for others, there is the median of these alone.
//
// If there are many groups, the first ones are drawn, and a line tells how many others there are.
// Equal profiles give equal bytes.
//
// Source: thesis 4.4.2 (box plots for each function); McGill, Tukey, Larsen (1978).
#pragma once

#include "model/profile/group_profile.hpp"

#include <string>

namespace tracefold {

struct Plan;

// `part` says of which part of the run it is.
std::string to_svg(const Plan& plan, const ProfileReport& report, Quantity shown,
                   const std::string& part = "");

}  // namespace tracefold
