// The plan: the JSON document that flows between stages. Plain data.
//
// The stages fill its sections in this order: trace, filters, intents and profiles, groups,
// representatives, like, halo, iterations, errors, folds, messages, program, write.
//
// Large sections are shared, constant objects, so that copies of a plan are cheap. They are only
// declared here, since most code does not look into them; each has a header of its own.
#pragma once

#include "model/groups/rank_grid.hpp"
#include "model/halo/halo_section.hpp"
#include "model/plan_files.hpp"
#include "model/plan_options.hpp"
#include "model/profile/intent.hpp"
#include "model/program/program_file.hpp"
#include "model/time_window.hpp"
#include "model/what_if.hpp"
#include "otf2/archive_files.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct ChosenIterations;
struct FoldErrors;
struct IterationSection;
struct KeptFolds;
struct LikeSection;
struct Messages;
struct ProgramProfiles;

struct TraceSection {
  std::string anchor;  // absolute path; of a folder where the trace has parts
  std::uint64_t locations = 0, events = 0;
  // Messages that the plan's processes send, after filters; none where no pass has counted them.
  std::optional<std::uint64_t> messages = {};
  std::uint64_t ticks_per_second = 0;
  TraceIdentity identity;
  std::vector<TracePart> parts = {};  // the archives that make up the run; none where it is one
  // When the processes run (run_span.hpp), after filters; none where no pass has found it.
  std::optional<TimeSpan> run = {};
  // For how many ticks of that recording is off, for a master (run_masters.hpp) on average. Not
  // stored.
  double recording_off = 0;
};

// Which events and processes count. Applied while events are read.
struct FilterSection {
  std::vector<std::string> drop, keep;  // globs of function names; `keep` empty keeps all
  std::string locations;                // ranges of location ids; empty: all
  std::optional<TimeWindow> time = {};  // in at most one section
  // So many calls inside each other stay, of functions of the program itself: those of MPI, OpenMP,
  // files and accelerators stay at any depth, since they hold records. None: all.
  std::optional<std::uint64_t> max_depth = {};

  bool operator==(const FilterSection&) const = default;
};

// One process as the plan knows it.
struct Process {
  std::uint64_t id = 0;  // location id
  std::string name;
  std::uint64_t location_group = 0;
  std::string location_group_name;
  std::optional<std::uint64_t> creator;  // location group that created its own, as for a stream
  std::optional<std::uint64_t> rank;  // in MPI, of its process; of a reduced trace: in the original
  std::uint64_t thread = 0;  // index among the locations of its owner; as `rank`, of the original
  bool is_mpi_endpoint = false;  // MPI's ranks mean this location
  std::uint64_t weight = 1;      // number of processes that it stands for already
  bool has_messages = false;     // sends or receives messages
  bool damaged = false;
  std::uint64_t events = 0;
  std::uint32_t intent = 0;
  std::vector<std::uint64_t> exclusive;  // ticks in the functions that the intent lists
  std::uint64_t rest = 0;                // ticks in all other functions
  // When its records end, in ticks, where that is early (filters/groups/early_ends.hpp).
  std::optional<std::uint64_t> ends_early = {};

  // The process that it is a thread of: (true, its MPI rank), or (false, its location group)
  // without a rank. Several ranks may share a location group.
  std::pair<bool, std::uint64_t> owner() const {
    return {rank.has_value(), rank.value_or(location_group)};
  }
};

struct PlanIntent {
  Intent set;
  std::vector<FunctionIndex> functions;  // those with the most time, at most 32
};

// The clusters of the ranks of a group, where signatures were compared.
struct SignatureClusters {
  std::uint32_t main = 0, sub = 0;  // numbered over the whole program
  std::string ranks = {};           // the ranks in the first original, as a list

  bool operator==(const SignatureClusters&) const = default;
};

struct Group {
  std::vector<std::size_t> members;    // indexes into Plan::processes, ascending
  std::vector<std::uint32_t> intents;  // of the members, ascending
  std::vector<double> similarity;      // to each group: Jaccard, the mean weighted by
                                       // processes; empty where there are very many groups
  std::optional<SignatureClusters> clusters = {};  // of ranks, where signatures were compared
  // Tells people which processes these are, such as "inside of the grid"; empty where nothing is
  // known.
  std::string name = {};
  // The sets of equal processes that a threshold below 1 has merged, by first member; each has its
  // members, ascending. Empty where all members are equal.
  std::vector<std::vector<std::size_t>> merged = {};
};

struct Representative {
  std::uint32_t group = 0;
  std::size_t process = 0;           // index into Plan::processes
  std::vector<std::size_t> members;  // ascending; all of one group, and of no other representative
  std::string why;
};

// Options of writing, in a plan beside a written trace.
struct WriteSection {
  std::string version;                    // of the program that wrote
  bool keep_ids = false;                  // locations keep their ids
  bool plain_names = false;               // names have no counts
  std::uint64_t most_profiles = 0;        // largest size of tracefold.profiles in bytes; 0: none
  bool member_metrics = false;            // representatives record how their members differ
  bool draws_messages = true;             // messages whose two ends stay are recorded
  TreeChoice tree = TreeChoice::machine;  // what the system tree shows

  bool operator==(const WriteSection&) const = default;
};

// What is known of a trace and what was chosen. Each stage adds its sections.
struct Plan {
  // In plan.cpp, since each of them is long.
  Plan();
  Plan(const Plan&);
  Plan(Plan&&) noexcept;
  Plan& operator=(const Plan&);
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  TraceSection trace;
  std::vector<FilterSection> filters;
  // The iterations to which these filters, or those of an earlier reduction, cut the trace; null:
  // none.
  std::shared_ptr<const ChosenIterations> chosen;
  std::vector<Function> functions;
  std::vector<PlanIntent> intents;
  std::vector<Process> processes;  // ascending by id; empty before `group`
  // The grid of all ranks that their messages suggest, the slowest axis first. Empty where they
  // suggest no grid or ring, or are not known.
  std::vector<GridAxis> grid;
  std::optional<std::vector<Group>> groups;
  double threshold = 1;
  Comparison comparison;
  std::vector<FunctionIndex> ignored;  // ascending: functions that are not compared
  std::optional<Selection> selection;
  std::optional<std::vector<Representative>> representatives;
  // Where groups and representatives come from another run; otherwise null.
  std::shared_ptr<const LikeSection> like;
  std::optional<HaloSection> halo;                     // none: not asked for
  std::shared_ptr<const IterationSection> iterations;  // null: not searched for
  std::shared_ptr<const FoldErrors> errors;            // null: not measured
  // How the iterations of a trace were folded when it was reduced before; null: it was not reduced.
  std::shared_ptr<const KeptFolds> folds;
  std::shared_ptr<const Messages> messages;  // of the whole trace; null: not stored
  // What every process does, while a trace is to be written from the plan; null: not recorded.
  std::shared_ptr<const ProgramProfiles> program;
  // The same, stored beside a trace that was reduced before and is reduced again.
  std::shared_ptr<const PackedProgram> carried_program;
  std::optional<ProgramFile> program_file;  // beside a written trace that has the file
  std::optional<WriteSection> write;        // none: no plan beside a written trace
  bool lacks_profiles = false;              // as beside a written trace: see leave_out_profiles
  std::vector<WhatIf> what_if = {};         // asked of the run when it is played; not stored
};

// The ids of processes (ascending indexes) as "0-6:2,9"; and their number, with those that they
// stand for.
std::string format_ids(const Plan& plan, const std::vector<std::size_t>& processes);
std::uint64_t count_processes(const Plan& plan, const std::vector<std::size_t>& processes);
// The MPI ranks of processes, each once, as a rank list: "1 0 4 1".
std::string write_rank_list(const Plan& plan, const std::vector<std::size_t>& processes);

// The plan for the file beside a written trace: it says who is in which group and who stands for
// whom, but has no intents, profiles and similarities, which take more room than a small trace.
// Functions that nothing else refers to are removed, and the indexes of the others change.
Plan leave_out_profiles(Plan plan);

// Whether any filter leaves out anything.
bool leave_out_anything(const std::vector<FilterSection>& filters);
// The window in time among the filters, or null.
const TimeWindow* find_window(const std::vector<FilterSection>& filters);
// The filters without everything but windows.
std::vector<FilterSection> keep_windows(const std::vector<FilterSection>& filters);

// Indexes of all processes.
std::vector<std::size_t> list_processes(const Plan& plan);

// Indexes of the representatives, ascending; of all processes where none were chosen.
std::vector<std::size_t> kept_processes(const Plan& plan);

// Whether any iteration is replaced by another one.
bool folds_iterations(const Plan& plan);

// Ticks of the trace's clock in seconds. Where the trace has no clock, a tick is a nanosecond.
double to_seconds(const Plan& plan, std::uint64_t ticks);
double to_seconds(const Plan& plan, double ticks);

// The version of the JSON. Plans of other versions are refused.
inline constexpr int plan_version = 2;

// Ids are strings. Equal plans give equal text.
std::string to_json(const Plan& plan);
// The same in pieces: put(text) is called for one after the other, so that the text of many
// processes is never in memory as a whole.
void write_json(const Plan& plan, const std::function<void(std::string text)>& put);
// The files that belong beside a trace.
PlanFiles make_plan_files(const Plan& plan);

// Throws Error(input) where the text is no plan, or refers to something that it lacks. A packed
// file is read from `folder`; without a folder, a plan with such a file is refused.
Plan plan_from_json(const std::string& text,
                    const std::optional<std::filesystem::path>& folder = std::nullopt);

}  // namespace tracefold
