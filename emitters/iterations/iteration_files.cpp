// Loops as CSV and JSON.
#include "emitters/iterations/iteration_files.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

std::string path_of(const Plan& plan, const Loop& loop) {
  std::string out;
  for (auto f : loop.path)
    out += (out.empty() ? "" : " > ") + plan.functions[f].name;
  return out;
}

std::string csv_columns(const Plan& plan, const LoopSummary& l) {
  auto out = fmt::format(
      "{},{},{},{},{:.6f},{:.4f},{:.9f},{:.9f},{:.9f}", name_of(l.first.source),
      csv_field(path_of(plan, l.first)), csv_field(plan.functions[l.first.function].name),
      l.first.iterations.size(), l.share, l.confidence, seconds_of(plan, l.shortest),
      seconds_of(plan, l.median), seconds_of(plan, l.longest));

  if (!l.first.runner_up)
    return out + ",,,";

  const auto& r = *l.first.runner_up;

  return out + fmt::format(",{},{},{:.4f}", csv_field(plan.functions[r.function].name),
                           r.iterations, r.confidence);
}

Json path_json(const Plan& plan, const Loop& loop) {
  Json out = Json::array();
  for (auto f : loop.path)
    out.push_back(printable(plan.functions[f].name));
  return out;
}

Json loop_json(const Plan& plan, const Loop& loop) {
  return {{"how", name_of(loop.source)},
          {"call_path", path_json(plan, loop)},
          {"function", printable(plan.functions[loop.function].name)},
          {"iterations", loop.iterations.size()}};
}

Json summary_json(const Plan& plan, const LoopSummary& l) {
  auto out = loop_json(plan, l.first);
  out["share"] = l.share;
  out["confidence"] = l.confidence;
  out["shortest_seconds"] = seconds_of(plan, l.shortest);
  out["median_seconds"] = seconds_of(plan, l.median);
  out["longest_seconds"] = seconds_of(plan, l.longest);
  out["runner_up"] = nullptr;
  if (const auto& r = l.first.runner_up)
    out["runner_up"] = {{"function", printable(plan.functions[r->function].name)},
                        {"iterations", r->iterations},
                        {"confidence", r->confidence}};

  return out;
}

Json differing_json(const Plan& plan, const IterationReport& report, const GroupLoops& group) {
  Json out = Json::array();
  for (auto p : group.differing) {
    Json loops = Json::array();
    for (const auto& loop : report.processes[p].loops)
      loops.push_back(loop_json(plan, loop));
    out.push_back({{"id", std::to_string(plan.processes[p].id)}, {"loops", std::move(loops)}});
  }

  return out;
}

}  // namespace

std::string to_csv(const Plan& plan, const IterationReport& report) {
  std::string out =
      "group,processes,agreeing,differing_locations,how,call_path,function,iterations,share,"
      "confidence,shortest_seconds,median_seconds,longest_seconds,runner_up,runner_up_iterations,"
      "runner_up_confidence\r\n";

  for (const auto& group : report.groups) {
    const auto of_group =
        fmt::format("{},{},{},{}", group.group, (*plan.groups)[group.group].members.size(),
                    group.agreeing.size(), csv_field(ids_of(plan, group.differing)));
    for (const auto& loop : group.loops)
      out += of_group + "," + csv_columns(plan, loop) + "\r\n";
    if (group.loops.empty())
      out += of_group + ",none,,,0,,,,,,,,\r\n";
  }

  return out;
}

std::string to_json(const Plan& plan, const IterationReport& report) {
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
                      {"members", ids_of(plan, (*plan.groups)[group.group].members)},
                      {"loops", std::move(loops)},
                      {"as_first_thread", ids_of(plan, taken)},
                      {"differing", differing_json(plan, report, group)}});
  }

  const Json out{
      {"tracefold_iterations", 1}, {"trace", plan.trace.anchor}, {"groups", std::move(groups)}};

  return json_text(out);
}

}  // namespace tracefold
