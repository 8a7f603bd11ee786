// What processes did in their iterations, recorded while they are profiled: so a process need not
// be read once more when it is known that these are its iterations, and how long it waited for
// others in them.
//
// The iterations are guessed before the process is read: as those of another one (SeriesRule). They
// are right where the process has loops with the same numbers of calls; whoever asks says which
// loops it has (RecordedSeries::take). A wrong guess costs time, and changes no figure. The same
// holds for the functions whose call paths have a series of iterations (path_series.hpp).
//
// Recorded is, as SeriesSink tells it, what SeriesPass hands on of a process, but for the profiles
// of single iterations: of these, the sums over call paths. Times of waiting are added when they
// are known (deferred_waits.hpp). What is odd about a process, and what may not fit into 64 bits,
// is left to a reading of its own, and so is what does not fit into the memory.
//
// Different processes at the same time. Memory: for each process about 2 bytes for each value of an
// iteration, of a call path, of a call path in a loop, or in an iteration where it has a series,
// that a column of it has, and what deferred_waits.hpp, call_times.hpp and partner_amounts.hpp say;
// at most as much as is given, and what the threads read just now.
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

// Which calls may be the iterations of a process: by loop, in their order, and through all loops.
class SeriesRule {
 public:
  explicit SeriesRule(std::vector<IterationCounts> loops);

  const std::vector<IterationCounts>& loops() const { return loops_; }
  const IterationCounts& iterations() const { return iterations_; }
  // The number of the loop with such calls; none where there is none.
  std::optional<std::size_t> find(const IterationCounts& loop) const;
  // The number of the first iteration of a loop, and which loop an iteration is of.
  std::size_t first(std::size_t loop) const { return firsts_[loop]; }
  std::size_t find_loop(std::size_t iteration) const;

 private:
  std::vector<IterationCounts> loops_;
  std::vector<std::size_t> firsts_;  // by loop
  IterationCounts iterations_;
};

// Which calls may be the iterations of processes, and which functions may be those whose call paths
// have series.
struct SeriesGuess {
  std::vector<std::shared_ptr<const SeriesRule>> rules;  // by process; null where there is none
  std::vector<bool> path_functions;                      // by function
};

// All that a process did. Columns are those of a pass.
struct RecordedProcess {
  std::vector<CallPath> paths;
  CallPathProfile all;                         // in iterations, and outside
  CallPathProfile beyond_mpi;                  // as SeriesEnd has it
  std::vector<CallPathProfile> loops;          // in the first loops, most_loops_by_path
  std::vector<std::uint64_t> iterations;       // by iteration, through all loops, and column
  std::vector<std::optional<Interval>> spans;  // by loop
  std::vector<PathSeries::OfPath> series;
  Interval mpi;  // as SeriesEnd has it
  std::uint64_t first_time = 0, last_time = 0;
  PartnerAmounts partners;
  CallTimes times;
};

class RecordedSeries {
 public:
  // All must stay.
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
  // Null where nothing is recorded of the process. Its sink has to get all events.
  std::unique_ptr<Reading> begin(std::size_t process, std::uint64_t location) const;
  void end(std::size_t process, Reading& reading, const LocationRead& read);

  // What a process with these loops did, in the columns of a pass, with the series of the call
  // paths of these functions; nothing of it is left here. None where that is not recorded. `waits`
  // is null where no time of waiting is known.
  std::optional<RecordedProcess> take(std::size_t process, std::uint64_t location,
                                      std::span<const IterationCounts> loops,
                                      const std::vector<bool>& path_functions,
                                      const ProfileColumns& columns, const WaitMatcher* waits);

 private:
  struct Recorded;
  class Unpacker;

  static std::unique_ptr<Recorded> pack(Reading& reading, const LocationRead& read);
  // Where the loops are in the rule; none where one is not, or where what is outside of these loops
  // was not told apart.
  static std::optional<std::vector<std::size_t>> find_loops(const Recorded& recorded,
                                                            std::span<const IterationCounts> loops);

  const Definitions& definitions_;
  ProfileColumns columns_;  // with all times of waiting
  std::vector<std::size_t> path_columns_;
  SeriesGuess guess_;
  std::vector<std::unique_ptr<const Recorded>> recorded_;  // by process
  std::uint64_t memory_;
  std::atomic<std::uint64_t> taken_{0};  // of it
};

}  // namespace tracefold
