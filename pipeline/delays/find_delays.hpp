// Finds what made processes late that others waited for: the delaying call paths, from wait to wait
// back to where they began.
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
// until it began to wait. What a call path took longer on L than on W is its excess; and so is what
// L waited longer than W, for whomever it did. The time that W waited is charged to these in
// proportion to their excess, so that all charges of it add up to it exactly. What is charged to a
// wait of L is passed on, to its last 64 waits since then: it is charged, in turn, to what made L
// wait, and so on back to calls that took longer. So the waits that follow from one slow call are
// charged to it, however many processes they went through:
//
//     rank 0   compute 3 s         send to 1
//     rank 1   receive: waits 3 s            send to 2      rank 0 is charged with 3 s directly,
//     rank 2   receive: waits 3 s                           and with 3 s that rank 1 passed on
//
// Where nothing took longer on L, the wait is charged to what L did while W waited, from the last
// cut of its time before that on (call_times.hpp); where nothing of that is known either, or L
// waited for nobody known, it is charged to no call path. That happens where L came into this
// interval late already because of a third process which neither of them waited for.
//
// Source: Böhme et al. 2010 (delays, with their short-term and long-term costs). What differs:
// there all waiting of L counts as excess, here what it is longer than that of W, so that both
// waiting for a third one is no delay of L; there collective operations are compared with all
// processes, here each process that waits with the one that came last.
//
// Processes are read by several threads; the result does not depend on how many. Memory: 40 bytes
// for each wait.
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/delays/timed_processes.hpp"

#include <vector>

namespace tracefold {

// Ascending by process and path; those that caused no waiting are left out.
std::vector<ProgramDelay> find_delays(const std::vector<TimedProcess>& processes);

}  // namespace tracefold
