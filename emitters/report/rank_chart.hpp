// What each rank does in the part of the run that a report page is about: bars of ranks beside each
// other, stacked of computation, waiting, other MPI, I/O, the runtime of threads and the writing of
// the measurement. Bars are of main threads; of a single process with several threads each thread
// has one. Pure.
//
// Where there are more ranks than bars, each bar is of the one of its neighbours that computes
// longest: a single slow rank of 65,536 is seen.
#pragma once

#include "model/report/report.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

inline constexpr std::size_t most_rank_bars = 1000;

struct RankTimeKind {
  const char* name;   // for people
  const char* style;  // what the style of the page calls it
};
inline constexpr std::array<RankTimeKind, 6> rank_time_kinds{{{"computation", "computation"},
                                                              {"waiting", "waiting"},
                                                              {"other MPI", "mpi"},
                                                              {"I/O", "io"},
                                                              {"runtime of threads", "runtime"},
                                                              {"measurement", "measurement"}}};

struct RankBar {
  std::size_t process = 0;                               // index in the plan
  std::array<double, rank_time_kinds.size()> seconds{};  // by kind
};

// A process that the headline names, and the bar that it is in.
struct NamedBar {
  std::size_t bar = 0, process = 0;
};

struct RankBars {
  std::vector<RankBar> bars;
  std::vector<NamedBar> named;                        // none where the headline names very many
  std::size_t per_bar = 1;                            // ranks; the last bar may have fewer
  std::array<double, rank_time_kinds.size()> sums{};  // over all ranks
  double time = 0;                                    // of all ranks
  double most = 0;                                    // the height of the chart, in seconds
  bool knows_waiting = true;                          // else it is a part of other MPI
  bool are_threads = false;
};
RankBars make_rank_bars(const Summary& run);

// Nothing where no rank has any time.
std::string write_rank_chart(const Report& report);

}  // namespace tracefold
