#include "pipeline/facts/scope_values.hpp"

#include <algorithm>
#include <functional>

namespace tracefold {

std::vector<std::uint64_t> read_inside(const ProgramProfiles& program, const ProgramScope& scope,
                                       std::size_t process, std::size_t column) {
  auto values = read_column(program.values[process], column);
  const auto outside = read_column(scope.outside[process], column);
  if (!values.empty() && !outside.empty())
    std::transform(values.begin(), values.end(), outside.begin(), values.begin(), std::minus<>());
  return values;
}

}  // namespace tracefold
