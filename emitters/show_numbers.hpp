// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace tracefold {

struct Plan;

// A similarity or subsumption with two decimals. "1.00" stands for 1 alone: what is less, and would
// be rounded to it, is "0.99". Averages of 1 may differ from it by their rounding error.
std::string show_similarity(double value);

// "81 %", with a decimal below 10 % and where it is nearly all; "0 %" is exact, and "100 %" is at
// least 99.95 %.
std::string show_percent(double share);

// How much more the second amount is than the first, which is not 0: "+12.5 %", "-3.0 %", "0.0 %".
// "<-99.9 %" is nearly all, and "-100.0 %" all; "x12" is 12 times as much.
std::string show_growth(double a, double b);

// In groups of three digits for people, "1 234 567", or with its digits alone where a program may
// read the text (TextLayout::groups_digits).
std::string show_count(std::uint64_t n);

// Ticks of the plan's clock in a unit that fits: "1.23 ms".
std::string format_time(const Plan& plan, std::uint64_t ticks);
std::string format_seconds(double seconds);

}  // namespace tracefold
