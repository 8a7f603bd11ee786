// The plan: the JSON document that flows between stages. Plain data.
//
// The stages fill its sections in this order: trace, filters, intents and profiles, groups,
// representatives, like, halo, iterations, errors, aggregates, messages, program, write.
// Iterations, errors, aggregates, messages and what every process does are only declared here,
// since most who see a plan need none of them: who looks into one of them includes its header.
// Copies of a plan share these sections, which do not change.
#pragma once

#include "model/groups/rank_grid.hpp"
#include "model/halo/halo_section.hpp"
#include "model/plan_files.hpp"
#include "model/plan_options.hpp"
#include "model/profile/intent.hpp"
#include "model/program/program_file.hpp"
#include "model/time_window.hpp"
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

struct Aggregates;
struct FoldErrors;
struct IterationSection;
struct LikeSection;
struct Messages;
struct ProgramProfiles;

struct TraceSection {
  std::string anchor;  // absolute path
  std::uint64_t locations = 0, events = 0;
  // That the processes of the plan send, and filters leave; none where no reading has told it.
  std::optional<std::uint64_t> messages = {};
  std::uint64_t ticks_per_second = 0;
  TraceIdentity identity;
};

// Which events and processes count. Applied when events are read.
struct FilterSection {
  std::vector<std::string> drop, keep;  // globs of function names; `keep` empty keeps all
  std::string locations;                // ranges of location ids; empty: all
  std::optional<TimeWindow> time = {};  // of one section at most

  bool operator==(const FilterSection&) const = default;
};

// One process as the plan knows it.
struct Process {
  std::uint64_t id = 0;  // location id
  std::string name;
  std::uint64_t location_group = 0;
  std::string location_group_name;
  std::optional<std::uint64_t> creator;  // location group that created its own, as of a stream
  std::optional<std::uint64_t> rank;  // in MPI, of its process; of a reduced trace: in the original
  std::uint64_t thread = 0;  // place among the locations of its owner; as `rank` in the original
  bool is_mpi_endpoint = false;  // MPI's ranks mean this location
  std::uint64_t weight = 1;      // processes that it stands for already
  bool has_messages = false;     // sends or receives messages
  bool damaged = false;
  std::uint64_t events = 0;
  std::uint32_t intent = 0;
  std::vector<std::uint64_t> exclusive;  // ticks, of the functions that the intent lists
  std::uint64_t rest = 0;                // ticks of all others

  // What it is a thread of: its rank in MPI, or where it has none (false) its location group.
  // Several ranks may share a location group.
  std::pair<bool, std::uint64_t> owner() const {
    return {rank.has_value(), rank.value_or(location_group)};
  }
};

struct PlanIntent {
  Intent set;
  std::vector<FunctionIndex> functions;  // at most 32, those with the most time
};

// The clusters that a group of processes with equal signatures stands for.
struct SignatureClusters {
  std::uint32_t main = 0, sub = 0;  // numbered over the whole program
  std::string ranks = {};           // a list of those in the first original

  bool operator==(const SignatureClusters&) const = default;
};

struct Group {
  std::vector<std::size_t> members;    // indexes into Plan::processes, ascending
  std::vector<std::uint32_t> intents;  // of the members, ascending
  std::vector<double> similarity;  // to each group, Jaccard over what is compared, average weighted
                                   // by processes; empty where there are very many groups
  std::optional<SignatureClusters> clusters = {};  // where signatures were compared, of ranks
  // What sets the members apart, in words: "inside of the grid"; empty where nothing does.
  std::string name = {};
  // The sets of equal processes that a threshold below 1 has merged: the members of each,
  // ascending, ordered by the first of them. Empty where all members are equal.
  std::vector<std::vector<std::size_t>> merged = {};
};

struct Representative {
  std::uint32_t group = 0;
  std::size_t process = 0;           // index into Plan::processes
  std::vector<std::size_t> members;  // ascending; of one group, and of no other representative
  std::string why;
};

// What else shapes a written trace, in a plan that was written beside one.
struct WriteSection {
  std::string version;              // of the program that wrote
  bool keep_ids = false;            // locations keep their ids
  bool plain_names = false;         // names do not get the counts of what stands behind them
  std::uint64_t most_profiles = 0;  // bytes that tracefold.profiles may take; 0: it is not made
  bool member_metrics = false;      // processes that stand for others record how these differ
  bool draws_messages = true;       // records of messages stay where both of their ends do
  TreeChoice tree = TreeChoice::machine;  // what the system tree shows

  bool operator==(const WriteSection&) const = default;
};

// What is known of a trace, and what is chosen of it. Each stage adds its part.
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
  std::vector<Function> functions;
  std::vector<PlanIntent> intents;
  std::vector<Process> processes;  // ascending by id; empty before `group`
  // The grid that all ranks of the program form, as who sends to whom proposes it: row by row, the
  // slowest axis first. Empty where no grid and no ring is proposed, or messages are not known.
  std::vector<GridAxis> grid;
  std::optional<std::vector<Group>> groups;
  double threshold = 1;
  Comparison comparison;
  std::vector<FunctionIndex> ignored;  // ascending: the functions that the comparison leaves out
  std::optional<Selection> selection;
  std::optional<std::vector<Representative>> representatives;
  // Where groups and representatives are those of another run; null: they are not.
  std::shared_ptr<const LikeSection> like;
  std::optional<HaloSection> halo;                     // none: nobody was asked for
  std::shared_ptr<const IterationSection> iterations;  // null: they were not looked for
  std::shared_ptr<const FoldErrors> errors;            // what folding costs; null: not measured
  std::shared_ptr<const Aggregates> aggregates;        // of kept processes; null: there are none
  std::shared_ptr<const Messages> messages;  // of the whole trace; null: they were not kept
  // What every process does, of a plan that a trace is to be written by; null: it is not kept.
  std::shared_ptr<const ProgramProfiles> program;
  // The same of a trace that was reduced before: as it was stored then.
  std::shared_ptr<const PackedProgram> carried_program;
  std::optional<ProgramFile> program_file;  // beside a written trace that keeps it
  std::optional<WriteSection> write;        // none: this plan is beside no written trace
  bool lacks_profiles = false;  // as the plan beside a written trace: see leave_out_profiles
};

// The ids of processes, given as ascending indexes, as "0-6:2,9"; and how many they
// are, with those that they stand for.
std::string format_ids(const Plan& plan, const std::vector<std::size_t>& processes);
std::uint64_t count_processes(const Plan& plan, const std::vector<std::size_t>& processes);
// Their ranks in MPI, each once, as a list of ranks: "1 0 4 1".
std::string write_rank_list(const Plan& plan, const std::vector<std::size_t>& processes);

// The plan as it is put beside a written trace: who is in which group and who stands for whom, but
// not what each process of the original does, which takes more room than a small trace. It has no
// intents, profiles and similarities. Functions that nothing else names are left out, too; what
// names the others has their new indexes.
Plan leave_out_profiles(Plan plan);

// Whether any of the filters leaves out anything.
bool leave_out_anything(const std::vector<FilterSection>& filters);
// The window in time among the filters; null where there is none.
const TimeWindow* find_window(const std::vector<FilterSection>& filters);
// The same filters without all that is no window.
std::vector<FilterSection> keep_windows(const std::vector<FilterSection>& filters);

// All processes of the plan, as indexes.
std::vector<std::size_t> list_processes(const Plan& plan);

// The representatives, or every process where none were chosen: indexes, ascending.
std::vector<std::size_t> kept_processes(const Plan& plan);

// Whether any iteration of the plan is one that another stands for.
bool folds_iterations(const Plan& plan);

// Ticks of the trace's clock in seconds. Where the trace has no clock, a tick is a nanosecond.
double to_seconds(const Plan& plan, std::uint64_t ticks);
double to_seconds(const Plan& plan, double ticks);

// Of the way in which plans are written. Plans of other versions are refused.
inline constexpr int plan_version = 2;

// JSON with ids as strings. Equal plans give equal text.
std::string to_json(const Plan& plan);
// The same in pieces, which put(text) gets one after the other: so the text of many processes is
// never there as a whole.
void write_json(const Plan& plan, const std::function<void(std::string text)>& put);
// As it stands beside a trace.
PlanFiles make_plan_files(const Plan& plan);

// Throws Error(input) where the text is no plan or refers to what it does not hold. What it keeps
// in a packed file is read from `folder`; without one such a plan is refused.
Plan plan_from_json(const std::string& text,
                    const std::optional<std::filesystem::path>& folder = std::nullopt);

}  // namespace tracefold
