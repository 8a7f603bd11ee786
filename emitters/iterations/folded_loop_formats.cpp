#include "emitters/iterations/folded_loop_formats.hpp"

#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "model/plan.hpp"
#include "model/plan_iterations.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

constexpr std::size_t longest_list = 50;

std::string percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}
std::string describe_waiting(const ErrorSummary& e) {
  return e.waiting_by_sum ? percent(*e.waiting_by_sum) : "";
}
std::string exactness(const ErrorSummary& e) {
  return e.counts_exact ? "exact" : percent(e.count_mean);
}

// On all processes where they were measured, else on the kept ones.
ErrorSummary choose_errors(const FoldedLoop& loop) {
  if (loop.all)
    return loop.all->all;
  return loop.kept.value_or(IterationFidelity{});
}

// On which processes the errors of a section were measured.
std::string describe_measured(const IterationSection& section) {
  const auto& first = section.loops.front();
  if (!first.all)
    return "errors are those of the kept processes alone\n";

  const auto n = first.all->processes;
  auto out = fmt::format("errors are those of {} process{}, kept or not", show_count(n),
                         n == 1 ? "" : "es");
  if (const auto others = first.all->unmeasured; others > 0)
    out += fmt::format("; {} more ha{} other loops than what stands for {}", show_count(others),
                       others == 1 ? "s" : "ve", others == 1 ? "it" : "them");

  return out + "\n";
}

template <class Visit>
void each_loop(const std::vector<IterationSection>& sweep, Visit&& visit) {
  for (const auto& section : sweep)
    for (std::size_t l = 0; l < section.loops.size(); ++l)
      visit(section, l, section.loops[l]);
}

std::string to_csv_cells(const ErrorSummary& e) {
  return fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{}", e.mean,
                     e.maximum, e.time_mean, e.time_maximum, e.count_mean, e.count_maximum,
                     e.mean_by_sum, e.time_by_sum, e.counts_exact ? 1 : 0) +
         (e.waiting_by_sum ? fmt::format(",{:.6g}", *e.waiting_by_sum) : ",");
}

std::string to_csv_cells_with_phantoms(const IterationFidelity& f) {
  return fmt::format("{},{}", to_csv_cells(f), f.phantoms);
}

std::string to_csv_cells_of_all(const FoldedLoop& loop) {
  if (!loop.all)
    return "," + std::string(30, ',');
  return fmt::format(",{}{}{}{}", loop.all->processes, to_csv_cells(loop.all->all),
                     to_csv_cells(loop.all->of_processes), to_csv_cells(loop.all->of_iterations));
}

}  // namespace

std::string folded_table(const Plan& plan, LongCells cells) {
  const auto& section = *plan.iterations;
  if (section.loops.empty())
    return "no loop is folded: all iterations stay\n";

  std::vector<Row> rows{{"loop", "iterations", "kept", "clusters", "call trees", "time error",
                         "of maximum", "by processes", "by iterations", "all metrics", "by sum",
                         "waiting", "counts", "only in stand-in", "which"}};
  std::size_t merged = 0;

  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& loop = section.loops[l];
    const auto& choice = loop.choice;
    const auto errors = choose_errors(loop);
    const auto phantoms = loop.kept ? loop.kept->phantoms : 0;
    merged += choice.equivalence == CallTreeEquivalence::merged;
    rows.push_back(
        {std::to_string(l + 1), show_count(choice.kept_of.size()), show_count(choice.kept.size()),
         show_count(choice.clusters),
         fmt::format("{} {}", choice.classes, to_text(choice.equivalence)),
         percent(errors.time_mean), percent(errors.time_maximum),
         loop.all ? percent(loop.all->of_processes.time_mean) : "",
         loop.all ? percent(loop.all->of_iterations.time_mean) : "", percent(errors.mean),
         percent(errors.mean_by_sum), describe_waiting(errors), exactness(errors),
         show_count(phantoms),
         fit_cell(to_ranges({choice.kept.begin(), choice.kept.end()}), longest_list, cells)});
  }

  auto out = text_table(rows) + describe_measured(section);
  if (merged > 0)
    out += fmt::format(
        "{} loop{} more kinds of call trees than clusters: some iterations stand for others that "
        "visited other call paths\n",
        merged, merged == 1 ? " has" : "s have");

  const auto whole = kept_processes(plan).size() - section.processes.size();
  if (whole > 0)
    out += fmt::format(
        "{} of {} kept processes stay whole: their loops, or numbers of iterations, are not those "
        "above\n",
        show_count(whole), show_count(kept_processes(plan).size()));

  return out;
}

std::string sweep_table(const std::vector<IterationSection>& sweep) {
  std::vector<Row> rows{{"at most", "loop", "clusters", "kept", "time error", "of maximum",
                         "all metrics", "by sum", "waiting", "counts", "only in stand-in",
                         "own clusters", "all metrics", "counts"}};
  each_loop(sweep, [&](const IterationSection& section, std::size_t l, const FoldedLoop& loop) {
    const auto errors = choose_errors(loop);
    const auto own = loop.own_clusters.value_or(IterationFidelity{});
    const auto phantoms = loop.kept ? loop.kept->phantoms : 0;
    rows.push_back({show_count(section.max_clusters), std::to_string(l + 1),
                    show_count(loop.choice.clusters), show_count(loop.choice.kept.size()),
                    percent(errors.time_mean), percent(errors.time_maximum), percent(errors.mean),
                    percent(errors.mean_by_sum), describe_waiting(errors), exactness(errors),
                    show_count(phantoms), percent(own.time_mean), percent(own.mean),
                    exactness(own)});
  });

  if (rows.size() == 1)
    return "no loop found\n";

  return text_table(rows) + describe_measured(sweep.front());
}

std::string sweep_csv(const std::vector<IterationSection>& sweep) {
  std::string out = "max_clusters,loop,iterations,clusters,kept";
  const auto add_columns = [&](const char* of) {
    for (const char* what : {"mean_error", "maximum_error", "time_mean_error", "time_maximum_error",
                             "count_mean_error", "count_maximum_error", "mean_error_by_sum",
                             "time_mean_error_by_sum", "counts_exact", "waiting_error_by_sum"})
      out += fmt::format(",{}_{}", of, what);
  };

  for (const char* of : {"kept", "own_clusters"}) {
    add_columns(of);
    out += fmt::format(",{}_call_paths_only_in_stand_in", of);
  }
  out += ",processes";
  for (const char* of : {"all", "by_processes", "by_iterations"})
    add_columns(of);
  out += "\r\n";

  each_loop(sweep, [&](const IterationSection& section, std::size_t l, const FoldedLoop& loop) {
    out += fmt::format("{},{},{},{},{}", section.max_clusters, l + 1, loop.choice.kept_of.size(),
                       loop.choice.clusters, loop.choice.kept.size());
    out += to_csv_cells_with_phantoms(loop.kept.value_or(IterationFidelity{})) +
           to_csv_cells_with_phantoms(loop.own_clusters.value_or(IterationFidelity{})) +
           to_csv_cells_of_all(loop) + "\r\n";
  });

  return out;
}

std::string sweep_json(const Plan& plan, const std::vector<IterationSection>& sweep) {
  Json rows = Json::array();

  each_loop(sweep, [&](const IterationSection& section, std::size_t l, const FoldedLoop& loop) {
    Json row{{"max_clusters", section.max_clusters},
             {"loop", l + 1},
             {"iterations", loop.choice.kept_of.size()},
             {"clusters", loop.choice.clusters},
             {"kept", to_ranges({loop.choice.kept.begin(), loop.choice.kept.end()})},
             {"call_trees", to_text(loop.choice.equivalence)},
             {"call_tree_classes", loop.choice.classes}};

    if (loop.kept)
      row["of_kept_iterations"] = to_json(*loop.kept);
    if (loop.own_clusters)
      row["of_own_clusters"] = to_json(*loop.own_clusters);
    if (loop.all)
      row["of_all_processes"] = to_json(*loop.all);

    rows.push_back(std::move(row));
  });

  return write_json_text({{"tracefold_sweep", 1},
                          {"trace", plan.trace.anchor},
                          {"error_thresholds", {0, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}},
                          {"sweep", std::move(rows)}});
}

}  // namespace tracefold
