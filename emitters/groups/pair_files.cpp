#include "emitters/groups/pair_files.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace tracefold {

namespace {

constexpr std::array<const char*, 2> reasons{"least similar", "most different"};

// Calls give(group, reason, pair) for each pair there is.
template <class Give>
void for_each_pair(const std::vector<GroupPairs>& pairs, Give give) {
  for (const auto& group : pairs) {
    if (group.least_similar)
      give(group.group, reasons[0], *group.least_similar);
    if (group.most_different)
      give(group.group, reasons[1], *group.most_different);
  }
}

}  // namespace

std::string to_table(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  std::vector<std::vector<std::string>> rows{
      {"group", "why", "similarity", "difference", "first", "second", "locations"}};
  for_each_pair(pairs, [&](std::uint32_t group, const char* why, const ProcessPair& pair) {
    const auto &a = plan.processes[pair.first], &b = plan.processes[pair.second];
    rows.push_back({std::to_string(group), why, fmt::format("{:.2f}", pair.similarity),
                    as_time(plan, pair.difference), shown_process(a), shown_process(b),
                    fmt::format("{}, {}", a.id, b.id)});
  });

  return rows.size() > 1 ? text_table(rows) : "In no group two processes differ.\n";
}

std::string to_csv(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  std::string out =
      "group,why,similarity,difference_seconds,first_location,second_location,first_name,second_"
      "name\r\n";
  for_each_pair(pairs, [&](std::uint32_t group, const char* why, const ProcessPair& pair) {
    const auto &a = plan.processes[pair.first], &b = plan.processes[pair.second];
    out += fmt::format("{},{},{},{},{},{},{},{}\r\n", group, why, pair.similarity,
                       seconds_of(plan, pair.difference), a.id, b.id, csv_field(a.name),
                       csv_field(b.name));
  });

  return out;
}

std::string to_json(const Plan& plan, const std::vector<GroupPairs>& pairs) {
  using Json = nlohmann::ordered_json;
  Json out = Json::array();
  for_each_pair(pairs, [&](std::uint32_t group, const char* why, const ProcessPair& pair) {
    const auto &a = plan.processes[pair.first], &b = plan.processes[pair.second];
    out.push_back({{"group", group},
                   {"why", why},
                   {"similarity", pair.similarity},
                   {"difference_seconds", seconds_of(plan, pair.difference)},
                   {"locations", {std::to_string(a.id), std::to_string(b.id)}},
                   {"names", {a.name, b.name}}});
  });

  return json_text({{"anchor", plan.trace.anchor}, {"pairs", out}});
}

}  // namespace tracefold
