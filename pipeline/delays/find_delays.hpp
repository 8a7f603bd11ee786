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
// Processes are read by several threads; the result does not depend on how many.
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/delays/timed_processes.hpp"

#include <vector>

namespace tracefold {

// Ascending by process and path; those that caused no waiting are left out.
std::vector<ProgramDelay> find_delays(const std::vector<TimedProcess>& processes);

}  // namespace tracefold
