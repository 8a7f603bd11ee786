#include "pipeline/reduce/reduce.hpp"

#include "base/pending.hpp"
#include "base/publish.hpp"
#include "base/sort_and_unite.hpp"
#include "base/team.hpp"
#include "base/text.hpp"
#include "filters/messages/sum_matrix.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/messages/messages.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/facts/measure_fold.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/iterations/stored_folds.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/info.hpp"
#include "pipeline/reduce/choose_rows.hpp"
#include "pipeline/reduce/find_size.hpp"
#include "pipeline/reduce/fold_plan.hpp"
#include "pipeline/reduce/like_run.hpp"
#include "pipeline/reduce/original_ids.hpp"
#include "pipeline/rewrite/estimate.hpp"
#include "pipeline/rewrite/find_halo.hpp"
#include "pipeline/rewrite/publish_archive.hpp"
#include "pipeline/rewrite/write_trace.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace tracefold {

namespace {

// What is stored of all processes stays for those that are left, where it has room. What they would
// have done without some functions does not follow from it.
void carry_program(PlanSession& session, std::uint64_t most_bytes) {
  auto& plan = session.plan();
  const auto stored = read_packed_program(
      session.archive(), list_left_locations(session.archive(), plan), session.diagnostics());
  if (!stored)
    return;
  if (leave_out_functions(plan.filters))
    session.diagnostics().note(fmt::format(
        "{} is not written: functions are left out now, and it does not tell what all processes of "
        "the original did without them",
        profiles_name));
  else if (stored->bytes.size() > most_bytes)
    session.diagnostics().note(fmt::format("{} is not written: it takes {} bytes, and may take {}",
                                           profiles_name, group_digits(stored->bytes.size()),
                                           group_digits(most_bytes)));
  else
    plan.carried_program = stored;
}

// The same for a plan that was beside a written trace, which lacks what profiling finds: ranks,
// threads, numbers of events, and what is recorded where nothing is called.
void record_profiled(PlanSession& session, const std::optional<FoldOptions>& folding,
                     RecordProgram record) {
  const auto& context = session.context();
  auto profiled = session.plan();
  std::optional<CollectedCalls> calls;
  add_profiles(profiled, session.archive(), context.read_as("profile"), session.diagnostics(),
               choose_extras({}, KeepMessages::no, folding, record), &calls);
  record_program(session.archive(), profiled, folding, record, context.read_as("sum"),
                 session.diagnostics(), calls ? &*calls : nullptr);

  auto& plan = session.plan();
  plan.program = std::move(profiled.program);
  plan.trace.run = profiled.trace.run;
  for (std::size_t p = 0; p < plan.processes.size(); ++p) {
    const auto& from = profiled.processes[p];
    auto& process = plan.processes[p];
    process.rank = from.rank;
    process.thread = from.thread;
    process.creator = from.creator;
    process.is_mpi_endpoint = from.is_mpi_endpoint;
    process.events = from.events;
  }
}

// And what is measured by it.
void forget_program(Plan& plan) {
  plan.program.reset();
  plan.errors.reset();
}

RecordProgram choose_to_record(PlanSession& session, const OutputOptions& options) {
  const auto& archive = session.archive();
  return choose_record(
      archive, choose_most_profiles(archive, options.rewrite, session.context().reading.team),
      options.rewrite.member_metrics);
}

// Messages of all processes of the plan; of a trace that was reduced before, those of the original.
std::optional<std::uint64_t> find_sends(PlanSession& session) {
  if (const auto sent = session.plan().trace.messages; sent && is_whole(session.archive().facts()))
    return sent;
  const auto& messages = session.plan().messages;
  return messages && messages->complete ? std::optional(sum_messages(*messages)) : std::nullopt;
}

// What was collected of calls is needed where the same session writes once more.
enum class Collected : bool { forget, keep };

// Leaves the session without its plan.
Reduction rewrite_plan(PlanSession& session, const OutputOptions& options,
                       Collected collected = Collected::forget) {
  const auto& archive = session.archive();
  carry_folds(archive, session.plan());
  auto* const team = session.context().reading.team;
  complete_program(session, choose_most_profiles(archive, options.rewrite, team),
                   options.rewrite.member_metrics);
  if (collected == Collected::forget)
    session.forget_calls();
  Reduction made;
  made.sends = find_sends(session);
  made.draws_messages = options.rewrite.draws_messages;
  if (options.view)
    session.plan().messages.reset();
  find_halo(archive, session.plan(), session.context().read_as("halo"));
  const auto reading = session.context().read_as("rewrite");
  auto& diagnostics = session.diagnostics();
  if (options.dry_run)
    made.after = estimate_rewrite(archive, session.plan(), options.view, options.rewrite, reading,
                                  diagnostics);
  else if (options.view)
    made.after = rewrite_as_view(archive, session.plan(), *options.view, options.folder,
                                 options.rewrite, reading, diagnostics);
  else
    made.after =
        rewrite(archive, session.plan(), options.folder, options.rewrite, reading, diagnostics);
  if (made.after.left_out_halo) {
    session.plan().halo.reset();
    diagnostics.note("there is no halo: with it, the result was larger than the original");
  }
  const auto& tar = options.rewrite.tar;
  if (!options.dry_run && !(tar && tar->stream))
    made.folder = options.folder;
  made.locations = archive.definitions().locations().size();
  made.bytes = compute_once<std::uint64_t>(team, [&] {
    return archive.bytes() + (was_reduced(archive) ? measure_files_beside(archive) : 0);
  });
  made.events = session.plan().trace.events + count_halo_events(archive.definitions());
  made.reasons = session.find_known_reasons();
  made.plan = std::move(session.plan());

  return made;
}

}  // namespace

RecordProgram choose_record(const Archive& archive, std::uint64_t most_profiles,
                            bool member_metrics) {
  if (most_profiles == 0 || was_reduced(archive))
    return RecordProgram::no;
  return member_metrics ? RecordProgram::with_members : RecordProgram::for_file;
}

void complete_program(PlanSession& session, std::uint64_t most_bytes, bool member_metrics) {
  auto& plan = session.plan();
  const bool leaves_out =
      kept_processes(plan).size() < plan.processes.size() || folds_iterations(plan);
  const bool is_wanted = most_bytes > 0;
  if (was_reduced(session.archive())) {
    forget_program(plan);
    if (is_wanted)
      carry_program(session, most_bytes);
    return;
  }
  if (!is_wanted || !leaves_out) {
    forget_program(plan);
    return;
  }
  if (plan.program)
    return;

  const auto folding =
      plan.iterations ? std::optional(list_options(*plan.iterations)) : std::nullopt;
  const auto record = choose_record(session.archive(), most_bytes, member_metrics);
  if (plan.lacks_profiles) {
    record_profiled(session, folding, record);
  } else {
    session.require_calls(folding);
    record_program(session.archive(), plan, folding, record, session.context().read_as("sum"),
                   session.diagnostics(),
                   &session.collect_calls(folding ? folding->asked : AskedIterations{}));
  }
  if (has_calls(*plan.program))
    plan.errors = std::make_shared<const FoldErrors>(
        measure_fold(plan, *plan.program, plan.iterations.get(), session.context().reading.team));
}

void ask_for_halo(Plan& plan, const HaloOptions& options) {
  plan.halo.reset();
  if (options.most_per_process > 0)
    plan.halo = HaloSection{options, {}};
}

void check_output(const OutputOptions& options) {
  if (options.dry_run)
    return;
  if (options.folder.empty())
    throw Error(ErrorKind::usage, "no output is given");
  const auto& rewrite = options.rewrite;
  if (rewrite.tar)
    check_tar_output(options.folder, *rewrite.tar, rewrite.force);
  else if (options.view)
    check_file_output(options.folder, rewrite.force);
  else
    check_folder_output(options.folder, rewrite.force);
}

namespace {

Reduction reduce_like(PlanSession session, const ReduceOptions& options, RecordProgram record) {
  if (was_reduced(session.archive()))
    throw Error(ErrorKind::usage, "was reduced before, and cannot be made like another run")
        .in(session.plan().trace.anchor)
        .hint("take the original");

  auto run = read_like_run(options.like, session.context());
  if (!options.folding)
    run.folding.reset();
  session.make_groups(list_grouping(run.plan), options.messages, run.folding, record);
  const auto groups = session.group_like(run);
  auto selection = run.plan.selection.value_or(Selection{});
  selection.always.clear();  // these are ids of the other run
  session.select(selection, options.halo);
  select_like(session.plan(), run, groups);
  if (run.folding)
    fold_like(session, run, record);

  return rewrite_plan(session, options.output);
}

// Folds iterations of the processes that were selected, and writes.
Reduction fold_and_write(PlanSession& session, const std::optional<FoldOptions>& folding,
                         RecordProgram record, const OutputOptions& output,
                         Collected collected = Collected::forget) {
  if (folding)
    fold_plan(session, *folding, record);
  return rewrite_plan(session, output, collected);
}

// A hidden folder, in which a trace is written to see how large it is.
class Trial {
 public:
  Trial(const OutputOptions& output, Team* team) : output_(output) {
    const auto beside = [&] {
      if (output.dry_run || output.folder.empty() ||
          (output.rewrite.tar && output.rewrite.tar->stream))
        return std::filesystem::temp_directory_path() / "size";
      return std::filesystem::absolute(output.folder);
    };
    const auto folder = compute_once<std::string>(team, [&] {
      pending_ = std::make_unique<Pending>(beside(), PendingKind::folder);
      return pending_->path().string();
    });
    output_.folder = std::filesystem::path(folder) / "small";
    output_.dry_run = false;
    output_.rewrite.force = true;
    if (output_.rewrite.tar)
      output_.rewrite.tar->stream.reset();
  }

  const OutputOptions& output() const { return output_; }

 private:
  OutputOptions output_;
  std::unique_ptr<Pending> pending_;  // at the first member of a team
};

// As many rows as fit; where not even the fewest do, fewer iterations.
Reduction write_so_many_bytes(PlanSession& session, ChosenRows& rows, const ReduceOptions& options,
                              RecordProgram record) {
  const auto bytes = options.to->bytes;
  auto folding = options.folding;
  {
    const Trial trial(options.output, session.context().reading.team);
    const auto measure = [&](std::size_t number) {
      rows.fit(number);
      return fold_and_write(session, folding, record, trial.output(), Collected::keep).after.bytes;
    };
    std::uint64_t smallest = 0;
    auto found = find_size(rows.least(), rows.groups(), rows.most(), bytes, measure, smallest);
    while (!found && folding && folding->max_clusters > 1) {
      folding->max_clusters = (folding->max_clusters + 1) / 2;
      if (const auto now = measure(rows.least()); now <= bytes)
        found = NumberSize{rows.least(), now};
      else
        smallest = std::min(smallest, now);
    }
    if (!found)
      throw Error(ErrorKind::no, fmt::format("`to` {}: it takes {} at least", format_bytes(bytes),
                                             format_bytes(smallest)))
          .hint("nothing was written");
    rows.fit(found->number);
  }
  return fold_and_write(session, folding, record, options.output);
}

}  // namespace

Reduction reduce(PlanSession session, const ReduceOptions& options) {
  decide_once(session.context().reading.team, [&] { check_output(options.output); });
  const auto record = choose_to_record(session, options.output);
  auto folding = options.folding;
  auto selection = options.selection;
  if ((options.to || options.accuracy) && options.output.rewrite.most_profiles == 0)
    throw Error(ErrorKind::usage,
                "`to` and `accuracy` compare the profiles of all processes, and `profiles` off "
                "records none");

  if (!options.like.empty())
    return reduce_like(std::move(session), options, record);

  session.make_groups(options.grouping, options.messages, folding, record);
  for (auto id : find_listed_in(session, options.always))
    selection.always.push_back(id);
  sort_and_unite(selection.always);

  std::size_t lost_calls = 0;
  if (options.to || options.accuracy) {
    ChosenRows rows(session, selection, options.halo);
    if (options.to && options.to->bytes > 0) {
      auto made = write_so_many_bytes(session, rows, options, record);
      made.lost_calls = rows.lost().calls;
      return made;
    }
    if (options.to)
      rows.fit(options.to->rows);
    else
      rows.reach(*options.accuracy);
    lost_calls = rows.lost().calls;
  } else {
    session.select(selection, options.halo);
  }
  if (folding)
    folding->accuracy = options.accuracy;
  auto made = fold_and_write(session, folding, record, options.output);
  if (!options.to && !options.accuracy && !options.output.view && made.after.bytes > made.bytes / 2)
    made.fewer = find_fewer_rows(session.archive(), made.plan, made.after.bytes,
                                 session.context().reading.team);
  made.lost_calls = lost_calls;
  return made;
}

Reduction reduce(std::shared_ptr<const Archive> archive, const ReduceOptions& options,
                 const Context& context) {
  return reduce(PlanSession(std::move(archive), context), options);
}

namespace {

// All processes and iterations stay, each for itself.
void forget_folding(Plan& plan) {
  plan.selection.reset();
  plan.representatives.reset();
  plan.halo.reset();
  plan.iterations.reset();
  plan.errors.reset();
}

}  // namespace

Reduction write(PlanSession session, const WriteOptions& options) {
  decide_once(session.context().reading.team, [&] { check_output(options.output); });
  auto& plan = session.plan();
  auto& diagnostics = session.diagnostics();
  const bool has_halo = !find_halo_locations(session.archive().definitions()).empty();
  const bool shows_groups = options.output.rewrite.tree == TreeChoice::groups;
  if (!options.folds)
    forget_folding(plan);
  const bool keeps_all = plan.processes.empty() && plan.filters.empty() &&
                         !session.context().reading.partial && !options.folding && !has_halo &&
                         !options.stores_messages && !shows_groups;
  if (options.stores_messages)
    session.store_messages();
  if (keeps_all)
    diagnostics.note(
        "every process stays: a trace was given, and no plan; 'reduce' chooses processes");
  else
    session.profile();

  if (plan.groups && !plan.representatives && options.folds)
    diagnostics.warn(
        "the plan chooses no representatives, and every process stays: run 'select' before "
        "'write'");
  if (options.halo)
    ask_for_halo(plan, *options.halo);
  else if (has_halo && !plan.representatives)
    ask_for_halo(plan, {HaloOptions::no_limit, false});
  if (options.drops_messages)
    plan.messages.reset();
  else if (!plan.messages && was_reduced(session.archive()))
    plan.messages = read_stored_messages(session.archive());
  if (options.keeps_iterations)
    plan.iterations.reset();

  if (options.folding || shows_groups)
    session.require_groups();
  if (options.folding)
    fold_plan(session, *options.folding, choose_to_record(session, options.output));

  const bool is_original = is_whole(session.archive().facts());
  auto made = rewrite_plan(session, options.output);
  if (keeps_all) {
    made.plan.trace.events = made.after.read;
    if (is_original)
      made.sends = made.after.sends + count_sends(made.after.cut);
  }

  return made;
}

}  // namespace tracefold
