#include "emitters/iterations/folded_loop_formats.hpp"

#include "base/json_fields.hpp"
#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "base/text.hpp"
#include "emitters/errors/fold_error_formats.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "model/chosen_iterations.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/plan.hpp"
#include "model/plan_iterations.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

// Calls visit(compared, loop number, folded loop).
template <class Visit>
void each_loop(const std::vector<ComparedClusters>& sweep, Visit&& visit) {
  for (const auto& compared : sweep)
    for (std::size_t l = 0; l < compared.section.loops.size(); ++l)
      visit(compared, l, compared.section.loops[l]);
}

// The error of iterations of a loop; null where it was not measured. Where all of them stay there
// is nothing to measure: it is 0.
const FoldError* find_error(const FoldErrors* errors, std::size_t loop,
                            const KeptIterations& choice) {
  static const FoldError none{0, {}, {}, TimeError{}};
  if (errors && loop < errors->of_loops.size())
    return &errors->of_loops[loop];
  return choice.kept.size() == choice.kept_of.size() ? &none : nullptr;
}

constexpr const char* no_loop = "no loop is folded: all iterations stay\n";

// Its iterations, how many of them are kept, and the errors of its three kinds of time.
Row make_loop_row(const Plan& plan, std::size_t loop) {
  const auto& choice = plan.iterations->loops[loop].choice;
  Row row{show_count(choice.kept_of.size()), show_count(choice.kept.size())};
  for (auto& cell : list_own_errors(find_error(plan.errors.get(), loop, choice)))
    row.push_back(std::move(cell));
  return row;
}

// "ssor_", the function that the iterations are in; what they begin with where that is not known.
std::string name_loop(const Plan& plan, std::size_t loop) {
  const auto& found = plan.iterations->processes.front().loops.loops.at(loop);
  const auto function = found.path.empty() ? found.function : found.path.back();
  const auto name = make_printable(plan.functions.at(function).shown_name());
  return found.path.empty() ? "from " + name : "in " + name;
}

// What does not hold for all loops and processes.
std::string describe_exceptions(const Plan& plan) {
  const auto& section = *plan.iterations;
  std::string out;
  const auto merged =
      std::count_if(section.loops.begin(), section.loops.end(), [](const FoldedLoop& loop) {
        return loop.choice.equivalence == CallTreeEquivalence::merged;
      });
  if (merged > 0)
    out += fmt::format(
        "{} loop{} more kinds of call trees than clusters: some iterations stand for others that "
        "visited other call paths\n",
        merged, merged == 1 ? " has" : "s have");

  const auto folds = [](const FoldedLoop& loop) {
    return loop.choice.kept.size() < loop.choice.kept_of.size();
  };
  const auto whole = kept_processes(plan).size() - section.processes.size();
  if (whole > 0 && std::any_of(section.loops.begin(), section.loops.end(), folds))
    out += fmt::format("{} of {} kept processes {}: {} not those above\n", show_count(whole),
                       show_count(kept_processes(plan).size()),
                       whole == 1 ? "stays whole" : "stay whole",
                       whole == 1 ? "its loops, or numbers of iterations, are"
                                  : "their loops, or numbers of iterations, are");

  return out;
}

// Indexes of so many loops at most, ascending.
std::vector<std::size_t> choose_shown_loops(const IterationSection& section, std::size_t most) {
  std::vector<std::size_t> shown(section.loops.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (shown.size() <= most)
    return shown;

  std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
    return section.loops[a].choice.kept_of.size() > section.loops[b].choice.kept_of.size();
  });
  shown.resize(most);
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace

std::string folded_table(const Plan& plan) {
  const auto& section = *plan.iterations;
  if (section.loops.empty())
    return no_loop;

  std::vector<Row> rows{{"loop", "iterations", "kept", "computation", "communication", "waiting",
                         "kept ones differ most in", "which", "where"}};
  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& loop = section.loops[l];
    const auto& kept = loop.choice.kept;
    auto& row = rows.emplace_back(make_loop_row(plan, l));
    row.insert(row.begin(), std::to_string(l + 1));
    row.push_back(loop.kept && loop.kept->functions ? describe_largest(*loop.kept->functions) : "");
    row.push_back(to_ranges(number_iterations(plan, kept)));
    row.push_back(name_loop(plan, l));
  }

  return text_table(rows, {.less_important = {"kept ones differ most in", "which"}}) +
         describe_exceptions(plan);
}

std::string short_folded_table(const Plan& plan, std::size_t most_loops) {
  const auto& section = *plan.iterations;
  if (section.loops.empty())
    return no_loop;

  std::vector<Row> rows{{"iterations", "kept", "computation", "communication", "waiting", "loop"}};
  const auto shown = choose_shown_loops(section, most_loops);
  for (const auto l : shown) {
    auto& row = rows.emplace_back(make_loop_row(plan, l));
    row.push_back(name_loop(plan, l));
  }

  auto out = text_table(rows, {.left_columns = 1});
  if (const auto more = section.loops.size() - shown.size(); more > 0)
    out += describe_more(more, "loop");
  return out + describe_exceptions(plan);
}

namespace {

constexpr const char* six_digits = "{:.6g}";

// The errors that are summed up in one.
void add_error_columns(const std::string& of, const std::vector<std::string>& at,
                       std::vector<TableColumn>& columns) {
  for (const char* what : {"mean_error", "maximum_error", "time_mean_error", "time_maximum_error",
                           "count_mean_error", "count_maximum_error", "mean_error_by_sum",
                           "time_mean_error_by_sum", "counts_exact", "waiting_error_by_sum"}) {
    auto path = at;
    path.emplace_back(what);
    columns.push_back(in_csv(of + "_" + what, std::move(path), six_digits));
  }
}

std::vector<TableColumn> list_sweep_columns() {
  std::vector<TableColumn> columns{in_both("max_clusters", "at most", Show::count),
                                   in_both("loop", "loop"),
                                   in_csv("iterations"),
                                   in_both("clusters", "clusters", Show::count),
                                   in_csv("kept", {"count_of_kept"}),
                                   in_text("kept", {"count_of_kept"}, Show::count)};
  for (const auto& [of, at] : {std::pair<std::string, std::string>{"kept", "of_kept_iterations"},
                               {"own_clusters", "of_own_clusters"}}) {
    const std::string phantoms = "call_paths_only_in_stand_in";
    add_error_columns(of, {at}, columns);
    columns.push_back(in_csv(of + "_" + phantoms, {at, phantoms}));
  }
  columns.push_back(in_csv("processes", {"of_all_processes", "processes"}));
  for (const auto& [of, at] : {std::pair{"all", "all"},
                               {"by_processes", "of_processes"},
                               {"by_iterations", "of_iterations"}})
    add_error_columns(of, {"of_all_processes", at}, columns);
  for (const std::string kind : {"computation", "communication", "waiting"}) {
    columns.push_back(in_csv(kind + "_error", {"error", kind, "of_own_time"}, six_digits));
    columns.push_back(
        in_csv(kind + "_error_of_all_time", {"error", kind, "of_all_time"}, six_digits));
    columns.push_back(in_text(kind, {"shown_" + kind}));
  }
  columns.push_back(in_csv("error_of_all_time", {"error", "of_all_time"}, six_digits));
  return columns;
}

Table tabulate_sweep(const Plan& plan, const std::vector<ComparedClusters>& sweep) {
  Table table{list_sweep_columns()};
  each_loop(sweep, [&](const ComparedClusters& compared, std::size_t l, const FoldedLoop& loop) {
    const auto* error = find_error(compared.errors ? &*compared.errors : nullptr, l, loop.choice);
    Json row{{"max_clusters", compared.section.max_clusters},
             {"loop", l + 1},
             {"iterations", loop.choice.kept_of.size()},
             {"clusters", loop.choice.clusters},
             {"kept", to_ranges(number_iterations(plan, loop.choice.kept))},
             {"call_trees", to_text(loop.choice.equivalence)},
             {"call_tree_classes", loop.choice.classes}};
    if (error)
      row["error"] = *error;
    if (loop.kept)
      row["of_kept_iterations"] = *loop.kept;
    if (loop.own_clusters)
      row["of_own_clusters"] = *loop.own_clusters;
    if (loop.all)
      row["of_all_processes"] = *loop.all;

    const auto shown = list_own_errors(error);
    row[beside] = {{"count_of_kept", loop.choice.kept.size()},
                   {"shown_computation", shown[0]},
                   {"shown_communication", shown[1]},
                   {"shown_waiting", shown[2]}};
    table.rows.push_back(std::move(row));
  });
  return table;
}

}  // namespace

std::string sweep_table(const Plan& plan, const std::vector<ComparedClusters>& sweep) {
  const auto table = tabulate_sweep(plan, sweep);
  return table.rows.empty() ? "no loop found\n" : write_text(table);
}

std::string sweep_csv(const Plan& plan, const std::vector<ComparedClusters>& sweep) {
  return write_csv(tabulate_sweep(plan, sweep));
}

std::string sweep_json(const Plan& plan, const std::vector<ComparedClusters>& sweep) {
  return write_json_text({{"tracefold_sweep", 1},
                          {"trace", plan.trace.anchor},
                          {"error_thresholds", {0, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}},
                          {"sweep", make_json(tabulate_sweep(plan, sweep))}});
}

}  // namespace tracefold
