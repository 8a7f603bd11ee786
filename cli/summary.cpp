#include "cli/summary.hpp"

#include "base/json_text.hpp"
#include "emitters/errors/fold_error_formats.hpp"
#include "emitters/iterations/folded_loop_formats.hpp"
#include "emitters/tables.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "pipeline/program/whole_program.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tracefold::cli {

namespace {

// Numbers of records by kind; empty where none was left out.
std::string list_cut_records(const RewriteSummary& done) {
  std::string list;
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (done.cut[k])
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", show_count(done.cut[k]),
                          event_table[k].name);

  return list;
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
  const auto& [plan, locations, bytes, events, sends, done, folder] = made;
  const auto all = sends ? show_count(*sends) : std::string("an unknown number");
  const std::string stored = !plan.messages ? "they are not stored"
                             : !plan.messages->complete
                                 ? "what is known of them is stored: matrix"
                                 : "all " + all + " are stored: matrix, expand";
  return fmt::format("messages drawn: {} of {} ({})\n", show_count(done.sends), all, stored);
}

}  // namespace

std::string summarize_rewrite(const Session& session, const Reduction& made) {
  const auto& [plan, locations, bytes, events, sends, done, folder] = made;
  const auto* filtered = plan.filters.empty() ? "" : " that filters leave";
  auto summary = plan.iterations ? folded_table(plan, choose_long_cells()) + "\n" : std::string();
  if (plan.errors)
    summary += fold_errors_table(*plan.errors) + "\n";
  summary +=
      fmt::format("{}locations {} -> {}{}, events {}{} -> {}, {} -> {}{}, {:.2f} s\n",
                  done.is_estimate ? "nothing is written; it would be " : "", show_count(locations),
                  show_count(done.locations),
                  done.halo > 0 ? fmt::format(" ({} of them halo)", show_count(done.halo)) : "",
                  show_count(events), filtered, show_count(done.events), format_bytes(bytes),
                  done.is_estimate ? "about " : "", format_bytes(done.bytes), session.seconds());

  if (has_messages(made))
    summary += describe_messages(made);
  if (done.profiles)
    summary += fmt::format("profiles of all {} processes are kept: counts exactly, {}\n",
                           show_count(count_processes(plan, list_processes(plan))),
                           describe_detail(*done.profiles));
  else if (plan.program && !done.is_view)
    summary +=
        "profiles of all processes are not kept: they take more room than --profiles allows\n";
  if (const auto cut = list_cut_records(done); !cut.empty())
    summary += fmt::format("records of kept processes left out with their partners{}: {}\n",
                           folds_iterations(plan) ? " or iterations" : "", cut);

  return summary;
}

namespace {

using Json = nlohmann::ordered_json;

Json compare_numbers(std::uint64_t before, std::uint64_t after) {
  return {{"before", before}, {"after", after}};
}

Json list_representatives(const Plan& plan) {
  auto out = Json::array();
  for (const auto& r : *plan.representatives) {
    const auto& process = plan.processes[r.process];
    Json one{{"group", r.group}, {"location", std::to_string(process.id)}};
    if (process.rank)
      one["rank"] = *process.rank;
    one["name"] = process.name;
    one["stands_for"] = count_processes(plan, r.members);
    one["members"] = format_ids(plan, r.members);
    out.push_back(std::move(one));
  }

  return out;
}

}  // namespace

std::string summarize_as_json(const Session& session, const char* kind, const Reduction& made) {
  const auto& [plan, locations, bytes, events, sends, done, folder] = made;
  auto cut = Json::object();
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (done.cut[k])
      cut[std::string(event_table[k].name)] = done.cut[k];

  Json output;
  if (!folder.empty())
    output = std::filesystem::absolute(done.is_view ? folder : folder / "traces.otf2").string();

  auto compared = compare_numbers(events, done.events);
  if (!plan.filters.empty())
    compared["before_is_filtered"] = true;

  Json out{{kind, 1},
           {"anchor", plan.trace.anchor},
           {"output", std::move(output)},
           {"locations", compare_numbers(locations, done.locations)},
           {"halo", done.halo},
           {"events", std::move(compared)},
           {"bytes", compare_numbers(bytes, done.bytes)},
           {"seconds", session.seconds()}};
  out["messages"] = {{"before", sends ? Json(*sends) : Json(nullptr)}, {"after", done.sends}};
  if (plan.groups)
    out["groups"] = plan.groups->size();
  if (plan.representatives)
    out["representatives"] = list_representatives(plan);
  out["left_out"] = std::move(cut);
  if (plan.errors)
    out["errors"] = to_json(*plan.errors);

  return write_json_text(out);
}

std::string summarize_as_csv(const Reduction& made) {
  const auto& [plan, locations, bytes, events, sends, done, folder] = made;
  return fmt::format("what,before,after\r\nlocations,{},{}\r\nevents,{},{}\r\nbytes,{},{}\r\n",
                     locations, done.locations, events, done.events, bytes, done.bytes);
}

void report_rewrite(const Session& session, const Reduction& made) {
  if (made.after.is_estimate)
    return;

  struct ::rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  session.verbose(fmt::format("rewrite: done{} after {:.3f} s, peak memory {}",
                              made.after.checked ? " and read again" : "", session.seconds(),
                              format_bytes(peak_memory)));
}

void print_summary(Session& session, const std::string& text, const std::optional<Format>& format,
                   const std::string& written) try {
  session.clear_line();
  print(text);
} catch (Error& problem) {
  if (written.empty())
    throw;
  const auto complete = fmt::format("the trace in {} is complete", written);
  if (format)
    throw problem.hint(complete);
  session.diagnostics.warn(fmt::format("the summary is lost: {}; {}", problem.what(), complete));
}

void report_summary(Session& session, const std::string& text, const std::optional<Format>& format,
                    const std::string& written) {
  if (format) {
    print_summary(session, text, format, written);
  } else if (!session.options().quiet) {
    session.clear_line();
    print_error(text);
  }
}

}  // namespace tracefold::cli
