// Finds what made processes late that others waited for: the delaying call paths, one step back.
//
// A process W waits in a call of MPI for a process L, which comes late. The two have last been
// together
//
// * where one of them waited for the other, for a message or in a collective operation, or
// * in a barrier or an operation of all to all in which both took part and wait for others, or else
// * at the end of MPI_Init(_thread); where one of them does not call it, at its first event;
//
// whatever of these ended last for W, and had ended for both before W began to wait and L came.
// From there on the time that L had until it came is compared by call path with the time that W had
// until it began to wait. Time of waiting is told from other time of the call path. What a call
// path took longer on L than on W is its excess, and so is, of all waiting of L, what it is longer
// than all waiting of W; that one is divided over the call paths in which L waited by how much
// longer it did in each. The time that W waited is charged to these in proportion to their excess,
// so that all charges of it add up to it exactly. Charged to waiting is what L passes on: one step
// back from there stands who L waited for.
//
// Where nothing took longer on L, the wait is charged to what L did while W waited, from the last
// cut of its time before that on (call_times.hpp); where nothing of that is known either, it is
// charged to no call path. That happens where L came into this
// interval late already because of a third process which neither of them waited for.
//
// Source: Böhme et al. 2010 (delays and their short-term costs). What differs: there all waiting of
// L counts as excess, here what it is longer than that of W, so that both waiting for a third one
// is no delay of L; there collective operations are compared with all processes, here each process
// that waits with the one that came last; and charges are not passed on from wait to wait (their
// long-term costs), but what is passed on is told.
//
// Processes are read by several threads; the result does not depend on how many. Memory: 48 bytes
// for each wait, and that of time_line.hpp.
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/delays/call_times.hpp"
#include "pipeline/messages/partner_amounts.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tracefold {

// What one process did, and whom it waited for.
struct DelayedProcess {
  CallTimes times;
  std::vector<KnownWait> waits;  // in the order of their calls' ends
  // By its own call path: 1 more than its number in the tree of all processes; 0: it is not there.
  // Path 0 is for the time in which the recorder wrote its buffer.
  std::vector<PathIndex> path_in_all;
  std::uint64_t begin = 0;  // the end of its MPI_Init, else its first event; ticks
};

// The process that a location stands for in waits; none where it has no times.
using FindLate = std::function<std::optional<std::size_t>(std::uint64_t location)>;
// Whether an operation in which processes meet is matched.
using IsMeeting = std::function<bool(const CollectiveMatcher::Key&)>;

// Ascending by process and path; those that caused no waiting are left out. What processes had is
// gone then.
std::vector<ProgramDelay> find_delays(std::vector<DelayedProcess> processes,
                                      const FindLate& find_late, const IsMeeting& is_meeting);

}  // namespace tracefold
