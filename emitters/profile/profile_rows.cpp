#include "emitters/profile/profile_rows.hpp"

#include "base/text.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

constexpr std::size_t deepest_indent = 30;

std::string show_name(const Plan& plan, FunctionIndex function, NameLength length) {
  if (function == virtual_root)
    return "(nobody)";
  const auto whole = make_printable(plan.functions[function].shown_name());
  return length == NameLength::whole ? whole : shorten_functions(whole);
}

}  // namespace

std::vector<const GroupProfile*> list_groups(const ProfileReport& report) {
  std::vector<const GroupProfile*> groups;
  if (report.all)
    groups.push_back(&*report.all);
  for (const auto& group : report.groups)
    groups.push_back(&group);
  return groups;
}

std::vector<std::size_t> list_members(const Plan& plan, const GroupProfile& group) {
  if (group.cluster)
    return (*plan.representatives)[*group.cluster].members;
  return group.group == all_groups ? list_processes(plan) : (*plan.groups)[group.group].members;
}

bool stands_for_others(const Plan& plan, const GroupProfile& group) {
  return group.processes > list_members(plan, group).size();
}

std::string name_cluster(const Plan& plan, const GroupProfile& group) {
  if (!group.cluster)
    return "";
  return "like " + name_process(plan.processes[(*plan.representatives)[*group.cluster].process]);
}

std::string name_group(const Plan& plan, const GroupProfile& group) {
  const auto members = list_members(plan, group);
  const auto kept = stands_for_others(plan, group)
                        ? fmt::format(" (of the {} kept process{} only)", members.size(),
                                      members.size() == 1 ? "" : "es")
                        : "";
  if (group.group == all_groups)
    return fmt::format("all {} processes{}, {}", group.processes, kept, list_places(plan, members));
  const auto cluster = group.cluster ? ", " + name_cluster(plan, group) : "";
  return fmt::format("group {}{}: {} process{}{}, {}, {}", group.group, cluster, group.processes,
                     group.processes == 1 ? "" : "es", kept, show_group(plan, group.group),
                     list_places(plan, members));
}

std::string show_ratio(const std::optional<double>& ratio) {
  constexpr double least_whole = 1e5;  // from here on fractions tell nothing
  if (!ratio)
    return "-";
  return *ratio >= least_whole && *ratio < 1e18
             ? show_count(static_cast<std::uint64_t>(std::llround(*ratio)))
             : fmt::format("{:.3g}", *ratio);
}

std::string show_ratio_name(const MetricRatio& ratio) {
  return make_printable(ratio.unit.empty() ? ratio.name : ratio.name + " [" + ratio.unit + "]");
}

std::size_t RowDepths::find(const ProfileRow& row) {
  if (row.path >= depths_.size())
    return 0;

  const auto caller = report_.paths[row.path].caller;
  return depths_[row.path] = caller == no_path ? 0 : depths_[caller] + 1;
}

std::string name_row(const Plan& plan, const ProfileReport& report, const ProfileRow& row,
                     std::size_t depth, NameLength length) {
  if (report.view == ProfileReport::View::function_groups)
    return make_printable(report.function_groups[row.function]);
  auto name = show_name(plan, row.function, length);
  if (report.view == ProfileReport::View::call_paths)
    return std::string(2 * std::min(depth, deepest_indent), ' ') +
           (depth > deepest_indent ? fmt::format("[{}] ", depth) : "") + name;

  switch (row.relation) {
    case Relation::caller: return "  called by " + name;
    case Relation::callee: return "  calls " + name;
    case Relation::self: break;
  }

  return name;
}

}  // namespace tracefold
