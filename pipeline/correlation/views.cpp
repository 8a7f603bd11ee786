#include "pipeline/correlation/views.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace tracefold {

namespace {

const std::string rate_suffix = "/s";
const std::string inclusive_prefix = "inclusive ";
const std::string inclusive_time = inclusive_prefix + "time";

// Short names of what is asked for most.
std::string find_full_name(const std::string& name) {
  if (name == "time")
    return "execution time";
  for (auto wait : waiting_metrics) {
    std::string full(get_entry(wait).name);
    if (is_same_name(fmt::format("MPI {} time", name), full))
      return full;
  }
  return name;
}

std::optional<Metric> find_wait(std::string name) {
  if (name.ends_with(rate_suffix))
    name.resize(name.size() - rate_suffix.size());
  if (name.starts_with(inclusive_prefix))
    name.erase(0, inclusive_prefix.size());
  for (auto wait : waiting_metrics)
    if (is_same_name(find_full_name(name), std::string(get_entry(wait).name)))
      return wait;
  return std::nullopt;
}

// Names of the metrics of waiting.
bool is_waiting_time(const std::string& name) {
  return std::any_of(waiting_metrics.begin(), waiting_metrics.end(), [&](Metric wait) {
    return name == get_entry(wait).name ||
           name == inclusive_prefix + std::string(get_entry(wait).name);
  });
}

// Those that a query or a metric names.
std::vector<Metric> list_named_waits(const ViewOptions& options) {
  auto names = options.metrics;
  for (auto colon = options.query.find(':'); colon != std::string::npos;
       colon = options.query.find(':', colon + 1))
    names.push_back(options.query.substr(0, colon));

  std::vector<Metric> waits;
  for (const auto& name : names)
    if (const auto wait = find_wait(name))
      waits.push_back(*wait);
  return waits;
}

bool takes_all_waits(const ViewOptions& options) {
  const auto& names = options.metrics;
  return names.empty() || std::find(names.begin(), names.end(), "all") != names.end() ||
         std::find(names.begin(), names.end(), "waiting") != names.end();
}

std::vector<Metric> list_wanted_waits(const ViewOptions& options) {
  if (takes_all_waits(options))
    return {waiting_metrics.begin(), waiting_metrics.end()};
  return list_named_waits(options);
}

}  // namespace

Views::Views(const CorrelatedTrace& trace, const ViewOptions& options)
    : definitions_(trace.archive.definitions()),
      plan_(trace.plan),
      members_(trace.members),
      loop_(trace.loop),
      source_(make_view_source(trace, list_wanted_waits(options))) {
  for (auto wait : list_named_waits(options))
    if (const auto* reason = source_->find_unknown(wait))
      throw Error(ErrorKind::usage,
                  fmt::format("{} is not known, since {}", get_entry(wait).name, *reason))
          .hint("it takes an original trace, and no filter of locations");
  if (takes_all_waits(options))
    for (auto wait : waiting_metrics)
      if (const auto* reason = source_->find_unknown(wait))
        warn_of_unknown_wait(wait, *reason, trace.diagnostics);

  if (loop_) {
    iterations_ = 0;
    for (std::size_t m = 0; m < members_.size(); ++m)
      iterations_ = std::max(iterations_, count_iterations(m));
  }

  choose_metrics(options);
  sums_ = source_->sum(columns_);
  for (auto& metric : metrics_)
    for (std::size_t m = 0; m < members_.size(); ++m)
      if (std::any_of(metric.columns.begin(), metric.columns.end(),
                      [&](std::size_t column) { return source_->is_not_finite(m, column); }))
        metric.absent.push_back(m);
  list_views();
  choose_query(options.query);
  leave_out_small(options.least_share);
  if (trace.program)
    warn_of_steady(trace.program->stored->detail().percent, trace.diagnostics);
}

std::size_t Views::count_iterations(std::size_t member) const {
  return loop_ ? loop_->count_iterations(members_[member]) : 1;
}

Views::ViewMetric Views::make_metric(const CondensedForm::Entry& entry) const {
  return {.name = entry.name,
          .kind = entry.kind,
          .recorded_unit = find_recorded_unit(definitions_, entry.kind, entry.name),
          .columns = entry.columns,
          .time_columns = {},
          .steps_per_unit = entry.steps_per_unit,
          .absent = {},
          .is_inclusive = false};
}

std::optional<Views::ViewMetric> Views::look_up(const std::string& name) const {
  const auto entries = CondensedForm(source_->columns()).entries();
  const auto time = find_entry(entries, find_full_name("time"));

  if (const auto entry = find_entry(entries, find_full_name(name)))
    return make_metric(*entry);

  if (name.starts_with(inclusive_prefix)) {
    auto metric = look_up(name.substr(inclusive_prefix.size()));
    if (metric) {
      metric->name =
          metric->name == find_full_name("time") ? inclusive_time : inclusive_prefix + metric->name;
      metric->is_inclusive = true;
    }
    return metric;
  }

  if (!name.ends_with(rate_suffix) || !time)
    return std::nullopt;
  const auto base = name.substr(0, name.size() - rate_suffix.size());
  const auto entry = find_entry(entries, find_full_name(base));
  if (!entry)
    return std::nullopt;

  auto rate = make_metric(*entry);
  rate.name += rate_suffix;
  rate.time_columns = time->columns;
  return rate;
}

Views::ViewMetric Views::find_metric(const std::string& name) const {
  if (auto metric = look_up(name))
    return std::move(*metric);
  throw Error(
      ErrorKind::usage,
      fmt::format("'{}': {}", name, explain_absence(definitions_, source_->columns(), name)))
      .hint(
          fmt::format("one of: time, {}; with {} behind it: per second; with '{}' before it: with "
                      "all that is called",
                      list_some(list_names(CondensedForm(source_->columns()).entries()), 8),
                      rate_suffix, inclusive_prefix));
}

// The usual ones: time, visits, bytes, waiting times, counters, and inclusive time.
void Views::choose_metrics(const ViewOptions& options) {
  const auto entries = CondensedForm(source_->columns()).entries();
  const auto add = [&](const std::string& name) {
    auto metric = find_metric(name);
    const auto known = [&](const ViewMetric& m) { return m.name == metric.name; };
    if (std::none_of(metrics_.begin(), metrics_.end(), known))
      metrics_.push_back(std::move(metric));
  };

  for (const auto& name : options.metrics) {
    if (name != "all" && name != "waiting") {
      add(name);
      continue;
    }
    for (const auto& known : list_names(entries))
      if (name == "all" || is_waiting_time(known))
        add(known);
    if (name == "all" && options.adds_inclusive)
      add(inclusive_time);
  }

  if (options.metrics.empty()) {
    for (const auto& entry : entries)
      if (entry.kind == MetricKind::counter || entry.name == "execution time" ||
          entry.name == "visits" || entry.name == "bytes" || is_waiting_time(entry.name))
        metrics_.push_back(make_metric(entry));
    if (options.adds_inclusive)
      add(inclusive_time);
  }

  // The queried view may be of another metric.
  if (!options.query.empty())
    add(split_query(options.query).first.name);

  std::set<std::size_t> needed;
  for (const auto& metric : metrics_) {
    needed.insert(metric.columns.begin(), metric.columns.end());
    needed.insert(metric.time_columns.begin(), metric.time_columns.end());
  }
  columns_.assign(needed.begin(), needed.end());
}

std::pair<Views::ViewMetric, std::string> Views::split_query(const std::string& query) const {
  // Names of counters and functions may have colons as well.
  for (auto colon = query.find(':'); colon != std::string::npos; colon = query.find(':', colon + 1))
    if (auto metric = look_up(query.substr(0, colon)))
      return {std::move(*metric), query.substr(colon + 1)};
  return {find_metric("time"), query};
}

bool Views::has_exclusive(const ViewMetric& inclusive) const {
  return std::any_of(metrics_.begin(), metrics_.end(), [&](const ViewMetric& metric) {
    return !metric.is_inclusive && metric.columns == inclusive.columns &&
           metric.time_columns == inclusive.time_columns;
  });
}

Views::Amount Views::measure(const ViewMetric& metric, std::span<const std::uint64_t> row) {
  Amount amount;
  for (auto column : metric.columns)
    amount.value += static_cast<double>(row[column]);
  for (auto column : metric.time_columns)
    amount.ticks += static_cast<double>(row[column]);
  return amount;
}

double Views::to_value(const ViewMetric& metric, const Amount& amount) const {
  const auto value = amount.value / static_cast<double>(metric.steps_per_unit);
  if (metric.time_columns.empty())
    return value;
  return amount.ticks > 0 ? value / to_seconds(plan_, amount.ticks) : 0;
}

double Views::find_value(const ViewMetric& metric, const Rows& rows) const {
  return to_value(metric, measure(metric, metric.is_inclusive ? rows.with_callees : rows.own));
}

template <class Body>
void Views::each_sum(Body&& body) const {
  const auto width = columns_.size();
  const bool sums_callees = std::any_of(metrics_.begin(), metrics_.end(),
                                        [](const auto& metric) { return metric.is_inclusive; });
  std::vector<std::uint64_t> own(source_->columns().size()), with_callees(own.size());
  for (std::size_t member = 0; member < sums_.processes.size(); ++member) {
    const auto& [paths, callers] = sums_.shape(member);
    auto sums = sums_callees ? sums_.processes[member].values : std::vector<std::uint64_t>();
    for (auto place = sums_callees ? paths.size() : 0; place-- > 0;)
      if (callers[place] != no_path)
        for (std::size_t c = 0; c < width; ++c)
          sums[callers[place] * width + c] += sums[place * width + c];

    for (std::size_t place = 0; place < paths.size(); ++place) {
      for (std::size_t c = 0; c < width; ++c) {
        own[columns_[c]] = sums_.value(member, place, c);
        with_callees[columns_[c]] = sums_callees ? sums[place * width + c] : 0;
      }
      body(member, paths[place], Rows{own, with_callees});
    }
  }
}

std::string Views::name_path(PathIndex path, bool uses_shown_names) const {
  std::vector<std::string_view> names;
  for (; path != no_path; path = sums_.paths[path].caller) {
    const auto& function = source_->functions()[sums_.paths[path].function];
    names.emplace_back(uses_shown_names ? function.shown_name() : function.name);
  }
  return fmt::format("{}", fmt::join(names.rbegin(), names.rend(), " > "));
}

namespace {

// The standard deviation of some values, as a share of their mean.
double find_variation(double sum, double squares, std::size_t values) {
  return std::sqrt(std::max(0.0, static_cast<double>(values) * squares / (sum * sum) - 1));
}

}  // namespace

void Views::list_views() {
  const auto count = metrics_.size();
  std::vector<double> sums(sums_.paths.size() * count), squares(sums.size());
  std::vector<std::size_t> cells(sums.size());
  std::vector<bool> is_own(sums.size(), true);

  each_sum([&](std::size_t member, PathIndex path, const Rows& rows) {
    for (std::size_t m = 0; m < count; ++m)
      if (const auto value = find_value(metrics_[m], rows); value != 0) {
        sums[path * count + m] += value;
        squares[path * count + m] += value * value;
        cells[path * count + m] += count_iterations(member);
        if (metrics_[m].is_inclusive &&
            value != to_value(metrics_[m], measure(metrics_[m], rows.own)))
          is_own[path * count + m] = false;
      }
  });

  for (std::size_t m = 0; m < count; ++m)
    for (std::size_t p = 0; p < sums_.paths.size(); ++p) {
      const auto at = p * count + m;
      if (cells[at] == 0)
        continue;

      std::size_t absent = 0;
      for (auto member : metrics_[m].absent)
        absent += count_iterations(member);

      const auto path = static_cast<PathIndex>(p);
      const bool is_rate = !metrics_[m].time_columns.empty();
      const auto& name = metrics_[m].name;
      all_.push_back(
          {{name, metrics_[m].kind, metrics_[m].recorded_unit, is_rate, metrics_[m].is_inclusive,
            is_waiting_time(name), source_->is_mpi(sums_.paths[path].function),
            name_path(path, true), sums[at]},
           cells[at] + absent,
           path,
           m,
           find_variation(sums[at], squares[at], members_.size()),
           is_own[at]});
    }
}

// A name is taken as it is before it is taken as a glob: names of C++ have stars. Names that are
// shown come before those that several functions have.
void Views::choose_query(const std::string& query) {
  if (query.empty())
    return;

  const auto [metric, path] = split_query(query);
  std::optional<std::size_t> best;
  for (const auto& [is_shown, exactly] :
       {std::pair(true, true), {true, false}, {false, true}, {false, false}}) {
    for (std::size_t v = 0; v < all_.size(); ++v) {
      const auto& view = all_[v].view;
      if (view.metric != metric.name)
        continue;

      const auto name = is_shown ? view.call_path : name_path(all_[v].path, false);
      const bool matches = exactly ? name == path : matches_glob(path, name);
      if (matches && (!best || view.sum > all_[*best].view.sum))
        best = v;
    }
    if (best)
      break;
  }

  if (!best)
    throw Error(ErrorKind::usage, fmt::format("`view` '{}': no process has such a view", query))
        .hint(
            "METRIC:CALL PATH as in 'time:main > solve > MPI_Wait', * is any text; "
            "'tracefold profile `call_paths`' shows call paths");
  query_ = *best;
}

void Views::leave_out_small(double least_share) {
  // What a call path has with what it calls is in the sums of its callers, too.
  std::vector<double> totals(metrics_.size());
  std::vector<bool> is_doubled;  // by metric: inclusive, beside the one of call paths alone
  for (const auto& metric : metrics_)
    is_doubled.push_back(metric.is_inclusive && has_exclusive(metric));
  for (const auto& entry : all_)
    if (!entry.view.is_inclusive || sums_.paths[entry.path].caller == no_path)
      totals[entry.metric] += entry.view.sum;

  std::vector<Entry> kept, small;
  std::optional<std::size_t> query;
  for (std::size_t v = 0; v < all_.size(); ++v) {
    if (query_ == v) {
      query = kept.size();
    } else if (is_doubled[all_[v].metric] && all_[v].is_own) {
      continue;
    } else if (all_[v].view.sum < least_share * totals[all_[v].metric]) {
      small.push_back(std::move(all_[v]));
      continue;
    }
    kept.push_back(std::move(all_[v]));
  }

  count_ = kept.size();
  left_out_ = small.size();
  std::move(small.begin(), small.end(), std::back_inserter(kept));
  all_ = std::move(kept);
  query_ = query;
}

void Views::warn_of_steady(unsigned percent, Diagnostics& diagnostics) const {
  const auto last = all_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto steady = std::count_if(all_.begin(), last, [&](const Entry& entry) {
    const bool is_exact = is_count(entry.view.kind) && !entry.view.per_second;
    return !is_exact && entry.variation < percent / 100.0;
  });
  if (steady > 0)
    diagnostics.warn(
        fmt::format("{} of {} views vary by less than the {} % to which they are kept: "
                    "their correlations are those of rounding",
                    steady, count_, percent));
}

std::vector<std::vector<ViewCell>> Views::read_cells(const std::vector<std::size_t>& wanted) const {
  WantedViews by_path(sums_.paths.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    by_path[all_[wanted[i]].path].push_back({i, all_[wanted[i]].metric});

  std::vector<std::vector<ViewCell>> out(wanted.size());
  if (loop_)
    read_iterations(by_path, out);
  else
    take_sums(by_path, out);
  return out;
}

void Views::take_sums(const WantedViews& by_path, std::vector<std::vector<ViewCell>>& out) const {
  each_sum([&](std::size_t member, PathIndex path, const Rows& rows) {
    for (const auto& view : by_path[path])
      if (const auto value = find_value(metrics_[view.metric], rows); value != 0)
        out[view.place].push_back({member, value});
  });
}

void Views::read_iterations(const WantedViews& by_path,
                            std::vector<std::vector<ViewCell>>& out) const {
  struct Cell {
    std::uint32_t view;
    std::uint32_t iteration;
    double value;
  };
  struct Member {
    PathNumbers numbers;
    std::vector<Cell> cells;
    std::vector<std::uint64_t> row;        // of the call path at hand, by column
    std::vector<Amount> amounts;           // of the iteration at hand, by place of the view
    std::vector<const WantedView*> begun;  // those that have any
  };
  std::vector<Member> members(members_.size());
  const auto tree = PathNumbers::make_tree(sums_.paths);

  // The path itself, and with inclusive views those that it is called from.
  const auto add = [&](Member& mine, PathIndex path) {
    for (auto above = path; above != no_path; above = sums_.paths[above].caller)
      for (const auto& view : by_path[above]) {
        const auto& metric = metrics_[view.metric];
        if (above != path && !metric.is_inclusive)
          continue;
        const auto more = measure(metric, mine.row);
        auto& amount = mine.amounts[view.place];
        if (amount.value == 0 && amount.ticks == 0 && (more.value != 0 || more.ticks != 0))
          mine.begun.push_back(&view);
        amount.value += more.value;
        amount.ticks += more.ticks;
      }
  };

  source_->read_iterations([&](const SeriesProfile& of) {
    auto& mine = members[of.member];
    mine.amounts.resize(out.size());
    for (std::size_t r = 0; r < of.profile.rows.size(); ++r) {
      const auto path = mine.numbers.find(tree, of.profile.rows[r].path, of.paths);
      if (path == no_path)
        continue;

      mine.row.assign(source_->columns().size(), 0);
      for (const auto& [column, value] : of.profile.row(r))
        mine.row[column] = value;
      add(mine, path);
    }

    for (const auto* view : mine.begun) {
      auto& amount = mine.amounts[view->place];
      if (const auto value = to_value(metrics_[view->metric], amount); value != 0)
        mine.cells.push_back({static_cast<std::uint32_t>(view->place),
                              static_cast<std::uint32_t>(of.iteration), value});
      amount = {};
    }
    mine.begun.clear();
  });

  for (std::size_t member = 0; member < members.size(); ++member) {
    for (const auto& cell : members[member].cells)
      out[cell.view].push_back({std::uint64_t{member} * iterations_ + cell.iteration, cell.value});
    members[member].cells = {};
  }
}

bool Views::contains(std::size_t inclusive, std::size_t other) const {
  auto path = all_[other].path;
  while (path != no_path && path != all_[inclusive].path)
    path = sums_.paths[path].caller;
  return path != no_path && all_[inclusive].view.is_inclusive;
}

CallOrder Views::find_call_order(const std::vector<std::size_t>& waits,
                                 const std::vector<std::size_t>& causes) const {
  const auto list_paths = [&](const std::vector<std::size_t>& views) {
    std::vector<PathIndex> paths;
    paths.reserve(views.size());
    for (auto v : views)
      paths.push_back(path(v));
    return paths;
  };
  return source_->find_call_order(sums_.paths, {list_paths(waits), list_paths(causes)});
}

}  // namespace tracefold
