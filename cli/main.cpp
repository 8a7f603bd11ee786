// The program for one process.
#include "cli/program.hpp"
#include "cli/session.hpp"

int main(int argc, char** argv) {
  using namespace tracefold::cli;

  prepare_process();
  const auto result = run_program(argc, argv);
  if (!result.message.empty())
    print_error("tracefold: " + result.message + "\n");
  return result.status;
}
