#include "pipeline/correlation/trace_correlation.hpp"

#include "base/error.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace tracefold {

namespace {

using correlation::SurrogateMaxima;

// So much is there for the batches, whatever the limit is: a thread needs as much to read.
constexpr std::uint64_t least_memory = 32 << 20;

// The part of the memory limit that is for the batches.
constexpr std::uint64_t find_batch_memory(std::uint64_t memory) {
  return memory / 8 * 3;
}

// Points of a grid for which there is room for a bit each, some times over.
std::size_t find_most_points(std::uint64_t memory) {
  return static_cast<std::size_t>(std::max(memory, least_memory));
}

// Refuses a grid that not even one thread has room for.
void check_room(const correlation::Grid& grid, const CorrelateOptions& options,
                std::uint64_t memory) {
  const auto points = correlation::count_points_with_room(grid, {options.max_shift, options.wrap});
  const auto needed =
      count_least_bytes(grid.count_points(), points, options.most_chance.has_value());
  if (needed <= std::max(find_batch_memory(memory), least_memory))
    return;

  std::string ways;
  if (points > grid.count_points())
    ways = ", or with `max_shift` 1 or `wrap` less room for shifts";
  throw Error(
      ErrorKind::usage,
      fmt::format("the grid has {} points, {} with room for shifts, which needs more memory "
                  "than there is",
                  grid.count_points(), points))
      .hint(fmt::format("give it {} MiB with `memory`, or a smaller grid{}",
                        (needed / 3 * 8 >> 20) + 1, ways));
}

// Which axes count. What all processes have in common from iteration to iteration would hide how
// they differ, so iterations do only where that is asked for.
void choose_axes(correlation::Grid& grid, std::size_t process_axes, bool has_iterations,
                 const std::vector<std::string>& names,
                 const std::vector<std::string>& of_machine) {
  if (names.empty()) {
    if (has_iterations)
      grid.axes.back().chosen = false;
    return;
  }

  std::vector<std::string> known{"process"};
  for (auto& axis : grid.axes) {
    axis.chosen = false;
    if (axis.name != "process")
      known.push_back(axis.name);
  }

  for (const auto& name : of_machine)
    if (std::find(known.begin(), known.end(), name) == known.end())
      known.push_back(name);

  for (const auto& name : names) {
    bool found = false;
    for (std::size_t a = 0; a < grid.axes.size(); ++a)
      if (grid.axes[a].name == name || (name == "process" && a < process_axes)) {
        grid.axes[a].chosen = true;
        found = true;
      }
    if (!found)
      throw Error(ErrorKind::usage, fmt::format("`axes` {}: there is no such axis", name))
          .hint(fmt::format("one of: {}", fmt::join(known, ", ")));
  }
}

// With the iterations as its last axis; processes that have fewer leave holes.
correlation::Grid add_iterations(const ProcessGrid& processes, const Views& views,
                                 std::size_t most_points) {
  auto grid = processes.grid;
  const auto iterations = views.iterations();
  grid.axes.push_back({"iteration", iterations, false, true});
  check_points(grid, most_points);

  std::vector<bool> present(grid.count_points(), false);
  for (std::size_t m = 0; m < processes.points.size(); ++m)
    for (std::size_t i = 0; i < views.count_iterations(m); ++i)
      present[processes.points[m] * iterations + i] = true;

  grid.present.clear();
  if (std::find(present.begin(), present.end(), false) != present.end())
    grid.present = std::move(present);
  return grid;
}

// Where ranks are on the machine, as far as axes of that may be asked for.
MachinePlaces choose_machine(const CorrelatedTrace& trace, const CorrelateOptions& options) {
  if (options.axes.empty() || !options.grid.sizes.empty() || !options.grid.topology.empty())
    return {};
  return find_machine_places(trace, options.axes);
}

// On the machine where one of its levels is asked for.
ProcessGridOptions choose_grid(const CorrelateOptions& options, const MachinePlaces& machine) {
  auto grid = options.grid;
  for (const auto& name : options.axes)
    if (std::find(machine.axes.begin(), machine.axes.end(), name) != machine.axes.end())
      grid.machine = machine;
  return grid;
}

void warn_of_missing_ranks(const CorrelatedTrace& trace, const ProcessGrid& processes) {
  if (!was_reduced(trace.archive))
    return;
  if (!processes.knows_ranks)
    trace.diagnostics.warn(
        "where processes were in the original is not known: they stand in order; correlate the "
        "original instead");
  else if (processes.ranks_there < processes.ranks)
    trace.diagnostics.warn(fmt::format(
        "{} of {} ranks are in the trace, and those that were folded into them leave holes: "
        "correlate the original to have all of them",
        processes.ranks_there, processes.ranks));
}

}  // namespace

TraceCorrelation::TraceCorrelation(const CorrelatedTrace& trace, const CorrelateOptions& options)
    : memory_(trace.reading.memory),
      views_(trace, options.views),
      machine_(choose_machine(trace, options)),
      processes_(find_process_grid(trace.archive.definitions(), trace.plan, trace.members,
                                   views_.list_neighbours(), choose_grid(options, machine_),
                                   read_program_ranks(trace), find_most_points(memory_))),
      correlator_(make_grid(trace.loop.has_value(), options), {options.max_shift, options.wrap}),
      runner_(correlator_, find_batch_memory(memory_)) {
  warn_of_missing_ranks(trace, processes_);
  scope_.processes = trace.members.size();
  scope_.grid = processes_.words;
  if (trace.loop)
    scope_.loop = trace.loop->loop;
  for (const auto& axis : correlator_.grid().axes)
    scope_.axes.push_back({axis.name, axis.size, axis.periodic, axis.chosen});
  for (std::size_t v = 0; v < views_.size(); ++v)
    scope_.views.push_back(views_.view(v));
  scope_.left_out = views_.left_out();
}

correlation::Grid TraceCorrelation::make_grid(bool has_iterations,
                                              const CorrelateOptions& options) const {
  auto grid = has_iterations ? add_iterations(processes_, views_, find_most_points(memory_))
                             : processes_.grid;
  choose_axes(grid, processes_.process_axes, has_iterations, options.axes, machine_.axes);
  check_room(grid, options, memory_);
  return grid;
}

std::vector<ViewColumn> TraceCorrelation::read_columns(
    const std::vector<std::size_t>& wanted) const {
  auto columns = views_.read_cells(wanted);
  const auto iterations = views_.iterations();

  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto& column = columns[i];
    const auto& absent = views_.list_absent(wanted[i]);
    std::erase_if(column, [&](const ViewCell& cell) {
      return std::binary_search(absent.begin(), absent.end(), cell.place / iterations);
    });

    for (auto& cell : column)
      cell.place =
          processes_.points[cell.place / iterations] * iterations + cell.place % iterations;
    add_means(absent, column);
    std::sort(column.begin(), column.end(),
              [](const auto& a, const auto& b) { return a.place < b.place; });
  }

  return columns;
}

ViewColumn TraceCorrelation::make_column(const std::vector<bool>& has) const {
  ViewColumn column;
  for (std::size_t m = 0; m < has.size(); ++m)
    for (std::size_t i = 0; has[m] && i < views_.count_iterations(m); ++i)
      column.push_back({processes_.points[m] * views_.iterations() + i, 1});
  std::sort(column.begin(), column.end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  return column;
}

// What is not known of a view counts as a hole of a sparse grid does: as the mean of what is known,
// of which the mean is then taken.
void TraceCorrelation::add_means(const std::vector<std::size_t>& absent, ViewColumn& column) const {
  if (absent.empty())
    return;

  const auto& grid = correlator_.grid();
  std::vector<double> sums(correlation::count_lines(grid));
  for (const auto& cell : column)
    sums[correlation::find_line(grid, cell.place)] += cell.value;

  std::vector<std::size_t> unknown;
  const auto iterations = views_.iterations();
  for (auto member : absent)
    for (std::size_t i = 0; i < views_.count_iterations(member); ++i)
      unknown.push_back(processes_.points[member] * iterations + i);

  std::vector<double> counts(sums.size());
  for (std::size_t point = 0; point < grid.count_points(); ++point)
    if (grid.has(point))
      ++counts[correlation::find_line(grid, point)];
  for (auto point : unknown)
    --counts[correlation::find_line(grid, point)];

  for (auto point : unknown) {
    const auto line = correlation::find_line(grid, point);
    if (counts[line] > 0 && sums[line] != 0)
      column.push_back({point, sums[line] / counts[line]});
  }
}

std::vector<std::vector<std::size_t>> TraceCorrelation::cut_into_slices(
    const std::vector<std::size_t>& views, std::uint64_t bytes_more, std::uint64_t part) const {
  std::vector<std::vector<std::size_t>> slices;
  std::uint64_t bytes = 0;

  for (auto view : views) {
    const auto more = views_.count_cells(view) * view_cell_bytes + bytes_more;
    if (slices.empty() || bytes + more > memory_ / part) {
      slices.emplace_back();
      bytes = 0;
    }
    slices.back().push_back(view);
    bytes += more;
  }

  return slices;
}

std::vector<std::size_t> DistinctViews::add(const std::vector<std::size_t>& views,
                                            const std::vector<ViewColumn>& columns) {
  const auto mix = [](std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
  };

  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < views.size(); ++i) {
    std::pair<std::uint64_t, std::uint64_t> hash{columns[i].size(), ~columns[i].size()};
    for (const auto& cell : columns[i]) {
      const auto bits = std::bit_cast<std::uint64_t>(cell.value);
      hash.first = mix(mix(hash.first, cell.place), bits);
      hash.second = mix(mix(hash.second, bits), cell.place);
    }

    const auto [first, is_new] = first_.try_emplace(hash, views[i]);
    if (is_new)
      distinct.push_back(i);
    else
      same_[first->second].push_back(views[i]);
  }
  return distinct;
}

std::vector<std::size_t> DistinctViews::list_same(std::size_t view) const {
  const auto found = same_.find(view);
  return found == same_.end() ? std::vector<std::size_t>() : found->second;
}

CorrelationFinding make_finding(std::size_t view, const ViewMatch& found, std::size_t axes) {
  CorrelationFinding finding;
  finding.view = view;
  finding.r = static_cast<double>(found.match.r);
  finding.shift.assign(found.match.shift.begin(),
                       found.match.shift.begin() + static_cast<std::ptrdiff_t>(axes));
  finding.unshifted = static_cast<double>(found.match.unshifted);
  finding.plain = found.plain;
  return finding;
}

void sort_findings(std::vector<CorrelationFinding>& findings) {
  const auto rounded = [](const CorrelationFinding& f) {
    return std::llround(std::abs(f.r) * 1e5);
  };
  std::sort(findings.begin(), findings.end(), [&](const auto& a, const auto& b) {
    return std::tuple(-rounded(a), a.view) < std::tuple(-rounded(b), b.view);
  });
}

std::size_t judge_findings(std::vector<CorrelationFinding>& findings, const SurrogateMaxima& maxima,
                           double most_chance) {
  for (auto& finding : findings)
    finding.chance = maxima.find_chance(static_cast<float>(finding.r));
  return std::erase_if(findings, [&](const auto& f) { return *f.chance > most_chance; });
}

}  // namespace tracefold
