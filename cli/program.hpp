// The command line: options, help, and the one place where errors are caught. Programs with a team
// and without one run it.
#pragma once

#include <string>

namespace tracefold::cli {

// Signals ask to stop, and files can be opened. Called first.
void prepare_process();

struct ProgramResult {
  int status = 0;           // exit status
  std::string message;      // to be told on stderr; none: empty
  bool is_stopped = false;  // only because another member of the team has failed
};

// Parses and runs one command. Throws nothing.
ProgramResult run_program(int argc, char** argv);

}  // namespace tracefold::cli
