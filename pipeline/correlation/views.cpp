#include "pipeline/correlation/views.hpp"

#include "base/ranges.hpp"
#include "filters/iterations/iteration_features.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/profile/merge_call_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

const std::string rate_suffix = "/s";

// A counter that is no number, or infinite, was brought to this on the way here.
constexpr double largest_counter = 9.2e18;

// Short names of what is asked for most.
std::string find_full_name(const std::string& name) {
  if (name == "time")
    return "execution time";
  if (name == "late sender")
    return "MPI late-sender time";
  return name;
}

}  // namespace

Views::Views(const Archive& archive, const Plan& plan, std::vector<std::size_t> members,
             std::optional<ViewLoop> loop, const ViewOptions& options, const ReadOptions& reading,
             Diagnostics& diagnostics)
    : plan_(plan),
      members_(std::move(members)),
      loop_(loop),
      no_loops_(plan.processes.size()),
      pass_(archive, plan, loop_ ? loop_->loops : no_loops_, members_, reading, diagnostics) {
  if (loop_) {
    iterations_ = 0;
    for (std::size_t m = 0; m < members_.size(); ++m)
      iterations_ = std::max(iterations_, count_iterations(m));
  }

  choose_metrics(options);
  const auto found = read_sums();
  list_views(found);
  choose_query(options.query);
  leave_out_small(options.least_share);
  keep_values(found);
}

std::size_t Views::count_iterations(std::size_t member) const {
  if (!loop_)
    return 1;
  const auto& loops = loop_->loops[members_[member]].loops;
  return loop_->loop < loops.size() ? loops[loop_->loop].iterations.size() : 0;
}

std::optional<Views::ViewMetric> Views::look_up(const std::string& name) const {
  const auto entries = CondensedForm(pass_.columns()).entries();
  const auto time = find_entry(entries, find_full_name("time"));

  if (auto entry = find_entry(entries, find_full_name(name)))
    return ViewMetric{entry->name, entry->kind, std::move(entry->columns), {}};

  if (!name.ends_with(rate_suffix) || !time)
    return std::nullopt;
  const auto base = name.substr(0, name.size() - rate_suffix.size());
  auto entry = find_entry(entries, find_full_name(base));
  if (!entry)
    return std::nullopt;
  return ViewMetric{entry->name + rate_suffix, entry->kind, std::move(entry->columns),
                    time->columns};
}

Views::ViewMetric Views::find_metric(const std::string& name) const {
  if (auto metric = look_up(name))
    return std::move(*metric);
  throw Error(ErrorKind::usage, fmt::format("'{}': the trace has no such metric", name))
      .hint(fmt::format("one of: time, late sender, {}; with {} behind it: per second",
                        fmt::join(list_names(CondensedForm(pass_.columns()).entries()), ", "),
                        rate_suffix));
}

// The usual ones: time, visits, bytes, waiting for late senders, and counters.
void Views::choose_metrics(const ViewOptions& options) {
  const auto entries = CondensedForm(pass_.columns()).entries();
  const auto add = [&](const std::string& name) {
    auto metric = find_metric(name);
    const auto known = [&](const ViewMetric& m) { return m.name == metric.name; };
    if (std::none_of(metrics_.begin(), metrics_.end(), known))
      metrics_.push_back(std::move(metric));
  };

  for (const auto& name : options.metrics) {
    if (name != "all") {
      add(name);
      continue;
    }
    for (const auto& known : list_names(entries))
      add(known);
  }

  if (options.metrics.empty()) {
    for (const auto& entry : entries)
      if (entry.kind == MetricKind::counter || entry.name == "execution time" ||
          entry.name == "visits" || entry.name == "bytes" || entry.name == "MPI late-sender time")
        metrics_.push_back({entry.name, entry.kind, entry.columns, {}});
  }

  // The queried view may be of another metric.
  add(split_query(options.query).first.name);
}

std::pair<Views::ViewMetric, std::string> Views::split_query(const std::string& query) const {
  // Names of counters and functions may have colons as well.
  for (auto colon = query.find(':'); colon != std::string::npos; colon = query.find(':', colon + 1))
    if (auto metric = look_up(query.substr(0, colon)))
      return {std::move(*metric), query.substr(colon + 1)};
  return {find_metric("time"), query};
}

double Views::find_value(const ViewMetric& metric, std::span<const std::uint64_t> row) const {
  double value = 0;
  for (auto column : metric.columns)
    value += static_cast<double>(row[column]);
  if (metric.kind == MetricKind::counter && value >= largest_counter)
    throw Error(
        ErrorKind::input,
        fmt::format("the counter '{}' has values that are infinite or too large", metric.name))
        .hint("name the metrics to use with `metric`");
  if (metric.time_columns.empty())
    return value;

  double ticks = 0;
  for (auto column : metric.time_columns)
    ticks += static_cast<double>(row[column]);
  return ticks > 0 ? value / to_seconds(plan_, ticks) : 0;
}

template <class Body, class End>
void Views::each_profile(Body&& body, End&& end) const {
  std::vector<std::size_t> places(plan_.processes.size());
  for (std::size_t m = 0; m < members_.size(); ++m)
    places[members_[m]] = m;

  SeriesCallbacks callbacks;
  if (loop_)
    callbacks.iteration = [&](const SeriesIteration& it) {
      const auto first = count_iterations_before(loop_->loops[it.process].loops, loop_->loop);
      const auto place = places[it.process];
      if (it.iteration >= first && it.iteration - first < count_iterations(place))
        body(place, it.iteration - first, it.profile);
    };

  callbacks.end = [&](std::size_t process, std::span<const CallPath> paths,
                      const CallPathProfile& outside) {
    if (!loop_)
      body(places[process], std::size_t{0}, outside);
    end(places[process], paths);
  };
  pass_.read(callbacks);
}

std::vector<Views::Found> Views::read_sums() const {
  std::vector<Found> found(members_.size());
  const auto count = metrics_.size();

  each_profile(
      [&](std::size_t member, std::size_t, const CallPathProfile& profile) {
        auto& mine = found[member];
        for (std::size_t r = 0; r < profile.rows.size(); ++r) {
          const auto path = static_cast<std::size_t>(profile.rows[r].path);
          if (mine.sums.size() < (path + 1) * count) {
            mine.sums.resize((path + 1) * count);
            mine.cells.resize((path + 1) * count);
          }

          for (std::size_t m = 0; m < count; ++m)
            if (const auto value = find_value(metrics_[m], profile.row(r)); value != 0) {
              mine.sums[path * count + m] += value;
              ++mine.cells[path * count + m];
            }
        }
      },
      [&](std::size_t member, std::span<const CallPath> paths) {
        found[member].paths.assign(paths.begin(), paths.end());
        found[member].sums.resize(paths.size() * count);
        found[member].cells.resize(paths.size() * count);
      });

  return found;
}

std::string Views::name_path(PathIndex path) const {
  std::vector<std::string_view> names;
  for (; path != no_path; path = paths_[path].caller)
    names.emplace_back(pass_.functions()[paths_[path].function].name);
  return fmt::format("{}", fmt::join(names.rbegin(), names.rend(), " > "));
}

void Views::list_views(const std::vector<Found>& found) {
  std::vector<std::span<const CallPath>> trees;
  for (const auto& f : found)
    trees.emplace_back(f.paths);
  auto merged = merge_call_trees(trees);
  paths_ = std::move(merged.paths);
  numbers_ = std::move(merged.merged);

  const auto count = metrics_.size();
  std::vector<double> sums(paths_.size() * count);
  std::vector<std::size_t> cells(sums.size());
  for (std::size_t member = 0; member < found.size(); ++member)
    for (std::size_t p = 1; p < found[member].paths.size(); ++p)
      for (std::size_t m = 0; m < count; ++m) {
        const auto at = numbers_[member][p] * count + m;
        sums[at] += found[member].sums[p * count + m];
        cells[at] += found[member].cells[p * count + m];
      }

  for (std::size_t m = 0; m < count; ++m)
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      const auto at = p * count + m;
      if (cells[at] == 0)
        continue;

      const auto path = static_cast<PathIndex>(p);
      all_.push_back({{metrics_[m].name, metrics_[m].kind, !metrics_[m].time_columns.empty(),
                       name_path(path), sums[at]},
                      cells[at],
                      path,
                      m});
    }
}

// A name is taken as it is before it is taken as a glob: names of C++ have stars.
void Views::choose_query(const std::string& query) {
  const auto [metric, path] = split_query(query);
  std::optional<std::size_t> best;
  for (bool exactly : {true, false}) {
    for (std::size_t v = 0; v < all_.size() && !(best && exactly); ++v) {
      const auto& view = all_[v].view;
      const bool matches = view.metric == metric.name &&
                           (exactly ? view.call_path == path : matches_glob(path, view.call_path));
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
  std::vector<double> totals(metrics_.size());
  for (const auto& entry : all_)
    totals[entry.metric] += entry.view.sum;

  std::vector<Entry> kept;
  std::size_t query = 0;
  for (std::size_t v = 0; v < all_.size(); ++v) {
    if (query_ == v)
      query = kept.size();
    else if (all_[v].view.sum < least_share * totals[all_[v].metric])
      continue;
    kept.push_back(std::move(all_[v]));
  }

  left_out_ = all_.size() - kept.size();
  all_ = std::move(kept);
  query_ = query;
}

void Views::keep_values(const std::vector<Found>& found) {
  for (std::size_t v = 0; v < all_.size(); ++v)
    numbers_of_views_[{all_[v].path, all_[v].metric}] = v;
  if (loop_)
    return;

  const auto count = metrics_.size();
  values_.resize(all_.size());
  for (std::size_t member = 0; member < found.size(); ++member)
    for (std::size_t p = 1; p < found[member].paths.size(); ++p)
      for (std::size_t m = 0; m < count; ++m) {
        const auto view = numbers_of_views_.find({numbers_[member][p], m});
        if (view != numbers_of_views_.end() && found[member].cells[p * count + m] > 0)
          values_[view->second].push_back({member, found[member].sums[p * count + m]});
      }
}

std::vector<std::vector<ViewCell>> Views::read_cells(const std::vector<std::size_t>& wanted) const {
  std::vector<std::vector<ViewCell>> out(wanted.size());
  if (!loop_) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      out[i] = values_[wanted[i]];
    return out;
  }

  // Of each metric the wanted views by path.
  std::map<std::pair<PathIndex, std::size_t>, std::size_t> places;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    places[{all_[wanted[i]].path, all_[wanted[i]].metric}] = i;

  struct Cell {
    std::uint32_t view;
    std::uint32_t iteration;
    double value;
  };
  std::vector<std::vector<Cell>> cells(members_.size());

  each_profile(
      [&](std::size_t member, std::size_t iteration, const CallPathProfile& profile) {
        for (std::size_t r = 0; r < profile.rows.size(); ++r) {
          const auto path = static_cast<std::size_t>(profile.rows[r].path);
          if (path == 0)
            continue;

          for (std::size_t m = 0; m < metrics_.size(); ++m) {
            const auto at = places.find({numbers_[member][path], m});
            if (at == places.end())
              continue;
            if (const auto value = find_value(metrics_[m], profile.row(r)); value != 0)
              cells[member].push_back({static_cast<std::uint32_t>(at->second),
                                       static_cast<std::uint32_t>(iteration), value});
          }
        }
      },
      [](std::size_t, std::span<const CallPath>) {});

  for (std::size_t i = 0; i < wanted.size(); ++i)
    out[i].reserve(count_cells(wanted[i]));
  for (std::size_t member = 0; member < members_.size(); ++member) {
    for (const auto& cell : cells[member])
      out[cell.view].push_back({std::uint64_t{member} * iterations_ + cell.iteration, cell.value});
    cells[member] = {};
  }
  return out;
}

std::vector<std::pair<std::size_t, std::size_t>> Views::list_neighbours() const {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const auto* messages = pass_.messages();
  if (!messages)
    return out;

  const auto find_process = [&](std::uint64_t location) {
    const auto at = std::lower_bound(plan_.processes.begin(), plan_.processes.end(), location,
                                     [](const Process& p, std::uint64_t id) { return p.id < id; });
    return static_cast<std::size_t>(at - plan_.processes.begin());
  };
  for (const auto& [sender, receiver] : messages->list_neighbours())
    out.emplace_back(find_process(sender), find_process(receiver));
  return out;
}

}  // namespace tracefold
