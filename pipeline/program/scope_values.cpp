#include "pipeline/program/scope_values.hpp"

#include "pipeline/program/program_tables.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace tracefold {

std::vector<bool> find_paths_inside(const ProgramProfiles& program, const ProgramScope& scope) {
  const auto& profiles = program.calls.profiles;
  std::vector<bool> is_inside(profiles.paths.size(), true);
  for (std::size_t p = 0; p < scope.outside.size(); ++p) {
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t c = 0; c < profiles.columns.size(); ++c) {
      const auto outside = read_column(scope.outside[p], c);
      for (std::size_t k = 0; k < outside.size(); ++k)
        if (outside[k] > 0)
          is_inside[paths[k]] = false;
    }
  }

  return is_inside;
}

std::vector<std::uint64_t> read_inside(const ProgramProfiles& program, const ProgramScope& scope,
                                       std::size_t process, std::size_t column) {
  auto values = read_column(program.values[process], column);
  const auto outside = read_column(scope.outside[process], column);
  if (!values.empty() && !outside.empty())
    std::transform(values.begin(), values.end(), outside.begin(), values.begin(), std::minus<>());
  return values;
}

std::vector<const ProgramPathSeries*> choose_path_series(const ProgramProfiles& program,
                                                         std::size_t loop, std::size_t most) {
  const auto name = name_loop_scope(loop);
  const auto scope =
      std::find_if(program.scopes.begin(), program.scopes.end(),
                   [&](const ProgramScope& candidate) { return candidate.name == name; });
  if (most == 0 || scope == program.scopes.end())
    return {};

  const auto& profiles = program.calls.profiles;
  const auto column = *profiles.columns.find(Metric::execution_time);
  std::map<PathIndex, std::pair<double, const ProgramPathSeries*>> known;  // with ticks
  for (const auto& series : program.loops[loop].paths)
    known[series.path] = {0, &series};
  for (std::size_t p = 0; p < program.processes.size(); ++p) {
    const auto& paths = profiles.shape(p).paths;
    const auto times = read_inside(program, *scope, p, column);
    for (std::size_t k = 0; k < times.size(); ++k)
      if (const auto at = known.find(paths[k]); times[k] > 0 && at != known.end()) {
        at->second.first += static_cast<double>(times[k]);
        if (at->second.second->rows[p].size() == 0)
          known.erase(at);
      }
  }

  std::vector<std::pair<double, const ProgramPathSeries*>> order;
  for (const auto& [path, series] : known)
    order.push_back(series);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), most));

  std::vector<const ProgramPathSeries*> chosen;
  for (const auto& [ticks, series] : order)
    chosen.push_back(series);
  return chosen;
}

}  // namespace tracefold
