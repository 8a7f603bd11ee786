// Reads the file tracefold.profiles: what every process of a program did (program_profiles.hpp).
// docs/profiles-format.md describes the format.
//
// The input is not trusted: all functions throw Error(input) if something is inconsistent, before
// memory is taken for what it claims. Thread-safe.
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "model/iterations/loops.hpp"
#include "model/plan.hpp"
#include "model/program/profiles_file.hpp"
#include "model/program/program_file.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// One column of one loop: the values of its processes by iteration.
struct ProgramSeries {
  std::size_t columns = 0;            // of values, each for `iterations_per_column` iterations
  std::vector<std::uint64_t> values;  // by process: sums of the iterations of a column;
                                      // empty: all are 0
  // Exact sums: by process, and by column over all processes. The latter are empty if the file was
  // cut to some processes and values are not exact.
  std::vector<std::uint64_t> of_process, of_column;
};

// What a file has, and what it had no room for.
struct ProgramParts {
  // The number of call paths of each loop with series; none: no limit.
  std::optional<std::size_t> path_series;
  bool has_delays = true;      // call paths that made others wait
  bool has_pairs = true;       // who waits for whom
  bool has_sequences = false;  // what the run is played again from
  bool has_counters = false;   // recorded ones, as exact as times
  bool is_sampled = false;     // visits are then lower bounds
};

// Where a file comes from.
struct StoredSource {
  std::string name = {};    // for later errors
  bool is_sampled = false;  // whether the trace has sampled calls
};

// A part of the run.
struct StoredScope {
  std::string name;             // as in ProgramScope
  std::vector<bool> is_inside;  // by call path: it was called nowhere else
};

// A loop as maps of the original show it: loop number n, for all processes that have it.
struct StoredMap {
  // By process: the number of this loop among its loops. None: it has the loop only for the map, or
  // not at all.
  std::vector<std::optional<std::size_t>> places;
  std::vector<std::uint64_t> iterations;  // by process that has it only for the map; or empty
  // The loop that has exactly the processes of this map.
  std::optional<std::size_t> whole_loop;
  std::uint64_t longest = 0, longest_own = 0;  // the most iterations: of all, of those for the map
};

class StoredProgram {
 public:
  // Refuses files with more processes than the trace may stand for, before taking memory.
  explicit StoredProgram(std::string bytes, std::uint64_t most_processes = most_profiles_groups,
                         const StoredSource& source = {});

  const ProfilesFile& file() const { return file_; }
  const ProgramDetail& detail() const { return detail_; }
  const ProgramParts& parts() const { return parts_; }
  std::uint64_t count_numbers() const;  // in all of its tables
  std::size_t size() const { return processes_; }
  // Whether it has only some processes of a larger file.
  bool is_cut() const { return is_cut_; }
  // As in a plan of the original, without profiles.
  std::vector<Process> read_processes() const;
  // By process: its intent without call pairs (Intent::metrics), and its OTF2_LocationType.
  std::vector<Intent> read_kinds() const;
  // By process: a number that is equal for all processes which do the same as far as samples tell.
  // Empty without samples: call paths then tell.
  std::vector<std::uint64_t> read_alike() const;

  // The places of processes in the Cartesian topologies of the original.
  std::vector<ProgramTopology> read_topologies() const;

  // The call paths of the processes, without values.
  Aggregates read_frame() const;
  // All processes: counts exactly, times and counters to detail().percent. Reading only execution
  // time and visits takes a fraction of the memory.
  Aggregates read_calls(StoredColumns which) const;
  // The part of these in a scope, without what was recorded outside of calls.
  Aggregates read_scope(std::size_t scope, StoredColumns which) const;
  const std::vector<StoredScope>& scopes() const { return scopes_; }
  // The index into scopes(). None if the file has no such scope; for ProgramScope::mpi this means
  // that all of the run is in it.
  std::optional<std::size_t> find_scope(std::string_view name) const;
  // By process: the begin and end of the scope ProgramScope::mpi, in ticks.
  std::vector<Interval> read_mpi_intervals() const;
  // The same for any scope; none if the file does not have it. Both ends are 0 for processes
  // without the loop of the scope.
  std::optional<std::vector<Interval>> read_intervals(std::size_t scope) const;
  // By process: where it ran (ProgramProcess::node); and the times of its first and last event.
  std::vector<std::string> read_nodes() const;
  std::vector<Interval> read_lives() const;
  // How many messages arrive before they were sent.
  std::uint64_t count_early_messages() const;

  // By process: the time of a kind that is set aside in a scope, or in the whole run, in ticks;
  // empty: none.
  std::vector<std::uint64_t> read_set_aside(const SetAsideKind& kind,
                                            std::optional<std::size_t> scope) const;

  const MetricColumns& columns() const { return frame_.profiles.columns; }
  // By process: whether it recorded infinite values or NaN for a counter, so that its value is not
  // known, whatever other tables say. Empty if all values are known.
  std::vector<bool> find_unknown_counter(std::size_t column) const;

  std::size_t loops() const { return loops_.size(); }
  bool has_iterations() const { return !loops_.empty() && detail_.iterations_per_column > 0; }
  // By process: its number of iterations; 0: it has no such loop.
  const std::vector<std::uint64_t>& iterations(std::size_t loop) const { return loops_[loop]; }
  // Whether the number of iterations is unsure.
  bool is_unsure(std::size_t loop) const { return is_unsure_[loop]; }
  // For execution time, returns computation, its rest. Only if iterations are stored.
  ProgramSeries read_series(std::size_t loop, std::size_t column) const;
  // Each loop has a map in files that say which loops are the same; older files have no maps.
  bool has_maps() const { return has_maps_; }
  const std::vector<StoredMap>& maps() const { return maps_; }
  // For processes that have it only for the map, by process; without sums over processes.
  ProgramSeries read_map_series(std::size_t map, std::size_t column) const;
  // Exact sums over all processes of the map, by column of iterations. None if the file was cut to
  // some processes and values are not exact.
  std::optional<std::vector<std::uint64_t>> read_map_sums(std::size_t map,
                                                          std::size_t column) const;
  // Called for each process, ascending: how long it computed and waited in each iteration, to
  // percent(), with all known times of waiting. Only if single iterations are stored.
  using VisitTimes = std::function<void(std::size_t process, std::vector<std::uint64_t> computation,
                                        std::vector<std::uint64_t> waiting)>;
  void visit_times(std::size_t loop, const VisitTimes& visit) const;

  // Whether a call path has a series in a loop; and that series, in a column of time. All of its
  // time is execution time here.
  bool has_path_series(std::size_t loop, PathIndex path) const;
  ProgramSeries read_path_series(std::size_t loop, PathIndex path, std::size_t column) const;

  // Pairs of processes, ascending by sender and receiver: counts exactly, times to
  // detail().percent. None if there was no room for them. Times of waiting that are not in
  // columns() are not known.
  std::optional<std::vector<ProgramPair>> read_pairs() const;
  // By process: how long others waited in collective operations because it came last, for one of
  // their metrics, exactly. None if not known.
  std::optional<std::vector<std::uint64_t>> read_caused(Metric metric) const;
  // The same for all of these metrics.
  std::optional<std::map<Metric, std::vector<std::uint64_t>>> read_caused() const;

  // The call paths that made others wait, ascending by process and call path: times to
  // detail().percent. None if there was no room for them, or they are not known.
  std::optional<std::vector<ProgramDelay>> read_delays() const;
  // Parts of the run that were played: runtimes exactly, times of critical paths to
  // detail().percent, and none of these where there was no room for them. Empty: not known.
  std::vector<ProgramReplay> read_replays() const;
  // What these are played again from, by process. Empty: there was no room for it.
  std::vector<ProgramSequence> read_sequences() const;

  // The files that the program uses, those with most time first. Empty: no operations are recorded.
  // None: not known.
  std::optional<std::vector<ProgramFileUse>> read_files() const;
  // What devices do, by part of the run. Empty: there are none, or it is not known.
  std::vector<ProgramDevices> read_devices() const;

  // Whether a table with iterations of a loop (find_series_loop) has the rows and columns of that
  // loop, and the necessary sums.
  void check_series(const ProfilesTable& table) const;
  // The same for a map (find_series_map), for processes that have it only for the map.
  void check_map_series(const ProfilesTable& table) const;
  // Reads everything. Throws Error(input) if anything is damaged.
  void check() const;

 private:
  void read_loops();
  void list_replays();
  void read_maps();
  StoredMap make_map(std::size_t number) const;
  std::string name_map_series(std::size_t map, std::size_t column) const;
  std::vector<Interval> read_intervals(const std::string& begin, const std::string& end) const;
  void check_paths(const ProfilesTable& table) const;
  std::vector<std::size_t> list_places(const ProfilesTable& table) const;
  void read_scopes();
  void list_path_series();
  enum class HasSums : bool { of_processes, of_all };
  ProgramSeries read_series(const std::string& name, std::size_t columns,
                            HasSums sums = HasSums::of_all) const;
  void put_calls(const ProfilesTable& table, std::size_t column, CallPathProfiles& profiles) const;
  std::vector<std::uint64_t> read_field(const std::string& name) const;
  std::vector<std::uint64_t> read_table(const std::string& name, std::size_t rows,
                                        std::size_t columns) const;
  // The table of this name; refused if it is missing or has another size.
  const ProfilesTable& check_size(const std::string& name, std::size_t rows,
                                  std::size_t columns) const;
  void check_columns(const ProfilesTable& table, std::size_t columns, HasSums sums) const;
  void add_rows(std::size_t loop, Metric metric, std::size_t first,
                std::vector<std::uint64_t>& sums) const;
  std::string name_series(std::size_t loop, std::size_t column) const;
  std::size_t count_columns(std::size_t loop) const;  // of values in its series

  ProfilesFile file_;
  std::size_t processes_ = 0;
  std::vector<ProgramReplay> replays_;  // without times of critical paths
  bool is_cut_ = false;                 // to some processes
  ProgramDetail detail_;
  ProgramParts parts_;
  Aggregates frame_;  // without processes
  std::vector<StoredScope> scopes_;
  std::vector<std::vector<PathIndex>> path_series_;  // by loop: call paths with a series, ascending
  std::vector<std::vector<std::uint64_t>> loops_;    // number of iterations, by loop and process
  std::vector<bool> is_unsure_;                      // by loop
  bool has_maps_ = false;
  std::vector<StoredMap> maps_;
  std::vector<std::uint64_t> longest_;  // by loop: largest number of iterations of a process
};

}  // namespace tracefold
