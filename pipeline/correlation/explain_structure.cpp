#include "pipeline/correlation/explain_structure.hpp"

#include "filters/correlation/call_structure.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace tracefold {

namespace {

using correlation::SurrogateMaxima;

// The sum of some views, by point of the grid.
ViewColumn sum_views(const TraceCorrelation& trace,
                     const std::function<bool(const CorrelationView&)>& is_wanted) {
  std::vector<std::size_t> wanted;
  for (std::size_t v = 0; v < trace.views().size_with_small(); ++v)
    if (is_wanted(trace.views().view(v)))
      wanted.push_back(v);

  std::map<std::uint64_t, double> sums;
  for (const auto& slice : trace.cut_into_slices(wanted))
    for (const auto& column : trace.read_columns(slice))
      for (const auto& cell : column)
        sums[cell.place] += cell.value;

  ViewColumn out;
  for (const auto& [place, value] : sums)
    out.push_back({place, value});
  return out;
}

StructureFinding describe(const Plan& plan, const CallStructure& structure) {
  const auto name = [&](FunctionIndex function) {
    return function == virtual_root ? "" : plan.functions[function].shown_name();
  };
  StructureFinding out;
  if (structure.pair) {
    out.caller = name(structure.pair->caller);
    out.callee = name(structure.pair->callee);
  } else {
    out.like = name_process(plan.processes[structure.process]);
  }
  out.ranks = structure.ranks;
  out.same = structure.same;
  return out;
}

// Structures against one column, in batches that there is room for.
void explain_column(const CorrelatedTrace& correlated, const TraceCorrelation& trace,
                    const std::vector<CallStructure>& structures, const ViewColumn& column,
                    std::optional<double> most_chance, bool is_waiting,
                    std::vector<StructureFinding>& out) {
  const auto& runner = trace.runner();
  const auto query = runner.make_query(column);
  if (query.frequencies.is_zero)
    return;

  const auto unshifted = runner.correlator().make_mask([](const correlation::Shift& shift) {
    return std::all_of(shift.begin(), shift.end(), [](auto steps) { return steps == 0; });
  });
  const auto total = std::accumulate(query.values.begin(), query.values.end(), 0.0);
  const auto bytes = correlated.members.size() * trace.views().iterations() * view_cell_bytes;
  const auto at_once = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(trace.memory_beside_slices() / bytes, 1, structures.size()));

  SurrogateMaxima maxima(correlation::surrogates_of_a_kind);
  std::vector<StructureFinding> found;
  for (std::size_t first = 0; first < structures.size(); first += at_once) {
    const auto count = std::min(at_once, structures.size() - first);
    std::vector<ViewColumn> columns(count);
    std::vector<const ViewColumn*> places;
    for (std::size_t i = 0; i < count; ++i) {
      columns[i] = trace.make_column(structures[first + i].has);
      places.push_back(&columns[i]);
    }

    const auto matches = runner.correlate(query, places, unshifted);
    if (most_chance)
      maxima.raise(runner.find_surrogate_maxima(query, places, correlation::surrogates_of_a_kind,
                                                unshifted));
    for (std::size_t i = 0; i < count; ++i) {
      const auto& has = structures[first + i].has;
      const auto having = static_cast<double>(std::count(has.begin(), has.end(), true));
      double own = 0;
      for (const auto& one : columns[i])
        own += query.values[one.place] / having;
      const auto others = (total - own * having) / (static_cast<double>(has.size()) - having);

      auto& finding = found.emplace_back(describe(correlated.plan, structures[first + i]));
      if (others > 1e-9 * own)
        finding.ratio = own / others;
      finding.is_waiting = is_waiting;
      finding.r = static_cast<double>(matches[i].match.r);
    }
  }

  for (auto& finding : found) {
    if (most_chance)
      finding.chance = maxima.find_chance(static_cast<float>(finding.r));
    if (finding.r != 0 && (!most_chance || *finding.chance <= *most_chance))
      out.push_back(std::move(finding));
  }
}

}  // namespace

std::vector<StructureFinding> explain_by_structure(const CorrelatedTrace& correlated,
                                                   const TraceCorrelation& trace,
                                                   std::optional<double> most_chance) {
  const auto structures = list_call_structure(correlated.plan, correlated.members);
  std::vector<StructureFinding> out;
  if (structures.empty())
    return out;

  explain_column(
      correlated, trace, structures,
      sum_views(trace,
                [](const auto& view) { return view.metric == "execution time" && !view.is_mpi; }),
      most_chance, false, out);
  explain_column(correlated, trace, structures,
                 sum_views(trace,
                           [](const auto& view) {
                             return view.is_waiting && !view.is_inclusive && !view.per_second;
                           }),
                 most_chance, true, out);
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::llround(std::abs(a.r) * 1e5) > std::llround(std::abs(b.r) * 1e5);
  });
  return out;
}

}  // namespace tracefold
