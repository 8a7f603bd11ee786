// Records what processes did in their iterations while they are profiled. A process then need not
// be read again when its iterations and times of waiting are known.
//
// Before a process is read, its iterations are guessed from another process (SeriesRule). The guess
// is right if the process has loops with the same numbers of calls; the caller of
// RecordedSeries::take() says which loops it has. A wrong guess costs time and changes no result.
// The functions whose call paths have series (path_series.hpp) are guessed, too.
//
// Recorded is what SeriesPass would return of a process, except that single iterations have only
// sums over call paths. Times of waiting are added when they are known (deferred_waits.hpp).
// Processes with irregularities, with values that may exceed 64 bits, or without room in memory
// have to be read again.
//
// Different processes at the same time. Memory: for each process about 2 bytes for each non-zero
// value of an iteration, a call path, a call path in a loop, and an iteration of a call path with a
// series; and that of deferred_waits.hpp, call_times.hpp and partner_amounts.hpp; at most the given
// limit, plus what threads are reading.
//
// Source: dynamics 3 (time-series call-path profiles).
#pragma once

#include "model/iterations/loops.hpp"
#include "model/program/packed_rows.hpp"
#include "otf2/archive.hpp"
#include "pipeline/delays/call_times.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/messages/partner_amounts.hpp"
#include "pipeline/series/deferred_waits.hpp"
#include "pipeline/series/path_series.hpp"
#include "pipeline/series/profile_columns.hpp"
#include "pipeline/series/series_sink.hpp"
#include "pipeline/series/series_sums.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

// The calls that may be the iterations of a process: by loop in order, and over all loops.
class SeriesRule {
 public:
  explicit SeriesRule(std::vector<IterationCounts> loops);

  const std::vector<IterationCounts>& loops() const { return loops_; }
  const IterationCounts& iterations() const { return iterations_; }
  // The index of the loop with these calls, or none.
  std::optional<std::size_t> find(const IterationCounts& loop) const;
  // The number of the first iteration of a loop, and the loop of an iteration.
  std::size_t first(std::size_t loop) const { return firsts_[loop]; }
  std::size_t find_loop(std::size_t iteration) const;

 private:
  std::vector<IterationCounts> loops_;
  std::vector<std::size_t> firsts_;  // by loop
  IterationCounts iterations_;
};

// The guess: the iterations of each process, and the functions whose call paths have series.
struct SeriesGuess {
  std::vector<std::shared_ptr<const SeriesRule>> rules;  // by process; null: no guess
  std::vector<bool> path_functions;                      // by function
};

// Everything that a process did. Columns are those of a pass.
struct RecordedProcess {
  std::vector<CallPath> paths;
  CallPathProfile all;                         // in and outside of iterations
  CallPathProfile beyond_mpi;                  // as in SeriesEnd
  std::vector<CallPathProfile> loops;          // in the first most_loops_by_path loops
  std::vector<std::uint64_t> iterations;       // by iteration (over all loops) and column
  std::vector<std::optional<Interval>> spans;  // by loop
  std::vector<PathSeries::OfPath> series;
  Interval mpi;  // as in SeriesEnd
  std::uint64_t first_time = 0, last_time = 0;
  PartnerAmounts partners;
  CallTimes times;
};

class RecordedSeries {
 public:
  // All arguments must outlive this.
  RecordedSeries(const Archive& archive, const FunctionTable& functions, SeriesGuess guess,
                 std::uint64_t memory);
  ~RecordedSeries();
  RecordedSeries(const RecordedSeries&) = delete;
  RecordedSeries& operator=(const RecordedSeries&) = delete;

  // A process while it is read.
  class Reading {
   public:
    Reading(const RecordedSeries& all, std::size_t process, std::uint64_t location);
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    DeferredSeriesSink& sink() { return sink_; }

   private:
    friend class RecordedSeries;
    void add(std::size_t iteration, const CallPathProfile& profile);

    std::shared_ptr<const SeriesRule> rule_;
    std::size_t columns_;
    DeferredSeriesSink sink_;
    SeriesSums sums_;
    std::vector<SeriesSums> loop_sums_;           // of the first loops
    std::vector<std::optional<Interval>> spans_;  // by loop
    PathSeries path_series_;
    std::vector<std::uint64_t> totals_;  // of the last iteration
    PackedRows iterations_;
    bool fits_64_bits_ = true;
  };
  // Null if the process is not recorded. Pass all events of the process to the reading's sink.
  std::unique_ptr<Reading> begin(std::size_t process, std::uint64_t location) const;
  void end(std::size_t process, Reading& reading, const LocationRead& read);

  // Moves out what a process with these loops did, in the columns of a pass, with series for the
  // call paths of these functions. None if that is not recorded. `waits` is null if no time of
  // waiting is known.
  std::optional<RecordedProcess> take(std::size_t process, std::uint64_t location,
                                      std::span<const IterationCounts> loops,
                                      const std::vector<bool>& path_functions,
                                      const ProfileColumns& columns, const WaitMatcher* waits);

 private:
  struct Recorded;
  class Unpacker;

  static std::unique_ptr<Recorded> pack(Reading& reading, const LocationRead& read);
  // The indexes of the loops in the rule; none if one is missing, or if values outside of exactly
  // these loops are not known.
  static std::optional<std::vector<std::size_t>> find_loops(const Recorded& recorded,
                                                            std::span<const IterationCounts> loops);

  const Definitions& definitions_;
  ProfileColumns columns_;  // with all times of waiting
  std::vector<std::size_t> path_columns_;
  SeriesGuess guess_;
  std::vector<std::unique_ptr<const Recorded>> recorded_;  // by process
  std::uint64_t memory_;
  std::atomic<std::uint64_t> taken_{0};  // used part of memory_
};

}  // namespace tracefold
