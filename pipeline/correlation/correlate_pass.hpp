// correlate: which views of a trace behave like one of them, which behave like each other, and
// which explain why calls wait.
//
// What was found does not depend on the number of threads, nor on the memory limit.
//
// Source: frequency 3.
#pragma once

#include "pipeline/correlation/trace_correlation.hpp"

#include <cstddef>

namespace tracefold {

// One view, `options.views.query`, with all others: findings by |r|. Throws Error(usage, input).
CorrelationReport correlate_view(const CorrelatedTrace& correlated,
                                 const CorrelateOptions& options);

// All views with each other, clustered by leaders (cluster_views.hpp): those with the largest
// shares of their metrics come first. Inclusive views, which have others in them, are only there
// where `options.views.metrics` names them. `options.views.query` is empty. Throws Error(usage,
// input).
ClusterReport correlate_all_pairs(const CorrelatedTrace& correlated, CorrelateOptions options,
                                  double threshold);

// The calls that wait longest, `most` of them, each with what correlates most with its waiting
// time: the time of another call path, alone or with all that it calls but not the wait itself, or
// the bytes of any, as long as it begins before the waiting has ended (call_order.hpp). A part of
// it that explains about as much is named in its place. `options.views.query` is not used. Throws
// Error(usage, input).
ExplanationReport explain_waits(const CorrelatedTrace& correlated, CorrelateOptions options,
                                std::size_t most);

}  // namespace tracefold
