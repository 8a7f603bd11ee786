#include "pipeline/reduce/plan_session.hpp"

#include "base/read_file.hpp"
#include "base/sort_and_unite.hpp"
#include "base/tar_reader.hpp"
#include "base/text.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/explain_groups.hpp"
#include "filters/groups/group.hpp"
#include "filters/groups/lonely_ranks.hpp"
#include "filters/groups/select.hpp"
#include "filters/messages/fold_messages.hpp"
#include "filters/messages/sum_matrix.hpp"
#include "model/messages/early_messages.hpp"
#include "model/profile/time_metric.hpp"
#include "pipeline/archives/as_one.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/shared_identity.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/iterations/program_map.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/messages/record_operations.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/program_places.hpp"
#include "pipeline/streams/packed_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace tracefold {

namespace {

std::string describe_identity(const TraceIdentity& identity) {
  return fmt::format("{} bytes, sha256 {:.12}", identity.size, identity.sha256);
}

std::string read_begin(const std::string& file) {
  return read_file_begin(file, std::max(longest_plan_begin, longest_tar_begin));
}

// Unpacked where it is packed.
std::shared_ptr<const Archive> open_archive(const std::string& file, const std::string& begin,
                                            Diagnostics& diagnostics) {
  if (is_packed_trace(file, begin))
    return open_packed_trace(file, diagnostics);
  return std::make_shared<const Archive>(file, diagnostics);
}

// The trace of a plan.
std::shared_ptr<const Archive> open_archive(const TraceSection& trace, Diagnostics& diagnostics) {
  if (!trace.parts.empty())
    return open_as_one(trace.anchor, trace.parts, diagnostics);
  return open_archive(trace.anchor, read_begin(trace.anchor), diagnostics);
}

bool has_profiles(const Plan& plan) {
  return !plan.processes.empty() || plan.groups;
}

[[noreturn]] void throw_no_messages(const Plan& plan) {
  throw Error(ErrorKind::input, "was reduced before, and keeps no messages beside it")
      .in(plan.trace.anchor)
      .hint("take the original, or reduce it with `messages` stored");
}

// The messages of a matrix whose rows are ranks, in both directions.
std::vector<RankMessages> list_rank_messages(const MessageMatrix& matrix) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sums;
  for (const auto& part : matrix.parts)
    for (const auto& cell : part.cells)
      if (cell.to != unknown_row)
        sums[std::minmax(cell.from, cell.to)] += cell.messages;

  std::vector<RankMessages> list;
  for (const auto& [ranks, messages] : sums)
    list.push_back({ranks.first, ranks.second, messages});
  return list;
}

void check_waits(const MetricColumns& columns, const std::vector<ProgramPair>& pairs,
                 const Plan& plan) {
  const bool knows_messages =
      columns.find(Metric::mpi_late_sender_time) || columns.find(Metric::mpi_late_receiver_time);
  if (columns.list_waits().empty() || (!knows_messages && !pairs.empty()))
    throw Error(ErrorKind::input, "who waits for whom is not known").in(plan.trace.anchor);
}

// Kinds of collective operations that are called, and in which it is not known how long processes
// wait.
std::vector<Metric> list_unknown_collectives(const Aggregates& calls) {
  const auto is_called = [&](Metric wait) {
    return std::any_of(calls.profiles.paths.begin(), calls.profiles.paths.end(),
                       [&](const CallPath& path) {
                         return calls.time_metrics[path.function] == get_entry(wait).parent;
                       });
  };
  std::vector<Metric> unknown;
  for (auto wait : waiting_metrics)
    if (is_collective_wait(wait) && !calls.profiles.columns.find(wait) && is_called(wait))
      unknown.push_back(wait);
  return unknown;
}

void check_clocks(std::uint64_t early, const std::vector<ProgramPair>& pairs, const Plan& plan) {
  const auto messages = find_early_messages(early, pairs);
  if (!messages.are_few())
    throw Error(ErrorKind::input,
                describe_early_messages(messages) + ": who waits for whom is not known")
        .in(plan.trace.anchor);
}

// What is stored of all processes, of those that a plan's filters leave; null where it is not known
// of them. Throws Error(input) with why it cannot be read.
std::shared_ptr<const StoredProgram> read_left_program(const Archive& archive, const Plan& plan,
                                                       Diagnostics& diagnostics) {
  Diagnostics here;
  auto found = read_stored_program(archive, list_left_locations(archive, plan), here);
  diagnostics.add_collected(here.collected());
  if (!found && !here.warnings().empty())
    throw Error(ErrorKind::input, here.warnings().front())
        .in(plan.trace.anchor)
        .hint("take the original");
  return found;
}

// Bytes of JSON.
constexpr std::uint64_t most_unasked_messages = std::uint64_t{64} << 20;
constexpr auto no_bound_of_messages = std::numeric_limits<std::uint64_t>::max();

}  // namespace

bool begins_as_plan(std::string_view begin) {
  return begin.find("\"tracefold_plan\"") != std::string_view::npos;
}

bool is_plan_file(const std::string& file) {
  return begins_as_plan(read_begin(file).substr(0, longest_plan_begin));
}

std::shared_ptr<const Archive> open_trace(const std::string& anchor, Diagnostics& diagnostics,
                                          const std::string& hint) {
  if (anchor == "-")
    throw Error(ErrorKind::usage, "-: only reduce reads a trace from stdin")
        .hint("name the file of the tar");
  const auto begin = read_begin(anchor);
  if (begins_as_plan(begin.substr(0, longest_plan_begin)))
    throw Error(ErrorKind::input, "is a plan, not a trace").in(anchor).hint(hint);

  return open_archive(anchor, begin, diagnostics);
}

ProfileExtras choose_extras(const GroupOptions& grouping, KeepMessages messages,
                            const std::optional<FoldOptions>& folding, RecordProgram record) {
  ProfileExtras extras;
  if (messages != KeepMessages::no)
    extras.operations = RecordOperations::with_gaps;
  else if (grouping.comparison.by == CompareBy::signature)
    extras.operations = RecordOperations::yes;

  if (record != RecordProgram::no || folding)
    extras.calls = {RecordWaits::all, folding.has_value(),
                    folding ? folding->asked : AskedIterations{}};

  return extras;
}

ProfileExtras choose_extras_for_iterations(const FoldOptions& folding, bool folds) {
  ProfileExtras extras;
  if (folds)
    extras = choose_extras({}, KeepMessages::no, folding);
  extras.calls.asked = folding.asked;
  extras.calls.searches_loops = true;
  return extras;
}

Comparison choose_comparison(const Plan& plan, const ComparisonOptions& options,
                             Diagnostics& diagnostics) {
  auto comparison = change_comparison(plan.comparison, options);
  for (const auto& words : find_idle_patterns(plan, comparison))
    diagnostics.warn(words);

  return comparison;
}

PlanSession::PlanSession(std::shared_ptr<const Archive> archive, const Context& context)
    : context_(&context),
      archive_(std::move(archive)),
      plan_(make_plan(*archive_, {}, context.reading.team)) {}

PlanSession::PlanSession(Plan plan, PlanUse use, const Context& context)
    : context_(&context), plan_(std::move(plan)) {
  if (!plan_.lacks_profiles)
    return;
  if (use != PlanUse::write)
    throw Error(ErrorKind::input, "a plan beside a written trace keeps no profiles")
        .hint("make another one: 'tracefold group " + plan_.trace.anchor + "'");

  describe_processes(plan_, archive().definitions());
}

const Archive& PlanSession::archive() {
  if (!archive_)
    open();
  look_at_window(*archive_, plan_.filters, context_->read_as("window"));
  return *archive_;
}

void PlanSession::open() {
  auto& anchor = plan_.trace.anchor;
  if (anchor == piped_source)
    throw Error(ErrorKind::input,
                "the trace of the plan came through a pipe, or had its names replaced")
        .hint("`trace` FILE says where it is now");
  std::error_code unknown;
  if (std::filesystem::status(anchor, unknown).type() == std::filesystem::file_type::not_found)
    throw Error(ErrorKind::input, "the trace of the plan is not there")
        .in(anchor)
        .hint("`trace` FILE says where it is now");

  anchor = std::filesystem::absolute(anchor).lexically_normal().string();
  auto opened = open_archive(plan_.trace, diagnostics());
  const auto now = find_identity(*opened, context_->reading.team);
  if (now != plan_.trace.identity)
    throw Error(
        ErrorKind::input,
        fmt::format(
            "the trace has changed since the plan was made, or is another one: {} then, {} now",
            describe_identity(plan_.trace.identity), describe_identity(now)))
        .in(plan_.trace.anchor)
        .hint("make the plan again");

  archive_ = std::move(opened);
}

std::shared_ptr<const Archive> PlanSession::share_archive() {
  archive();
  return archive_;
}

void PlanSession::ask_for_all() {
  if (has_profiles(plan_) || !plan_.filters.empty())
    return;
  if (auto found = read_whole_program(archive(), diagnostics()))
    keep_whole_program(std::move(found));
}

void PlanSession::ask_for_map(const MapOptions& map) {
  if (has_profiles(plan_) || !plan_.filters.empty())
    return;
  auto found = read_whole_program(archive(), diagnostics());
  if (found && can_map(archive(), *found, map))
    keep_whole_program(std::move(found));
}

void PlanSession::keep_whole_program(std::shared_ptr<const WholeProgram> program) {
  program_ = std::move(program);
  plan_ = program_->plan;
  note_detail(*program_->stored, diagnostics());
}

void PlanSession::profile(ProfileExtras extras) {
  const auto is_done = [&] {
    return has_profiles(plan_) && (extras.operations == RecordOperations::no || communication_);
  };
  if (is_done())
    return;

  if (!is_whole(archive().facts()))
    extras = {};  // most of its messages are cut
  if (is_done())
    return;

  auto traced =
      profile_pass(archive(), plan_.filters, context_->read_as("profile"), diagnostics(), extras);
  communication_ = std::move(traced.communication);
  if (communication_ && was_reduced(archive()))
    name_by_first_original(archive(), *communication_);
  if (traced.calls)
    calls_ = std::move(*traced.calls);
  plan_.trace.messages = count_sends(traced.totals.records);
  if (!has_profiles(plan_)) {
    add_profiles(plan_, std::move(traced));
    if (was_reduced(archive()))
      plan_.grid = read_stored_grid(archive());
  }

  context_->tell(fmt::format("profile: {} events of {} processes", group_digits(plan_.trace.events),
                             plan_.processes.size()));
}

CollectedCalls& PlanSession::collect_calls(const AskedIterations& asked) {
  if (!asked.empty())
    plan_.chosen.reset();
  if (!calls_.loops || calls_.loops->asked() != asked)
    calls_.loops = std::make_unique<SearchedLoops>(asked, plan_.processes.size());
  return calls_;
}

void PlanSession::require_calls(const std::optional<FoldOptions>& folding) {
  const auto& definitions = archive().definitions();
  const FunctionTable functions(definitions, plan_.filters);
  const bool can_collect =
      plan_.processes.size() > 1 && !drops_mpi(definitions, functions, plan_.filters);
  if (!calls_.hashes.empty() || !can_collect)
    return;

  Diagnostics ignored;  // what is odd was told when the plan was made
  auto traced = profile_pass(archive(), plan_.filters, context_->read_as("sum"), ignored,
                             choose_extras({}, KeepMessages::no, folding, RecordProgram::yes));
  plan_.trace.messages = count_sends(traced.totals.records);
  if (traced.calls && traced.processes.size() == plan_.processes.size())
    calls_ = std::move(*traced.calls);
}

const Communication* PlanSession::find_known_communication() {
  if (!communication_ && !is_whole(archive().facts()))
    communication_ = read_stored_communication(archive(), plan_.processes, program_ != nullptr);
  return communication_ ? &*communication_ : nullptr;
}

const Communication& PlanSession::find_communication() {
  if (!find_known_communication() && !is_whole(archive().facts()))
    throw_no_messages(plan_);

  profile({RecordOperations::yes});
  if (!communication_)
    throw Error(ErrorKind::input, "its ranks communicate in too many different ways")
        .in(plan_.trace.anchor)
        .hint(fmt::format("their sequences of operations may take {}",
                          format_bytes(OperationRecorder::most_bytes)));

  return *communication_;
}

namespace {

// With more groups, or more operations, nobody is told why they are apart unless they ask.
constexpr std::size_t most_unasked_reasons = 1024, most_explained_operations = 1u << 18;

// A plan holds them, also where they match nothing.
void check_patterns(const Plan& plan, const ComparisonOptions& options) {
  const auto idle = find_idle_patterns(plan, change_comparison(plan.comparison, options));
  if (!idle.empty())
    throw Error(ErrorKind::usage, idle.front())
        .hint("names are replaced, and options name their codes");
}

}  // namespace

void PlanSession::group(const GroupOptions& options) {
  check_grouping(options);
  reasons_.clear();
  plan_.comparison = {};
  if (must_match_)
    check_patterns(plan_, options.comparison);
  const auto comparison = choose_comparison(plan_, options.comparison, diagnostics());
  if (comparison.by == CompareBy::signature) {
    const auto& communication = find_communication();
    group_by_signature(plan_, communication, comparison);
    if (!program_)  // else the plan's processes are those of the original
      name_ranks_stood_for(archive(), communication, plan_);
    // Later the communication may not be there any more.
    if (plan_.groups->size() <= most_unasked_reasons &&
        communication.operations.size() <= most_explained_operations)
      reasons_ = tracefold::explain_groups(plan_, &communication);
  } else {
    tracefold::group(plan_, options.threshold.value_or(1), comparison);
  }

  name_groups(plan_, find_places());
}

GroupsOfRun PlanSession::group_like(const LikeRun& run) {
  auto groups = tracefold::group_like(plan_, run);
  reasons_.clear();
  name_groups(plan_, find_places());
  return groups;
}

void PlanSession::group_as(const Plan& plan) {
  const auto is_same = [](const Process& a, const Process& b) { return a.id == b.id; };
  if (!plan.groups || !std::equal(plan_.processes.begin(), plan_.processes.end(),
                                  plan.processes.begin(), plan.processes.end(), is_same))
    return;

  plan_.groups = plan.groups;
  plan_.like = plan.like;
  for (auto& group : *plan_.groups) {
    group.intents.clear();
    for (auto m : group.members)
      group.intents.push_back(plan_.processes[m].intent);
    sort_and_unite(group.intents);
  }
  reasons_.clear();
  name_groups(plan_, find_places());
}

std::vector<GroupReason> PlanSession::explain_groups() {
  if (!reasons_.empty())
    return reasons_;
  const bool needs_messages = plan_.comparison.by == CompareBy::signature;
  return tracefold::explain_groups(plan_, needs_messages ? &find_communication() : nullptr);
}

std::vector<GroupReason> PlanSession::find_known_reasons() const {
  const bool is_known = plan_.groups && !plan_.intents.empty() && !plan_.lacks_profiles &&
                        plan_.comparison.by != CompareBy::signature;
  if (!is_known || plan_.groups->size() > most_unasked_reasons)
    return reasons_;
  return tracefold::explain_groups(plan_, nullptr);
}

ProgramPlaces PlanSession::find_places() const {
  if (archive_)
    return find_program_places(*archive_, plan_, program());

  // A plan from elsewhere can be grouped anew where its trace is not there.
  try {
    Diagnostics ignored;
    const auto opened = open_archive(plan_.trace, ignored);
    if (opened->identity() == plan_.trace.identity)
      return find_program_places(*opened, plan_);
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
  }
  return {};
}

void PlanSession::require_groups(const GroupOptions& options) {
  if (!plan_.groups || !options.are_defaults())
    group(options);
}

namespace {

void note_lonely_ranks(const Plan& plan, const Communication& communication,
                       Diagnostics& diagnostics) {
  const auto lonely = find_lonely_ranks(plan, communication);
  if (!lonely)
    return;
  diagnostics.note(fmt::format(
      "{} of {} ranks are alone by signature; of {} clusters `order` ignore would leave {}{}",
      group_digits(lonely->alone), group_digits(lonely->ranks), group_digits(lonely->clusters),
      group_digits(lonely->clusters_without_order),
      lonely->clusters_by_pattern
          ? fmt::format(", `peers` pattern {}", group_digits(*lonely->clusters_by_pattern))
          : ""));
}

}  // namespace

void PlanSession::make_groups(const GroupOptions& options, KeepMessages messages,
                              const std::optional<FoldOptions>& folding, RecordProgram record) {
  profile(choose_extras(options, messages, folding, record));
  group(options);
  note_effect_of_merging();
  if (communication_)
    note_lonely_ranks(plan_, *communication_, diagnostics());
  if (messages != KeepMessages::no)
    keep_messages(messages);
}

void PlanSession::note_effect_of_merging() const {
  constexpr std::size_t many_groups = 32;
  constexpr std::size_t most_tried = 1024;  // more take too much memory for a note
  const auto groups = plan_.groups->size();
  const bool can_merge = plan_.threshold == 1 && plan_.comparison.by != CompareBy::signature;
  if (!can_merge || groups <= many_groups)
    return;

  if (groups > most_tried) {
    if (groups > plan_.processes.size() / 2)
      diagnostics().note(fmt::format(
          "{} groups of {} processes: folding hardly makes the trace smaller; {}",
          group_digits(groups), group_digits(plan_.processes.size()),
          groups <= most_compared_sets
              ? fmt::format("`threshold` {} merges those that are alike", default_threshold)
              : "`by` functions, or `ignore` GLOB, compares less of them"));
    return;
  }

  auto merged = plan_;
  tracefold::group(merged, default_threshold, plan_.comparison);
  diagnostics().note(fmt::format("{} groups; `threshold` {} would leave {}",
                                 group_digits(plan_.groups->size()), default_threshold,
                                 group_digits(merged.groups->size())));
}

void PlanSession::keep_messages(KeepMessages keep) {
  const bool is_asked = keep == KeepMessages::yes;
  if (was_reduced(archive())) {
    plan_.messages = read_stored_messages(archive());
    if (!plan_.messages && is_asked && !communication_)
      diagnostics().note("no messages were kept when the trace was reduced before");
    if (plan_.messages || !communication_)
      return;
  }

  if (!communication_) {
    diagnostics().note("messages are not stored: there are too many that differ");
    return;
  }

  auto messages = fold_messages_within(*communication_,
                                       is_asked ? no_bound_of_messages : most_unasked_messages);
  communication_.reset();
  if (!messages) {
    diagnostics().note(fmt::format(
        "messages are not stored: they would take more than {} (ask for `messages` to store them)",
        format_bytes(most_unasked_messages)));
    return;
  }

  if (!is_storable(*messages)) {
    diagnostics().note("messages are not stored: they are more than a plan holds");
    return;
  }

  context_->tell(fmt::format("messages: {} main clusters, {} operations that differ",
                             messages->clusters.size(), messages->operations.size()));
  plan_.messages = std::make_shared<const Messages>(std::move(*messages));
}

void PlanSession::store_messages() {
  if (plan_.messages)
    return;

  profile(choose_extras({}, KeepMessages::yes));
  keep_messages(KeepMessages::yes);
}

// Those of the plan, of a trace that was reduced before, or of this one.
std::shared_ptr<const Messages> PlanSession::make_messages() {
  if (plan_.messages)
    return plan_.messages;
  if (is_whole(archive().facts()))
    return std::make_shared<const Messages>(fold_messages(find_communication()));

  if (!plan_.filters.empty())
    profile();  // which processes are left
  auto messages = plan_.filters.empty()
                      ? read_stored_messages(archive())
                      : read_stored_messages(archive(), list_left_locations(archive(), plan_));
  if (!messages)
    throw_no_messages(plan_);
  return messages;
}

const Messages& PlanSession::find_messages() {
  plan_.messages = make_messages();
  return *plan_.messages;
}

std::vector<RankMessages> PlanSession::find_rank_messages(Choice choice) {
  if (choice != Choice::connected)
    return {};

  const auto messages = make_messages();
  return list_rank_messages(sum_matrix(*messages, list_rank_rows(*messages), MatrixSplit::none));
}

void PlanSession::select(const Selection& selection, const HaloOptions& halo) {
  tracefold::select(plan_, selection, find_rank_messages(selection.choice));
  if (halo.most_per_process > 0)
    plan_.halo = HaloSection{halo, {}};
}

RankPairs PlanSession::find_pairs() {
  RankPairs out;
  out.ticks_per_second = plan_.trace.ticks_per_second;
  if (!is_whole(archive().facts())) {
    if (leave_out_functions(plan_.filters))
      throw Error(ErrorKind::input,
                  "who waits for whom is not known without the functions that are left out")
          .in(plan_.trace.anchor)
          .hint("take no filter of functions");
    if (!plan_.filters.empty())
      profile();  // which processes are left
    const auto found = read_left_program(archive(), plan_, diagnostics());
    auto pairs = found ? found->read_pairs() : std::nullopt;
    if (!pairs)
      throw Error(ErrorKind::input, "was reduced before, and keeps nothing of who waits for whom")
          .in(plan_.trace.anchor)
          .hint("take the original");
    const auto& stored = *found;
    check_waits(stored.columns(), *pairs, plan_);
    check_clocks(stored.count_early_messages(), *pairs, plan_);
    note_detail(stored, diagnostics());
    out.unknown = list_unknown_collectives(stored.read_frame());
    out.pairs = std::move(*pairs);
    out.delays = stored.read_delays();
    out.caused = stored.read_caused();
    name_pairs(stored.read_processes(), stored.read_frame(), out);
    return out;
  }

  profile();
  auto recorded = plan_;
  record_program(archive(), recorded, std::nullopt, RecordProgram::yes, context_->read_as("sum"),
                 diagnostics());
  const auto& program = *recorded.program;
  check_waits(program.calls.profiles.columns, program.pairs, plan_);
  std::uint64_t early = 0;
  for (const auto& process : program.processes)
    early += process.early_messages;
  check_clocks(early, program.pairs, plan_);
  out.unknown = list_unknown_collectives(program.calls);
  out.pairs = program.pairs;
  out.caused = program.caused;
  out.delays = program.delays;
  name_pairs(plan_.processes, program.calls, out);
  return out;
}

}  // namespace tracefold
