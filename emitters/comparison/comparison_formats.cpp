#include "emitters/comparison/comparison_formats.hpp"

#include "base/averages.hpp"
#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "model/groups/run_share.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tracefold {

namespace {

using ComparisonJson = nlohmann::ordered_json;

constexpr std::size_t most_functions = 12, most_paths = 5, most_pairs_shown = 4, most_groups = 12;

std::string show_amount(Measure measure, double amount) {
  const auto whole = static_cast<std::uint64_t>(std::llround(std::max(amount, 0.0)));
  switch (measure) {
    case Measure::time: return format_seconds(amount);
    case Measure::bytes: return format_bytes(whole);
    case Measure::visits:
    case Measure::messages: break;
  }
  return amount == std::floor(amount) || amount >= 100 ? show_count(whole)
                                                       : fmt::format("{:.1f}", amount);
}

std::string show_signed(Measure measure, double amount) {
  return amount == 0 ? "=" : (amount > 0 ? "+" : "-") + show_amount(measure, std::abs(amount));
}

std::string show_change(const DifferenceRow& row, Measure measure) {
  if (!row.is_in_a)
    return "new";
  if (!row.is_in_b)
    return "gone";
  const auto& one = row.get(measure);
  if (one.a == 0)
    return one.b == 0 ? "" : "new";
  return show_growth(one.a, one.b);
}

std::string show_name(const DifferenceRow& row) {
  const auto name = make_printable(row.name);
  return row.name_in_b.empty() ? name : name + " (B: " + make_printable(row.name_in_b) + ")";
}

// How calls, messages and bytes changed, where they did.
std::string show_counts(const DifferenceRow& row, Measure shown) {
  std::vector<std::string> words;
  for (const auto measure : {Measure::visits, Measure::messages, Measure::bytes}) {
    const auto& one = row.get(measure);
    if (measure == shown || one.a == one.b || !row.is_in_a || !row.is_in_b)
      continue;
    words.push_back(
        one.a > 0 ? fmt::format("{} x{:.3g}", measure_names[static_cast<std::size_t>(measure)],
                                one.b / one.a)
                  : fmt::format("{} new", measure_names[static_cast<std::size_t>(measure)]));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string make_rows_table(const std::vector<DifferenceRow>& rows, Measure measure,
                            std::size_t most, const char* what) {
  const auto shown = shows_all() ? rows.size() : std::min(most, rows.size());
  TableRows table{{"A", "B", "difference", "spread", "change", "", "counts", what}};
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& row = rows[k];
    const auto& one = row.get(measure);
    table.push_back({show_amount(measure, one.a), show_amount(measure, one.b),
                     show_signed(measure, one.b - one.a), show_amount(measure, one.spread),
                     show_change(row, measure), one.is_beyond ? "*" : "", show_counts(row, measure),
                     show_name(row)});
  }
  auto out = text_table(std::move(table),
                        {.left_columns = 3, .less_important = {"spread", "counts", "A"}});
  if (shown < rows.size())
    out += describe_more(rows.size() - shown, what);
  return out;
}

std::string describe_compared_side(const char* letter, const ComparedSide& side) {
  auto out = fmt::format("{}: {}, {} process{}", letter,
                         make_printable(side.part.empty() ? side.name : side.part),
                         show_count(side.processes), side.processes == 1 ? "" : "es");
  if (side.part.empty())
    out += fmt::format(", {} group{}", side.groups, side.groups == 1 ? "" : "s");
  if (side.run_time)
    out += ", run of " + format_seconds(*side.run_time);
  if (side.recording_off > 0)
    out += fmt::format(" besides {} with recording off", format_seconds(side.recording_off));
  return out + fmt::format(", {} in all{}\n", format_seconds(side.time),
                           side.is_kept_only ? " (of the kept processes only)" : "");
}

// "A takes 30.2 ms, B 20.2 ms: 0.67 times as long"; empty where one of the two is not known.
std::string describe_run_times(const ComparedSide& a, const ComparedSide& b) {
  if (!a.run_time || !b.run_time || *a.run_time <= 0)
    return {};
  const auto ratio = *b.run_time / *a.run_time;
  const auto times = ratio < 10 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.0f}", ratio);
  const auto more = *b.run_time - *a.run_time;
  return fmt::format(
      "A takes {}, B {}: {}\n", format_seconds(*a.run_time), format_seconds(*b.run_time),
      times == "1.00" ? std::string("as long")
                      : fmt::format("{} times as long, {} {}", times,
                                    format_seconds(std::abs(more)), more > 0 ? "more" : "less"));
}

// How long both are before, in and behind the main loops; empty where that is not known.
std::string describe_phases(const ComparedSide& a, const ComparedSide& b) {
  if (!a.phases || !b.phases)
    return {};
  std::string out;
  const char* names[] = {"before the main loop", "in it", "behind it"};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto of_a = format_seconds((*a.phases)[k]), of_b = format_seconds((*b.phases)[k]);
    out += fmt::format("{}{} {}", k == 0 ? "" : ", ", of_a == of_b ? of_a : of_a + " → " + of_b,
                       names[k]);
  }
  return out + "\n";
}

// Whether processes of one run are compared.
bool is_of_parts(const RunComparison& comparison) {
  return !comparison.a.part.empty();
}

std::string name_side(const std::optional<ComparedGroup>& group) {
  return group ? fmt::format("{}: {}", group->number, group->name) : "(no partner)";
}

std::string make_groups_table(const RunComparison& comparison) {
  const auto& pairs = comparison.pairs;
  const auto shown = shows_all() ? pairs.size() : std::min(most_groups, pairs.size());
  TableRows table{{"alike", "processes", "", "time A", "time B", "group of A", "group of B"}};
  if (is_of_parts(comparison)) {
    table[0][5] = "A";
    table[0][6] = "B";
  }
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& pair = pairs[k];
    table.push_back(
        {pair.a && pair.b ? show_similarity(pair.similarity) : "",
         pair.a ? show_count(pair.a->processes) : "", pair.b ? show_count(pair.b->processes) : "",
         pair.a ? format_seconds(pair.a->time) : "", pair.b ? format_seconds(pair.b->time) : "",
         is_of_parts(comparison) ? pair.a->name : name_side(pair.a),
         is_of_parts(comparison) ? pair.b->name : name_side(pair.b)});
  }
  auto out = text_table(std::move(table), {.left_columns = 2});
  if (shown < pairs.size())
    out += describe_more(pairs.size() - shown, "group");
  return out;
}

std::string list_iterations(const std::vector<std::size_t>& iterations) {
  return to_ranges(std::vector<std::uint64_t>(iterations.begin(), iterations.end()));
}

std::string describe_iterations(const ComparedIterations& it) {
  auto out =
      fmt::format("\niterations of {} ({}{}): {} and {}, median {} and {}\n", it.process,
                  it.function.empty() ? "computation" : "time in " + it.function,
                  it.processes == 1 ? "" : ", mean", it.a.size(), it.b.size(),
                  format_seconds(find_lower_median(it.a)), format_seconds(find_lower_median(it.b)));
  const auto tell = [&](const std::vector<std::size_t>& iterations, const char* word) {
    if (iterations.empty())
      return;
    double a = 0, b = 0;
    for (auto k : iterations) {
      a += it.a[k];
      b += it.b[k];
    }
    out +=
        fmt::format("{} in B: {} of {}: {} ({} → {})\n", word, iterations.size(), it.a.size(),
                    shorten(list_iterations(iterations), 40), format_seconds(a), format_seconds(b));
  };
  tell(it.slower, "slower");
  tell(it.faster, "faster");
  return out;
}

double measure_pair(const ComparedPair& pair, Measure measure) {
  double most = 0;
  for (const auto& row : pair.functions)
    most = std::max(most, std::abs(row.get(measure).b - row.get(measure).a));
  return most;
}

// The pairs that differ most, with their call paths.
std::string make_pairs_tables(const RunComparison& comparison, Measure measure) {
  std::vector<const ComparedPair*> pairs;
  for (const auto& pair : comparison.pairs)
    if (pair.a && pair.b && (!pair.functions.empty() || !pair.paths.empty()))
      pairs.push_back(&pair);
  std::stable_sort(pairs.begin(), pairs.end(), [&](auto* x, auto* y) {
    return measure_pair(*x, measure) > measure_pair(*y, measure);
  });
  const auto shown = shows_all() ? pairs.size() : std::min(most_pairs_shown, pairs.size());
  std::string out;
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& pair = *pairs[k];
    if (is_of_parts(comparison))
      out += "\ncall paths of A and B, per process:\n";
    else
      out += fmt::format("\n{} and {} of B, per process:\n", name_side(pair.a),
                         pair.a->name == pair.b->name ? "that" : name_side(pair.b));
    out += make_rows_table(pair.paths, measure, most_paths, "call path");
  }
  if (shown < pairs.size())
    out += describe_more(pairs.size() - shown, "matched group");
  return out;
}

const char* name_field(std::size_t measure) {
  return measure == 0 ? "time_seconds" : measure_names[measure];
}

ComparisonJson row_to_json(const DifferenceRow& row) {
  ComparisonJson out{{"name", make_printable(row.name)}};
  if (!row.name_in_b.empty())
    out["name_in_b"] = make_printable(row.name_in_b);
  out["in_a"] = row.is_in_a;
  out["in_b"] = row.is_in_b;
  for (std::size_t m = 0; m < measures; ++m) {
    const auto& one = row.of[m];
    out[name_field(m)] = {{"total_a", one.total_a}, {"total_b", one.total_b},
                          {"mean_a", one.a},        {"mean_b", one.b},
                          {"spread", one.spread},   {"beyond", one.is_beyond}};
  }
  return out;
}

ComparisonJson rows_to_json(const std::vector<DifferenceRow>& rows) {
  auto out = ComparisonJson::array();
  for (const auto& row : rows)
    out.push_back(row_to_json(row));
  return out;
}

ComparisonJson side_to_json(const ComparedSide& side) {
  return {
      {"name", make_printable(side.name)},
      {"part", side.part.empty() ? ComparisonJson() : ComparisonJson(make_printable(side.part))},
      {"processes", side.processes},
      {"ranks", side.ranks},
      {"groups", side.groups},
      {"time_seconds", side.time},
      {"run_seconds", side.run_time ? ComparisonJson(*side.run_time) : ComparisonJson()},
      {"phase_seconds", side.phases ? ComparisonJson(*side.phases) : ComparisonJson()},
      {"recording_off_seconds", side.recording_off},
      {"early_messages_share", side.early_messages.share()},
      {"waiting_known", side.early_messages.are_few()},
      {"kept_processes_only", side.is_kept_only}};
}

ComparisonJson group_to_json(const std::optional<ComparedGroup>& group) {
  if (!group)
    return {};
  return {{"group", group->number},
          {"name", make_printable(group->name)},
          {"processes", group->processes},
          {"mean_time_seconds", group->time}};
}

ComparisonJson pair_to_json(const ComparedPair& pair) {
  ComparisonJson out{{"a", group_to_json(pair.a)}, {"b", group_to_json(pair.b)}};
  if (pair.a && pair.b) {
    out["similarity"] = pair.similarity;
    out["subsumption"] = pair.subsumption;
    out["partners"] = pair.has_partners;
    out["functions"] = rows_to_json(pair.functions);
    out["call_pairs"] = rows_to_json(pair.call_pairs);
    out["call_paths"] = rows_to_json(pair.paths);
  }
  return out;
}

std::string describe_growth(const GrowthTable& table) {
  const auto most = *std::max_element(table.ranks.begin(), table.ranks.end());
  std::string out;
  constexpr double least_growth = 0.02;  // of what all take
  if (table.calls.size() > 1 &&
      table.calls[1].more > least_growth * table.find_time(table.calls[0], 2 * most))
    out =
        apply_style(fmt::format("{} grows worst: with {:.0f} ranks it takes {} more than is ideal",
                                make_printable(table.calls[1].path), 2 * most,
                                format_seconds(table.calls[1].more)),
                    TextStyle::heading) +
        "\n";
  out += fmt::format("\ntime per process that calls it, with p ranks ({} scaling):\n",
                     to_text(table.scaling));
  TableRows rows{{fmt::format("p = {:.0f}", most), fmt::format("p = {:.0f}", 2 * most), "error",
                  "time", "call path"}};
  const auto last = static_cast<std::size_t>(
      std::max_element(table.ranks.begin(), table.ranks.end()) - table.ranks.begin());
  const auto shown =
      shows_all() ? table.calls.size() : std::min(most_paths + 1, table.calls.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& call = table.calls[k];
    rows.push_back({format_seconds(call.times[last]),
                    format_seconds(table.find_time(call, 2 * most)),
                    fmt::format("{:.1f} %", 100 * call.growth.error),
                    write_growth(table, call.growth), make_printable(call.path)});
  }
  out += text_table(std::move(rows), {.left_columns = 1, .less_important = {"error"}});
  if (shown < table.calls.size())
    out += describe_more(table.calls.size() - shown, "call path");
  return out;
}

// "run times by that of A: B 0.55, C 0.31": how much of the ideal that is where sizes differ.
std::string describe_ratios(const RunTable& table) {
  const auto& first = table.runs.front();
  std::string out;
  for (std::size_t r = 1; r < table.runs.size(); ++r) {
    const auto& run = table.runs[r];
    if (!first.run_time || !run.run_time || *first.run_time <= 0 || *run.run_time <= 0)
      return {};
    const auto ratio = *run.run_time / *first.run_time;
    const auto more = static_cast<double>(run.ranks) /
                      static_cast<double>(std::max<std::uint64_t>(1, first.ranks));
    out += fmt::format("{}{} {:.2f}", out.empty() ? "" : ", ", name_run_letter(r), ratio);
    if (table.scaling && more > 0)
      out += fmt::format(" ({:.2f} of ideal)",
                         (table.scaling == Scaling::strong ? 1 / more : 1) / ratio);
  }
  return fmt::format("run times by that of A{}: {}\n",
                     table.scaling ? fmt::format(", {} scaling", to_text(*table.scaling)) : "",
                     out);
}

ComparisonJson growth_to_json(const GrowthTable& table) {
  auto calls = ComparisonJson::array();
  for (const auto& call : table.calls)
    calls.push_back({{"call_path", make_printable(call.path)},
                     {"seconds", call.times},
                     {"constant", call.growth.constant},
                     {"slope", call.growth.slope},
                     {"power", call.growth.power},
                     {"log_power", call.growth.log_power},
                     {"error", call.growth.error},
                     {"more_seconds", call.more}});
  return {{"ranks", table.ranks}, {"calls", std::move(calls)}};
}

// Totals of functions by run.
Table tabulate_runs(const RunTable& runs) {
  Table table{{in_csv("function", {"name"})}};
  for (std::size_t r = 0; r < runs.runs.size(); ++r)
    table.columns.push_back(in_csv(runs.runs[r].name, {"totals", std::to_string(r)}));
  for (const auto& row : runs.rows) {
    auto totals = ComparisonJson::array();
    for (const auto& total : row.totals)
      totals.push_back(make_json_value(total));
    table.rows.push_back({{"name", make_printable(row.name)}, {"totals", std::move(totals)}});
  }
  return table;
}

}  // namespace

std::string write_growth(const GrowthTable& table, const Growth& growth) {
  // Of p · t under strong scaling, divided by p.
  const auto shift = table.scaling == Scaling::strong ? 1.0 : 0.0;
  const auto write_term = [&](double factor, double power, int log_power) {
    auto out = format_seconds(std::abs(factor));
    if (power == -1)
      out += " / p";
    else if (power != 0)
      out += power == 1 ? "·p" : fmt::format("·p^{:.3g}", power);
    if (log_power != 0)
      out += log_power == 1 ? "·log2 p" : "·log2² p";
    return out;
  };
  std::string out;
  // What rounds to nothing with the ranks that there are is left out.
  const auto least = *std::min_element(table.ranks.begin(), table.ranks.end());
  if (growth.is_constant() || std::abs(growth.constant) > 1e-3 * std::abs(growth.at(least)))
    out = (growth.constant < 0 ? "-" : "") + write_term(growth.constant, -shift, 0);
  if (!growth.is_constant())
    out += (growth.slope < 0 ? (out.empty() ? "-" : " - ") : (out.empty() ? "" : " + ")) +
           write_term(growth.slope, growth.power - shift, growth.log_power);
  return out;
}

std::string to_table(const RunComparison& comparison, Measure measure) {
  auto out =
      is_of_parts(comparison) ? std::string() : describe_run_times(comparison.a, comparison.b);
  out += apply_style(make_printable(comparison.headline), TextStyle::heading) + "\n";
  for (const auto& finding : comparison.findings)
    out += "also: " + make_printable(finding) + "\n";
  out += "\n";
  if (is_of_parts(comparison))
    out += fmt::format("processes of {}\n", make_printable(comparison.a.name));
  out += describe_compared_side("A", comparison.a);
  if (is_of_parts(comparison) || comparison.a.name != comparison.b.name ||
      comparison.pairs.empty() || comparison.pairs.size() != 1 || comparison.are_partners)
    out += describe_compared_side("B", comparison.b);
  out += describe_phases(comparison.a, comparison.b);
  if (!comparison.knows_spread)
    out += fmt::format("Too few processes tell a spread: {:.0f} % count as noise.\n",
                       100 * comparison.noise);

  out += "\n" + make_groups_table(comparison);
  out += fmt::format("\n{} per process that calls it; * beyond the spread:\n",
                     measure_names[static_cast<std::size_t>(measure)]);
  out += make_rows_table(comparison.functions, measure, most_functions, "function");
  if (comparison.iterations)
    out += describe_iterations(*comparison.iterations);
  return out + make_pairs_tables(comparison, measure);
}

std::string to_csv(const RunComparison& comparison) {
  Table table{{in_csv("row"), in_csv("group_a"), in_csv("group_b"), in_csv("name"),
               in_csv("name_in_b"), in_csv("in_a"), in_csv("in_b")}};
  for (std::size_t m = 0; m < measures; ++m)
    for (const char* what : {"total_a", "total_b", "mean_a", "mean_b", "spread", "beyond"})
      table.columns.push_back(
          in_csv(fmt::format("{}_{}", name_field(m), what), {name_field(m), what}));

  const auto add = [&](const char* kind, const ComparedPair* pair,
                       const std::vector<DifferenceRow>& rows) {
    for (const auto& row : rows) {
      auto& one = table.rows.emplace_back(row_to_json(row));
      one["row"] = kind;
      if (pair) {
        one["group_a"] = pair->a->number;
        one["group_b"] = pair->b->number;
      }
    }
  };
  add("function", nullptr, comparison.functions);
  for (const auto& pair : comparison.pairs) {
    if (!pair.a || !pair.b)
      continue;
    add("function of group", &pair, pair.functions);
    add("call pair", &pair, pair.call_pairs);
    add("call path", &pair, pair.paths);
  }
  return write_csv(table);
}

std::string to_json(const RunComparison& comparison, const std::vector<std::string>& grown) {
  ComparisonJson document{{"tracefold_comparison", 1},
                          {"headline", make_printable(comparison.headline)}};
  auto findings = ComparisonJson::array();
  for (const auto& finding : comparison.findings)
    findings.push_back(make_printable(finding));
  document["findings"] = std::move(findings);
  document["a"] = side_to_json(comparison.a);
  document["b"] = side_to_json(comparison.b);
  document["partners"] = comparison.are_partners;
  document["functions_of_a_in_b"] = comparison.functions_in_other[0];
  document["functions_of_b_in_a"] = comparison.functions_in_other[1];
  document["less_detailed"] = comparison.less_detailed
                                  ? ComparisonJson(*comparison.less_detailed == 0 ? "a" : "b")
                                  : ComparisonJson();
  document["spread_known"] = comparison.knows_spread;
  document["noise"] = comparison.noise;
  auto pairs = ComparisonJson::array();
  for (const auto& pair : comparison.pairs)
    pairs.push_back(pair_to_json(pair));
  document["groups"] = std::move(pairs);
  document["functions"] = rows_to_json(comparison.functions);
  if (comparison.iterations) {
    const auto& it = *comparison.iterations;
    document["iterations"] = {{"process", it.process},
                              {"processes", it.processes},
                              {"function", make_printable(it.function)},
                              {"seconds_a", it.a},
                              {"seconds_b", it.b},
                              {"slower", it.slower},
                              {"faster", it.faster}};
  }
  auto failed = ComparisonJson::array();
  for (const auto& name : grown)
    failed.push_back(make_printable(name));
  document["grown"] = std::move(failed);
  return write_json_text(document);
}

std::string to_table(const RunTable& table, std::size_t most) {
  auto out = describe_ratios(table);
  if (table.growth)
    out += describe_growth(*table.growth) + "\n";
  TableRows rows(1);
  for (std::size_t r = 0; r < table.runs.size(); ++r) {
    const auto letter = name_run_letter(r);
    out += describe_compared_side(letter.c_str(), table.runs[r]);
    rows[0].push_back(letter);
  }
  rows[0].push_back("function");
  const auto shown =
      shows_all() || most == 0 ? table.rows.size() : std::min(most, table.rows.size());
  for (std::size_t k = 0; k < shown; ++k) {
    auto& row = rows.emplace_back();
    for (const auto& total : table.rows[k].totals)
      row.push_back(total ? show_amount(table.measure, *total) : "-");
    row.push_back(make_printable(table.rows[k].name));
  }
  out += fmt::format("\n{} of all processes:\n",
                     measure_names[static_cast<std::size_t>(table.measure)]);
  out += text_table(std::move(rows), {.left_columns = 1});
  if (shown < table.rows.size())
    out += describe_more(table.rows.size() - shown, "function");
  return out;
}

std::string to_csv(const RunTable& table) {
  return write_csv(tabulate_runs(table));
}

std::string to_json(const RunTable& table) {
  auto runs = ComparisonJson::array();
  for (const auto& run : table.runs)
    runs.push_back(side_to_json(run));
  return write_json_text(ComparisonJson{
      {"tracefold_run_table", 1},
      {"metric", name_field(static_cast<std::size_t>(table.measure))},
      {"scaling", table.scaling ? ComparisonJson(to_text(*table.scaling)) : ComparisonJson()},
      {"runs", std::move(runs)},
      {"functions", make_json(tabulate_runs(table))},
      {"growth", table.growth ? growth_to_json(*table.growth) : ComparisonJson()}});
}

}  // namespace tracefold
