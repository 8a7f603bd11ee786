#include "emitters/groups/shared_by_runs.hpp"

#include "base/text.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tracefold {

std::string name_some_runs(const std::vector<std::uint64_t>& of_runs) {
  std::string out;
  std::size_t some = 0;
  for (std::size_t r = 0; r < of_runs.size(); ++r)
    if (of_runs[r] > 0) {
      out += (out.empty() ? "" : " ") + name_run_letter(r);
      ++some;
    }
  return some == of_runs.size() ? std::string() : out;
}

std::string list_runs(const std::vector<RunShare>& runs) {
  std::string out;
  for (std::size_t r = 0; r < runs.size(); ++r)
    out += fmt::format("{}: {}, {} process{}\n", name_run_letter(r), make_printable(runs[r].name),
                       show_count(runs[r].processes), runs[r].processes == 1 ? "" : "es");
  return out;
}

std::string count_shared(
    const char* things, const std::vector<std::pair<std::vector<std::uint64_t>, std::size_t>>& of) {
  std::map<std::string, std::size_t> counts;  // those of all runs first
  for (const auto& [of_runs, number] : of)
    if (number > 0)
      counts[name_some_runs(of_runs)] += number;
  std::string out;
  for (const auto& [some, number] : counts)
    out += fmt::format("{} {} {}", out.empty() ? fmt::format("{}:", things) : ",",
                       show_count(number), some.empty() ? "in all runs" : "only in " + some);
  return out + "\n";
}

void add_run_columns(const std::vector<RunShare>& runs, std::vector<TableColumn>& columns) {
  for (std::size_t r = 0; r < runs.size(); ++r)
    columns.push_back(in_text(name_run_letter(r), {"of_runs", std::to_string(r)}));
}

nlohmann::ordered_json make_runs_json(const std::vector<RunShare>& runs) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& run : runs)
    out.push_back({{"name", make_printable(run.name)}, {"processes", run.processes}});
  return out;
}

}  // namespace tracefold
