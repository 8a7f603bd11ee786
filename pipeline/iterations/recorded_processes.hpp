// Passes on what was recorded of processes while they were profiled (recorded_series.hpp), if it is
// about the iterations that they turned out to have. These processes need not be read again.
//
// Used by one thread, and starts others. The result does not depend on their number.
#pragma once

#include "pipeline/iterations/align_processes.hpp"
#include "pipeline/iterations/collected_calls.hpp"
#include "pipeline/iterations/measured_totals.hpp"
#include "pipeline/program/program_recorder.hpp"
#include "pipeline/series/series_pass.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

class RecordedProcesses {
 public:
  // All arguments must outlive this.
  RecordedProcesses(const SeriesPass& pass, const AlignedProcesses& aligned,
                    const CollectedCalls& calls)
      : pass_(pass), aligned_(aligned), calls_(calls) {}

  // Passes what these processes did to `totals` and `program`, unless null, and returns the
  // processes that must still be read. In a team, each member passes on what it recorded itself.
  std::vector<std::size_t> pass_on(const std::vector<std::size_t>& processes,
                                   MeasuredTotals* totals, ProgramRecorder* program) const;

 private:
  bool pass_on_one(std::size_t process, MeasuredTotals* totals, ProgramRecorder* program) const;
  void add_totals(std::size_t process, const RecordedProcess& recorded,
                  MeasuredTotals& totals) const;

  const SeriesPass& pass_;
  const AlignedProcesses& aligned_;
  const CollectedCalls& calls_;
};

}  // namespace tracefold
