#include "base/work_progress.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

// What a step takes of the work that is left where nobody expected it.
constexpr double unexpected_share = 0.1;

// Sooner the time left is not told: the first moments say little about the rest.
constexpr double least_share = 0.03, least_seconds = 1;

}  // namespace

void WorkProgress::begin_part(std::size_t part, std::size_t parts) {
  const auto count = static_cast<double>(std::max<std::size_t>(parts, 1));
  next_ = 0;
  end_ = std::max(share_, std::min(static_cast<double>(part) / count, 1.0));
  part_end_ = std::max(end_, std::min(static_cast<double>(part + 1) / count, 1.0));
}

void WorkProgress::begin_step(std::string_view name, double seconds) {
  if (!first_seconds_)
    first_seconds_ = seconds;
  share_ = begin_ = end_;

  const auto expected = steps_.begin() + static_cast<std::ptrdiff_t>(next_);
  const auto found =
      std::find_if(expected, steps_.end(), [&](const WorkStep& step) { return step.name == name; });
  auto part = unexpected_share;
  if (found != steps_.end()) {
    next_ = static_cast<std::size_t>(found - steps_.begin()) + 1;
    const auto add = [](double sum, const WorkStep& step) { return sum + step.share; };
    part = found->share / std::accumulate(found, steps_.end(), 0.0, add);
  }
  end_ = begin_ + part * (part_end_ - begin_);
}

void WorkProgress::advance(double share_of_step, double seconds) {
  share_ = std::max(share_, begin_ + (end_ - begin_) * std::clamp(share_of_step, 0.0, 1.0));
  const auto passed = seconds - first_seconds_.value_or(seconds);
  if (share_ < least_share || passed < least_seconds)
    return;

  const auto left = passed * (1 - share_) / share_;
  seconds_left_ = std::min(left, seconds_left_.value_or(left));
}

}  // namespace tracefold
