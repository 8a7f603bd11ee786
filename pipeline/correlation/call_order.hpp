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

#include "pipeline/series/series_sums.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

class CallOrder {
 public:
  // Where calls of the cause begin before calls that wait have ended, in one iteration.
  enum class Begun {
    nowhere,
    on_other_processes,  // only
    on_the_same_process,
  };

  // Reads the members of the pass. Paths are numbers in the tree. Throws Error(input).
  CallOrder(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
            const std::vector<CallPath>& tree, std::vector<PathIndex> waits,
            std::vector<PathIndex> causes);

  // Both have to be among those that were asked for.
  Begun find(PathIndex wait, PathIndex cause) const;

 private:
  std::vector<PathIndex> waits_;   // ascending
  std::vector<PathIndex> causes_;  // ascending
  std::vector<Begun> begun_;       // by wait, then by cause
};

}  // namespace tracefold
