// The units that values of metrics are written in. Pure functions.
#pragma once

#include "model/profile/metric.hpp"

#include <string>

namespace tracefold {

// Where times are in seconds; empty for what has no unit.
inline std::string name_unit(MetricKind kind, const std::string& recorded) {
  switch (kind) {
    case MetricKind::time: return "seconds";
    case MetricKind::bytes: return "bytes";
    case MetricKind::counter: return recorded;
    default: return "";
  }
}

}  // namespace tracefold
