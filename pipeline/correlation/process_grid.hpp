// The grid that the processes of a trace form, and where in it each of them is.
//
// Processes are put where they are on the machine, or by rank: into a Cartesian topology that the
// trace defines, into a grid that the user gives, into the one that their messages propose, or else
// onto one axis. Where processes have several threads, these are an axis of their own behind them.
// Ranks fill a given or proposed grid row by row, as MPI_Cart_create does.
//
// A rank that is not there, since it was filtered out or folded into another one, leaves a hole:
// the others are where they are in the whole program. What has no rank comes behind what has one.
//
// Sources: frequency 2 (system topology); OTF2 3.0, OTF2_GlobalDefReader_WriteCartTopology.
#pragma once

#include "filters/correlation/grid.hpp"
#include "filters/correlation/propose_grid.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/correlation/machine_places.hpp"
#include "pipeline/correlation/view_source.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct Plan;

struct ProcessGridOptions {
  std::vector<std::size_t> sizes;  // --grid; empty: none is given
  std::string topology;  // the name of one that the trace defines; empty: none is asked for
  std::optional<MachinePlaces> machine = {};  // whose levels are the axes; none: not asked for
};

// What is known of all ranks of a program that a smaller trace is of.
struct ProgramRanks {
  std::size_t count = 0;
  correlation::Neighbours neighbours;
  bool are_known = true;  // the trace says which ranks of the program its own are
  // Where tracefold.profiles says it: the topologies, with the places of the plan's processes.
  std::optional<std::vector<ProgramTopology>> topologies = {};
};

// What the files beside a trace that was reduced before tell of its program's ranks. No neighbours
// where there are no messages, or more ranks than memory is there for. Throws Error(input) as
// `read_stored_messages` does.
ProgramRanks read_program_ranks(const CorrelatedTrace& trace);

struct ProcessGrid {
  correlation::Grid grid;
  std::string words;                // where it comes from
  std::size_t ranks = 0;            // of the program
  std::size_t ranks_there = 0;      // of them, in the trace
  bool knows_ranks = true;          // else processes stand in their order
  std::vector<std::size_t> points;  // of each member
  std::size_t process_axes = 0;     // the first ones; behind them, threads
};

// The threads of processors that call something, or whatever calls something where there are none
// of these: indexes of the plan's processes, ascending.
std::vector<std::size_t> find_calling_processes(const Plan& plan);

// Throws Error(usage) as `check_size` does, and where there are more points than memory is there
// for.
void check_points(const correlation::Grid& grid, std::size_t most_points);

// `members` are indexes of processes; neighbours are pairs of such indexes, of a sender and a
// receiver. Throws Error(usage) where a grid does not hold the processes or there is no such
// topology, or it has too many points, Error(input) where coordinates are missing, doubled or
// outside of their topology.
ProcessGrid find_process_grid(const Definitions& definitions, const Plan& plan,
                              const std::vector<std::size_t>& members,
                              const std::vector<std::pair<std::size_t, std::size_t>>& neighbours,
                              const ProcessGridOptions& options, const ProgramRanks& program,
                              std::size_t most_points = correlation::most_points);

}  // namespace tracefold
