// Chooses the metrics of a trace's call-path profiles: those that may differ from 0 according to
// its definitions, since columns of zeros waste memory.
//
// A time is chosen where a function with such time is defined; a time of waiting where it is wanted
// and the time that contains it is chosen. Messages and collectives are counted where MPI's
// functions for them are defined, or where MPI processes but no MPI functions are defined;
// one-sided operations where windows are defined, and file operations where file handles are. A
// recorded metric becomes a counter, one for each name of a metric member, if it accumulates or is
// relative to the value before. Counters of type double count thousandths of the recorded unit,
// others whole units. Absolute metrics (a temperature, a rate) are left out, since their sums are
// meaningless.
//
// Thread-safe. Source: dynamics Table 1.1; OTF2 3.0, OTF2_MetricMode.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"

#include <span>
#include <string>

namespace tracefold {

MetricColumns choose_metric_columns(const Definitions& definitions,
                                    std::span<const Metric> wanted_waits = waiting_metrics);

// Whether a MetricMember becomes a counter.
bool is_counter(const Definition& member);

// The unit of a counter, such as "J" or "10^-3 J". Empty where none is recorded ("#" means none),
// where members of this name have different units, and for anything but counters.
std::string find_recorded_unit(const Definitions& definitions, MetricKind kind,
                               const std::string& name);

// The unit of a MetricMember, in the same form.
std::string format_recorded_unit(const Definitions& definitions, const Definition& member);

// Why a metric has no column: the trace has no such metric, it has no sum, or its records were cut.
const char* explain_absence(const Definitions& definitions, const MetricColumns& columns,
                            const std::string& name);

// Whether call paths are sampled, so that only those that lead to MPI are certain.
bool is_sampled(const Definitions& definitions);

}  // namespace tracefold
