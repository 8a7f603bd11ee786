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
#include "emitters/text_table.hpp"
#include "filters/groups/odd_processes.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/reduce/advise_rows.hpp"

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

// How many times smaller it is: "8.7".
std::string show_factor(std::uint64_t before, std::uint64_t after) {
  const auto factor =
      static_cast<double>(before) / static_cast<double>(std::max<std::uint64_t>(after, 1));
  return fmt::format("{:.{}f}", factor, factor < 10 ? 1 : 0);
}

// "8.7 times smaller", as far as it is.
std::string compare_sizes(std::uint64_t before, std::uint64_t after) {
  if (after > before)
    return "larger than the original";
  return show_factor(before, after) + " times smaller";
}

// Who has a row of its own since it computes far more or less than its group.
std::string describe_odd(const Plan& plan) {
  constexpr std::size_t most_named = 2;
  std::size_t odd = 0;
  std::string out;
  for (const auto& row : plan.representatives.value_or(std::vector<Representative>()))
    if (row.why.starts_with(odd_sign) && ++odd <= most_named)
      out += fmt::format("{} is {}\n", name_places(plan, {row.process}).front(),
                         make_printable(row.why));
  if (odd > most_named)
    out += fmt::format("{} more rows are of odd processes\n", odd - most_named);
  return out;
}

std::string describe_events(const Reduction& made) {
  return fmt::format("events {}{} → {}\n", show_count(made.events),
                     made.plan.filters.empty() ? "" : " that filters leave",
                     show_count(made.after.events));
}

// What no row shows, where it was asked for so few that this cannot be avoided.
std::string describe_lost(const Reduction& made) {
  if (made.lost_calls == 0)
    return "";
  return fmt::format("{} kind{} of calls {} shown by no row\n", show_count(made.lost_calls),
                     made.lost_calls == 1 ? "" : "s", made.lost_calls == 1 ? "is" : "are");
}

// What fewer rows would give.
std::string describe_fewer(const Reduction& made) {
  const auto& fewer = made.fewer;
  if (!fewer)
    return "";
  const auto lost =
      fewer->lost_calls == 0
          ? std::string("all kinds of calls are shown then, too")
          : fmt::format("{} kind{} of calls {} then shown by no row", show_count(fewer->lost_calls),
                        fewer->lost_calls == 1 ? "" : "s", fewer->lost_calls == 1 ? "is" : "are");
  return fmt::format("--to {}: about {} instead of {}; {}\n", fewer->rows,
                     format_bytes(fewer->bytes), format_bytes(made.after.bytes), lost);
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

// Which larger number of rows is worth it; empty where nothing is known. What keeps nearly all
// processes is no advice.
std::string advise_rows(const Plan& plan) {
  if (grade_rows(*plan.errors) == ErrorGrade::good)
    return {};
  const auto better = find_better_rows(plan, membership().team);
  return better
             ? fmt::format("  with --to {} by {}\n", better->rows, show_fold_error(better->error))
             : std::string();
}

// The same for iterations: twice as many clusters.
std::string advise_iterations(const Plan& plan) {
  if (grade_iterations(*plan.errors) == ErrorGrade::good || plan.like)
    return {};
  const auto clusters = 2 * plan.iterations->max_clusters;
  const auto& loops = plan.iterations->loops;
  const bool is_worth_it = std::any_of(loops.begin(), loops.end(), [&](const FoldedLoop& loop) {
    return 4 * clusters <= 3 * loop.choice.kept_of.size();
  });
  return is_worth_it ? fmt::format("  with --iterations {} by less\n", clusters) : std::string();
}

// How good the rows are, and the iterations that stay.
// `knows_all`: what every process did is stored beside.
std::string describe_fold_errors(const Plan& plan, bool tells_all, bool knows_all) {
  const auto& errors = *plan.errors;
  std::string out = tells_all ? fold_errors_table(errors) : "";
  if (kept_processes(plan).size() < plan.processes.size()) {
    const auto words = describe_rows(errors);
    if (!tells_all)
      out = words.verdict + "\n";
    out += advise_rows(plan);
    if (!tells_all && !words.others.empty())
      out += words.others + (knows_all ? ": summary has all\n" : "\n");
    // Which rows wait for longer or shorter than most is told with --verbose.
    if (!tells_all && !errors.untypical.in_useful.empty())
      out += words.untypical + "\n";
  }

  std::size_t all = 0, kept = 0;
  for (const auto& loop : plan.iterations ? plan.iterations->loops : std::vector<FoldedLoop>()) {
    all += loop.choice.kept_of.size();
    kept += loop.choice.kept.size();
  }
  if (kept < all && errors.of_iterations)
    out +=
        fmt::format("{} → {} iterations are {}: computation differs by {} of their time\n",
                    show_count(all), show_count(kept), show_error_grade(grade_iterations(errors)),
                    show_fold_error(errors.of_iterations->useful)) +
        advise_iterations(plan);
  return out;
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

ResultRow describe_in_row(const std::string& trace, const Reduction& made) {
  const auto& errors = made.plan.errors;
  return {make_printable(trace),
          fmt::format("{} → {}", show_count(made.locations), show_count(made.after.locations)),
          fmt::format("{} → {}", format_bytes(made.bytes), format_bytes(made.after.bytes)),
          show_factor(made.bytes, made.after.bytes),
          errors ? show_error_grade(grade_rows(*errors)) : "not graded"};
}

std::string write_results(const std::vector<ResultRow>& results) {
  std::vector<std::vector<std::string>> rows{
      {"trace", "rows", "bytes", "times smaller", "rows are"}};
  for (const auto& [trace, locations, bytes, factor, grade] : results)
    rows.push_back({trace, locations, bytes, factor, grade});
  return wrap_lines(text_table(rows));
}

std::string describe_result(const Session& session, const Reduction& made) {
  const auto& done = made.after;
  return fmt::format(
      "{}{} → {} row{}{}, {} → {}{} ({}), {:.1f} s\n",
      done.is_estimate ? "nothing is written; it would be " : "", show_count(made.locations),
      show_count(done.locations), done.locations == 1 ? "" : "s",
      done.halo > 0 ? fmt::format(" (◌ {} of them)", show_count(done.halo)) : "",
      format_bytes(made.bytes), done.is_estimate ? "about " : "", format_bytes(done.bytes),
      compare_sizes(made.bytes, done.bytes), session.seconds());
}

std::string write_ending(const Session& session, const Reduction& made) {
  const auto& plan = made.plan;
  const bool wide = session.options().wide;
  auto layout = text_layout();
  if (!wide && layout.columns == 0)
    layout.columns = page_columns;
  set_text_layout(layout);

  const bool tells_all = session.options().verbose;
  auto behind_groups = describe_odd(plan);
  if (tells_all && plan.iterations)
    behind_groups += short_folded_table(plan, wide ? unlimited : most_loops) + "\n";
  if (plan.errors)
    behind_groups += describe_fold_errors(plan, tells_all, made.after.profiles.has_value());
  else if (plan.program)
    behind_groups += "no calls were recorded: how near kept processes are to others is not known\n";
  behind_groups += describe_lost(made);
  behind_groups += describe_fewer(made);
  behind_groups += describe_like(plan, wide);
  if (has_messages(made))
    behind_groups += describe_messages(made);
  behind_groups += describe_profiles(made);
  if (tells_all) {
    behind_groups += describe_events(made);
    if (const auto cut = list_cut_records(made.after, wide); !cut.empty())
      behind_groups += fmt::format("records left out, {}: {}\n", explain_cut(made), cut);
  }
  // A command that goes over two lines could not be copied.
  behind_groups = made.after.is_tar ? wrap_lines(behind_groups) + describe_opening(made)
                                    : wrap_lines(behind_groups + describe_opening(made));
  const auto result = wrap_lines(describe_result(session, made));
  if (!plan.groups)
    return result + "\n" + behind_groups;

  // A heading, two blank lines, and one on the groups that are not shown.
  const auto taken = count_lines(result + behind_groups) + 4;
  const auto room = most_ending_lines - std::min(taken, most_ending_lines);
  const auto rows = wide || tells_all ? unlimited : std::max(room, fewest_groups);
  // All groups have a line on why they are apart, or one says how to see it. Where all groups are
  // shown, there is a line more.
  const auto groups = plan.groups->size();
  const bool has_room = wide || tells_all || 2 * groups <= room + 1;
  auto table = to_short_group_table(plan, rows, made.reasons, has_room ? groups : 0);
  if (!has_room && groups > 1 && groups <= room && !made.reasons.empty())
    table += "what sets them apart: tracefold group --why\n";
  return result + "\n" + wrap_lines(table) + "\n" + behind_groups;
}

}  // namespace tracefold::cli
