// correlate: which views of a trace behave like one of them, which behave like each other, and
// which explain why calls wait.
//
// What was found does not depend on the number of threads, nor on the memory limit.
//
// Source: frequency 3.
#pragma once

#include "pipeline/correlation/trace_correlation.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// One view, `options.views.query`, with all others: findings by |r|. Throws Error(usage, input).
CorrelationReport correlate_view(const Archive& archive, const Plan& plan,
                                 const std::vector<std::size_t>& members,
                                 std::optional<SeriesLoop> loop, const CorrelateOptions& options,
                                 const ReadOptions& reading, Diagnostics& diagnostics);

// All views with each other, clustered by leaders (cluster_views.hpp): those with the largest
// shares of their metrics come first. `options.views.query` is empty. Throws Error(usage, input).
ClusterReport correlate_all_pairs(const Archive& archive, const Plan& plan,
                                  const std::vector<std::size_t>& members,
                                  std::optional<SeriesLoop> loop, const CorrelateOptions& options,
                                  double threshold, const ReadOptions& reading,
                                  Diagnostics& diagnostics);

// The calls that wait longest, `most` of them, each with what correlates most with its waiting
// time: the time of another call path, or the bytes of any, as long as it begins before the waiting
// has ended (call_order.hpp). `options.views.query` is not used.
// Throws Error(usage, input).
ExplanationReport explain_waits(const Archive& archive, const Plan& plan,
                                const std::vector<std::size_t>& members,
                                std::optional<SeriesLoop> loop, CorrelateOptions options,
                                std::size_t most, const ReadOptions& reading,
                                Diagnostics& diagnostics);

}  // namespace tracefold
