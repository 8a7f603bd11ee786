// Ends this process if it does not end by itself: from outside, by a child process. A process that
// is stopped while it leaves MPI comes to no end, and the others, which have left it by then,
// cannot see that; the launcher would wait for it for ever.
#pragma once

namespace tracefold {

// Call once, when nothing is left to do but to leave MPI: the process is killed where it is still
// there after so many seconds. Time in which the child is stopped, too, counts as a second at most.
void be_killed_after(double seconds);

}  // namespace tracefold
