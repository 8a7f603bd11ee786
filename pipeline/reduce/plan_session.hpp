// A plan on its way through the stages, and the trace that it is about: what all commands share.
//
//   open → profile → group → keep messages → select → fold iterations → write
//
// The reading that profiles a trace records what later stages need as well: choose_extras() says
// what that is. A stage that does not find it reads the trace once more.
//
// One thread, which uses others. The context has to stay.
#pragma once

#include "filters/groups/group_like.hpp"
#include "model/groups/group_reasons.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/messages/communication.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "pipeline/context.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// Whether a file that begins so is a plan; as many bytes are enough to tell.
inline constexpr std::size_t longest_plan_begin = 64;
bool begins_as_plan(std::string_view begin);
// The same of a file; false where it cannot be read.
bool is_plan_file(const std::string& file);

// The trace with this anchor file, or in this file of tar (pipeline/streams/packed_trace.hpp).
// Throws Error(input), also where the file is a plan; the hint is for that.
std::shared_ptr<const Archive> open_trace(
    const std::string& anchor, Diagnostics& diagnostics,
    const std::string& hint = "give the anchor of a trace, as app/traces.otf2");

// What a plan is read for: a plan beside a written trace is enough to write that again, and with
// the file of profiles there to choose other representatives.
enum class PlanUse : std::uint8_t { any, write, select };

// Whether the plan keeps the messages of the whole program.
enum class KeepMessages : std::uint8_t {
  no,
  where_small,  // unless they take very much
  yes
};

// What the reading that profiles a trace records for the stages with these options.
ProfileExtras choose_extras(const GroupOptions& grouping, KeepMessages messages = KeepMessages::no,
                            const std::optional<FoldOptions>& folding = std::nullopt,
                            RecordProgram record = RecordProgram::no);

// The same where nothing but loops is asked for, and folded or not.
ProfileExtras choose_extras_for_iterations(const FoldOptions& folding, bool folds);

// How the processes of a plan are compared, with what the options change. Warns of patterns that
// match nothing.
Comparison choose_comparison(const Plan& plan, const ComparisonOptions& options,
                             Diagnostics& diagnostics);

struct MapOptions;
struct ProgramPlaces;
struct RankMessages;
struct RankPairs;
struct WholeProgram;

class PlanSession {
 public:
  // A new plan of a trace.
  PlanSession(std::shared_ptr<const Archive> archive, const Context& context);
  // A plan that was made before. Throws Error(input) where it does not hold enough for its use.
  PlanSession(Plan plan, PlanUse use, const Context& context);

  Plan& plan() { return plan_; }
  const Plan& plan() const { return plan_; }
  const Context& context() const { return *context_; }
  Diagnostics& diagnostics() const { return context_->diagnostics; }
  // Opens the trace where that was not done yet, and looks at it for a window in time that the
  // filters have. Throws Error(input) where it cannot be read, or is no longer what it was when the
  // plan was made, and what look_at_window() does.
  const Archive& archive();
  // The same for another session of the trace.
  std::shared_ptr<const Archive> share_archive();

  // For questions, not for stages: where nothing is in the plan yet, and the trace was reduced and
  // keeps what is needed of all processes of the original, the plan becomes one of these, and a
  // note says how exact it is.
  void ask_for_all();
  // The same for a map, where what it shows is kept.
  void ask_for_map(const MapOptions& map);
  // Null where that is not known, or was not asked for.
  const WholeProgram* program() const { return program_.get(); }

  // Reads the trace where the plan has no profiles yet, or where operations are asked for that were
  // not recorded. Of a trace that was reduced before only profiles are read.
  void profile(ProfileExtras extras = {});

  // Groups the processes of a plan that has profiles, whatever groups it had. Where signatures are
  // compared, the messages of a trace that was reduced before are those that were kept then.
  // Throws Error(usage) where the options contradict each other, Error(input) where messages are
  // not to be had.
  void group(const GroupOptions& options);
  // From now on group() throws Error(usage) where a pattern matches nothing, which else is a
  // warning: the plan holds it.
  void require_matches() { must_match_ = true; }
  bool requires_matches() const { return must_match_; }
  // The same where the plan has no groups, or where anything is asked of them.
  void require_groups(const GroupOptions& options = {});

  // The stage `group`: profiles, groups, and the messages of the whole program in the plan. Where
  // these are not to be had, or not kept since they take very much, a note says so; where there are
  // very many groups, another one how many a lower threshold would leave.
  void make_groups(const GroupOptions& options, KeepMessages messages,
                   const std::optional<FoldOptions>& folding = std::nullopt,
                   RecordProgram record = RecordProgram::no);

  // Replaces the groups by those of another run (filters/groups/group_like.hpp), made by the
  // options of which the plan has groups already.
  GroupsOfRun group_like(const LikeRun& run);
  // Replaces the groups by those that a plan of the same trace has taken from another run, and says
  // as it does where these do not fit. Nothing where it has other processes.
  void group_as(const Plan& plan);

  // Why the groups of the plan are apart, without shares of time. Where signatures were compared,
  // it may read the trace for that.
  std::vector<GroupReason> explain_groups();
  // The same as far as it is known without another reading, and where there are not very many
  // groups; else nothing.
  std::vector<GroupReason> find_known_reasons() const;

  // Puts the messages that were recorded, or kept when the trace was reduced before, into the plan.
  void keep_messages(KeepMessages messages);
  // Stores them where the plan does not yet, and reads the trace for that.
  void store_messages();

  // The messages between all ranks of the whole program where a choice depends on them, else none.
  // Throws Error(input) where they are not known.
  std::vector<RankMessages> find_rank_messages(Choice choice);
  // Chooses representatives; as connected ones by the messages of the whole program. Asks for this
  // halo. Throws Error(usage) as select() does, Error(input) where these messages are not known.
  void select(const Selection& selection, const HaloOptions& halo);

  // The operations of all ranks, where an earlier reading recorded them, or they were kept when the
  // trace was reduced before; else null. Throws Error(input) where what was kept cannot be read.
  const Communication* find_known_communication();
  // The same, or else what is read now. Throws Error(input) where there are none.
  const Communication& find_communication();
  // The messages of the whole program: those of the plan, those that were kept when the trace was
  // reduced before, or else what is read now. Throws Error(input) where there are none.
  const Messages& find_messages();

  // Who sends messages to whom and waits for whom, of all ranks of the program: reads the trace,
  // or, where it was reduced before, what it keeps of all processes, and a note says how exact that
  // is. Throws Error(input) where that is not known.
  RankPairs find_pairs();

  // Where the processes of the program are: the grid of ranks, and nodes. As far as the trace is
  // there.
  ProgramPlaces find_places() const;

  // What folding these iterations needs, as far as any reading has told it; what passes over
  // iterations find is put there, too.
  CollectedCalls& collect_calls(const AskedIterations& asked);
  // Reads all processes for what recording them takes, where no reading has collected it.
  void require_calls(const std::optional<FoldOptions>& folding);
  void forget_calls() { calls_ = {}; }

 private:
  void keep_whole_program(std::shared_ptr<const WholeProgram> program);
  void open();
  std::shared_ptr<const Messages> make_messages();
  void note_effect_of_merging() const;

  const Context* context_;
  std::shared_ptr<const Archive> archive_;  // null: not opened
  Plan plan_;
  std::shared_ptr<const WholeProgram> program_;
  std::optional<Communication> communication_;  // of the whole trace
  std::vector<GroupReason> reasons_;            // of groups by signature
  CollectedCalls calls_;
  bool must_match_ = false;
};

}  // namespace tracefold
