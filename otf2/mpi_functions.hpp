// The names of MPI's own functions, since a program may call its functions MPI_…, too. Thread-safe.
#pragma once

#include <string_view>

namespace tracefold {

// True of MPI_Send, PMPI_Send and MPI_Send_c, as the standard spells them: of those of versions 1
// to 4.1. Not of mpi_send, nor of what single implementations add.
bool is_mpi_function(std::string_view name);

}  // namespace tracefold
