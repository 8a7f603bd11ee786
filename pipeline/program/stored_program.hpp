// The file tracefold.profiles, read: what every process of a program did (program_profiles.hpp).
// Its format is described in docs/profiles-format.md.
//
// The input is not trusted: all functions throw Error(input) where something does not fit, before
// memory is taken for what is claimed. Thread-safe.
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

// One column of one loop: what its processes did in each of its iterations.
struct ProgramSeries {
  std::size_t columns = 0;            // of values, each of `iterations_per_column` iterations
  std::vector<std::uint64_t> values;  // process by process: sums of the iterations of a column;
                                      // empty: all are 0
  // Exact sums: by process, and by column over all processes. The latter are empty where the file
  // was cut to some processes, and values have an error.
  std::vector<std::uint64_t> of_process, of_column;
};

// What a file has besides, and what it had no room for.
struct ProgramParts {
  // So many call paths of each loop have iterations of their own; none: as many as ever.
  std::optional<std::size_t> path_series;
  bool has_delays = true;     // which call paths made others wait
  bool has_pairs = true;      // who waits for whom
  bool has_counters = false;  // recorded ones, which are as exact as times
  bool is_sampled = false;    // so that visits are lower bounds
};

// Where a file comes from.
struct StoredSource {
  std::string name = {};    // which errors that are met later say
  bool is_sampled = false;  // whether calls of the trace were sampled
};

// A part of the run.
struct StoredScope {
  std::string name;             // as in ProgramScope
  std::vector<bool> is_inside;  // by call path: it was called nowhere else
};

// A loop as maps of the original show it: that of a number, of all processes that have it.
struct StoredMap {
  // By process which of its loops it is. None: it has it only for the map, or not at all.
  std::vector<std::optional<std::size_t>> places;
  std::vector<std::uint64_t> iterations;  // by process that has it only for the map; empty: of none
  // The loop of which it has all processes and nothing else.
  std::optional<std::size_t> whole_loop;
  std::uint64_t longest = 0, longest_own = 0;  // the most iterations: of all, of those for the map
};

class StoredProgram {
 public:
  // No memory is taken for more than so many processes, which a trace may stand for.
  explicit StoredProgram(std::string bytes, std::uint64_t most_processes = most_profiles_groups,
                         const StoredSource& source = {});

  const ProfilesFile& file() const { return file_; }
  const ProgramDetail& detail() const { return detail_; }
  const ProgramParts& parts() const { return parts_; }
  std::uint64_t count_numbers() const;  // in all of its tables
  std::size_t size() const { return processes_; }
  // It was made of a larger one, of whose processes some are left.
  bool is_cut() const { return is_cut_; }
  // As a plan of the original knows them, without their profiles.
  std::vector<Process> read_processes() const;
  // By process: what its intent has besides call pairs (Intent::metrics), and its
  // OTF2_LocationType.
  std::vector<Intent> read_kinds() const;
  // By process a number that is that of all which do the same as far as samples tell; empty: none
  // was sampled, and each does what its call paths say.
  std::vector<std::uint64_t> read_alike() const;

  // Where processes are in the Cartesian topologies of the original.
  std::vector<ProgramTopology> read_topologies() const;

  // What call paths the processes have, without values.
  Aggregates read_frame() const;
  // All processes: counts exactly, times and counters to detail().percent. Execution time and
  // visits take a part of the memory that all metrics do.
  Aggregates read_calls(StoredColumns which) const;
  // What of it was in a scope; without what was recorded while no call was open.
  Aggregates read_scope(std::size_t scope, StoredColumns which) const;
  const std::vector<StoredScope>& scopes() const { return scopes_; }
  // Its place in scopes(). None where the file has no such scope: for ProgramScope::mpi, all
  // of the run is in it then.
  std::optional<std::size_t> find_scope(std::string_view name) const;
  // By process when the scope ProgramScope::mpi begins and ends, in ticks.
  std::vector<Interval> read_mpi_intervals() const;
  // The same of any scope; none where the file does not tell it. Both are 0 where a process does
  // not have the loop that the scope is.
  std::optional<std::vector<Interval>> read_intervals(std::size_t scope) const;
  // By process where it ran, as ProgramProcess::node, and when its first and last events are.
  std::vector<std::string> read_nodes() const;
  std::vector<Interval> read_lives() const;

  const MetricColumns& columns() const { return frame_.profiles.columns; }
  // By process whether it recorded values of a counter that are infinite or no numbers: what it
  // counted is not known then, whatever other tables say. Empty where all processes know it.
  std::vector<bool> find_unknown_counter(std::size_t column) const;

  std::size_t loops() const { return loops_.size(); }
  bool has_iterations() const { return !loops_.empty() && detail_.iterations_per_column > 0; }
  // By process how many iterations it has; 0: it has no such loop.
  const std::vector<std::uint64_t>& iterations(std::size_t loop) const { return loops_[loop]; }
  // Whether it is unsure how many iterations it has.
  bool is_unsure(std::size_t loop) const { return is_unsure_[loop]; }
  // Of execution time this is computation, its rest. Only where iterations are kept.
  ProgramSeries read_series(std::size_t loop, std::size_t column) const;
  // One map for each loop, in files that tell which loops are the same. Files of before they were
  // told have none.
  bool has_maps() const { return has_maps_; }
  const std::vector<StoredMap>& maps() const { return maps_; }
  // Of those that have it only for the map, by process; without sums over processes.
  ProgramSeries read_map_series(std::size_t map, std::size_t column) const;
  // Exact sums over all processes of the map, by column of iterations. None where the file was cut
  // to some processes, and values have an error.
  std::optional<std::vector<std::uint64_t>> read_map_sums(std::size_t map,
                                                          std::size_t column) const;
  // By process, ascending: how long it computed and waited in each iteration, to percent(). Of
  // times of waiting those that are known count. Only where each iteration is kept alone.
  using VisitTimes = std::function<void(std::size_t process, std::vector<std::uint64_t> computation,
                                        std::vector<std::uint64_t> waiting)>;
  void visit_times(std::size_t loop, const VisitTimes& visit) const;

  // Whether the iterations of a call path are there by themselves, and they, in a column of time.
  // All time of it is execution time here.
  bool has_path_series(std::size_t loop, PathIndex path) const;
  ProgramSeries read_path_series(std::size_t loop, PathIndex path, std::size_t column) const;

  // Who has to do with whom, ascending by sender and receiver: counts exactly, times to
  // detail().percent. None where there was no room for it. Times of waiting that are not among
  // columns() are not known.
  std::optional<std::vector<ProgramPair>> read_pairs() const;
  // By process how long others waited in collective operations because it came last, of one of
  // the metrics of these, exactly. None where that is not known.
  std::optional<std::vector<std::uint64_t>> read_caused(Metric metric) const;
  // The same of all of them.
  std::optional<std::map<Metric, std::vector<std::uint64_t>>> read_caused() const;

  // Which call paths made others wait, ascending by process and call path: times to
  // detail().percent. None where there was no room for it, or it is not known.
  std::optional<std::vector<ProgramDelay>> read_delays() const;

  // Whether a table that is one of iterations of a loop (find_series_loop) has the rows and columns
  // of that loop, and the sums that it needs.
  void check_series(const ProfilesTable& table) const;
  // The same of a map (find_series_map), of those that have it only for the map.
  void check_map_series(const ProfilesTable& table) const;
  // Reads all that is there. Throws Error(input) where anything is damaged.
  void check() const;

 private:
  void read_loops();
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
  // The table of this name; refused where it is missing, or has another size.
  const ProfilesTable& check_size(const std::string& name, std::size_t rows,
                                  std::size_t columns) const;
  void check_columns(const ProfilesTable& table, std::size_t columns, HasSums sums) const;
  void add_rows(std::size_t loop, Metric metric, std::size_t first,
                std::vector<std::uint64_t>& sums) const;
  std::string name_series(std::size_t loop, std::size_t column) const;
  std::size_t count_columns(std::size_t loop) const;  // of values in its series

  ProfilesFile file_;
  std::size_t processes_ = 0;
  bool is_cut_ = false;  // it was cut to some processes
  ProgramDetail detail_;
  ProgramParts parts_;
  Aggregates frame_;  // without processes
  std::vector<StoredScope> scopes_;
  std::vector<std::vector<PathIndex>> path_series_;  // by loop: which have some, ascending
  std::vector<std::vector<std::uint64_t>> loops_;    // iterations, by loop and process
  std::vector<bool> is_unsure_;                      // by loop
  bool has_maps_ = false;
  std::vector<StoredMap> maps_;
  std::vector<std::uint64_t> longest_;  // by loop: the most that a process has
};

}  // namespace tracefold
