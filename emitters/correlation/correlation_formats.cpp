#include "emitters/correlation/correlation_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "emitters/units.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

template <class Finding>
std::span<const Finding> take_first(const std::vector<Finding>& findings, std::size_t most) {
  return std::span(findings).first(most == 0 ? findings.size() : std::min(most, findings.size()));
}

// "x+1 y-2"; "0" where nothing is shifted.
std::string show_shift(const CorrelationScope& scope, const CorrelationFinding& finding) {
  std::string text;
  for (std::size_t a = 0; a < finding.shift.size(); ++a)
    if (finding.shift[a] != 0)
      text += fmt::format("{}{}{:+}", text.empty() ? "" : " ", make_printable(scope.axes[a].name),
                          finding.shift[a]);
  return text.empty() ? "0" : text;
}

// The unit that programs get.
std::string find_unit(const CorrelationView& view) {
  if (!view.per_second)
    return name_unit(view.kind, view.recorded_unit);
  switch (view.kind) {
    case MetricKind::time: return "";
    case MetricKind::bytes: return "bytes/s";
    default: return (view.recorded_unit.empty() ? "1" : view.recorded_unit) + "/s";
  }
}

double convert_sum(const Plan& plan, const CorrelationView& view) {
  if (view.kind != MetricKind::time)
    return view.sum;
  return to_seconds(plan, view.sum);
}

std::string show_sum(const Plan& plan, const CorrelationView& view) {
  if (!view.per_second && view.kind == MetricKind::time)
    return format_time(plan, static_cast<std::uint64_t>(std::llround(view.sum)));
  if (!view.per_second && view.kind == MetricKind::bytes)
    return format_bytes(static_cast<std::uint64_t>(std::llround(view.sum)));
  return fmt::format("{:.6g}", convert_sum(plan, view));
}

std::string show_chance(const CorrelationFinding& finding) {
  return finding.chance ? fmt::format("{:.3f}", *finding.chance) : "-";
}

// "64 processes on x 8 x y 8 periodic, as given; what varies along x counts".
std::string describe_grid(const Plan& plan, const CorrelationScope& scope) {
  std::string axes;
  std::string chosen;
  bool all = true;
  for (const auto& axis : scope.axes) {
    axes += fmt::format("{}{} {}{}", axes.empty() ? "" : " x ", make_printable(axis.name),
                        axis.size, axis.periodic ? " periodic" : "");
    all = all && axis.chosen;
    if (axis.chosen)
      chosen += fmt::format("{}{}", chosen.empty() ? "" : ", ", make_printable(axis.name));
  }

  auto text = fmt::format("{} process{} on {}, {}", show_count(scope.processes),
                          scope.processes == 1 ? "" : "es", axes, make_printable(scope.grid));
  if (const auto kept = describe_kept_only(plan); !kept.empty())
    text += ", " + kept;
  if (scope.loop)
    text += fmt::format(", loop {}", *scope.loop + 1);
  if (!all)
    text += fmt::format("; what varies along {} counts", chosen);
  return text;
}

constexpr std::size_t longest_path_in_text = 60;

std::string name_path(const CorrelationView& view) {
  return fit_name(make_printable(view.call_path), longest_path_in_text);
}

std::string name_view(const CorrelationView& view) {
  return make_printable(view.metric + ":" + view.call_path);
}

// What a table does not show, in one line.
class Rest {
 public:
  void add(std::size_t count, const std::string& words) {
    if (count > 0)
      text_ += fmt::format("{}{} {}", text_.empty() ? "" : "; ", show_count(count), words);
  }
  std::string text() const { return text_.empty() ? text_ : text_ + "\n"; }

 private:
  std::string text_;
};

std::string describe_chance(double most_chance) {
  return fmt::format("left out, as their chance of being luck is above {:g}", most_chance);
}

constexpr const char* too_small = "views with too small a share not looked at";

Json make_json(const Plan& plan, const CorrelationView& view) {
  return {{"metric", make_printable(view.metric)},
          {"call_path", make_printable(view.call_path)},
          {"sum", convert_sum(plan, view)},
          {"unit", make_printable(find_unit(view))}};
}

Json list_json(const Plan& plan, const CorrelationScope& scope,
               const std::vector<std::size_t>& views) {
  Json out = Json::array();
  for (auto v : views)
    out.push_back(make_json(plan, scope.views[v]));
  return out;
}

Json make_json(const Plan& plan, const CorrelationScope& scope, const CorrelationFinding& finding) {
  Json shift = Json::object();
  for (std::size_t a = 0; a < finding.shift.size(); ++a)
    shift[make_printable(scope.axes[a].name)] = finding.shift[a];

  auto out = make_json(plan, scope.views[finding.view]);
  out["r"] = finding.r;
  out["shift"] = std::move(shift);
  out["unshifted"] = finding.unshifted;
  out["pearson"] = finding.plain;
  out["chance"] = finding.chance ? Json(*finding.chance) : Json();
  out["identical"] = list_json(plan, scope, finding.same);
  return out;
}

Json make_head(const Plan& plan, const CorrelationScope& scope) {
  Json axes = Json::array();
  for (const auto& axis : scope.axes)
    axes.push_back({{"name", make_printable(axis.name)},
                    {"size", axis.size},
                    {"periodic", axis.periodic},
                    {"chosen", axis.chosen}});

  return {{"tracefold_correlation", 1},   {"trace", plan.trace.anchor},
          {"processes", scope.processes}, {"grid", make_printable(scope.grid)},
          {"axes", std::move(axes)},      {"loop", scope.loop ? Json(*scope.loop + 1) : Json()},
          {"views", scope.views.size()},  {"views_left_out", scope.left_out}};
}

// Findings, with the columns `first` before those that all kinds of files have.
Table begin_findings(const CorrelationScope& scope, std::vector<TableColumn> first = {}) {
  constexpr const char* six_decimals = "{:.6f}";
  Table table{std::move(first)};
  const auto add = [&](const std::vector<TableColumn>& columns) {
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  };
  add({in_both("r", "r", Show::correlation, six_decimals), in_text("shift", {"shown_shift"})});
  for (std::size_t a = 0; a < scope.axes.size(); ++a)
    add({in_csv("shift_" + scope.axes[a].name, {"shifts", std::to_string(a)})});
  add({in_both("unshifted", "unshifted", Show::correlation, six_decimals).left_out(2),
       in_both("pearson", "Pearson", Show::correlation, six_decimals).left_out(1),
       in_csv("chance", {}, "{:.6g}"), in_text("chance", {"shown_chance"}).left_out(4),
       in_csv("sum", {}, "{:.12g}"), in_text("sum", {"shown_sum"}).left_out(3), in_csv("unit"),
       in_both("metric", "metric"), in_csv("call_path"), in_text("call path", {"shown_path"}),
       in_csv("identical")});
  return table;
}

Json make_finding_row(const Plan& plan, const CorrelationScope& scope,
                      const CorrelationFinding& finding) {
  const auto& view = scope.views[finding.view];
  auto path = make_printable(view.call_path);
  if (!finding.same.empty())
    path += fmt::format(" (and {} identical)", finding.same.size());

  auto row = make_json(plan, scope, finding);
  row[beside] = {{"shifts", finding.shift},
                 {"shown_shift", show_shift(scope, finding)},
                 {"shown_chance", show_chance(finding)},
                 {"shown_sum", show_sum(plan, view)},
                 {"shown_path", path},
                 {"identical", finding.same.size()}};
  return row;
}

// The leader with itself.
CorrelationFinding make_leader(const CorrelationScope& scope, const CorrelationCluster& cluster) {
  CorrelationFinding leader;
  leader.view = cluster.leader;
  leader.same = cluster.same;
  leader.r = leader.unshifted = leader.plain = 1;
  leader.shift.resize(scope.axes.size());
  return leader;
}

std::string describe_pairs(const PairCounts& pairs) {
  return fmt::format(
      "{} pairs of views: {} correlated, {} pruned by their frequencies, {} by the triangle "
      "inequality, {} not needed\n",
      show_count(pairs.all), show_count(pairs.correlated), show_count(pairs.pruned_by_bound),
      show_count(pairs.pruned_by_triangle), show_count(pairs.not_needed()));
}

// "1 step before along process and 2 steps after along iteration"; "at the same place".
std::string describe_place(const CorrelationScope& scope, const CorrelationFinding& finding) {
  std::string text;
  for (std::size_t a = 0; a < finding.shift.size(); ++a) {
    const auto steps = finding.shift[a];
    if (steps == 0)
      continue;
    text += fmt::format("{}{} step{} {} along {}", text.empty() ? "" : " and ", std::abs(steps),
                        std::abs(steps) == 1 ? "" : "s", steps < 0 ? "before" : "after",
                        make_printable(scope.axes[a].name));
  }
  return text.empty() ? "at the same place" : text;
}

const char* name_cause(const CorrelationScope& scope, const CorrelationFinding& cause) {
  const auto& view = scope.views[cause.view];
  return view.is_inclusive ? "call" : view.is_mpi ? "communication" : "computation";
}

// "takes long", "transfers little".
std::string describe_amount(const CorrelationView& cause, bool is_alike) {
  if (cause.kind == MetricKind::bytes)
    return fmt::format("transfers {}", is_alike ? "much" : "little");
  return fmt::format("takes {}", is_alike ? "long" : "little time");
}

std::string describe_wait(const Plan& plan, const ExplanationReport& report,
                          const WaitExplanation& wait) {
  const auto& scope = report.scope;
  const auto& view = scope.views[wait.view];
  auto text = fmt::format("{} waits {}, {:.1f} % of all waiting ({})", name_path(view),
                          show_sum(plan, view), 100 * wait.share, make_printable(view.metric));
  if (!wait.cause)
    return text + "; no explanation found.\n";

  const auto& cause = scope.views[wait.cause->view];
  text += fmt::format(": it waits long where the {} {}{} {} {} (r {:+.3f}, shift {}",
                      name_cause(scope, *wait.cause), name_path(cause),
                      cause.is_inclusive ? ", with all that it calls," : "",
                      describe_amount(cause, wait.cause->r > 0), describe_place(scope, *wait.cause),
                      wait.cause->r, show_shift(scope, *wait.cause));
  if (wait.cause->chance)
    text += fmt::format(", chance {:.3f}", *wait.cause->chance);
  return text + ").\n";
}

// "exchange → MPI_Wait", "all calls of rank 5".
std::string name_calls(const StructureFinding& finding) {
  if (finding.callee.empty())
    return "all calls of " + make_printable(finding.like);
  const auto callee = make_printable(finding.callee);
  return finding.caller.empty() ? callee : make_printable(finding.caller) + " → " + callee;
}

// "32 ranks that call a → b (and 3 other calls) wait 1.40 times as long as others".
std::string describe_structure(const StructureFinding& finding) {
  const auto* verb = finding.callee.empty() ? "make" : "call";
  auto text = fmt::format("{} ranks that {} {}", show_count(finding.ranks), verb,
                          fit_name(name_calls(finding), longest_path_in_text));
  if (finding.same > 0)
    text += fmt::format(" (and {} other call{})", show_count(finding.same),
                        finding.same == 1 ? "" : "s");
  text += finding.is_waiting ? " wait" : " take";
  if (finding.ratio)
    text += fmt::format(" {:.{}f} times as long as others", *finding.ratio,
                        *finding.ratio < 10 ? 2 : 0);
  else
    text += finding.is_waiting ? ", and others do not" : " more time than others";
  if (!finding.is_waiting)
    text += " outside of MPI";
  text += fmt::format(" (r {:+.3f}", finding.r);
  if (finding.chance)
    text += fmt::format(", chance {:.3f}", *finding.chance);
  return text + ").\n";
}

constexpr std::size_t most_structure_sentences = 5;

Json make_json(const StructureFinding& finding) {
  const auto name = [](const std::string& text) {
    return text.empty() ? Json() : Json(make_printable(text));
  };
  return {{"caller", name(finding.caller)},
          {"callee", name(finding.callee)},
          {"all_calls_of", name(finding.like)},
          {"ranks", finding.ranks},
          {"other_calls", finding.same},
          {"of", finding.is_waiting ? "waiting" : "time outside of MPI"},
          {"ratio", make_json_value(finding.ratio)},
          {"r", finding.r},
          {"chance", make_json_value(finding.chance)}};
}

Table tabulate_findings(const Plan& plan, const CorrelationReport& report, std::size_t most) {
  auto table = begin_findings(report.scope);
  for (const auto& finding : take_first(report.findings, most))
    table.rows.push_back(make_finding_row(plan, report.scope, finding));
  return table;
}

// A cluster, its leader first.
void add_cluster(const Plan& plan, const CorrelationScope& scope, const CorrelationCluster& cluster,
                 std::size_t number, Table& table) {
  const auto add = [&](const CorrelationFinding& finding) {
    auto& row = table.rows.emplace_back(make_finding_row(plan, scope, finding));
    row[beside]["cluster"] = number;
  };
  add(make_leader(scope, cluster));
  for (const auto& member : cluster.members)
    add(member);
}

}  // namespace

std::string to_table(const Plan& plan, const CorrelationReport& report, std::size_t most) {
  const auto& scope = report.scope;
  const auto& query = scope.views[report.query];
  const auto table = tabulate_findings(plan, report, most);
  Rest rest;
  rest.add(report.findings.size() - table.rows.size(), "more findings");
  rest.add(report.left_out_by_chance, describe_chance(report.most_chance));
  rest.add(scope.left_out, too_small);

  const std::string nothing = report.query_varies
                                  ? "nothing correlates with it\n"
                                  : "nothing correlates with it: it does not vary along the axes "
                                    "that count\n";
  const auto body = table.rows.empty() ? nothing : write_text(table);
  return fmt::format("{}, {}\n{}\n\n{}{}", name_view(query), show_sum(plan, query),
                     describe_grid(plan, scope), body, rest.text());
}

std::string to_csv(const Plan& plan, const CorrelationReport& report, std::size_t most) {
  return write_csv(tabulate_findings(plan, report, most));
}

std::string to_json(const Plan& plan, const CorrelationReport& report, std::size_t most) {
  auto out = make_head(plan, report.scope);
  out["view"] = make_json(plan, report.scope.views[report.query]);
  out["left_out_by_chance"] = report.left_out_by_chance;
  out["findings"] = make_json(tabulate_findings(plan, report, most));
  return write_json_text(out);
}

std::string to_table(const Plan& plan, const ClusterReport& report, std::size_t most) {
  const auto& scope = report.scope;
  const auto shown = take_first(report.clusters, most);
  auto out = fmt::format("{}\n{} cluster{} of views with |r| of at least {:g} with the first one\n",
                         describe_grid(plan, scope), show_count(report.clusters.size()),
                         report.clusters.size() == 1 ? "" : "s", report.threshold);

  for (std::size_t c = 0; c < shown.size(); ++c) {
    auto table = begin_findings(scope);
    add_cluster(plan, scope, shown[c], c, table);
    out += fmt::format("\ncluster {}: {} views\n{}", c, show_count(shown[c].count_views()),
                       write_text(table));
  }

  Rest rest;
  rest.add(report.clusters.size() - shown.size(), "more clusters");
  rest.add(report.single, "views like no other");
  rest.add(report.constant, "views that do not vary");
  rest.add(report.left_out_by_chance, describe_chance(report.most_chance));
  rest.add(scope.left_out, too_small);
  return fmt::format("{}\n{}{}", out, rest.text(), describe_pairs(report.pairs));
}

std::string to_csv(const Plan& plan, const ClusterReport& report, std::size_t most) {
  auto table = begin_findings(report.scope, {in_csv("cluster")});
  const auto shown = take_first(report.clusters, most);
  for (std::size_t c = 0; c < shown.size(); ++c)
    add_cluster(plan, report.scope, shown[c], c, table);
  return write_csv(table);
}

std::string to_json(const Plan& plan, const ClusterReport& report, std::size_t most) {
  const auto& scope = report.scope;
  auto out = make_head(plan, scope);
  out["threshold"] = report.threshold;
  out["single"] = report.single;
  out["constant"] = report.constant;
  out["left_out_by_chance"] = report.left_out_by_chance;
  out["pairs"] = {{"all", report.pairs.all},
                  {"correlated", report.pairs.correlated},
                  {"pruned_by_bound", report.pairs.pruned_by_bound},
                  {"pruned_by_triangle", report.pairs.pruned_by_triangle},
                  {"not_needed", report.pairs.not_needed()}};

  Json clusters = Json::array();
  for (const auto& cluster : take_first(report.clusters, most)) {
    auto leader = make_json(plan, scope.views[cluster.leader]);
    leader["identical"] = list_json(plan, scope, cluster.same);
    Json members = Json::array();
    for (const auto& member : cluster.members)
      members.push_back(make_json(plan, scope, member));
    clusters.push_back({{"views", cluster.count_views()},
                        {"leader", std::move(leader)},
                        {"members", std::move(members)}});
  }
  out["clusters"] = std::move(clusters);
  return write_json_text(out);
}

std::string to_table(const Plan& plan, const ExplanationReport& report, std::size_t most) {
  const auto shown = take_first(report.waits, most);
  auto out = describe_grid(plan, report.scope) + "\n\n";
  for (const auto& wait : shown)
    out += describe_wait(plan, report, wait);
  if (shown.empty())
    out += "no call waits for another process, as far as the trace shows\n";
  if (!report.structure.empty())
    out += "\n";
  for (const auto& finding : take_first(report.structure, most_structure_sentences))
    out += describe_structure(finding);

  Rest rest;
  if (report.structure.size() > most_structure_sentences)
    rest.add(report.structure.size() - most_structure_sentences, "more such calls");
  rest.add(report.scope.left_out, too_small);
  return out + rest.text();
}

std::string to_csv(const Plan& plan, const ExplanationReport& report, std::size_t most) {
  const auto& scope = report.scope;
  auto table = begin_findings(scope, {in_csv("wait_metric"), in_csv("wait_call_path"),
                                      in_csv("wait_seconds", {}, "{:.12g}"),
                                      in_csv("wait_share", {}, "{:.6g}"), in_csv("cause")});
  table.columns.push_back(in_csv("ranks"));
  table.columns.push_back(in_csv("ratio", {}, "{:.6g}"));
  for (const auto& wait : take_first(report.waits, most)) {
    const auto& view = scope.views[wait.view];
    auto row = wait.cause ? make_finding_row(plan, scope, *wait.cause) : Json::object();
    row["wait_metric"] = view.metric;
    row["wait_call_path"] = view.call_path;
    row["wait_seconds"] = convert_sum(plan, view);
    row["wait_share"] = wait.share;
    row["cause"] = wait.cause ? Json(name_cause(scope, *wait.cause)) : Json();
    table.rows.push_back(std::move(row));
  }

  for (const auto& finding : report.structure) {
    auto row = make_json(finding);
    row["wait_metric"] = row["of"];
    row["cause"] = "structure";
    row["metric"] = "calls";
    row["call_path"] = name_calls(finding);
    row[beside] = {{"identical", finding.same}};
    table.rows.push_back(std::move(row));
  }
  return write_csv(table);
}

std::string to_json(const Plan& plan, const ExplanationReport& report, std::size_t most) {
  const auto& scope = report.scope;
  auto out = make_head(plan, scope);
  out["waiting_seconds"] = to_seconds(plan, report.waiting);

  Json waits = Json::array();
  for (const auto& wait : take_first(report.waits, most)) {
    auto one = make_json(plan, scope.views[wait.view]);
    one["share"] = wait.share;
    one["cause"] = nullptr;
    if (wait.cause) {
      one["cause"] = make_json(plan, scope, *wait.cause);
      one["cause"]["kind"] = name_cause(scope, *wait.cause);
    }
    waits.push_back(std::move(one));
  }
  out["waits"] = std::move(waits);
  out["structure"] = Json::array();
  for (const auto& finding : report.structure)
    out["structure"].push_back(make_json(finding));
  return write_json_text(out);
}

}  // namespace tracefold
