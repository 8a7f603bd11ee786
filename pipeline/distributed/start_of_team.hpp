// How the processes of a team were started, and what of their node each of them may use.
#pragma once

#include "pipeline/distributed/mpi_calls.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace tracefold {

// Seconds until all processes have to be there. The first has to say so before the others, which
// end with it.
double choose_start_limit();

// Why a start with so many processes is none that was meant, and what to do; none where all is
// well. Under Slurm many processes that each are alone have the wrong plugin for this MPI.
std::optional<std::string> find_wrong_start(int size);
// The same before MPI starts, which may end the process with words of its own: Slurm was asked for
// no plugin at all.
std::optional<std::string> find_missing_plugin();
// Whether this process may tell people, where all of them may be alone.
bool is_first_of_start();

struct NodeShare {
  std::size_t members = 1;  // of the team, on this node
  std::size_t cores = 1;    // for each of them
};
// Called by all members at once.
NodeShare measure_node_share(MPI_Comm members);

}  // namespace tracefold
