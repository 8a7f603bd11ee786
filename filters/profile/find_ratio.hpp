// Which two metrics `profile --ratio A/B` divides. Pure.
#pragma once

#include "model/profile/metric_ratio.hpp"

#include <string>

namespace tracefold {

class Definitions;
struct Plan;

// `words`: "A/B", each a counter, or a metric as `iterations --map` calls it; `time` is execution
// time. The columns are those of the profiles. Throws Error(usage) where a metric is missing.
MetricRatio find_ratio(const std::string& words, const MetricColumns& columns, const Plan& plan,
                       const Definitions& definitions);

}  // namespace tracefold
