// What the operations of some processes are, as one reader of them found it, and how such parts
// become what all ranks communicate.
//
// A part is a value without anything of the thread that made it: its numbers count in lists that it
// holds itself. It can be packed (base/packed_values.hpp) and sent to another process that reads
// the same trace with the same filters, since functions have the same indexes there. The result of
// merging does not depend on which part a process is in.
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

// Why ends of operations are unknown, and how often.
struct UnknownEnds {
  std::uint64_t communicators = 0;  // not defined, or the rank is not in it
  std::uint64_t paradigms = 0;      // the communicator is defined, but not one of MPI
  std::uint64_t ranks = 0;          // beyond their communicator
  std::uint64_t open = 0;           // never completed
  std::uint64_t requests = 0;       // completed, and never begun: they count where they completed

  std::uint64_t sum() const { return communicators + paradigms + ranks + open; }
};

// What is recorded of one location's operations besides their sequence.
struct OperationTotals {
  std::uint64_t messages = 0, bytes = 0;  // sends and receives
  std::vector<PathGap> gaps;              // in no order
  UnknownEnds unknown;
};

struct OperationsPart {
  struct Process {
    std::size_t process = 0;      // index into all processes
    std::uint32_t sequence = 0;   // index into `sequences`
    bool has_operations = false;  // else only what accompanies them
    OperationTotals totals;
  };

  // What another part has, which is of other processes. What is equal is kept once.
  void append(OperationsPart other);

  std::vector<CallPath> paths;            // the first stands for the virtual root
  std::vector<Operation> operations;      // distinct
  std::vector<FoldedSequence> sequences;  // of operations; distinct
  std::vector<Process> processes;         // those with any
};

// `processes` are those that the parts number. With `keeps_messages` the result has the definitions
// that operations on windows and files name. Throws Error(input) where a part numbers others.
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
