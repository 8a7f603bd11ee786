// Which markers a window in time leaves: those that begin inside, of a location in its own spans.
#pragma once

#include "model/time_window.hpp"
#include "otf2/definitions.hpp"

#include <cstdint>

namespace tracefold {

// Without a window: all of them.
inline bool is_marker_inside(const TimeWindow* window, const Marker& marker) {
  constexpr std::uint64_t scope_location = 1;  // of OTF2_MarkerScope
  return !window || is_inside(marker.scope == scope_location ? window->find_spans(marker.scope_id)
                                                             : window->spans,
                              marker.time);
}

}  // namespace tracefold
