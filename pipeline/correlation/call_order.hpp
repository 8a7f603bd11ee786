// Whether calls of one call path can be why calls of another one wait: they have to have begun
// before these end.
//
// The times that count are the begin of the first call of the cause and the end of the last call
// that waits: in each iteration where iterations are looked at, else in the whole trace. A cause
// that has not begun on any process when the last process stops waiting is later than all that it
// would explain. On the same process it must also have begun before the wait of that process ends.
// Calls that are open when an iteration begins have begun.
//
// The answer does not depend on the number of threads. Memory: 8 bytes for each iteration and call
// path that is asked for, and for each thread 16 for each call path of a process, three times.
#pragma once

#include "pipeline/facts/series_sums.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// The call paths that are asked for, as numbers in a tree.
struct OrderedPaths {
  OrderedPaths(std::vector<PathIndex> waiting, std::vector<PathIndex> causing);

  std::vector<PathIndex> waits, causes;  // ascending, each once
};

class CallOrder {
 public:
  // Where calls of the cause begin before calls that wait have ended, in one iteration.
  enum class Begun {
    nowhere,
    on_other_processes,  // only
    on_the_same_process,
  };

  // `begun` is by wait, then by cause.
  CallOrder(OrderedPaths paths, std::vector<Begun> begun)
      : paths_(std::move(paths)), begun_(std::move(begun)) {}

  // Both have to be among those that were asked for.
  Begun find(PathIndex wait, PathIndex cause) const;

 private:
  OrderedPaths paths_;
  std::vector<Begun> begun_;
};

// Reads the members of the pass. Throws Error(input).
CallOrder read_call_order(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                          const std::vector<CallPath>& tree, OrderedPaths paths);

// The order in the whole original of a reduced trace, by the calls that its kept processes have
// left: a call that stands for an iteration is where all calls of the kept iteration are. What none
// of them calls may have begun at any time. The tree names `functions`. Throws Error(input).
CallOrder read_kept_call_order(const Archive& archive, const ReadOptions& reading,
                               Diagnostics& diagnostics, const std::vector<Function>& functions,
                               const std::vector<CallPath>& tree, OrderedPaths paths);

}  // namespace tracefold
