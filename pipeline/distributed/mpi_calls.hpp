// MPI as the rest of this folder calls it: errors are thrown, and the C++ interface of old is left
// out.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "base/error.hpp"

#include <array>
#include <string>

namespace tracefold {

// Throws Error(input) where a call has failed.
inline void check_mpi(int code) {
  if (code == MPI_SUCCESS)
    return;
  std::array<char, MPI_MAX_ERROR_STRING> words{};
  int size = 0;
  MPI_Error_string(code, words.data(), &size);
  throw Error(ErrorKind::input, "MPI failed: " + std::string(words.data()));
}

inline bool is_done(MPI_Request& request) {
  int done = 0;
  check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

// Another communicator of the same processes, whose errors are returned.
inline MPI_Comm copy_communicator(MPI_Comm of) {
  MPI_Comm copy = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(of, &copy));
  check_mpi(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
  return copy;
}

}  // namespace tracefold
