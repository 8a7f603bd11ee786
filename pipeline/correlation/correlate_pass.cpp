#include "pipeline/correlation/correlate_pass.hpp"

#include "filters/correlation/spectrum.hpp"
#include "pipeline/correlation/cluster_views.hpp"
#include "pipeline/correlation/explain_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace tracefold {

namespace {

using correlation::Shift;
using correlation::ShiftMask;
using correlation::SurrogateMaxima;

std::vector<const ViewColumn*> list_columns(const std::vector<ViewColumn>& columns,
                                            const std::vector<std::size_t>& places) {
  std::vector<const ViewColumn*> taken;
  taken.reserve(places.size());
  for (auto place : places)
    taken.push_back(&columns[place]);
  return taken;
}

std::vector<std::size_t> list_views(const std::vector<std::size_t>& views,
                                    const std::vector<std::size_t>& places) {
  std::vector<std::size_t> taken;
  taken.reserve(places.size());
  for (auto place : places)
    taken.push_back(views[place]);
  return taken;
}

// What is found of one queried view, slice by slice of the others.
struct Search {
  Search(const TraceCorrelation& of, std::size_t view)
      : trace(of), query(of.runner().make_query(of.read_columns({view}).front())) {}

  // Views of a slice, by their places in it.
  void add(const std::vector<std::size_t>& slice, const std::vector<ViewColumn>& columns,
           const std::vector<std::size_t>& places, bool uses_surrogates, const ShiftMask& mask) {
    if (places.empty())
      return;

    const auto taken = list_columns(columns, places);
    const auto matches = trace.runner().correlate(query, taken, mask);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (matches[i].match.r != 0)
        findings.push_back(make_finding(slice[places[i]], matches[i], trace.scope().axes.size()));
    if (uses_surrogates)
      maxima.raise(trace.runner().find_surrogate_maxima(query, taken,
                                                        correlation::surrogates_of_a_kind, mask));
  }

  const TraceCorrelation& trace;
  BatchRunner::Query query;
  std::vector<CorrelationFinding> findings;
  SurrogateMaxima maxima{correlation::surrogates_of_a_kind};
};

// Those with the largest shares of their metrics first.
std::vector<std::size_t> sort_by_share(const std::vector<CorrelationView>& views) {
  std::map<std::string, double> totals;
  for (const auto& view : views)
    totals[view.metric] += view.sum;

  std::vector<double> shares;
  shares.reserve(views.size());
  for (const auto& view : views)
    shares.push_back(view.sum / totals[view.metric]);

  std::vector<std::size_t> order(views.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  return order;
}

// The chance of each leader's members. Reads all views again, for as many leaders at once as there
// is room for.
void judge_clusters(const TraceCorrelation& trace,
                    const std::vector<std::vector<std::size_t>>& slices, double most_chance,
                    ClusterReport& report) {
  std::map<std::size_t, SurrogateMaxima> maxima;  // by leader
  std::vector<std::size_t> leaders;
  for (const auto& cluster : report.clusters)
    if (!cluster.members.empty()) {
      maxima.emplace(cluster.leader, SurrogateMaxima(correlation::surrogates_of_a_kind));
      leaders.push_back(cluster.leader);
    }

  for (const auto& some : trace.cut_into_slices(leaders, 0, 8)) {
    const auto values = trace.read_columns(some);
    DistinctViews distinct;

    for (const auto& slice : slices) {
      const auto columns = trace.read_columns(slice);
      const auto places = distinct.add(slice, columns);

      for (std::size_t i = 0; i < some.size(); ++i) {
        auto others = places;
        std::erase_if(others, [&](std::size_t place) { return slice[place] == some[i]; });
        maxima.at(some[i]).raise(trace.runner().find_surrogate_maxima(
            trace.runner().make_query(values[i]), list_columns(columns, others),
            correlation::surrogates_of_a_kind));
      }
    }
  }

  for (auto& cluster : report.clusters)
    if (!cluster.members.empty())
      report.left_out_by_chance +=
          judge_findings(cluster.members, maxima.at(cluster.leader), most_chance);
  report.most_chance = most_chance;
}

// Whether a view may be why another one is long: the time of another call path, or bytes of any.
// What the wait itself is a part of explains nothing.
bool may_explain(const Views& views, std::size_t of_cause, std::size_t of_wait) {
  const auto &cause = views.view(of_cause), &wait = views.view(of_wait);
  if (cause.is_waiting || cause.per_second || views.contains(of_cause, of_wait))
    return false;
  return cause.kind == MetricKind::bytes ||
         (cause.kind == MetricKind::time && cause.call_path != wait.call_path);
}

// What is not known cannot be told from what does not wait.
void check_waits_are_known(const Views& views) {
  for (auto wait : waiting_metrics)
    if (const auto* reason = views.find_unknown(wait))
      throw Error(ErrorKind::usage, fmt::format("who waits is not known, since {}", *reason))
          .hint("it takes an original trace, and no filter of locations");
}

// The shifts at which a call may be why another one waits, by when the first one begins in the
// iteration of the other, or in the whole trace. A later iteration explains nothing.
class CauseShifts {
 public:
  CauseShifts(const TraceCorrelation& trace, bool has_iterations) {
    const auto axes = trace.scope().axes.size();
    const auto process_axes = has_iterations ? axes - 1 : axes;
    const auto& correlator = trace.runner().correlator();
    const auto count_iterations = [=](const Shift& shift) {
      return has_iterations ? shift[process_axes] : 0;
    };
    const auto is_same_process = [=](const Shift& shift) {
      return std::all_of(shift.begin(), shift.begin() + static_cast<std::ptrdiff_t>(process_axes),
                         [](auto steps) { return steps == 0; });
    };

    same_process_ =
        correlator.make_mask([&](const Shift& shift) { return count_iterations(shift) <= 0; });
    other_processes_ = correlator.make_mask([&](const Shift& shift) {
      const auto iterations = count_iterations(shift);
      return iterations < 0 || (iterations == 0 && !is_same_process(shift));
    });
    nowhere_ =
        correlator.make_mask([&](const Shift& shift) { return count_iterations(shift) < 0; });
  }

  const ShiftMask& find(CallOrder::Begun begun) const {
    switch (begun) {
      case CallOrder::Begun::on_the_same_process: return same_process_;
      case CallOrder::Begun::on_other_processes: return other_processes_;
      case CallOrder::Begun::nowhere: return nowhere_;
    }
    return nowhere_;
  }

 private:
  ShiftMask same_process_;
  ShiftMask other_processes_;
  ShiftMask nowhere_;
};

// The first finding; or, where it is an inclusive one, what it has in it that says about as much.
const CorrelationFinding& choose_cause(const Views& views,
                                       const std::vector<CorrelationFinding>& findings) {
  constexpr double as_much = 0.01;
  const auto& first = findings.front();
  const auto part = std::find_if(findings.begin(), findings.end(), [&](const auto& finding) {
    return !views.view(finding.view).is_inclusive && views.contains(first.view, finding.view) &&
           std::abs(finding.r - first.r) <= as_much;
  });
  return part == findings.end() ? first : *part;
}

// What explains the waiting of some calls best, of the views in slices.
void explain_some(const TraceCorrelation& trace,
                  const std::vector<std::vector<std::size_t>>& slices, const CallOrder& order,
                  const CauseShifts& shifts, const CorrelateOptions& options,
                  std::span<WaitExplanation> waits) {
  std::vector<Search> searches;
  for (const auto& wait : waits)
    searches.emplace_back(trace, wait.view);

  for (const auto& slice : slices) {
    const auto columns = trace.read_columns(slice);
    for (std::size_t w = 0; w < waits.size(); ++w) {
      const auto wait = waits[w].view;
      std::map<CallOrder::Begun, std::vector<std::size_t>> likely;
      for (std::size_t i = 0; i < slice.size(); ++i)
        if (may_explain(trace.views(), slice[i], wait)) {
          auto begun = order.find(trace.views().path(wait), trace.views().path(slice[i]));
          // Most of what such a call takes is behind its begin.
          if (trace.views().view(slice[i]).is_inclusive &&
              begun == CallOrder::Begun::on_other_processes)
            begun = CallOrder::Begun::nowhere;
          likely[begun].push_back(i);
        }

      for (const auto& [begun, places] : likely)
        searches[w].add(slice, columns, places, options.most_chance.has_value(),
                        shifts.find(begun));
    }
  }

  for (std::size_t w = 0; w < waits.size(); ++w) {
    auto& findings = searches[w].findings;
    sort_findings(findings);
    if (options.most_chance)
      judge_findings(findings, searches[w].maxima, *options.most_chance);
    if (!findings.empty())
      waits[w].cause = choose_cause(trace.views(), findings);
  }
}

// The first findings of other call paths, which say more than a part of the same call, or else the
// first one.
std::vector<std::size_t> choose_shown(const CorrelationReport& report, std::size_t most) {
  const auto& path = report.scope.views[report.query].call_path;
  std::vector<std::size_t> views;
  for (const auto& finding : report.findings)
    if (views.size() < most && report.scope.views[finding.view].call_path != path)
      views.push_back(finding.view);
  if (views.empty() && !report.findings.empty())
    views.push_back(report.findings.front().view);
  return views;
}

std::vector<CorrelationPicture> read_pictures(const TraceCorrelation& trace,
                                              const CorrelationReport& report,
                                              std::size_t findings) {
  constexpr std::size_t most_points = std::size_t{1} << 22;
  const auto& grid = trace.runner().correlator().grid();
  const auto points = grid.count_points();
  if (points > most_points)
    throw Error(ErrorKind::usage,
                fmt::format("a grid of {} places is too large to be drawn", points))
        .hint("leave processes out, or correlate without iterations");

  auto views = choose_shown(report, findings);
  views.insert(views.begin(), report.query);
  const auto columns = trace.read_columns(views);
  std::vector<CorrelationPicture> pictures;
  for (std::size_t i = 0; i < views.size(); ++i) {
    auto& picture = pictures.emplace_back();
    picture.view = views[i];
    for (std::size_t point = 0; point < points; ++point)
      picture.values.push_back(grid.has(point) ? 0 : std::numeric_limits<double>::quiet_NaN());
    for (const auto& cell : columns[i])
      picture.values[cell.place] = cell.value;
    picture.magnitudes = correlation::find_magnitudes(grid, picture.values);
  }

  return pictures;
}

}  // namespace

CorrelationReport correlate_view(const CorrelatedTrace& correlated,
                                 const CorrelateOptions& options) {
  const TraceCorrelation trace(correlated, options);
  CorrelationReport report{trace.scope(), *trace.views().query(), true, {}, 0, 1};

  std::vector<std::size_t> others(trace.views().size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  // What the queried view is a part of rises with it in any case.
  std::erase_if(others, [&](std::size_t view) {
    return view == report.query ||
           (report.scope.views[view].kind == report.scope.views[report.query].kind &&
            trace.views().contains(view, report.query));
  });

  Search search(trace, report.query);
  report.query_varies = !search.query.frequencies.is_zero;
  DistinctViews distinct;

  for (const auto& slice : trace.cut_into_slices(others)) {
    const auto columns = trace.read_columns(slice);
    search.add(slice, columns, distinct.add(slice, columns), options.most_chance.has_value(),
               trace.runner().correlator().usual_mask());
  }

  report.findings = std::move(search.findings);
  for (auto& finding : report.findings)
    finding.same = distinct.list_same(finding.view);
  sort_findings(report.findings);
  if (options.most_chance) {
    report.left_out_by_chance =
        judge_findings(report.findings, search.maxima, *options.most_chance);
    report.most_chance = *options.most_chance;
  }
  if (options.pictures > 0)
    report.pictures = read_pictures(trace, report, options.pictures);
  return report;
}

ClusterReport correlate_all_pairs(const CorrelatedTrace& correlated, CorrelateOptions options,
                                  double threshold) {
  options.views.adds_inclusive = false;
  const TraceCorrelation trace(correlated, options);
  ClusterReport report{trace.scope(), threshold, {}, 0, 0, 0, 1, {}};
  const auto axes = report.scope.axes.size();

  const auto slices = trace.cut_into_slices(sort_by_share(report.scope.views),
                                            ViewClusters::count_bytes(trace.runner()));
  ViewClusters found(
      trace.runner(), threshold,
      [&](const std::vector<std::size_t>& views) { return trace.read_columns(views); },
      trace.memory_beside_slices());
  DistinctViews distinct;
  for (const auto& slice : slices) {
    const auto columns = trace.read_columns(slice);
    const auto places = distinct.add(slice, columns);
    found.add(list_views(slice, places), list_columns(columns, places));
  }
  report.constant = found.constant();
  report.pairs = found.pairs();

  for (const auto& cluster : found.clusters()) {
    CorrelationCluster views{cluster.leader, distinct.list_same(cluster.leader), {}};
    for (const auto& member : cluster.members) {
      views.members.push_back(make_finding(member.view, member.match, axes));
      views.members.back().same = distinct.list_same(member.view);
    }
    sort_findings(views.members);
    report.clusters.push_back(std::move(views));
  }

  if (options.most_chance)
    judge_clusters(trace, slices, *options.most_chance, report);

  report.single = std::erase_if(report.clusters,
                                [](const auto& cluster) { return cluster.count_views() == 1; });
  std::stable_sort(report.clusters.begin(), report.clusters.end(),
                   [](const auto& a, const auto& b) { return a.count_views() > b.count_views(); });
  return report;
}

ExplanationReport explain_waits(const CorrelatedTrace& correlated, CorrelateOptions options,
                                std::size_t most) {
  options.views.query.clear();
  if (!options.views.metrics.empty())
    options.views.metrics.emplace_back("waiting");
  const TraceCorrelation trace(correlated, options);
  ExplanationReport report{trace.scope(), 0, {}, 1};
  const auto& views = report.scope.views;

  for (std::size_t v = 0; v < views.size(); ++v)
    if (views[v].is_waiting && !views[v].is_inclusive && views[v].sum > 0) {
      report.waits.push_back({v, 0, std::nullopt});
      report.waiting += views[v].sum;
    }
  std::stable_sort(report.waits.begin(), report.waits.end(), [&](const auto& a, const auto& b) {
    return views[a.view].sum > views[b.view].sum;
  });
  if (report.waits.empty())
    check_waits_are_known(trace.views());

  // What is a large share of its own metric may be a small one of all waiting.
  report.scope.left_out += std::erase_if(report.waits, [&](const auto& wait) {
    return views[wait.view].sum < options.views.least_share * report.waiting;
  });
  if (most > 0)
    report.waits.resize(std::min(most, report.waits.size()));

  std::vector<std::size_t> causes;
  for (std::size_t v = 0; v < views.size(); ++v)
    if (!views[v].is_waiting)
      causes.push_back(v);
  const auto slices = trace.cut_into_slices(causes);
  std::vector<std::size_t> waiting;
  for (const auto& wait : report.waits)
    waiting.push_back(wait.view);
  const auto order = trace.views().find_call_order(waiting, causes);
  const CauseShifts shifts(trace, correlated.loop.has_value());

  // As many calls at once as there is room for their queries.
  const auto at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      trace.memory_beside_slices() / trace.runner().query_bytes(), 1, report.waits.size() + 1));
  for (std::size_t first = 0; first < report.waits.size(); first += at_once)
    explain_some(
        trace, slices, order, shifts, options,
        std::span(report.waits).subspan(first, std::min(at_once, report.waits.size() - first)));

  for (auto& wait : report.waits)
    wait.share = views[wait.view].sum / report.waiting;
  report.structure = explain_by_structure(correlated, trace, options.most_chance);
  report.most_chance = options.most_chance.value_or(1);
  return report;
}

}  // namespace tracefold
