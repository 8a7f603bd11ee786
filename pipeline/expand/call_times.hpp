// How long calls of MPI take on each process that is expanded, by what is stored beside the reduced
// trace of all processes of the original.
//
// Immutable once made; any thread may ask.
//
// Source: dynamics 4 (profiles of all processes).
#pragma once

#include "pipeline/events/function_table.hpp"
#include "pipeline/expand/call_template.hpp"
#include "pipeline/facts/series_sums.hpp"
#include "pipeline/facts/whole_program.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

// How long the calls of one path take: `scale` times what they take in the calls that are followed,
// and `more` ticks each.
struct CallPace {
  double scale = 1, more = 0;
};

struct ProcessPace {
  std::optional<std::uint64_t> first_time;  // ticks
  std::vector<CallPace> calls;              // by path of CallTemplate::mpi_paths
};

class StoredCallTimes {
 public:
  // `functions` are those of the reduced trace. The program must stay.
  StoredCallTimes(const WholeProgram& program, const FunctionTable& functions);

  // The pace at which the calls of MPI of a location of the original take as long as is stored.
  // Nothing where nothing is stored of it.
  ProcessPace find_pace(const CallTemplate& calls, std::uint64_t location) const;

 private:
  const CallPathProfiles& profiles_;
  std::size_t time_column_;
  PathNumbers::Tree tree_;                  // with the functions of the reduced trace
  std::vector<std::uint64_t> first_times_;  // by process
  std::unordered_map<std::uint64_t, std::size_t> processes_;  // by location of the original
};

}  // namespace tracefold
