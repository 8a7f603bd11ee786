#include "emitters/groups/group_formats.hpp"

#include "base/choose_largest.hpp"
#include "base/text.hpp"
#include "emitters/groups/reason_formats.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/text_table.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace tracefold {

namespace {

std::string show_ranks(const SignatureClusters& clusters) {
  return "<" + clusters.ranks + ">";
}

std::string show_name(const std::string& name) {
  return make_printable(name);
}

// For each group the processes that are kept, ascending.
std::vector<std::vector<std::size_t>> find_kept(const Plan& plan) {
  std::vector<std::vector<std::size_t>> kept(plan.groups->size());
  if (!plan.representatives)
    return kept;

  for (const auto& representative : *plan.representatives)
    if (representative.group < kept.size())
      kept[representative.group].push_back(representative.process);

  for (auto& processes : kept)
    std::sort(processes.begin(), processes.end());

  return kept;
}

std::string join_quoted(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names)
    out += (out.empty() ? "'" : ", '") + show_name(name) + "'";

  return out;
}

// How many clusters of ranks there are, and what of their signatures was compared.
std::string describe_signatures(const Plan& plan) {
  std::set<std::uint32_t> main, sub;
  for (const auto& group : *plan.groups)
    if (group.clusters) {
      main.insert(group.clusters->main);
      sub.insert(group.clusters->sub);
    }

  const auto& options = plan.comparison.signature;
  auto out = fmt::format("compared by signature: {} main cluster{}", main.size(),
                         main.size() == 1 ? "" : "s");
  if (options.level == ClusterLevel::sub)
    out += fmt::format(", {} sub-cluster{}", sub.size(), sub.size() == 1 ? "" : "s");
  out += " of ranks";
  if (!options.keep_order)
    out += ", without order";
  if (options.level == ClusterLevel::main)
    return out;
  if (options.peers != ComparePeers::relative)
    out += options.peers == ComparePeers::pattern ? ", peers by pattern" : ", without peers";
  if (!options.compare_bytes)
    out += ", without bytes";
  return out;
}

// One line on how processes were compared. It is empty where call pairs were compared and nothing
// else was asked for.
std::string describe_comparison(const Plan& plan) {
  constexpr std::size_t most_names = 5;
  const auto& comparison = plan.comparison;
  std::string out = comparison.by == CompareBy::pairs
                        ? ""
                        : fmt::format("compared by {}", to_text(comparison.by));
  if (comparison.by == CompareBy::signature)
    out = describe_signatures(plan);

  if (!plan.ignored.empty()) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(most_names, plan.ignored.size()); ++k)
      names.push_back(plan.functions[plan.ignored[k]].shown_name());

    out += (out.empty() ? "compared without " : ", without ") + join_quoted(names);
    if (plan.ignored.size() > most_names)
      out += fmt::format(" and {} more", plan.ignored.size() - most_names);
  } else if (comparison.ignore_root) {
    out += out.empty() ? "compared with all functions: there is no artificial root"
                       : ", there is no artificial root";
  }

  if (!comparison.combine.empty())
    out += (out.empty() ? "compared with " : ", with ") + join_quoted(comparison.combine) +
           " combined";

  return out.empty() ? out : out + "\n";
}

// The number of call pairs of the member that has most.
std::size_t count_pairs(const Plan& plan, const Group& group) {
  std::size_t pairs = 0;
  for (auto intent : group.intents)
    pairs = std::max(pairs, plan.intents[intent].set.pairs.size());

  return pairs;
}

std::string representatives_table(const Plan& plan) {
  TableRows rows{{"group", "stands for", "why", "kept", "members"}};
  for (const auto& representative : *plan.representatives) {
    const auto& process = plan.processes[representative.process];
    rows.push_back({std::to_string(representative.group),
                    std::to_string(count_processes(plan, representative.members)),
                    make_printable(representative.why), name_process(process),
                    list_places(plan, representative.members)});
  }

  return text_table(rows, {.left_columns = 3});
}

std::string compute_similarity_matrix(const std::vector<Group>& groups) {
  std::vector<std::vector<double>> values;
  for (const auto& group : groups)
    values.push_back(group.similarity);

  return matrix_table("similarity", values);
}

}  // namespace

std::string to_group_table(const Plan& plan) {
  const auto& groups = *plan.groups;
  const auto kept = find_kept(plan);
  const bool are_selected = plan.representatives.has_value();
  bool keeps_several = false;

  TableRows rows{{"group", "processes", "pairs"}};
  const bool has_clusters = plan.comparison.by == CompareBy::signature;
  if (has_clusters)
    rows[0].insert(rows[0].end(), {"main", "sub"});
  rows[0].insert(rows[0].end(), {"name", "ranks"});
  if (are_selected)
    rows[0].push_back("kept");

  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& group = groups[g];
    auto& row = rows.emplace_back();
    row = {std::to_string(g), std::to_string(count_processes(plan, group.members)),
           std::to_string(count_pairs(plan, group))};
    if (has_clusters && group.clusters)
      row.insert(row.end(),
                 {std::to_string(group.clusters->main), std::to_string(group.clusters->sub)});
    else if (has_clusters)
      row.insert(row.end(), {"-", "-"});

    row.push_back(show_group(plan, g));
    row.push_back(has_clusters && group.clusters ? show_ranks(*group.clusters)
                                                 : list_places(plan, group.members));
    if (are_selected)
      row.push_back(list_places(plan, kept[g]));
    keeps_several |= kept[g].size() > 1;
  }

  auto out =
      write_kept_only_line(plan) +
      text_table(rows, {.left_columns = are_selected ? 3u : 2u, .less_important = {"pairs"}}) +
      describe_comparison(plan);
  if (keeps_several)
    out += "\n" + representatives_table(plan);
  const bool has_similarity = groups.size() >= 2 && !groups.front().similarity.empty();
  if (has_similarity && groups.size() <= largest_matrix)
    out += "\n" + compute_similarity_matrix(groups);

  return out;
}

namespace {

// The groups that have most processes.
std::vector<std::size_t> choose_largest_groups(const Plan& plan, std::vector<std::size_t> groups,
                                               std::size_t most) {
  return choose_largest(std::move(groups), most, [&](std::size_t g) {
    return count_processes(plan, plan.groups->at(g).members);
  });
}

// Puts a line below the row of each of these groups, of which `shown` have rows.
std::string add_reasons(const std::string& table, const std::vector<std::size_t>& shown,
                        const std::vector<std::size_t>& explained,
                        const std::vector<GroupReason>& reasons) {
  constexpr std::size_t indent = 11;  // behind the numbers of processes
  const auto columns = text_layout().columns;
  std::string out;
  std::size_t line = 0;
  for (std::size_t at = 0; at < table.size(); ++line) {
    const auto end = std::min(table.find('\n', at), table.size() - 1) + 1;
    out += table.substr(at, end - at);
    at = end;
    if (line == 0 || line > shown.size())
      continue;
    const auto group = shown[line - 1];
    if (std::binary_search(explained.begin(), explained.end(), group)) {
      const auto words = describe_reason(reasons[group], choose_name_length());
      out += std::string(indent, ' ') +
             (columns == 0 ? words : shorten(words, std::max(columns, 2 * indent) - indent)) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string to_short_group_table(const Plan& plan, std::size_t most_groups,
                                 const std::vector<GroupReason>& reasons,
                                 std::size_t most_reasons) {
  const auto& groups = *plan.groups;
  const auto kept = find_kept(plan);
  std::vector<std::size_t> all(groups.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto shown = choose_largest_groups(plan, std::move(all), most_groups);

  TableRows rows{{"processes", "group", "ranks", "kept"}};
  for (const auto g : shown) {
    rows.push_back({show_count(count_processes(plan, groups[g].members)), show_group(plan, g),
                    list_places(plan, groups[g].members), list_places(plan, kept[g])});
  }

  auto out = text_table(rows, {.left_columns = 3});
  const bool has_reasons = groups.size() > 1 && reasons.size() == groups.size();
  if (has_reasons && most_reasons > 0)
    out = add_reasons(out, shown, choose_largest_groups(plan, shown, most_reasons), reasons);
  if (shown.size() < groups.size())
    out += describe_more(groups.size() - shown.size(), "group");
  return out;
}

std::string to_group_csv(const Plan& plan) {
  const auto& groups = *plan.groups;
  const auto kept = find_kept(plan);
  std::string out = "group,processes,pairs,representative,name,members,ranks,group_name\r\n";

  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& members = groups[g].members;
    const auto named = kept[g].empty() ? members.front() : kept[g].front();
    out += fmt::format("{},{},{},{},{},{},{},{}\r\n", g, count_processes(plan, members),
                       count_pairs(plan, groups[g]), quote_csv(format_ids(plan, kept[g])),
                       quote_csv(plan.processes[named].name), quote_csv(format_ids(plan, members)),
                       quote_csv(list_ranks(plan, members)), quote_csv(groups[g].name));
  }

  return out;
}

}  // namespace tracefold
