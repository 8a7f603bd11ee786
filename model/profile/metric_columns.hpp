// Chooses the metrics of a trace's call-path profiles: those that may differ from 0 by what the
// trace defines, since a column of zeros takes memory for nothing.
//
// A time is chosen where a function is defined that has such time; a wanted time of waiting where
// the time that it is part of is chosen. Messages and collectives are counted where MPI's functions
// for them are defined, or where MPI's processes are defined but none of its functions; one-sided
// operations where windows are; file operations where handles of files are. Recorded metrics become
// counters, one for each name of a metric's member: those that accumulate, or are relative to the
// value before. Those of type double count in thousandths of what they record, the others in whole
// units. Absolute ones (a temperature, a rate) have no sum that means anything, and are left out.
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

// The unit that values of a counter are in, as "J" or "10^-3 J". Empty where none is recorded ("#"
// is none), where members of this name have different ones, and for what is no counter.
std::string find_recorded_unit(const Definitions& definitions, MetricKind kind,
                               const std::string& name);

// The unit that values of a MetricMember are in, as above.
std::string format_recorded_unit(const Definitions& definitions, const Definition& member);

// Why there is no column for a metric: "the trace has no such metric", that it has no sum, or that
// its records were cut.
const char* explain_absence(const Definitions& definitions, const MetricColumns& columns,
                            const std::string& name);

// Whether call paths are sampled, so that only those that lead to MPI are known for sure.
bool is_sampled(const Definitions& definitions);

}  // namespace tracefold
