#include "pipeline/facts/table_contents.hpp"

#include "base/packed_values.hpp"
#include "base/team.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/facts/scope_values.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace tracefold {

auto list_members(Like<TableContents::Scope> auto& scope) {
  return std::tie(scope.is_inside, scope.columns);
}
auto list_members(Like<TableContents::Loop> auto& loop) {
  return std::tie(loop.columns, loop.ticks, loop.is_complete, loop.series);
}
auto list_members(Like<TableContents::Map> auto& map) {
  return std::tie(map.own, map.all);
}
auto list_members(Like<TableContents> auto& contents) {
  return std::tie(contents.calls, contents.scopes, contents.loops, contents.maps);
}

namespace {

void unite_flags(std::vector<bool>& to, const std::vector<bool>& from) {
  for (std::size_t k = 0; k < to.size(); ++k)
    to[k] = to[k] || from[k];
}
void unite_flags(std::vector<std::vector<bool>>& to, const std::vector<std::vector<bool>>& from) {
  for (std::size_t k = 0; k < to.size(); ++k)
    unite_flags(to[k], from[k]);
}
void intersect_flags(std::vector<bool>& to, const std::vector<bool>& from) {
  for (std::size_t k = 0; k < to.size(); ++k)
    to[k] = to[k] && from[k];
}

TableContents merge_contents(TableContents lower, const TableContents& higher) {
  unite_flags(lower.calls, higher.calls);
  for (std::size_t s = 0; s < lower.scopes.size(); ++s) {
    intersect_flags(lower.scopes[s].is_inside, higher.scopes[s].is_inside);
    unite_flags(lower.scopes[s].columns, higher.scopes[s].columns);
  }
  for (std::size_t l = 0; l < lower.loops.size(); ++l) {
    auto& to = lower.loops[l];
    const auto& from = higher.loops[l];
    unite_flags(to.columns, from.columns);
    to.ticks.add(from.ticks);
    intersect_flags(to.is_complete, from.is_complete);
    unite_flags(to.series, from.series);
  }
  for (std::size_t m = 0; m < lower.maps.size(); ++m) {
    unite_flags(lower.maps[m].own, higher.maps[m].own);
    unite_flags(lower.maps[m].all, higher.maps[m].all);
  }
  return lower;
}

// Looks at the rows of the processes that are here.
class ContentsFinder {
 public:
  explicit ContentsFinder(const ProgramProfiles& program)
      : program_(program), profiles_(program.calls.profiles) {
    for (std::size_t p = 0; p < program.processes.size(); ++p)
      if (program.is_here(p))
        here_.push_back(p);
    for (std::size_t c = 0; c < profiles_.columns.size(); ++c)
      if (is_stored_column(profiles_.columns, c))
        stored_.push_back(c);
  }

  TableContents find() const {
    TableContents out;
    out.calls = list_columns(
        [&](std::size_t p, std::size_t column) { return read_column(program_.values[p], column); });
    for (const auto& scope : program_.scopes)
      out.scopes.push_back(look_at_scope(scope));
    for (std::size_t l = 0; l < program_.loops.size(); ++l)
      out.loops.push_back(look_at_loop(l));
    for (const auto& map : program_.maps)
      out.maps.push_back(look_at_map(map));
    return out;
  }

 private:
  // By column the paths of which some process has a value.
  template <class ReadPaths>
  std::vector<TableContents::Paths> list_columns(const ReadPaths& read) const {
    std::vector<TableContents::Paths> columns(profiles_.columns.size());
    for (auto column : stored_) {
      columns[column].resize(profiles_.paths.size());
      for (auto p : here_) {
        const auto values = read(p, column);
        const auto& paths = profiles_.shape(p).paths;
        for (std::size_t k = 0; k < values.size(); ++k)
          if (values[k] > 0)
            columns[column][paths[k]] = true;
      }
    }
    return columns;
  }

  TableContents::Scope look_at_scope(const ProgramScope& scope) const {
    TableContents::Scope out{TableContents::Paths(profiles_.paths.size(), true), {}};
    for (auto p : here_)
      for (std::size_t c = 0; c < profiles_.columns.size(); ++c) {
        const auto outside = read_column(scope.outside[p], c);
        for (std::size_t k = 0; k < outside.size(); ++k)
          if (outside[k] > 0)
            out.is_inside[profiles_.shape(p).paths[k]] = false;
      }
    out.columns = list_columns(
        [&](std::size_t p, std::size_t column) { return read_inside(program_, scope, p, column); });
    return out;
  }

  TableContents::Loop look_at_loop(std::size_t number) const {
    const auto& loop = program_.loops[number];
    TableContents::Loop out;
    for (std::size_t c = 0; c < profiles_.columns.size(); ++c)
      out.columns.push_back(has_any(loop.rows, c));
    for (const auto& series : loop.paths) {
      auto& columns = out.series.emplace_back();
      for (std::size_t k = 0; k < program_.path_columns.size(); ++k)
        columns.push_back(
            std::any_of(series.rows.begin(), series.rows.end(),
                        [&](const auto& of_process) { return of_process.second.has(k); }));
    }
    rate_series(number, out);
    return out;
  }

  TableContents::Map look_at_map(const ProgramMap& map) const {
    TableContents::Map out;
    for (std::size_t c = 0; c < profiles_.columns.size(); ++c) {
      bool own = false, all = false;
      for (auto p : here_) {
        const auto at = map.rows.find(p);
        own |= at != map.rows.end() && at->second.has(c);
        all |= map.places[p] && program_.loops[*map.places[p]].rows[p].has(c);
      }
      out.own.push_back(own);
      out.all.push_back(own || all);
    }
    return out;
  }

  bool has_any(const std::vector<PackedRows>& rows, std::size_t column) const {
    return std::any_of(here_.begin(), here_.end(), [&](auto p) { return rows[p].has(column); });
  }

  void rate_series(std::size_t number, TableContents::Loop& out) const {
    const auto& all = program_.loops[number].paths;
    out.ticks.reset(all.size());
    out.is_complete.assign(all.size(), true);
    const auto name = name_loop_scope(number);
    const auto scope =
        std::find_if(program_.scopes.begin(), program_.scopes.end(),
                     [&](const ProgramScope& candidate) { return candidate.name == name; });
    if (scope == program_.scopes.end()) {
      out.is_complete.assign(all.size(), false);
      return;
    }

    std::vector<std::optional<std::size_t>> places(profiles_.paths.size());  // in `all`
    for (std::size_t k = 0; k < all.size(); ++k)
      places[all[k].path] = k;
    const auto column = *profiles_.columns.find(Metric::execution_time);
    for (auto p : here_) {
      const auto& paths = profiles_.shape(p).paths;
      const auto times = read_inside(program_, *scope, p, column);
      for (std::size_t k = 0; k < times.size(); ++k)
        if (const auto place = places[paths[k]]; place && times[k] > 0) {
          out.ticks.add(*place, times[k]);
          if (!all[*place].rows.contains(p))
            out.is_complete[*place] = false;
        }
    }
  }

  const ProgramProfiles& program_;
  const CallPathProfiles& profiles_;
  std::vector<std::size_t> here_, stored_;  // processes and columns
};

}  // namespace

TableContents find_contents(const ProgramProfiles& program, Team* team) {
  return share_merged(team, ContentsFinder(program).find(), merge_contents);
}

std::vector<std::size_t> choose_path_series(const TableContents::Loop& loop, std::size_t most) {
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < loop.is_complete.size(); ++k)
    if (loop.is_complete[k])
      chosen.push_back(k);
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](auto a, auto b) { return loop.ticks[a] > loop.ticks[b]; });
  chosen.resize(std::min(chosen.size(), most));
  return chosen;
}

}  // namespace tracefold
