#include "emitters/groups/similarity_files.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tracefold {

namespace {

constexpr std::size_t longest_names = 100;

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string to_table(const SimilarityTable& table) {
  std::vector<std::vector<std::string>> groups{{"group", "processes", table.attribute, "members"}},
      matrix{{table.measure}};

  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const auto& group = table.groups[g];
    groups.push_back({std::to_string(g), std::to_string(group.count),
                      std::to_string(group.attributes),
                      shortened(printable(joined(group.processes)), longest_names)});
    if (table.groups.size() > largest_matrix)
      continue;

    matrix[0].push_back(std::to_string(g));
    matrix.push_back({std::to_string(g)});
    for (auto value : table.values[g])
      matrix.back().push_back(fmt::format("{:.2f}", value));
  }

  if (table.groups.size() > largest_matrix)
    return text_table(groups) +
           fmt::format(
               "\nThe matrix of {} groups is too large for a table; use --format csv or json.\n",
               table.groups.size());

  return text_table(groups) + "\n" + text_table(matrix);
}

std::string to_csv(const SimilarityTable& table) {
  std::string out = "group,processes,members";
  for (std::size_t g = 0; g < table.groups.size(); ++g)
    out += fmt::format(",{} {}", table.measure, g);

  out += "\r\n";
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    out += fmt::format("{},{},{}", g, table.groups[g].count,
                       csv_field(joined(table.groups[g].processes)));
    for (auto value : table.values[g])
      out += fmt::format(",{}", value);
    out += "\r\n";
  }

  return out;
}

std::string to_json(const SimilarityTable& table) {
  using Json = nlohmann::ordered_json;
  Json groups = Json::array();
  for (const auto& group : table.groups)
    groups.push_back({{"processes", group.processes},
                      {"count", group.count},
                      {table.attribute, group.attributes}});

  const Json out{{"measure", table.measure},
                 {"by", table.attribute},
                 {"groups", groups},
                 {"values", table.values}};

  return json_text(out);
}

}  // namespace tracefold
