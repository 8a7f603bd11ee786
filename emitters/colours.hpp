// Colours of drawings that people who see colours differently can tell apart.
#pragma once

#include "emitters/png.hpp"

#include <array>
#include <string>

namespace tracefold {

// The colour map viridis, from low to high: perceptually even, also in grey and for the
// colour-blind.
//
// Source: Smith, van der Walt (bibliography, colours); their table is in the public domain (CC0).
extern const std::array<Colour, 256> viridis;

// Eight colours that are told apart by all kinds of colour vision; black is among them.
//
// Source: Okabe, Ito (bibliography, colours).
namespace okabe_ito {
inline constexpr Colour black{0, 0, 0};
inline constexpr Colour orange{230, 159, 0};
inline constexpr Colour sky_blue{86, 180, 233};
inline constexpr Colour bluish_green{0, 158, 115};
inline constexpr Colour yellow{240, 228, 66};
inline constexpr Colour blue{0, 114, 178};
inline constexpr Colour vermillion{213, 94, 0};
inline constexpr Colour reddish_purple{204, 121, 167};
}  // namespace okabe_ito

// "#0072b2"
std::string write_colour(const Colour& colour);

}  // namespace tracefold
