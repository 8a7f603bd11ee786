// The operations of some processes as one reader found them, and how such parts are merged to the
// communication of all ranks.
//
// A part is a value that does not depend on its thread: its numbers refer to lists in the part. It
// can be packed (base/packed_values.hpp) and sent to another process that reads the same trace with
// the same filters, in which functions have the same indexes. The result of merging does not depend
// on which part a process is in.
#pragma once

#include "base/error.hpp"
#include "base/packed_values.hpp"
#include "model/messages/communication.hpp"
#include "model/plan.hpp"
#include "model/profile/call_path_profile.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/messages/communicator_ranks.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace tracefold {

// How often ends of operations are unknown, by reason.
struct UnknownEnds {
  std::uint64_t communicators = 0;  // not defined, or without the rank
  std::uint64_t paradigms = 0;      // the communicator is defined, but not MPI's
  std::uint64_t ranks = 0;          // beyond the size of the communicator
  std::uint64_t open = 0;           // never completed
  std::uint64_t requests = 0;       // completed but never begun: counted at their completion

  std::uint64_t sum() const { return communicators + paradigms + ranks + open; }
};

// What is recorded of one location's operations, besides their sequence.
struct OperationTotals {
  std::uint64_t messages = 0, bytes = 0;  // sends and receives
  std::vector<PathGap> gaps;              // unordered
  UnknownEnds unknown;
};

struct OperationsPart {
  struct Process {
    std::size_t process = 0;      // index into all processes
    std::uint32_t sequence = 0;   // index into `sequences`
    bool has_operations = false;  // false: only records that accompany them
    OperationTotals totals;
  };

  // Adds another part with other processes. Equal values are stored once.
  void append(OperationsPart other);

  std::vector<CallPath> paths;            // path 0 is the virtual root
  std::vector<Operation> operations;      // distinct
  std::vector<FoldedSequence> sequences;  // of operations; distinct
  std::vector<Process> processes;         // those with operations
};

// `processes` are those that the parts refer to. With `keeps_messages`, the result has the
// definitions for operations on windows and files. Throws Error(input) where a part refers to other
// processes.
Communication merge_operations(std::vector<OperationsPart> parts, const Definitions& definitions,
                               const CommunicatorRanks& communicators,
                               const std::vector<Function>& functions,
                               const std::vector<Process>& processes, bool keeps_messages,
                               Diagnostics& diagnostics);

// For packing.
auto list_members(Like<OperationsPart> auto& part) {
  return std::tie(part.paths, part.operations, part.sequences, part.processes);
}
auto list_members(Like<OperationsPart::Process> auto& process) {
  return std::tie(process.process, process.sequence, process.has_operations, process.totals);
}
auto list_members(Like<OperationTotals> auto& totals) {
  return std::tie(totals.messages, totals.bytes, totals.gaps, totals.unknown);
}
auto list_members(Like<UnknownEnds> auto& unknown) {
  return std::tie(unknown.communicators, unknown.paradigms, unknown.ranks, unknown.open,
                  unknown.requests);
}

}  // namespace tracefold
