#include "pipeline/iterations/iteration_totals.hpp"

#include <algorithm>
#include <limits>

namespace tracefold {

namespace {

constexpr Wide most_in_total = std::numeric_limits<std::uint64_t>::max();

}  // namespace

IterationTotals::IterationTotals(std::size_t iterations, std::size_t columns,
                                 std::uint64_t most_bytes)
    : iterations_(iterations),
      columns_(columns),
      most_held_(most_bytes / std::max<std::uint64_t>(iterations * columns * sizeof(Wide), 1)),
      totals_(iterations * columns) {}

void IterationTotals::expect(std::size_t process) {
  if (held_.size() < most_held_)
    held_.try_emplace(process, iterations_ * columns_);
}

void IterationTotals::add(std::size_t process, std::size_t iteration, std::span<const Wide> sums) {
  const auto begin = static_cast<std::ptrdiff_t>(iteration * columns_);
  if (const auto found = held_.find(process); found != held_.end())
    std::copy(sums.begin(), sums.end(), found->second.begin() + begin);

  const std::lock_guard lock(locks_[iteration % locks_.size()]);
  std::transform(sums.begin(), sums.end(), totals_.begin() + begin, totals_.begin() + begin,
                 [](Wide sum, std::uint64_t total) {
                   return static_cast<std::uint64_t>(std::min<Wide>(total + sum, most_in_total));
                 });
}

std::vector<double> IterationTotals::list_totals(std::size_t first, std::size_t count) const {
  const auto begin = totals_.begin() + static_cast<std::ptrdiff_t>(first * columns_);
  std::vector<double> out(count * columns_);
  std::transform(begin, begin + static_cast<std::ptrdiff_t>(out.size()), out.begin(),
                 [](std::uint64_t sum) { return static_cast<double>(sum); });
  return out;
}

}  // namespace tracefold
