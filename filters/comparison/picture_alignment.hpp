// Makes the drawing's data of two aligned processes. Pure.
//
// A call of both takes longer where its own time is half as long again as the other one's, by a
// tenth of the call and a thousandth of the longer process at least. Of links, the one of the
// longest call in each 80th of the time is taken: they are in the order of time in both processes,
// and cross nowhere.
#pragma once

#include "filters/comparison/align_calls.hpp"
#include "model/comparison/alignment_picture.hpp"

namespace tracefold {

// `alignment` and `partners` are of these processes.
AlignmentPicture picture_alignment(const AlignedSide& a, const AlignedSide& b,
                                   const CallAlignment& alignment, const CallPartners& partners);

}  // namespace tracefold
