// The program whose processes MPI connects: all of them run the same command, and only the first
// one reads stdin and prints.
#include "base/unfinished.hpp"
#include "cli/program.hpp"
#include "cli/session.hpp"
#include "pipeline/distributed/mpi_team.hpp"

int main(int argc, char** argv) {
  using namespace tracefold;
  using namespace tracefold::cli;

  prepare_process();
  const auto tell = [](const std::string& words) {
    print_error_at_once("tracefold: " + name_options(words) + "\n");
  };
  const auto team = MpiTeam::start({tell, remove_unfinished});
  if (!team)
    return static_cast<int>(ErrorKind::usage);

  join_team({team.get(), team->cores(), team->members_on_node()});
  const auto result = run_program(argc, argv);
  const bool is_asked_to_stop = result.status == static_cast<int>(ErrorKind::interrupted);
  return team->finish({result.status, result.message,
                       result.is_stopped || (is_asked_to_stop && team->is_stopped())});
}
