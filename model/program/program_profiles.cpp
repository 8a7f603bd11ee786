#include "model/program/program_profiles.hpp"

#include <algorithm>

namespace tracefold {

std::optional<std::size_t> ProgramMap::find_whole_loop(
    const std::vector<ProgramLoop>& loops) const {
  const auto first = std::find_if(places.begin(), places.end(),
                                  [](const auto& place) { return place.has_value(); });
  if (first == places.end() || !rows.empty())
    return std::nullopt;
  for (std::size_t p = 0; p < places.size(); ++p)
    if ((loops[**first].rows[p].size() > 0) != (places[p] == *first) ||
        (places[p] && places[p] != *first))
      return std::nullopt;
  return *first;
}

void CriticalPath::add(const CriticalPath& other) {
  length += other.length;
  network += other.network;
  std::map<PathIndex, std::uint64_t> in_both(network_in.begin(), network_in.end());
  for (const auto& [path, ticks] : other.network_in)
    in_both[path] += ticks;
  network_in.assign(in_both.begin(), in_both.end());
  over_time.clear();
  times.insert(times.end(), other.times.begin(), other.times.end());
  const auto place = [](const Time& time) { return std::tie(time.process, time.path); };
  std::sort(times.begin(), times.end(),
            [&](const Time& a, const Time& b) { return place(a) < place(b); });
  std::size_t left = 0;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (left > 0 && place(times[left - 1]) == place(times[k]))
      times[left - 1].ticks += times[k].ticks;
    else
      times[left++] = times[k];
  times.resize(left);
}

void pack_values(ProgramProfiles& program) {
  auto& profiles = program.calls.profiles;
  const auto width = profiles.columns.size();
  program.values.clear();
  for (auto& process : profiles.processes) {
    auto& rows = program.values.emplace_back();
    for (std::size_t first = 0; first < process.values.size(); first += width)
      rows.add(std::span(process.values).subspan(first, width));
    rows.finish();
    process.values = std::vector<std::uint64_t>();
  }
}

void replace_time_by_rest(const MetricColumns& columns, std::span<std::uint64_t> values) {
  auto& time = values[*columns.find(Metric::execution_time)];
  for (std::size_t c = 0; c < columns.measured.size(); ++c)
    if (is_part_of_execution_time(columns.measured[c]))
      time -= values[c];
}

}  // namespace tracefold
