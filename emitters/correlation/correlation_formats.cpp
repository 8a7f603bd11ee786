#include "emitters/correlation/correlation_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

std::span<const CorrelationFinding> take_first(const std::vector<CorrelationFinding>& findings,
                                               std::size_t most) {
  return std::span(findings).first(most == 0 ? findings.size() : std::min(most, findings.size()));
}

// "x+1 y-2"; "0" where nothing is shifted.
std::string show_shift(const CorrelationReport& report, const CorrelationFinding& finding) {
  std::string text;
  for (std::size_t a = 0; a < finding.shift.size(); ++a)
    if (finding.shift[a] != 0)
      text += fmt::format("{}{}{:+}", text.empty() ? "" : " ", make_printable(report.axes[a].name),
                          finding.shift[a]);
  return text.empty() ? "0" : text;
}

// The unit that programs get.
const char* find_unit(const CorrelationView& view) {
  switch (view.kind) {
    case MetricKind::time: return view.per_second ? "" : "seconds";
    case MetricKind::bytes: return view.per_second ? "bytes/s" : "bytes";
    default: return view.per_second ? "1/s" : "";
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
  return fmt::format("{:.6g}", view.sum);
}

std::string show_chance(const CorrelationFinding& finding) {
  return finding.chance ? fmt::format("{:.3f}", *finding.chance) : "-";
}

// "64 processes on x=8, y=8 (periodic) (as given); along x only".
std::string describe_grid(const CorrelationReport& report) {
  std::string axes;
  std::string chosen;
  bool all = true;
  for (const auto& axis : report.axes) {
    axes += fmt::format("{}{} {}{}", axes.empty() ? "" : " x ", make_printable(axis.name),
                        axis.size, axis.periodic ? " periodic" : "");
    all = all && axis.chosen;
    if (axis.chosen)
      chosen += fmt::format("{}{}", chosen.empty() ? "" : ", ", make_printable(axis.name));
  }

  auto text = fmt::format("{} processes on {}, {}", group_digits(report.processes), axes,
                          make_printable(report.grid));
  if (report.loop)
    text += fmt::format(", loop {}", *report.loop + 1);
  if (!all)
    text += fmt::format("; what varies along {} counts", chosen);
  return text;
}

std::string name_view(const CorrelationView& view) {
  return make_printable(view.metric + ":" + view.call_path);
}

std::vector<std::string> make_row(const Plan& plan, const CorrelationReport& report,
                                  const CorrelationFinding& finding) {
  const auto& view = report.views[finding.view];
  auto path = make_printable(view.call_path);
  if (!finding.same.empty())
    path += fmt::format(" (and {} identical)", finding.same.size());

  return {fmt::format("{:+.3f}", finding.r),
          show_shift(report, finding),
          fmt::format("{:+.3f}", finding.unshifted),
          fmt::format("{:+.3f}", finding.plain),
          show_chance(finding),
          show_sum(plan, view),
          make_printable(view.metric),
          std::move(path)};
}

std::string describe_rest(const CorrelationReport& report, std::size_t shown) {
  std::string text;
  const auto add = [&text](const std::string& words) {
    text += (text.empty() ? "" : "; ") + words;
  };

  if (shown < report.findings.size())
    add(fmt::format("{} more findings", group_digits(report.findings.size() - shown)));
  if (report.by_luck > 0)
    add(fmt::format("{} left out, as their chance of being luck is above {:g}",
                    group_digits(report.by_luck), report.most_chance));
  if (report.left_out > 0)
    add(fmt::format("{} views with too small a share not looked at",
                    group_digits(report.left_out)));
  return text.empty() ? text : text + "\n";
}

Json make_json(const Plan& plan, const CorrelationView& view) {
  return {{"metric", make_printable(view.metric)},
          {"call_path", make_printable(view.call_path)},
          {"sum", convert_sum(plan, view)},
          {"unit", find_unit(view)}};
}

Json make_json(const Plan& plan, const CorrelationReport& report,
               const CorrelationFinding& finding) {
  Json shift = Json::object();
  for (std::size_t a = 0; a < finding.shift.size(); ++a)
    shift[make_printable(report.axes[a].name)] = finding.shift[a];

  Json same = Json::array();
  for (auto v : finding.same)
    same.push_back(make_json(plan, report.views[v]));

  auto out = make_json(plan, report.views[finding.view]);
  out["r"] = finding.r;
  out["shift"] = std::move(shift);
  out["unshifted"] = finding.unshifted;
  out["pearson"] = finding.plain;
  out["chance"] = finding.chance ? Json(*finding.chance) : Json();
  out["identical"] = std::move(same);
  return out;
}

Json make_head(const Plan& plan, const CorrelationReport& report) {
  Json axes = Json::array();
  for (const auto& axis : report.axes)
    axes.push_back({{"name", make_printable(axis.name)},
                    {"size", axis.size},
                    {"periodic", axis.periodic},
                    {"chosen", axis.chosen}});

  return {{"tracefold_correlation", 1},    {"trace", plan.trace.anchor},
          {"processes", report.processes}, {"grid", make_printable(report.grid)},
          {"axes", std::move(axes)},       {"loop", report.loop ? Json(*report.loop + 1) : Json()},
          {"views", report.views.size()},  {"views_left_out", report.left_out}};
}

// Columns of a finding that all kinds of files have.
std::string make_csv_head(const CorrelationReport& report) {
  std::string out = "r";
  for (const auto& axis : report.axes)
    out += "," + quote_csv("shift_" + axis.name);
  return out + ",unshifted,pearson,chance,sum,unit,metric,call_path,identical";
}

std::string make_csv_fields(const Plan& plan, const CorrelationReport& report,
                            const CorrelationFinding& finding) {
  const auto& view = report.views[finding.view];
  auto out = fmt::format("{:.6f}", finding.r);
  for (auto step : finding.shift)
    out += fmt::format(",{}", step);
  return out + fmt::format(",{:.6f},{:.6f},{},{:.12g},{},{},{},{}", finding.unshifted,
                           finding.plain,
                           finding.chance ? fmt::format("{:.6g}", *finding.chance) : "",
                           convert_sum(plan, view), find_unit(view), quote_csv(view.metric),
                           quote_csv(view.call_path), finding.same.size());
}

}  // namespace

std::string to_table(const Plan& plan, const CorrelationReport& report, std::size_t most) {
  const auto& query = report.views[report.query];
  const auto shown = take_first(report.findings, most);

  std::vector<std::vector<std::string>> rows{
      {"r", "shift", "unshifted", "Pearson", "chance", "sum", "metric", "call path"}};
  for (const auto& finding : shown)
    rows.push_back(make_row(plan, report, finding));

  const auto body = shown.empty() ? std::string("nothing correlates with it\n") : text_table(rows);
  return fmt::format("{}, {}\n{}\n\n{}{}", name_view(query), show_sum(plan, query),
                     describe_grid(report), body, describe_rest(report, shown.size()));
}

std::string to_csv(const Plan& plan, const CorrelationReport& report, std::size_t most) {
  auto out = make_csv_head(report) + "\r\n";
  for (const auto& finding : take_first(report.findings, most))
    out += make_csv_fields(plan, report, finding) + "\r\n";
  return out;
}

std::string to_json(const Plan& plan, const CorrelationReport& report, std::size_t most) {
  auto out = make_head(plan, report);
  out["view"] = make_json(plan, report.views[report.query]);
  out["left_out_by_chance"] = report.by_luck;

  Json findings = Json::array();
  for (const auto& finding : take_first(report.findings, most))
    findings.push_back(make_json(plan, report, finding));
  out["findings"] = std::move(findings);
  return write_json_text(out);
}

}  // namespace tracefold
