// What was recorded of processes while they were profiled (recorded_series.hpp), as far as it is of
// the iterations that they have: those need not be read again.
//
// One thread, which uses others. The result does not depend on their number.
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
  // All must stay.
  RecordedProcesses(const SeriesPass& pass, const AlignedProcesses& aligned,
                    const CollectedCalls& calls)
      : pass_(pass), aligned_(aligned), calls_(calls) {}

  // Hands on what these processes did, to what is not null, and returns those that are still to be
  // read. Of a team, each member hands on what it has recorded itself.
  std::vector<std::size_t> hand_on(const std::vector<std::size_t>& processes,
                                   MeasuredTotals* totals, ProgramRecorder* program) const;

 private:
  bool hand_on_one(std::size_t process, MeasuredTotals* totals, ProgramRecorder* program) const;
  void add_totals(std::size_t process, const RecordedProcess& recorded,
                  MeasuredTotals& totals) const;

  const SeriesPass& pass_;
  const AlignedProcesses& aligned_;
  const CollectedCalls& calls_;
};

}  // namespace tracefold
