#include "emitters/report/report_data.hpp"

#include "emitters/groups/group_drawing.hpp"
#include "emitters/report/column_data.hpp"
#include "emitters/report/html.hpp"
#include "emitters/report/page_words.hpp"
#include "emitters/report/rank_chart.hpp"
#include "emitters/summary/headline.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

using DataJson = nlohmann::ordered_json;

// A tenth of a pixel is near enough.
double round_length(double length) {
  return std::round(10 * length) / 10;
}

class ReportDataMaker {
 public:
  explicit ReportDataMaker(const Report& report) : report_(report) {
    number_of_.resize(report.order.size());
    for (std::size_t number = 0; number < report.order.size(); ++number)
      number_of_[report.order[number]] = static_cast<std::uint32_t>(number);
  }

  ReportData make() {
    DataJson out{{"version", 1}, {"trace", make_visible(report_.name)}};
    out["processes"] = report_.order.size();
    add_processes(out);
    out["groupOf"] = columns_.add_whole(list_groups_of());
    out["groups"] = list_groups();
    out["loops"] = list_loops();
    if (!report_.group_waiting.empty())
      out["waits"] = make_waits();
    if (!report_.functions.empty())
      out["functions"] = make_functions();
    if (const auto chart = make_rank_bars(report_.runs.front()); chart.most > 0)
      out["ranks"] = make_ranks(chart);
    if (!report_.calls.empty())
      out["calls"] = make_calls();
    if (report_.timeline)
      out["timeline"] = make_timeline();
    if (report_.matrix && !report_.matrix->metrics.empty())
      out["matrix"] = make_matrix();
    if (report_.similarity)
      out["similarity"] = make_similarity();
    if (report_.poset)
      out["poset"] = make_poset();
    if (report_.grid)
      out["grid"] = make_grid();
    return {write_script_json(out), columns_.pack()};
  }

 private:
  const Process& process(std::size_t number) const {
    return report_.runs.front().processes[report_.order[number]];
  }

  void add_processes(DataJson& out) {
    const auto size = report_.order.size();
    const auto are_ranks = [&] {
      for (std::size_t n = 0; n < size; ++n)
        if (!process(n).rank || *process(n).rank > 0xffffffffu || process(n).thread > 0xffffffffu)
          return false;
      return true;
    }();
    if (!are_ranks) {
      auto names = DataJson::array();
      for (std::size_t n = 0; n < size; ++n)
        names.push_back(make_visible(name_process(process(n))));
      out["names"] = std::move(names);
      return;
    }

    std::vector<std::uint32_t> ranks, threads;
    for (std::size_t n = 0; n < size; ++n) {
      ranks.push_back(static_cast<std::uint32_t>(*process(n).rank));
      threads.push_back(static_cast<std::uint32_t>(process(n).thread));
    }
    out["rank"] = columns_.add(ranks);
    if (std::any_of(threads.begin(), threads.end(), [](auto thread) { return thread > 0; }))
      out["thread"] = columns_.add(threads);
  }

  std::vector<std::uint32_t> list_groups_of() const {
    std::vector<std::uint32_t> out;
    for (auto p : report_.order)
      out.push_back(report_.group_of[p]);
    return out;
  }

  DataJson list_groups() const {
    auto out = DataJson::array();
    for (const auto& group : report_.groups) {
      auto representatives = DataJson::array();
      for (auto p : group.representatives)
        representatives.push_back(number_of_[p]);
      out.push_back({{"name", make_visible(group.name)},
                     {"members", group.members.size()},
                     {"representatives", std::move(representatives)}});
    }
    return out;
  }

  // Without cells those of `instead`, which have the same values.
  DataJson make_levels(const MapLevels& of, const MapLevels& instead) {
    const auto& shown = of.cells.empty() ? instead : of;
    return {
        {"cells", shown.values.empty() ? columns_.add(shown.cells) : columns_.add(shown.values)},
        {"low", shown.low},
        {"high", shown.high}};
  }

  DataJson make_cells(const PooledRows& of) {
    DataJson out{{"rows", of.rows()}};
    if (of.groups_share_rows)
      out["groupsShareRows"] = true;
    out["firstOfRow"] = columns_.add(of.first_of_row);
    out["order"] = columns_.add(of.order);
    out["largest"] = make_levels(of.largest, of.largest);
    out["average"] = make_levels(of.average, of.largest);
    return out;
  }

  DataJson make_map(const PooledMap& map) {
    DataJson out{{"metric", map.metric},
                 {"label", make_visible(map.label)},
                 {"unit", map.unit},
                 {"perColumn", map.per_column}};
    if (map.averaged > 1)
      out["averaged"] = map.averaged;
    out["columns"] = map.columns;
    out["minimum"] = columns_.add(map.minimum);
    out["mean"] = columns_.add(map.mean);
    out["maximum"] = columns_.add(map.maximum);
    out["byRank"] = make_cells(map.by_rank);
    out["byGroup"] = make_cells(map.by_group);
    return out;
  }

  DataJson list_loops() {
    auto out = DataJson::array();
    for (const auto& loop : report_.loops) {
      if (loop.maps.empty())  // what its iterations did is not known
        continue;
      auto maps = DataJson::array();
      for (const auto& map : loop.maps)
        maps.push_back(make_map(map));
      out.push_back({{"name", make_visible(loop.name)},
                     {"number", loop.number},
                     {"iterations", loop.iterations},
                     {"kept", loop.kept}});
      if (!loop.numbers.empty())
        out.back()["numbers"] = loop.numbers;
      out.back()["maps"] = std::move(maps);
    }
    return out;
  }

  DataJson make_waits() {
    std::vector<float> of_groups;
    for (const auto& wait : report_.waits)
      of_groups.insert(of_groups.end(), wait.group_seconds.begin(), wait.group_seconds.end());
    return {{"groupTotal", columns_.add(report_.group_waiting)},
            {"groupOfCall", columns_.add(of_groups)}};
  }

  DataJson make_functions() {
    auto names = DataJson::array(), kinds = DataJson::array();
    std::vector<float> total, visits, boxes, group_total, group_visits;
    for (const auto& function : report_.functions) {
      names.push_back(make_visible(function.name));
      kinds.push_back(name_paradigm(function.kind));
      total.push_back(static_cast<float>(function.seconds));
      visits.push_back(static_cast<float>(function.visits));
      for (const auto& box : function.boxes)
        boxes.insert(boxes.end(), box.begin(), box.end());
      group_total.insert(group_total.end(), function.group_seconds.begin(),
                         function.group_seconds.end());
      group_visits.insert(group_visits.end(), function.group_visits.begin(),
                          function.group_visits.end());
    }
    DataJson out{{"unit", "s"},
                 {"names", std::move(names)},
                 {"classes", std::move(kinds)},
                 {"total", columns_.add(total)},
                 {"visits", columns_.add(visits)},
                 {"boxes", columns_.add(boxes)},
                 {"groupTotal", columns_.add(group_total)},
                 {"groupVisits", columns_.add(group_visits)}};
    if (auto quarters = list_quarters(); !quarters.empty())
      out["quarters"] = columns_.add(quarters);
    return out;
  }

  // Function by function, in the order of the page's processes.
  std::vector<std::uint8_t> list_quarters() const {
    std::vector<std::uint8_t> out;
    for (const auto& function : report_.functions)
      if (!function.quarters.empty())
        for (auto p : report_.order)
          out.push_back(function.quarters[p]);
    return out;
  }

  DataJson make_ranks(const RankBars& chart) {
    std::vector<std::uint32_t> processes;
    std::vector<float> seconds;
    auto kinds = DataJson::array();
    for (const auto& [name, style] : rank_time_kinds)
      kinds.push_back(name);
    for (const auto& bar : chart.bars) {
      processes.push_back(number_of_[bar.process]);
      seconds.insert(seconds.end(), bar.seconds.begin(), bar.seconds.end());
    }
    return {{"kinds", std::move(kinds)},
            {"perBar", chart.per_bar},
            {"processes", columns_.add(processes)},
            {"seconds", columns_.add(seconds)}};
  }

  DataJson make_calls() {
    std::vector<float> inclusive, exclusive, group_inclusive, group_exclusive;
    for (const auto& call : report_.calls) {
      inclusive.push_back(static_cast<float>(call.inclusive));
      exclusive.push_back(static_cast<float>(call.exclusive));
      group_inclusive.insert(group_inclusive.end(), call.group_inclusive.begin(),
                             call.group_inclusive.end());
      group_exclusive.insert(group_exclusive.end(), call.group_exclusive.begin(),
                             call.group_exclusive.end());
    }
    return {{"inclusive", columns_.add(inclusive)},
            {"exclusive", columns_.add(exclusive)},
            {"groupInclusive", columns_.add(group_inclusive)},
            {"groupExclusive", columns_.add(group_exclusive)}};
  }

  DataJson make_timeline() {
    const auto& timeline = *report_.timeline;
    auto rows = DataJson::array(), names = DataJson::array(), kinds = DataJson::array();
    for (const auto& row : timeline.rows)
      rows.push_back(make_visible(row));
    for (const auto& function : timeline.functions) {
      names.push_back(make_visible(function.name));
      kinds.push_back(choose_style(function.kind));
    }
    auto levels = DataJson::array();
    for (const auto& level : timeline.levels)
      levels.push_back({{"cells", level.cells}, {"functions", columns_.add(level.functions)}});
    std::vector<std::uint32_t> from, to;
    std::vector<float> sent, received;
    for (const auto& message : timeline.messages) {
      from.push_back(message.from);
      to.push_back(message.to);
      sent.push_back(message.sent);
      received.push_back(message.received);
    }
    return {{"rows", std::move(rows)},
            {"seconds", timeline.seconds},
            {"names", std::move(names)},
            {"kinds", std::move(kinds)},
            {"levels", std::move(levels)},
            {"from", columns_.add_whole(from)},
            {"to", columns_.add_whole(to)},
            {"sent", columns_.add(sent)},
            {"received", columns_.add(received)},
            {"allMessages", timeline.all_messages}};
  }

  DataJson make_matrix() {
    const auto& matrix = *report_.matrix;
    auto names = DataJson::array(), metrics = DataJson::array();
    for (const auto& name : matrix.names)
      names.push_back(make_visible(name));
    for (const auto& metric : matrix.metrics)
      metrics.push_back({{"metric", metric.metric},
                         {"label", metric.label},
                         {"unit", metric.unit},
                         {"values", columns_.add(metric.values)}});
    DataJson out{{"size", matrix.names.size()}, {"rowNames", std::move(names)}};
    if (!matrix.group_of_row.empty())
      out["groupOfRow"] = columns_.add(matrix.group_of_row);
    out["metrics"] = std::move(metrics);
    return out;
  }

  DataJson make_similarity() {
    const auto& similarity = *report_.similarity;
    DataJson out;
    if (similarity.of > similarity.groups.size())
      out["of"] = similarity.of;
    out["size"] = similarity.groups.size();
    out["groups"] = similarity.groups;
    out["values"] = columns_.add(similarity.values);
    return out;
  }

  // Where each process has the place of its number, that is not told.
  DataJson make_grid() {
    std::vector<std::uint32_t> places, clusters(report_.order.size());
    auto colours = DataJson::array(), names = DataJson::array();
    bool are_in_order = true;
    for (auto p : report_.order) {
      are_in_order &= report_.grid->places[p] == places.size();
      places.push_back(report_.grid->places[p]);
    }
    for (std::size_t g = 0; g < report_.groups.size(); ++g)
      colours.push_back(write_colour(choose_hue(g)));
    DataJson out{{"sizes", report_.grid->sizes}, {"colours", std::move(colours)}};
    if (!are_in_order)
      out["places"] = columns_.add(places);
    if (!report_.clusters)
      return out;

    names.push_back("");  // of what does not communicate
    for (const auto& group : *report_.clusters->plan->groups) {
      if (!group.clusters)
        continue;
      for (auto p : group.members)
        clusters[number_of_[p]] = static_cast<std::uint32_t>(names.size());
      names.push_back(fmt::format("main cluster {}, sub-cluster {}", group.clusters->main,
                                  group.clusters->sub));
    }
    out["clusters"] = std::move(names);
    out["clusterOf"] = columns_.add_whole(clusters);
    return out;
  }

  DataJson make_poset() const {
    const auto& poset = *report_.poset;
    auto nodes = DataJson::array(), edges = DataJson::array();
    for (const auto& node : poset.nodes)
      nodes.push_back({{"x", round_length(node.x)},
                       {"y", round_length(node.y)},
                       {"width", round_length(node.width)},
                       {"label", make_visible(node.label)},
                       {"title", make_lines_visible(node.title)},
                       {"groups", node.groups},
                       {"processes", node.processes}});
    for (const auto& edge : poset.edges) {
      auto numbers = DataJson::array({edge.lower, edge.upper});
      for (const auto& bend : edge.bends) {
        numbers.push_back(round_length(bend.x));
        numbers.push_back(round_length(bend.y));
      }
      edges.push_back(std::move(numbers));
    }
    return {{"width", round_length(poset.width)},
            {"height", round_length(poset.height)},
            {"nodeHeight", poset.node_height},
            {"nodes", std::move(nodes)},
            {"edges", std::move(edges)}};
  }

  const Report& report_;
  std::vector<std::uint32_t> number_of_;  // by place in the plan
  ColumnData columns_;
};

}  // namespace

ReportData make_report_data(const Report& report) {
  return ReportDataMaker(report).make();
}

}  // namespace tracefold
