// The Process Summary of a profile: each group of processes, or cluster of one, with the least,
// mean and most exclusive time of its processes in the functions that have most time. As a table,
// and as stacked bars in SVG. Pure functions.
//
// In a bar each function is a staircase: its first step goes to the least time, the second one to
// the mean, the third one to the most.
//
//   ████████
//   ████████▄▄▄▄▄        solve: least 8 s, mean 13 s, most 17 s
//   █████████████▄▄▄▄
//
// Source: thesis 2.3 and 4.4.1 (Brunst's Process Summary in Vampir, with groups for its clusters).
#pragma once

#include "model/profile/group_profile.hpp"

#include <string>

namespace tracefold {

struct Plan;

// Empty where there is no summary, or only one group.
std::string process_summary_table(const Plan& plan, const ProfileReport& report);

// Pixels from the top of the bars to the end of their key; 0 where there is no summary.
double measure_process_summary(const ProfileReport& report);
// Bars with their names on the left of x, `width` is that of the longest one.
std::string draw_process_summary(const Plan& plan, const ProfileReport& report, double x, double y,
                                 double width);

}  // namespace tracefold
