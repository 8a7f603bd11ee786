// The error for a file or folder that the system refuses to write.
#pragma once

#include "base/error.hpp"

#include <cerrno>
#include <cstring>
#include <string>

namespace tracefold {

// `code` is an errno.
inline Error output_error(const std::string& what, int code) {
  Error problem(ErrorKind::output, what + ": " + std::strerror(code));
  if (code == ENOSPC || code == EDQUOT)
    problem.hint("free some space, or choose another `output`");
  else if (code == EPIPE)
    problem.hint("the command that reads it has ended");
  else
    problem.hint("choose an `output` that you can write to");

  return problem;
}

}  // namespace tracefold
