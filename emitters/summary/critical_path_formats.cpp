#include "emitters/summary/critical_path_formats.hpp"

#include "emitters/layout.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

std::string name_place(const Summary& run, std::uint32_t place) {
  if (place < CriticalPath::first_process)
    return place == CriticalPath::on_network ? "network" : "not known";
  return name_process(run.processes[place - CriticalPath::first_process]);
}

}  // namespace

std::vector<CriticalStay> list_stays(const CriticalTimes& path) {
  std::vector<CriticalStay> out;
  const auto slots = static_cast<double>(path.over_time.size());
  for (std::size_t slot = 0; slot < path.over_time.size(); ++slot) {
    if (out.empty() || out.back().place != path.over_time[slot])
      out.push_back({path.over_time[slot], static_cast<double>(slot) / slots, 0});
    out.back().until = static_cast<double>(slot + 1) / slots;
  }
  return out;
}

Table tabulate_critical(const Summary& run) {
  Table table{{in_csv("function"), in_text("call", {"function"}, Show::name),
               in_both("seconds", "time", Show::seconds), in_both("share", "share", Show::percent),
               in_both("imbalance_s", "above average", Show::seconds),
               in_text("most of it in", {"most"}), in_csv("process"), in_csv("share_of_process")}};
  if (!run.critical)
    return table;
  for (const auto& call : run.critical->calls) {
    const auto name = name_process(run.processes[call.most]);
    table.rows.push_back(
        {{"function", call.function},
         {"seconds", call.seconds},
         {"share", call.share},
         {"imbalance_s", call.imbalance},
         {"process", name},
         {"share_of_process", call.share_of_most},
         {beside,
          {{"most", call.share_of_most > 0.5
                        ? fmt::format("{}: {}", name, show_percent(call.share_of_most))
                        : std::string()}}}});
  }
  return table;
}

std::string name_critical(const Summary& run) {
  const auto& path = *run.critical;
  return fmt::format("critical path: what the end waits for, {} of it network",
                     show_percent(path.seconds > 0 ? path.network / path.seconds : 0));
}

std::string describe_critical_processes(const Summary& run) {
  std::map<std::uint32_t, double> sums;
  for (const auto& stay : list_stays(*run.critical))
    sums[stay.place] += stay.until - stay.from;
  std::vector<std::pair<double, std::uint32_t>> order;
  for (const auto& [place, share] : sums)
    order.emplace_back(-share, place);
  std::sort(order.begin(), order.end());
  constexpr std::size_t most = 4;
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k)
    parts.push_back(
        fmt::format("{}: {}", name_place(run, order[k].second), show_percent(-order[k].first)));
  if (order.size() > most)
    parts.push_back(fmt::format("{} more", show_count(order.size() - most)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json make_critical(const Summary& run) {
  if (!run.critical)
    return {};
  auto stays = Json::array();
  for (const auto& stay : list_stays(*run.critical))
    stays.push_back(
        {{"process", name_place(run, stay.place)}, {"from", stay.from}, {"until", stay.until}});
  return {{"seconds", run.critical->seconds},
          {"network_s", run.critical->network},
          {"calls", make_json(tabulate_critical(run))},
          {"over_time", std::move(stays)}};
}

std::string critical_path_to_table(const Summary& run, std::size_t most_rows) {
  auto table = tabulate_critical(run);
  if (most_rows > 0 && table.rows.size() > most_rows)
    table.rows.erase(table.rows.begin() + static_cast<std::ptrdiff_t>(most_rows), table.rows.end());
  auto out = apply_style(name_critical(run), TextStyle::heading) + "\n" + write_text(table);
  if (const auto processes = describe_critical_processes(run); !processes.empty())
    out += "\non it: " + processes + "\n";
  return out;
}

std::string critical_path_to_csv(const Summary& run) {
  return write_csv(tabulate_critical(run));
}

std::string critical_path_to_json(const Summary& run) {
  return make_critical(run).dump(2) + "\n";
}

}  // namespace tracefold
