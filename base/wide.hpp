// Sums of many 64-bit numbers, and products of two.
#pragma once

namespace tracefold {

__extension__ using Wide = unsigned __int128;

}  // namespace tracefold
