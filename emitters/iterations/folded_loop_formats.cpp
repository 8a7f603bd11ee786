#include "emitters/iterations/folded_loop_formats.hpp"

#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "emitters/tables.hpp"
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
std::string exactness(const IterationFidelity& f) {
  return f.counts_exact ? "exact" : percent(f.count_mean);
}

template <class Visit>
void each_loop(const std::vector<IterationSection>& sweep, Visit&& visit) {
  for (const auto& section : sweep)
    for (std::size_t l = 0; l < section.loops.size(); ++l)
      visit(section, l, section.loops[l]);
}

std::string to_csv_cells(const IterationFidelity& f) {
  return fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{}", f.mean, f.maximum,
                     f.time_mean, f.time_maximum, f.count_mean, f.count_maximum,
                     f.counts_exact ? 1 : 0, f.phantoms);
}

}  // namespace

std::string folded_table(const Plan& plan, LongCells cells) {
  const auto& section = *plan.iterations;
  if (section.loops.empty())
    return "no loop found: all iterations stay\n";

  std::vector<Row> rows{{"loop", "iterations", "kept", "clusters", "call trees", "time error",
                         "of maximum", "all metrics", "counts", "phantoms", "which"}};
  std::size_t excess = 0;

  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& [choice, kept, local] = section.loops[l];
    const IterationFidelity f = kept.value_or(IterationFidelity{});
    excess = std::max(excess, choice.excess);
    rows.push_back(
        {std::to_string(l + 1), group_digits(choice.kept_of.size()),
         group_digits(choice.kept.size()), group_digits(choice.clusters),
         fmt::format("{} {}", choice.classes, to_text(choice.equivalence)), percent(f.time_mean),
         percent(f.time_maximum), percent(f.mean), exactness(f), group_digits(f.phantoms),
         fit_cell(to_ranges({choice.kept.begin(), choice.kept.end()}), longest_list, cells)});
  }

  auto out = text_table(rows);
  if (excess > 0)
    out += fmt::format(
        "{} cluster{} more than asked for, since iterations with other call paths are never one "
        "cluster\n",
        excess, excess == 1 ? "" : "s");

  const auto whole = kept_processes(plan).size() - section.processes.size();
  if (whole > 0)
    out += fmt::format("{} of {} kept processes stay whole: they have no loops, or others\n",
                       group_digits(whole), group_digits(kept_processes(plan).size()));

  return out;
}

std::string sweep_table(const std::vector<IterationSection>& sweep) {
  std::vector<Row> rows{{"at most", "loop", "clusters", "kept", "time error", "of maximum",
                         "all metrics", "counts", "phantoms", "own clusters", "all metrics",
                         "counts"}};
  each_loop(sweep, [&](const IterationSection& section, std::size_t l, const FoldedLoop& loop) {
    const IterationFidelity kept = loop.kept.value_or(IterationFidelity{}),
                            local = loop.local.value_or(IterationFidelity{});
    rows.push_back({group_digits(section.max_clusters), std::to_string(l + 1),
                    group_digits(loop.choice.clusters), group_digits(loop.choice.kept.size()),
                    percent(kept.time_mean), percent(kept.time_maximum), percent(kept.mean),
                    exactness(kept), group_digits(kept.phantoms), percent(local.time_mean),
                    percent(local.mean), exactness(local)});
  });

  return rows.size() == 1 ? "no loop found\n" : text_table(rows);
}

std::string sweep_csv(const std::vector<IterationSection>& sweep) {
  std::string out = "max_clusters,loop,iterations,clusters,kept";
  for (const char* of : {"kept", "own_clusters"})
    for (const char* what :
         {"mean_error", "maximum_error", "time_mean_error", "time_maximum_error",
          "count_mean_error", "count_maximum_error", "counts_exact", "phantom_call_paths"})
      out += fmt::format(",{}_{}", of, what);

  out += "\r\n";

  each_loop(sweep, [&](const IterationSection& section, std::size_t l, const FoldedLoop& loop) {
    out += fmt::format("{},{},{},{},{}", section.max_clusters, l + 1, loop.choice.kept_of.size(),
                       loop.choice.clusters, loop.choice.kept.size());
    out += to_csv_cells(loop.kept.value_or(IterationFidelity{})) +
           to_csv_cells(loop.local.value_or(IterationFidelity{})) + "\r\n";
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
    if (loop.local)
      row["of_own_clusters"] = to_json(*loop.local);

    rows.push_back(std::move(row));
  });

  return write_json_text({{"tracefold_sweep", 1},
                          {"trace", plan.trace.anchor},
                          {"error_thresholds", {0, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}},
                          {"sweep", std::move(rows)}});
}

}  // namespace tracefold
