#include "emitters/iterations/found_loop_formats.hpp"

#include "base/json_text.hpp"
#include "base/number_list.hpp"
#include "base/ranges.hpp"
#include "base/text.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/text_table.hpp"
#include "model/chosen_iterations.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_loop_name = 40, most_differing = 5;

std::string shown_name(const Plan& plan, FunctionIndex function) {
  return fit_name(make_printable(plan.functions[function].shown_name()), longest_loop_name);
}

std::string show_caller(const Plan& plan, const Loop& loop) {
  return loop.path.empty() ? "" : shown_name(plan, loop.path.back());
}

// How the loop was found, beside what it begins with.
const char* show_source(LoopSource source) {
  switch (source) {
    case LoopSource::asked: return "regions asked for";
    case LoopSource::asked_begin: return "begins asked for";
    case LoopSource::marked: return "marked region";
    case LoopSource::call_path: return "one call each";
    case LoopSource::sequence: break;
  }
  return "repeated calls";
}

// How much of the time the loop explains, where it was looked for.
std::string show_explained(const LoopSummary& l) {
  return l.first.is_found() ? fmt::format("{:.0f} %", 100 * l.explained) : "";
}

std::string show_remarks(const LoopSummary& l) {
  std::vector<std::string> remarks;
  if (l.first.is_found() && l.first.warm_up > 0)
    remarks.push_back(fmt::format("{} warm-up before", l.first.warm_up));
  if (l.first.is_found() && !l.first.has_own_calls)
    remarks.push_back("of MPI calls or tasks alone");
  return fmt::format("{}", fmt::join(remarks, "; "));
}

const char* certainty(const LoopSummary& l) {
  return l.first.is_found() ? to_text(rate_certainty(l.confidence)) : "";
}

std::string name_count(std::size_t n, const char* word) {
  return fmt::format("{} {}{}", show_count(n), word, n == 1 ? "" : "s");
}

std::string tabulate_loops(const Plan& plan, const GroupLoops& group) {
  const auto has = [&](auto&& says) {
    return std::any_of(group.loops.begin(), group.loops.end(), says);
  };
  const bool has_found = has([](const auto& l) { return l.first.is_found(); });
  const bool has_remarks = has([](const auto& l) { return !show_remarks(l).empty(); });

  TableRows rows{{"iterations", "of the time", "shortest", "median", "longest"}};
  if (has_found)
    rows[0].insert(rows[0].end(), {"certainty", "explains"});
  rows[0].insert(rows[0].end(), {"begins with", "in", "found as"});
  if (has_remarks)
    rows[0].push_back("remarks");

  for (const auto& l : group.loops) {
    auto& row = rows.emplace_back();
    row = {show_count(l.first.iterations.size()), fmt::format("{:.1f} %", 100 * l.share),
           format_time(plan, l.shortest), format_time(plan, l.median),
           format_time(plan, l.longest)};
    if (has_found)
      row.insert(row.end(), {certainty(l), show_explained(l)});
    row.insert(row.end(), {shown_name(plan, l.first.function), show_caller(plan, l.first),
                           show_source(l.first.source)});
    if (has_remarks)
      row.push_back(show_remarks(l));
  }

  return text_table(
      rows, {.left_columns = has_remarks ? 4u : 3u,
             .less_important = {"found as", "shortest", "of the time", "explains", "remarks"}});
}

std::string describe_runner_up(const Plan& plan, const GroupLoops& group) {
  const auto largest =
      std::max_element(group.loops.begin(), group.loops.end(),
                       [](const auto& a, const auto& b) { return a.share < b.share; });
  if (largest == group.loops.end() || !largest->first.runner_up)
    return "";

  const auto& r = *largest->first.runner_up;

  return fmt::format("runner-up: {} by {}, {:.0f} % as good\n",
                     name_count(r.iterations, "iteration"), shown_name(plan, r.function),
                     100 * r.confidence);
}

std::string title(const Plan& plan, const GroupLoops& group) {
  const auto& members = (*plan.groups)[group.group].members;
  return fmt::format("group {}: {}, {}, {}\n", group.group,
                     members.size() == 1 ? "1 process" : show_count(members.size()) + " processes",
                     show_group(plan, group.group), list_places(plan, members));
}

std::string differing(const Plan& plan, const LoopReport& report, const GroupLoops& group) {
  std::string out;
  for (std::size_t k = 0; k < std::min(most_differing, group.differing.size()); ++k) {
    const auto p = group.differing[k];
    std::string counts;
    for (const auto& loop : report.processes[p].loops)
      counts +=
          fmt::format("{}{}", counts.empty() ? "" : " + ", show_count(loop.iterations.size()));

    out += fmt::format("but {}: {}\n", name_process(plan.processes[p]),
                       counts.empty() ? "no loop" : counts + " iterations, or elsewhere");
  }

  if (group.differing.size() > most_differing)
    out += fmt::format("and {} more\n", show_count(group.differing.size() - most_differing));

  return out;
}

std::string taken(const LoopReport& report, const GroupLoops& group) {
  const auto n = static_cast<std::size_t>(
      std::count_if(group.agreeing.begin(), group.agreeing.end(),
                    [&](auto p) { return report.processes[p].taken_from.has_value(); }));

  return n == 0 ? ""
                : fmt::format("{} of {} as on the first thread of the same process\n",
                              show_count(n), show_count(group.agreeing.size()));
}

std::string write_path(const Plan& plan, const Loop& loop) {
  std::string out;
  for (auto f : loop.path)
    out += (out.empty() ? "" : " > ") + plan.functions[f].shown_name();
  return out;
}

std::string csv_columns(const Plan& plan, const LoopSummary& l) {
  auto out = fmt::format("{},{},{},{},{:.6f},{:.4f},{},{:.4f},{},{:.9f},{:.9f},{:.9f}",
                         to_text(l.first.source), quote_csv(write_path(plan, l.first)),
                         quote_csv(plan.functions[l.first.function].shown_name()),
                         l.first.iterations.size(), l.share, l.confidence, certainty(l),
                         l.explained, l.first.warm_up, to_seconds(plan, l.shortest),
                         to_seconds(plan, l.median), to_seconds(plan, l.longest));

  if (!l.first.runner_up)
    return out + ",,,";

  const auto& r = *l.first.runner_up;

  return out + fmt::format(",{},{},{:.4f}", quote_csv(plan.functions[r.function].shown_name()),
                           r.iterations, r.confidence);
}

bool are_same_loop(const Loop& a, const Loop& b) {
  return a.function == b.function && a.path == b.path && a.iterations.size() == b.iterations.size();
}

// What was chosen of the loops of a group; by loop, null where all of its iterations stay.
std::vector<const KeptIterations*> find_choices(const Plan& plan, const GroupLoops& group) {
  std::vector<const KeptIterations*> choices(group.loops.size());
  const auto& members = (*plan.groups)[group.group].members;
  const auto& processes = plan.iterations->processes;
  const auto kept = std::find_if(processes.begin(), processes.end(), [&](const auto& aligned) {
    return std::binary_search(members.begin(), members.end(), aligned.process);
  });
  if (kept == processes.end())
    return choices;

  const auto& loops = kept->loops.loops;
  std::size_t next = 0;  // both lists are by time
  for (std::size_t k = 0; k < choices.size(); ++k)
    for (auto at = next; at < loops.size() && at < plan.iterations->loops.size(); ++at)
      if (are_same_loop(loops[at], group.loops[k].first)) {
        choices[k] = &plan.iterations->loops[at].choice;
        next = at + 1;
        break;
      }
  return choices;
}

// Which iterations stay, and how many each of them stands for.
std::string kept_columns(const Plan& plan, const LoopSummary& loop, const KeptIterations* choice) {
  const auto all = loop.first.iterations.size();
  if (!choice)
    return fmt::format(",{},1*{}", quote_csv(name_iterations(plan, 0, all - 1)), all);
  return fmt::format(",{},{}", quote_csv(to_ranges(number_iterations(plan, choice->kept))),
                     write_numbers(choice->counts));
}

Json path_json(const Plan& plan, const Loop& loop) {
  Json out = Json::array();
  for (auto f : loop.path)
    out.push_back(make_printable(plan.functions[f].shown_name()));
  return out;
}

Json loop_json(const Plan& plan, const Loop& loop) {
  return {{"how", to_text(loop.source)},
          {"call_path", path_json(plan, loop)},
          {"function", make_printable(plan.functions[loop.function].shown_name())},
          {"iterations", loop.iterations.size()}};
}

Json summary_json(const Plan& plan, const LoopSummary& l) {
  auto out = loop_json(plan, l.first);
  out["share"] = l.share;
  out["confidence"] = l.confidence;
  out["certainty"] = nullptr;
  if (l.first.is_found())
    out["certainty"] = certainty(l);
  out["explained"] = l.explained;
  out["warm_up"] = l.first.warm_up;
  out["shortest_seconds"] = to_seconds(plan, l.shortest);
  out["median_seconds"] = to_seconds(plan, l.median);
  out["longest_seconds"] = to_seconds(plan, l.longest);
  out["runner_up"] = nullptr;
  if (const auto& r = l.first.runner_up)
    out["runner_up"] = {{"function", make_printable(plan.functions[r->function].shown_name())},
                        {"iterations", r->iterations},
                        {"confidence", r->confidence}};

  return out;
}

Json differing_json(const Plan& plan, const LoopReport& report, const GroupLoops& group) {
  Json out = Json::array();
  for (auto p : group.differing) {
    Json loops = Json::array();
    for (const auto& loop : report.processes[p].loops)
      loops.push_back(loop_json(plan, loop));
    const auto& process = plan.processes[p];
    out.push_back({{"id", std::to_string(process.id)},
                   {"rank", process.rank ? Json(*process.rank) : Json()},
                   {"loops", std::move(loops)}});
  }

  return out;
}

}  // namespace

std::string to_table(const Plan& plan, const LoopReport& report) {
  std::string out;
  if (plan.chosen)
    out += "iterations of the original's main loop: " + to_ranges(plan.chosen->numbers) + "\n";
  for (const auto& group : report.groups)
    out += (out.empty() ? "" : "\n") + title(plan, group) +
           (group.loops.empty() ? std::string("no loop found\n") : tabulate_loops(plan, group)) +
           describe_runner_up(plan, group) + taken(report, group) + differing(plan, report, group);

  return out.empty() ? "no processes\n" : out;
}

std::string to_csv(const Plan& plan, const LoopReport& report) {
  std::string out =
      "group,processes,agreeing,differing_locations,how,call_path,function,iterations,share,"
      "confidence,certainty,explained,warm_up,shortest_seconds,median_seconds,longest_seconds,"
      "runner_up,runner_up_iterations,runner_up_confidence,ranks,differing_ranks,group_name,"
      "kept_iterations,kept_stand_for\r\n";

  for (const auto& group : report.groups) {
    const auto of_group =
        fmt::format("{},{},{},{}", group.group, (*plan.groups)[group.group].members.size(),
                    group.agreeing.size(), quote_csv(format_ids(plan, group.differing)));
    const auto ranks = fmt::format(
        ",{},{},{}", quote_csv(list_ranks(plan, (*plan.groups)[group.group].members)),
        quote_csv(list_ranks(plan, group.differing)), quote_csv((*plan.groups)[group.group].name));
    const auto choices =
        plan.iterations ? find_choices(plan, group) : std::vector<const KeptIterations*>();
    for (std::size_t k = 0; k < group.loops.size(); ++k)
      out += of_group + "," + csv_columns(plan, group.loops[k]) + ranks +
             (plan.iterations ? kept_columns(plan, group.loops[k], choices[k]) : ",,") + "\r\n";
    if (group.loops.empty())
      out += of_group + ",none,,,0,,,,,,,,,,," + ranks + ",,\r\n";
  }

  return out;
}

std::string to_json(const Plan& plan, const LoopReport& report) {
  Json groups = Json::array();

  for (const auto& group : report.groups) {
    Json loops = Json::array();
    for (const auto& loop : group.loops)
      loops.push_back(summary_json(plan, loop));

    std::vector<std::size_t> taken;
    for (auto p : group.agreeing)
      if (report.processes[p].taken_from)
        taken.push_back(p);

    groups.push_back({{"group", group.group},
                      {"processes", (*plan.groups)[group.group].members.size()},
                      {"members", format_ids(plan, (*plan.groups)[group.group].members)},
                      {"ranks", list_ranks(plan, (*plan.groups)[group.group].members)},
                      {"loops", std::move(loops)},
                      {"as_first_thread", format_ids(plan, taken)},
                      {"differing", differing_json(plan, report, group)}});
  }

  Json out{{"tracefold_iterations", 1}, {"trace", plan.trace.anchor}};
  if (plan.chosen)
    out["numbers"] = to_ranges(plan.chosen->numbers);
  out["groups"] = std::move(groups);

  return write_json_text(out);
}

}  // namespace tracefold
