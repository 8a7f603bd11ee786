#include "emitters/groups/similarity_formats.hpp"

#include "base/json_text.hpp"
#include "emitters/groups/shared_by_runs.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "model/describe_group.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold {

namespace {

const std::vector<std::size_t>& find_members(const Plan& plan, std::size_t group) {
  return plan.groups->at(group).members;
}

Table tabulate_groups_alike(const Plan& plan, const SimilarityTable& of) {
  Table table{{in_both("group", "group"), in_csv("processes", {"count"}),
               in_text("processes", {"count"}), in_both(of.attribute, of.attribute),
               in_csv("group_name"), in_text("name", {"shown_name"}),
               in_text("ranks", {"shown_ranks"}), in_csv("members"), in_csv("ranks")}};
  for (std::size_t g = 0; g < of.groups.size(); ++g) {
    const auto& members = find_members(plan, g);
    table.rows.push_back({{"name", describe_group(plan, g)},
                          {"count", of.groups[g].count},
                          {of.attribute, of.groups[g].attributes},
                          {"members", format_ids(plan, members)},
                          {"ranks", list_ranks(plan, members)},
                          {beside,
                           {{"group", g},
                            {"group_name", plan.groups->at(g).name},
                            {"shown_name", show_group(plan, g)},
                            {"shown_ranks", list_places(plan, members)}}}});
  }
  return table;
}

Table tabulate_groups_of_runs(const SimilarityTable& of) {
  Table table{{in_both("group", "group"), in_csv("processes", {"count"})}};
  add_run_columns(of.runs, table.columns);
  for (auto&& column :
       {in_csv("of_runs", {"of_runs", "*"}), in_both("only_in", "only in"),
        in_both(of.attribute, of.attribute), in_text("who", {"who"}), in_csv("who", {"who"})})
    table.columns.push_back(column);
  for (const auto& group : of.groups)
    table.rows.push_back({{"count", group.count},
                          {of.attribute, group.attributes},
                          {"of_runs", group.of_runs},
                          {"processes", group.places},
                          {beside,
                           {{"group", table.rows.size()},
                            {"only_in", name_some_runs(group.of_runs)},
                            {"who", fmt::format("{}", fmt::join(group.places, "; "))}}}});
  return table;
}

std::string write_matrix(const SimilarityTable& table) {
  if (table.groups.size() <= largest_matrix)
    return "\n" + matrix_table(table.measure, table.values);
  return fmt::format("\nThe matrix of {} groups is too large for a table: csv and json hold it.\n",
                     table.groups.size());
}

std::string write_csv_with_values(Table groups, const SimilarityTable& table) {
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    groups.columns.push_back(
        in_csv(fmt::format("{} {}", table.measure, g), {"values", std::to_string(g)}));
    groups.rows[g][beside]["values"] = table.values[g];
  }
  return write_csv(groups);
}

Table tabulate_pairs(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  Table table{
      {in_both("group", "group"), in_both("why", "why"),
       in_both("similarity", "similarity", Show::similarity).left_out(2),
       in_csv("difference_seconds"), in_text("difference", {"shown_difference"}).left_out(1),
       in_csv("first_location", {"locations", "0"}), in_csv("second_location", {"locations", "1"}),
       in_csv("first_name", {"names", "0"}), in_csv("second_name", {"names", "1"}),
       in_csv("first_rank", {"ranks", "0"}), in_csv("second_rank", {"ranks", "1"}),
       in_csv("group_name"), in_csv("difference_error_seconds"), in_text("first", {"first"}),
       in_text("second", {"second"})}};
  const auto add = [&](std::uint32_t group, const char* why,
                       const std::optional<ProcessPair>& pair) {
    if (!pair)
      return;
    const auto &a = plan.processes[pair->first], &b = plan.processes[pair->second];
    const auto difference = pair->is_within_error()
                                ? "< " + format_time(plan, pair->difference + pair->error)
                                : format_time(plan, pair->difference);
    table.rows.push_back({{"group", group},
                          {"why", why},
                          {"similarity", pair->similarity},
                          {"difference_seconds", to_seconds(plan, pair->difference)},
                          {"difference_error_seconds", to_seconds(plan, pair->error)},
                          {"locations", {std::to_string(a.id), std::to_string(b.id)}},
                          {"names", {a.name, b.name}},
                          {"ranks", {make_json_value(a.rank), make_json_value(b.rank)}},
                          {beside,
                           {{"group_name", plan.groups->at(group).name},
                            {"shown_difference", difference},
                            {"first", name_process(a)},
                            {"second", name_process(b)}}}});
  };
  for (const auto& of : pairs) {
    add(of.group, "least similar", of.least_similar);
    add(of.group, "most different", of.most_different);
  }
  return table;
}

}  // namespace

std::string to_table(const Plan& plan, const SimilarityTable& table) {
  return write_text(tabulate_groups_alike(plan, table), 2) + write_matrix(table);
}

std::string to_csv(const Plan& plan, const SimilarityTable& table) {
  return write_csv_with_values(tabulate_groups_alike(plan, table), table);
}

std::string to_json(const Plan& plan, const SimilarityTable& table) {
  return write_json_text({{"measure", table.measure},
                          {"by", table.attribute},
                          {"groups", make_json(tabulate_groups_alike(plan, table))},
                          {"values", table.values}});
}

std::string to_table(const SimilarityTable& table) {
  std::vector<std::pair<std::vector<std::uint64_t>, std::size_t>> groups;
  for (const auto& group : table.groups)
    groups.emplace_back(group.of_runs, 1);
  return list_runs(table.runs) + count_shared("groups", groups) + "\n" +
         write_text(tabulate_groups_of_runs(table), 1) + write_matrix(table);
}

std::string to_csv(const SimilarityTable& table) {
  return write_csv_with_values(tabulate_groups_of_runs(table), table);
}

std::string to_json(const SimilarityTable& table) {
  return write_json_text({{"measure", table.measure},
                          {"by", table.attribute},
                          {"runs", make_runs_json(table.runs)},
                          {"groups", make_json(tabulate_groups_of_runs(table))},
                          {"values", table.values}});
}

std::string to_table(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  const auto table = tabulate_pairs(plan, pairs);
  auto out = write_kept_only_line(plan);
  if (!table.rows.empty())
    return out + write_text(table);
  // One kept process alone says nothing of those that it stands for.
  const bool compares = std::any_of(pairs.begin(), pairs.end(), [&](const GroupPairs& of) {
    return find_members(plan, of.group).size() > 1;
  });
  if (out.empty() || compares)
    out += "In no group two processes differ.\n";
  return out;
}

std::string to_csv(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  return write_csv(tabulate_pairs(plan, pairs));
}

std::string to_json(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  return write_json_text(
      {{"anchor", plan.trace.anchor}, {"pairs", make_json(tabulate_pairs(plan, pairs))}});
}

}  // namespace tracefold
