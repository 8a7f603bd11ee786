// How long processes compute in each section of a part of a run, as the player counts sections: by
// call path of some functions, in all, and in files.
//
// Pure. Memory: 8 bytes for each process and section of six to 40 units, 192 MiB at most, and of
// files and of all, 32 MiB each; beyond that, and where processes have other numbers of sections,
// these are not told apart.
#pragma once

#include "model/profile/intent.hpp"
#include "pipeline/replay/replay.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// What a call path is, numbered as PathFactors has them.
struct PlayedPath {
  FunctionIndex function = 0;
  bool computes = false;  // neither MPI nor files
  bool is_of_files = false;
};

// In ticks, by process and section.
using TimesBySection = std::vector<std::vector<double>>;

struct SectionTimes {
  // Call paths of a function whose times are summed up: one of them, where these are few.
  struct Unit {
    FunctionIndex function = 0;
    TimesBySection times = {};
  };
  struct OfFunction {
    FunctionIndex function = 0;
    std::vector<double> times = {};  // by iteration, over all processes
  };

  // What a section ends with. Without iterations, there is one for all.
  SectionEnds ends = {};
  bool are_iterations_alike = false;            // all processes have as many
  std::size_t iterations = 1;                   // that are told apart
  std::vector<std::size_t> iteration_of = {0};  // by section
  TimesBySection of_all = {}, of_files = {};
  std::vector<Unit> units = {};
  std::vector<std::uint32_t> unit_of = {};  // by path: a number plus 1; 0: none
  std::vector<double> lengths = {};         // of iterations, over all processes
  std::vector<OfFunction> functions = {};   // that compute

  // Of one process, or of several.
  std::vector<double> sum_by_iteration(const std::vector<double>& of_sections) const;
  std::vector<std::vector<double>> sum_by_iteration(const TimesBySection& times) const;
};

// Whether those functions for which there is no room have one unit together, or none.
enum class UnitRoom : bool { some, all };

// Of these processes of a part, ascending; not empty. The functions that get units, the most
// important ones first.
SectionTimes sum_sections(const Replay& replay, const Replay::Part& part,
                          const std::vector<std::size_t>& processes,
                          const std::vector<PlayedPath>& paths,
                          const std::vector<FunctionIndex>& functions,
                          UnitRoom room = UnitRoom::some);

}  // namespace tracefold
