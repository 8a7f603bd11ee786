// How the iterations of a trace were folded: which are kept, which others each of them stands for,
// and when they were. The plan beside a reduced trace has it in its section `iterations`; a trace
// that is reduced again carries it on as its section `folds`. Plain data.
//
// Source: dynamics 4.1.5 (the time series is reconstructed from clusters).
#pragma once

#include "model/iterations/loops.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tracefold {

// One loop, for all processes that fold it.
struct LoopFold {
  std::vector<std::uint32_t> kept;     // iterations, ascending
  std::vector<std::uint32_t> kept_of;  // by iteration: index into `kept` of what stands for it

  bool operator==(const LoopFold&) const = default;
};

// The kept iterations of a loop on one process.
struct KeptSeries {
  LoopSource source = LoopSource::sequence;
  bool is_taken = false;             // the intervals are those of another process
  std::vector<Interval> iterations;  // ascending, not overlapping
  std::vector<std::uint32_t> begin_orders, end_orders;  // of each, in the reduced trace: see Loop

  bool operator==(const KeptSeries&) const = default;
};

struct KeptFolds {
  std::vector<LoopFold> loops;  // empty: how iterations were folded is not known
  // By location of the first original, ascending: one of each loop.
  std::map<std::uint64_t, std::vector<KeptSeries>> series;

  bool operator==(const KeptFolds&) const = default;
};

// The kept iterations of one loop of a process.
KeptSeries make_kept_series(const Loop& loop, bool is_taken, const LoopFold& fold);

// The same as a loop of the reduced trace. There, a kept iteration lasts until the next kept one
// begins, over the folded ones in between, unless each iteration is a call of its own. `kept_at`
// receives, by iteration of the result, its index into `kept`, if it has one.
Loop make_kept_loop(const KeptSeries& series, const LoopFold& fold,
                    std::vector<std::optional<std::size_t>>& kept_at);

inline constexpr std::size_t most_fold_iterations = std::size_t{1} << 26;  // of a loop

// A section of a plan.
nlohmann::ordered_json kept_folds_to_json(const KeptFolds& folds);
// Throws Error(input) or what the JSON library throws.
KeptFolds kept_folds_from_json(const nlohmann::ordered_json& in,
                               std::size_t most_iterations = most_fold_iterations);

}  // namespace tracefold
