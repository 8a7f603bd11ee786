// The values of OTF2_MeasurementMode in records of MeasurementOnOff.
#pragma once

#include <cstdint>

namespace tracefold::otf2_value {

inline constexpr std::uint64_t measurement_on = 1, measurement_off = 2;

}  // namespace tracefold::otf2_value
