// How the iterations of a trace were folded: which are kept, which others each of them stands for,
// when they were, and those of their values that only removed records would give. It is stored
// beside the reduced trace. With it the series of the original are rebuilt, with each iteration
// replaced by the kept one that stands for it. Plain data.
//
// Source: dynamics 4.1.5 (the time series is reconstructed from clusters).
#pragma once

#include "model/iterations/loops.hpp"
#include "model/profile/call_path_profile.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

// One loop, for all processes that fold it.
struct SeriesFold {
  std::vector<std::uint32_t> kept;     // iterations, ascending
  std::vector<std::uint32_t> kept_of;  // by iteration: index into `kept` of what stands for it

  bool operator==(const SeriesFold&) const = default;
};

// The values of one column of one call path, by kept iteration.
struct SeriesAmounts {
  std::size_t column = 0;
  PathIndex path = 0;  // no_path: outside of calls
  std::vector<std::uint64_t> values;

  bool operator==(const SeriesAmounts&) const = default;
};

// The kept iterations of a loop on one process.
struct KeptSeries {
  LoopSource source = LoopSource::sequence;
  bool is_taken = false;             // the intervals are those of another process
  std::vector<Interval> iterations;  // ascending, not overlapping
  std::vector<std::uint32_t> begin_orders, end_orders;  // of each, in the reduced trace: see Loop
  std::vector<SeriesAmounts> amounts;                   // of lost metrics, where any is not 0

  bool operator==(const KeptSeries&) const = default;
};

// Whether the remaining records of kept iterations may not give this metric, since partners are
// gone.
bool is_lost(const MetricColumns& columns, std::size_t column);

// The kept iterations of one loop of a process, without amounts.
KeptSeries make_kept_series(const Loop& loop, bool is_taken, const SeriesFold& fold);

// The same as a loop of the reduced trace. There, a kept iteration lasts until the next kept one
// begins, over the folded ones in between, unless each iteration is a call of its own. `kept_at`
// receives, by iteration of the result, its index into `kept`, if it has one.
Loop make_kept_loop(const KeptSeries& series, const SeriesFold& fold,
                    std::vector<std::optional<std::size_t>>& kept_at);

inline constexpr std::size_t most_series_iterations = std::size_t{1} << 26;  // of a loop

nlohmann::ordered_json fold_to_json(const SeriesFold& fold);
nlohmann::ordered_json kept_series_to_json(const KeptSeries& series);
// Throw Error(input) or what the JSON library throws.
SeriesFold fold_from_json(const nlohmann::ordered_json& in,
                          std::size_t most_iterations = most_series_iterations);
KeptSeries kept_series_from_json(const nlohmann::ordered_json& in, const SeriesFold& fold,
                                 const MetricColumns& columns, const std::vector<PathIndex>& paths);

}  // namespace tracefold
