// Which markers stay with a window in time: those that begin in it; for a location's marker, in the
// spans of that location.
#pragma once

#include "model/time_window.hpp"
#include "otf2/definitions.hpp"

#include <cstdint>

namespace tracefold {

// True for all markers if `window` is null.
inline bool is_marker_inside(const TimeWindow* window, const Marker& marker) {
  constexpr std::uint64_t scope_location = 1;  // of OTF2_MarkerScope
  return !window || is_inside(marker.scope == scope_location ? window->find_spans(marker.scope_id)
                                                             : window->spans,
                              marker.time);
}

}  // namespace tracefold
