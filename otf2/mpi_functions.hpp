// The names of MPI's functions, since a program may have functions called MPI_…, too. Thread-safe.
#pragma once

#include <string_view>

namespace tracefold {

// True for the functions of MPI 1 to 4.1 as the standard spells them, such as MPI_Send, PMPI_Send
// and MPI_Send_c. False for mpi_send and for additions of single implementations.
bool is_mpi_function(std::string_view name);

}  // namespace tracefold
