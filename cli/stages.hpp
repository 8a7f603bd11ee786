// The stages that several commands run, each one call of the library: with this
// session's way to read, its warnings, and a line with --verbose on what it did.
//
//   open → profile → group → select → fold iterations → write
#pragma once

#include "cli/options.hpp"
#include "cli/session.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::cli {

// A plan, and the archive that it is about where it was opened.
struct Opened {
  std::optional<Archive> archive;
  Plan plan;
  std::optional<Communication> communication;  // of the whole trace, where it was asked for
  std::optional<CollectedCalls> calls;         // what folding iterations needs, where it was read
};

inline constexpr const char* anchor_hint = "give the anchor of a trace, as app/traces.otf2";

// Throws Error(input) where the file is a plan.
void refuse_plan(const std::string& trace, const std::string& hint = anchor_hint);

// The trace with this name. Throws Error(input), also where it is a plan, with a hint on that.
Archive open_trace(Session& session, const std::string& trace,
                   const std::string& hint = anchor_hint);

// What a plan is read for: a plan beside a written trace is enough to write that again.
enum class PlanUse { any, write };

// A new plan of the trace with this name, whatever is on stdin; where it is "" or "-", the plan on
// stdin, whose trace is opened only where the stage reads it. Throws Error, also where that trace
// is no longer what it was when the plan was made, and where the plan is not enough for its use.
Opened open(Session& session, const std::string& trace, bool reads_trace,
            PlanUse use = PlanUse::any);

// Reads the trace, which is open, where the plan holds no profiles yet, or where operations are
// asked for and were not recorded. Of a trace that was reduced before only profiles are read.
void profile_plan(Session& session, Opened& opened, AlsoRecord also = {});

// Opens a plan with profiles: one that has them is taken without opening its trace.
Opened open_profiles(Session& session, const std::string& trace, AlsoRecord also = {});

// Opens a plan with groups: its own, or new ones where it has none or `anew` says so.
Opened open_groups(Session& session, const std::string& trace, const GroupOptions& options,
                   bool anew = false);

// How the processes of a plan are compared, with what the options change. Warns of
// patterns that match nothing.
Comparison choose_comparison(Session& session, const Plan& plan, const ComparisonOptions& options);

// Groups the processes of a plan that has profiles, whatever groups it had. Where signatures are
// compared and operations were not recorded, the trace is read for them; of a trace that was
// reduced before, the messages are taken that were kept then. Throws Error(usage) where the
// options contradict each other, Error(input) where messages are not to be had.
void group_plan(Session& session, Opened& opened, const GroupOptions& options);
// What has to be recorded for that, and for messages where they are kept.
AlsoRecord choose_records(const GroupOptions& options, bool keeps_messages = false);

// Puts the messages that were recorded into the plan, or those that were kept when the trace was
// reduced before. Where they are not asked for in so many words and take very much, they are left
// out, with a note.
void keep_messages(Session& session, Opened& opened, bool asked);

// The messages of the whole program: those of the plan, those that were kept when the trace was
// reduced before, or else what is read now. The archive has to be open. Throws Error(input) where
// there are none.
const Messages& find_messages(Session& session, Opened& opened);

// Where a plan has very many groups, notes how many a lower threshold would leave.
void note_effect_of_merging(Session& session, const Plan& plan);

// Finds the iterations of the kept processes, and chooses those that stay.
void fold_plan(Session& session, Opened& opened, const FoldOptions& options);

// Throws Error(usage or output) where `rewrite` would refuse the output in any case.
void check_output(const OutputOptions& options);
RewriteSummary write_plan(Session& session, const Archive& archive, const Plan& plan,
                          const OutputOptions& options);

// Prints the plan, or what is asked for instead: its table is the default on a terminal.
void print_plan(const Session& session, const Plan& plan, const std::optional<Format>& format,
                const std::string& table, const std::string& csv);

// Puts a drawing where the options say, and notes where `what` is now.
void put_drawing(const Session& session, const DrawingOptions& options, const std::string& svg,
                 const std::string& what);

}  // namespace tracefold::cli
