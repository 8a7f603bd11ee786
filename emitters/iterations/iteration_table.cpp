// Loops as a table for people.
#include "base/text.hpp"
#include "emitters/iterations/iteration_files.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t longest_name = 50, most_differing = 5;

std::string shown_name(const Plan& plan, FunctionIndex function) {
  return shortened(printable(plan.functions[function].name), longest_name);
}

const char* how(LoopSource source) {
  switch (source) {
    case LoopSource::asked: return "regions asked for";
    case LoopSource::marked: return "marked region";
    case LoopSource::call_path: return "each calls";
    case LoopSource::sequence: return "each begins with";
  }

  return "";
}

std::string where(const Plan& plan, const Loop& loop) {
  return loop.path.empty() ? "" : " in " + shown_name(plan, loop.path.back());
}

std::string count_of(std::size_t n, const char* word) {
  return fmt::format("{} {}{}", with_spaces(n), word, n == 1 ? "" : "s");
}

std::string loops_of(const Plan& plan, const GroupLoops& group) {
  std::vector<std::vector<std::string>> rows{
      {"iterations", "of the time", "shortest", "median", "longest", "sure", "how"}};
  for (const auto& l : group.loops)
    rows.push_back({with_spaces(l.first.iterations.size()), fmt::format("{:.1f} %", 100 * l.share),
                    as_time(plan, l.shortest), as_time(plan, l.median), as_time(plan, l.longest),
                    fmt::format("{:.2f}", l.confidence),
                    fmt::format("{} {}{}", how(l.first.source), shown_name(plan, l.first.function),
                                where(plan, l.first))});

  return text_table(rows);
}

std::string runner_up_of(const Plan& plan, const GroupLoops& group) {
  const auto largest =
      std::max_element(group.loops.begin(), group.loops.end(),
                       [](const auto& a, const auto& b) { return a.share < b.share; });
  if (largest == group.loops.end() || !largest->first.runner_up)
    return "";

  const auto& r = *largest->first.runner_up;

  return fmt::format("runner-up: {} by {}, sure {:.2f}\n", count_of(r.iterations, "iteration"),
                     shown_name(plan, r.function), r.confidence);
}

std::string title(const Plan& plan, const GroupLoops& group) {
  const auto& members = (*plan.groups)[group.group].members;
  return fmt::format("group {}: {} process{}, {}, {}\n", group.group, members.size(),
                     members.size() == 1 ? "" : "es",
                     shortened(printable(plan.processes[members.front()].name), longest_name),
                     shortened(ids_of(plan, members), longest_name));
}

std::string differing(const Plan& plan, const IterationReport& report, const GroupLoops& group) {
  std::string out;
  for (std::size_t k = 0; k < std::min(most_differing, group.differing.size()); ++k) {
    const auto p = group.differing[k];
    std::string counts;
    for (const auto& loop : report.processes[p].loops)
      counts +=
          fmt::format("{}{}", counts.empty() ? "" : " + ", with_spaces(loop.iterations.size()));

    out += fmt::format("but location {}: {}\n", plan.processes[p].id,
                       counts.empty() ? "no loop" : counts + " iterations, or elsewhere");
  }

  if (group.differing.size() > most_differing)
    out += fmt::format("and {} more\n", with_spaces(group.differing.size() - most_differing));

  return out;
}

std::string taken(const IterationReport& report, const GroupLoops& group) {
  const auto n = static_cast<std::size_t>(
      std::count_if(group.agreeing.begin(), group.agreeing.end(),
                    [&](auto p) { return report.processes[p].taken_from.has_value(); }));

  return n == 0 ? ""
                : fmt::format("{} of {} as on the first thread of the same process\n",
                              with_spaces(n), with_spaces(group.agreeing.size()));
}

}  // namespace

std::string to_table(const Plan& plan, const IterationReport& report) {
  std::string out;
  for (const auto& group : report.groups)
    out += (out.empty() ? "" : "\n") + title(plan, group) +
           (group.loops.empty() ? std::string("no loop found\n") : loops_of(plan, group)) +
           runner_up_of(plan, group) + taken(report, group) + differing(plan, report, group);

  return out.empty() ? "no processes\n" : out;
}

}  // namespace tracefold
