#include "cli/ending.hpp"

#include "base/text.hpp"
#include "cli/output_name.hpp"
#include "cli/printing.hpp"
#include "cli/session.hpp"
#include "emitters/errors/fold_error_formats.hpp"
#include "emitters/groups/group_formats.hpp"
#include "emitters/groups/like_formats.hpp"
#include "emitters/iterations/folded_loop_formats.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_numbers.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/reduce/better_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace tracefold::cli {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
constexpr std::size_t most_cut_kinds = 2, most_loops = 4;
constexpr std::size_t fewest_groups = 3;  // of which there is a row, whatever else there is to say

// Numbers of records by kind, the largest first; empty where none was left out.
std::string list_cut_records(const RewriteSummary& done, bool wide) {
  std::vector<std::size_t> kinds;
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (done.cut[k] > 0)
      kinds.push_back(k);
  std::stable_sort(kinds.begin(), kinds.end(),
                   [&](auto a, auto b) { return done.cut[a] > done.cut[b]; });

  const auto shown = wide ? kinds.size() : std::min(most_cut_kinds, kinds.size());
  std::string list;
  for (std::size_t k = 0; k < shown; ++k)
    list += fmt::format("{}{} {}", k == 0 ? "" : ", ", show_count(done.cut[kinds[k]]),
                        event_table[kinds[k]].name);
  if (shown < kinds.size())
    list +=
        fmt::format(", {} kind{} more", kinds.size() - shown, kinds.size() - shown == 1 ? "" : "s");

  return list;
}

// Why records were left out: "partner not kept or at a border of the window".
std::string explain_cut(const Reduction& made) {
  const auto& plan = made.plan;
  const bool has_window = find_window(plan.filters);
  const bool folds = folds_iterations(plan);
  const bool leaves_out =
      kept_processes(plan).size() < plan.processes.size() ||
      std::any_of(plan.filters.begin(), plan.filters.end(),
                  [](const FilterSection& filter) { return !filter.locations.empty(); });
  std::vector<std::string> reasons;
  if (leaves_out || (!folds && !has_window && made.draws_messages))
    reasons.push_back(folds ? "partner or iteration not kept" : "partner not kept");
  else if (folds)
    reasons.push_back("iteration not kept");
  if (has_window)
    reasons.push_back("at a border of the window");
  if (!made.draws_messages)
    reasons.push_back("messages are not drawn");

  return fmt::format("{}", fmt::join(reasons, " or "));
}

// Whether processes send or receive anything; also where nobody knows how much.
bool has_messages(const Reduction& made) {
  if (made.sends)
    return *made.sends > 0;
  const auto& processes = made.plan.processes;
  return made.after.sends > 0 ||
         std::any_of(processes.begin(), processes.end(),
                     [](const Process& process) { return process.has_messages; });
}

// How many messages stay in the trace, and whether all of them are known beside it.
std::string describe_messages(const Reduction& made) {
  if (made.sends == made.after.sends)
    return fmt::format("messages drawn: all {}\n", show_count(made.after.sends));
  const auto all = made.sends ? show_count(*made.sends) : std::string("an unknown number");
  if (made.after.is_view)
    return fmt::format("messages drawn: {} of {}\n", show_count(made.after.sends), all);
  const auto& messages = made.plan.messages;
  const std::string stored = !messages && made.sends ? "not stored: --messages drawn stores them"
                             : !messages             ? "they are not stored"
                             : !messages->complete   ? "what is known of them is stored: matrix"
                                                     : "all " + all + " are stored: matrix, expand";
  return fmt::format("messages drawn: {} of {} ({})\n", show_count(made.after.sends), all, stored);
}

std::string describe_sizes(const Session& session, const Reduction& made) {
  const auto& done = made.after;
  return fmt::format("{}locations {} -> {}{}, events {}{} -> {}, {} -> {}{}, {:.1f} s\n",
                     done.is_estimate ? "nothing is written; it would be " : "",
                     show_count(made.locations), show_count(done.locations),
                     done.halo > 0 ? fmt::format(" ({} halo)", show_count(done.halo)) : "",
                     show_count(made.events),
                     made.plan.filters.empty() ? "" : " that filters leave",
                     show_count(done.events), format_bytes(made.bytes),
                     done.is_estimate ? "about " : "", format_bytes(done.bytes), session.seconds());
}

std::string describe_profiles(const Reduction& made) {
  const auto& plan = made.plan;
  // A plan that was not profiled names none.
  const auto number = plan.processes.empty()
                          ? std::string()
                          : show_count(count_processes(plan, list_processes(plan))) + " ";
  if (made.after.profiles)
    return fmt::format("known of all {}processes: counts exactly, {}\n", number,
                       describe_detail(*made.after.profiles));
  if (plan.program && !made.after.is_view)
    return "profiles of all processes take more room than --profiles allows: not kept\n";
  return "";
}

bool is_good(double error) {
  return grade_error(error) == ErrorGrade::good;
}

// Which larger number of processes of each group is worth it; one sentence, empty where nothing is
// known. What keeps nearly all processes is no advice.
std::string advise_processes(const Plan& plan) {
  constexpr std::size_t most_measured = 4096;  // measuring takes long for more
  if (!plan.selection || !plan.representatives || plan.like || plan.lacks_profiles ||
      !plan.program || plan.processes.size() > most_measured)
    return {};
  const auto better = find_better_selection(plan, membership().team);
  if (!better)
    return "most processes would have to stay";
  const auto number =
      better->per_group == auto_per_group ? std::string("auto") : std::to_string(better->per_group);
  return fmt::format("--per-group {} keeps {} of {} processes, error {}", number,
                     show_count(better->kept), show_count(plan.processes.size()),
                     show_fold_error(better->error.all));
}

// The same for iterations: twice as many clusters.
std::string advise_iterations(const Plan& plan) {
  if (plan.like)
    return {};
  const auto clusters = 2 * plan.iterations->max_clusters;
  const auto& loops = plan.iterations->loops;
  const bool is_worth_it = std::any_of(loops.begin(), loops.end(), [&](const FoldedLoop& loop) {
    return 4 * clusters <= 3 * loop.choice.kept_of.size();
  });
  return is_worth_it ? fmt::format("--iterations {} keeps more iterations", clusters)
                     : std::string();
}

// What would keep more of the processes, or iterations, whose error is not good.
std::string advise(const Plan& plan) {
  const auto& errors = *plan.errors;
  std::vector<std::string> advice;
  if (!is_good(errors.of_processes.all))
    advice.push_back(advise_processes(plan));
  if (errors.of_iterations && !is_good(errors.of_iterations->all))
    advice.push_back(advise_iterations(plan));
  std::erase(advice, "");
  return advice.empty() ? "" : fmt::format("to improve it: {}\n", fmt::join(advice, "; "));
}

// The commands that unpack a tar into a folder of its own: in the one where somebody is, files of
// another trace may have the same names.
std::string write_unpacking(const std::string& tar) {
  // A name that begins with a hyphen is no option then.
  const auto show = [](const std::string& name) {
    return quote_for_shell(make_printable(name.starts_with('-') ? "./" + name : name));
  };
  const auto folder = name_without_tar(tar);
  const auto into = show(folder.empty() ? "small" : folder);
  return fmt::format("mkdir {} && tar xf {} -C {}", into, show(tar), into);
}

std::string describe_opening(const Reduction& made) {
  if (made.folder.empty())
    return "";
  if (made.after.is_view)
    return fmt::format("open it in Perfetto: {}\n", make_printable(made.folder.string()));
  if (made.after.is_tar)
    return fmt::format("unpack it for Vampir or ViTE: {}\n", write_unpacking(made.folder.string()));
  return fmt::format("open it in Vampir or ViTE: {}\n",
                     make_printable((made.folder / "traces.otf2").string()));
}

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::string write_ending(const Session& session, const Reduction& made) {
  const auto& plan = made.plan;
  const bool wide = session.options().wide;
  auto layout = text_layout();
  if (!wide && layout.columns == 0)
    layout.columns = page_columns;
  set_text_layout(layout);

  std::string behind_groups;
  if (plan.iterations)
    behind_groups += short_folded_table(plan, wide ? unlimited : most_loops) + "\n";
  if (plan.errors)
    behind_groups += fold_errors_table(*plan.errors) + advise(plan) + "\n";
  else if (plan.program)
    behind_groups +=
        "no calls were recorded: how near kept processes are to others is not known\n\n";

  behind_groups += describe_like(plan, wide);
  behind_groups += describe_sizes(session, made);
  if (has_messages(made))
    behind_groups += describe_messages(made);
  behind_groups += describe_profiles(made);
  if (const auto cut = list_cut_records(made.after, wide); !cut.empty())
    behind_groups += fmt::format("records left out, {}: {}\n", explain_cut(made), cut);
  // A command that goes over two lines could not be copied.
  behind_groups = made.after.is_tar ? wrap_lines(behind_groups) + describe_opening(made)
                                    : wrap_lines(behind_groups + describe_opening(made));
  if (!plan.groups)
    return behind_groups;

  // A heading, a blank line, and one on the groups that are not shown.
  const auto taken = count_lines(behind_groups) + 3;
  const auto room = most_ending_lines - std::min(taken, most_ending_lines);
  const auto rows = wide ? unlimited : std::max(room, fewest_groups);
  // All groups have a line on why they are apart, or one says how to see it. Where all groups are
  // shown, there is a line more.
  const auto groups = plan.groups->size();
  const bool has_room = wide || 2 * groups <= room + 1;
  auto table = to_short_group_table(plan, rows, made.reasons, has_room ? groups : 0);
  if (!has_room && groups > 1 && groups <= room && !made.reasons.empty())
    table += "what sets them apart: tracefold group --why\n";
  return wrap_lines(table) + "\n" + behind_groups;
}

}  // namespace tracefold::cli
