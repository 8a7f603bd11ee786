#include "filters/iterations/cut_map.hpp"

#include "base/error.hpp"
#include "model/chosen_iterations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tracefold {

namespace {

struct Part {
  std::size_t first = 0, end = 0;  // iterations of the map
};

Part find_part(const Plan& plan, const IterationMap& map,
               const std::pair<std::uint64_t, std::uint64_t>& numbers) {
  const auto& named = list_iteration_numbers(plan);
  Part part{numbers.first, numbers.second + 1};
  if (!named.empty()) {
    const auto find = [&](auto at) { return static_cast<std::size_t>(at - named.begin()); };
    part = {find(std::lower_bound(named.begin(), named.end(), numbers.first)),
            find(std::upper_bound(named.begin(), named.end(), numbers.second))};
  }
  part.end = std::min(part.end, map.iterations);
  if (part.first >= part.end)
    throw Error(ErrorKind::usage, fmt::format("`range` {}-{}: there is no such iteration",
                                              numbers.first, numbers.second))
        .hint(fmt::format("loop {} has the iterations {}", map.loop + 1,
                          name_iterations(plan, 0, map.iterations - 1)));
  return part;
}

// Of columns of so many iterations each.
template <class Value>
std::vector<Value> cut_row(const std::vector<Value>& values, std::size_t begin, std::size_t columns,
                           const Part& part, std::size_t per_column) {
  const auto at = [&](std::size_t column) {
    return values.begin() + static_cast<std::ptrdiff_t>(begin + std::min(column, columns));
  };
  return {at(part.first / per_column), at((part.end + per_column - 1) / per_column)};
}

// The part begins and ends with columns of the map.
IterationMap cut(const IterationMap& map, const Part& part) {
  auto out = map;
  out.first = map.first + part.first;
  out.iterations = part.end - part.first;
  out.columns = (out.iterations + map.per_column - 1) / map.per_column;
  out.values.clear();
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    const auto row = cut_row(map.values, r * map.columns, map.columns, part, map.per_column);
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  if (map.exact_sums) {
    const auto& sums = map.exact_sums->of_column;
    out.exact_sums = {{}, cut_row(sums, 0, sums.size(), part, map.per_column)};
  }
  return out;
}

// To whole columns of so many iterations.
Part widen(const Part& part, std::size_t per_column, std::size_t iterations) {
  return {part.first / per_column * per_column,
          std::min((part.end + per_column - 1) / per_column * per_column, iterations)};
}

}  // namespace

IterationMap cut_map(const Plan& plan, const IterationMap& map,
                     const std::pair<std::uint64_t, std::uint64_t>& numbers) {
  return cut(map, widen(find_part(plan, map, numbers), map.per_column, map.iterations));
}

ComparedMap cut_map(const Plan& plan, const ComparedMap& maps,
                    const std::pair<std::uint64_t, std::uint64_t>& numbers) {
  const auto& map = maps.original;
  const auto together = std::lcm(map.per_column, maps.layers.per_column);
  const auto part = widen(find_part(plan, map, numbers), together, map.iterations);

  auto out = maps;
  out.original = cut(map, part);
  if (maps.reconstruction)
    out.reconstruction = cut(*maps.reconstruction, part);
  out.kept_of.clear();  // those outside of the part may stand for some in it
  if (maps.kept_iterations) {
    out.kept_iterations.emplace();
    for (auto iteration : *maps.kept_iterations)
      if (iteration >= part.first && iteration < part.end)
        out.kept_iterations->push_back(iteration - static_cast<std::uint32_t>(part.first));
  }
  for (auto& layer : out.layers.layers) {
    layer.original_rows.clear();  // are of the whole loop
    layer.reconstruction_rows.clear();
    for (auto* values : {&layer.original, &layer.reconstruction})
      if (!values->empty())
        *values = cut_row(*values, 0, values->size(), part, maps.layers.per_column);
  }
  return out;
}

}  // namespace tracefold
