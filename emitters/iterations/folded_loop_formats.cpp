#include "emitters/iterations/folded_loop_formats.hpp"

#include "base/json_text.hpp"
#include "base/ranges.hpp"
#include "emitters/errors/fold_error_formats.hpp"
#include "emitters/layout.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/plan.hpp"
#include "model/plan_iterations.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

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

// The error of iterations of a loop; null where it was not measured.
const FoldError* find_error(const FoldErrors* errors, std::size_t loop) {
  return errors && loop < errors->of_loops.size() ? &errors->of_loops[loop] : nullptr;
}
const FoldError* find_error(const ComparedClusters& compared, std::size_t loop) {
  return find_error(compared.errors ? &*compared.errors : nullptr, loop);
}

// A loop's errors over the time of each kind, over all time, and of all time together.
std::string to_csv_cells(const FoldError* error) {
  if (!error)
    return std::string(7, ',');
  auto out = fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g}", error->computation.of_own,
                         error->computation.of_all, error->communication.of_own,
                         error->communication.of_all);
  out += error->waiting
             ? fmt::format(",{:.6g},{:.6g}", error->waiting->of_own, error->waiting->of_all)
             : ",,";
  return out + fmt::format(",{:.6g}", error->all);
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

constexpr const char* no_loop = "no loop is folded: all iterations stay\n";

// Its iterations, how many of them are kept, and the errors of its three kinds of time.
Row make_loop_row(const Plan& plan, std::size_t loop) {
  const auto& choice = plan.iterations->loops[loop].choice;
  Row row{show_count(choice.kept_of.size()), show_count(choice.kept.size())};
  for (auto& cell : list_own_errors(find_error(plan.errors.get(), loop)))
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
    row.push_back(to_ranges({kept.begin(), kept.end()}));
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
    out += tell_more(more, "loop");
  return out + describe_exceptions(plan);
}

std::string sweep_table(const std::vector<ComparedClusters>& sweep) {
  std::vector<Row> rows{
      {"at most", "loop", "clusters", "kept", "computation", "communication", "waiting"}};
  each_loop(sweep, [&](const ComparedClusters& compared, std::size_t l, const FoldedLoop& loop) {
    auto& row = rows.emplace_back(Row{show_count(compared.section.max_clusters),
                                      std::to_string(l + 1), show_count(loop.choice.clusters),
                                      show_count(loop.choice.kept.size())});
    for (auto& cell : list_own_errors(find_error(compared, l)))
      row.push_back(std::move(cell));
  });

  if (rows.size() == 1)
    return "no loop found\n";

  return text_table(rows);
}

std::string sweep_csv(const std::vector<ComparedClusters>& sweep) {
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
  for (const char* kind : {"computation", "communication", "waiting"})
    out += fmt::format(",{}_error,{}_error_of_all_time", kind, kind);
  out += ",error_of_all_time\r\n";

  each_loop(sweep, [&](const ComparedClusters& compared, std::size_t l, const FoldedLoop& loop) {
    out += fmt::format("{},{},{},{},{}", compared.section.max_clusters, l + 1,
                       loop.choice.kept_of.size(), loop.choice.clusters, loop.choice.kept.size());
    out += to_csv_cells_with_phantoms(loop.kept.value_or(IterationFidelity{})) +
           to_csv_cells_with_phantoms(loop.own_clusters.value_or(IterationFidelity{})) +
           to_csv_cells_of_all(loop) + to_csv_cells(find_error(compared, l)) + "\r\n";
  });

  return out;
}

std::string sweep_json(const Plan& plan, const std::vector<ComparedClusters>& sweep) {
  Json rows = Json::array();

  each_loop(sweep, [&](const ComparedClusters& compared, std::size_t l, const FoldedLoop& loop) {
    Json row{{"max_clusters", compared.section.max_clusters},
             {"loop", l + 1},
             {"iterations", loop.choice.kept_of.size()},
             {"clusters", loop.choice.clusters},
             {"kept", to_ranges({loop.choice.kept.begin(), loop.choice.kept.end()})},
             {"call_trees", to_text(loop.choice.equivalence)},
             {"call_tree_classes", loop.choice.classes}};

    if (const auto* error = find_error(compared, l))
      row["error"] = to_json(*error);
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
