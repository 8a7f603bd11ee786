// Finds the call of a template that each operation of a main cluster belongs to.
//
// Calls and operations are walked through in order; an operation belongs to a call with its own
// path. Where they differ, since the process that the calls are from does something else, both are
// passed over up to the nearest place at which they agree again. Operations that are passed over
// get calls of their own. Where they lie outside of all calls, or of one of the template that has
// operations itself, what comes behind them is in another such call than what came before.
//
// Thread-safe. Source: signatures 4.
#pragma once

#include "pipeline/expand/call_template.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// What one thread of the ranks of a cluster does, with the calls that it is done in.
struct OperationSequence {
  std::vector<std::uint32_t> symbols;     // distinct operations: indexes into those of messages
  std::vector<std::uint32_t> operations;  // in order: indexes into `symbols`
  // Operations of each call of the template, one behind the other: from `first` on those that get
  // calls of their own before it, of which those up to `outside` come before the outermost call
  // around it; from `inside` on those that are in it, from `behind` on those that get calls of
  // their own right behind it, up to the next call's `first`. One entry more than there are calls,
  // for what comes behind all of them.
  struct Places {
    std::uint32_t first = 0, outside = 0, inside = 0, behind = 0;
  };
  std::vector<Places> places;
  std::uint64_t apart = 0;  // operations with calls of their own
};

// The operations of one thread of a cluster, in order. Throws Error(input) where they are more than
// `most`.
OperationSequence list_operations(const Messages& messages, const MainCluster& cluster,
                                  std::uint8_t thread, std::size_t most);

// Finds the places of the operations in calls.
void align_operations(const Messages& messages, const CallTemplate& calls,
                      OperationSequence& sequence);

}  // namespace tracefold
