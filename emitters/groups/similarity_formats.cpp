#include "emitters/groups/similarity_formats.hpp"

#include "base/json_text.hpp"
#include "emitters/kept_processes.hpp"
#include "model/describe_group.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t columns_of_text = 2;  // the last ones of the table of groups

const std::vector<std::size_t>& find_members(const Plan& plan, std::size_t group) {
  return plan.groups->at(group).members;
}

// Calls emit(group, reason, pair, first, second) for each pair there is.
template <class Emit>
void for_each_pair(const Plan& plan, const std::vector<GroupPairs>& pairs, Emit emit) {
  const auto take = [&](std::uint32_t group, const char* reason,
                        const std::optional<ProcessPair>& pair) {
    if (pair)
      emit(group, reason, *pair, plan.processes[pair->first], plan.processes[pair->second]);
  };

  for (const auto& group : pairs) {
    take(group.group, "least similar", group.least_similar);
    take(group.group, "most different", group.most_different);
  }
}

std::string show_rank(const Process& process) {
  return process.rank ? std::to_string(*process.rank) : "";
}

Json rank_json(const Process& process) {
  return process.rank ? Json(*process.rank) : Json(nullptr);
}

}  // namespace

std::string to_table(const Plan& plan, const SimilarityTable& table) {
  TableRows groups{{"group", "processes", table.attribute, "name", "ranks"}};
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const auto& group = table.groups[g];
    groups.push_back({std::to_string(g), std::to_string(group.count),
                      std::to_string(group.attributes), show_group(plan, g),
                      list_places(plan, find_members(plan, g))});
  }

  if (table.groups.size() <= largest_matrix)
    return text_table(groups, {.left_columns = columns_of_text}) + "\n" +
           matrix_table(table.measure, table.values);

  return text_table(groups, {.left_columns = columns_of_text}) +
         fmt::format("\nThe matrix of {} groups is too large for a table: csv and json hold it.\n",
                     table.groups.size());
}

std::string to_csv(const Plan& plan, const SimilarityTable& table) {
  std::string out = fmt::format("group,processes,{},group_name,members,ranks", table.attribute);
  for (std::size_t g = 0; g < table.groups.size(); ++g)
    out += fmt::format(",{} {}", table.measure, g);
  out += "\r\n";

  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const auto& group = table.groups[g];
    out += fmt::format("{},{},{},{},{},{}", g, group.count, group.attributes,
                       quote_csv(plan.groups->at(g).name),
                       quote_csv(format_ids(plan, find_members(plan, g))),
                       quote_csv(list_ranks(plan, find_members(plan, g))));
    for (auto value : table.values[g])
      out += fmt::format(",{}", value);
    out += "\r\n";
  }

  return out;
}

std::string to_json(const Plan& plan, const SimilarityTable& table) {
  Json groups = Json::array();
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const auto& group = table.groups[g];
    groups.push_back({{"name", describe_group(plan, g)},
                      {"count", group.count},
                      {table.attribute, group.attributes},
                      {"members", format_ids(plan, find_members(plan, g))},
                      {"ranks", list_ranks(plan, find_members(plan, g))}});
  }

  const Json out{{"measure", table.measure},
                 {"by", table.attribute},
                 {"groups", groups},
                 {"values", table.values}};

  return write_json_text(out);
}

std::string to_table(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  TableRows rows{{"group", "why", "similarity", "difference", "first", "second"}};
  for_each_pair(plan, pairs, [&](auto group, auto reason, auto& pair, auto& a, auto& b) {
    rows.push_back({std::to_string(group), reason, show_similarity(pair.similarity),
                    pair.is_within_error() ? "< " + format_time(plan, pair.difference + pair.error)
                                           : format_time(plan, pair.difference),
                    name_process(a), name_process(b)});
  });

  auto out = write_kept_only_line(plan);
  if (rows.size() > 1)
    return out + text_table(rows, {.less_important = {"difference", "similarity"}});
  // One kept process alone says nothing of those that it stands for.
  const bool compares = std::any_of(pairs.begin(), pairs.end(), [&](const GroupPairs& of) {
    return find_members(plan, of.group).size() > 1;
  });
  if (out.empty() || compares)
    out += "In no group two processes differ.\n";
  return out;
}

std::string to_csv(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  std::string out =
      "group,why,similarity,difference_seconds,first_location,second_location,first_name,"
      "second_name,first_rank,second_rank,group_name,difference_error_seconds\r\n";

  for_each_pair(plan, pairs, [&](auto group, auto reason, auto& pair, auto& a, auto& b) {
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\r\n", group, reason, pair.similarity,
                       to_seconds(plan, pair.difference), a.id, b.id, quote_csv(a.name),
                       quote_csv(b.name), show_rank(a), show_rank(b),
                       quote_csv(plan.groups->at(group).name), to_seconds(plan, pair.error));
  });

  return out;
}

std::string to_json(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  Json out = Json::array();
  for_each_pair(plan, pairs, [&](auto group, auto reason, auto& pair, auto& a, auto& b) {
    out.push_back({{"group", group},
                   {"why", reason},
                   {"similarity", pair.similarity},
                   {"difference_seconds", to_seconds(plan, pair.difference)},
                   {"difference_error_seconds", to_seconds(plan, pair.error)},
                   {"locations", {std::to_string(a.id), std::to_string(b.id)}},
                   {"names", {a.name, b.name}},
                   {"ranks", {rank_json(a), rank_json(b)}}});
  });

  return write_json_text({{"anchor", plan.trace.anchor}, {"pairs", out}});
}

}  // namespace tracefold
