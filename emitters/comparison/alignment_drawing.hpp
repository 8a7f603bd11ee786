// Draws two aligned processes over time: the calls of both, lines between calls that are in both,
// what only one of them does in colours, and the calls that cost most by numbers.
#pragma once

#include "model/comparison/alignment_picture.hpp"
#include "model/comparison/call_alignment.hpp"

#include <string>

namespace tracefold {

// The picture is of this alignment.
std::string to_svg(const CallAlignment& alignment, const AlignmentPicture& picture);

}  // namespace tracefold
