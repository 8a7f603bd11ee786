#include "pipeline/profile/collected_times.hpp"

#include <algorithm>

namespace tracefold {

TimesCollector::TimesCollector(const CallScript& script)
    : script_(script), ticks_(script.slots.size()), step_(script.steps.data()) {
  found_.script = &script;
  found_.ticks.reserve(script.iterations.size() * (script.slots.size() - 1));
  found_.waited.reserve(script.waits.calls.size());
  find_next();
}

void TimesCollector::find_next() {
  auto next = script_.steps.size() - 1;
  if (mark_ < script_.marks.size())
    next = std::min(next, script_.marks[mark_].event);
  if (found_.waited.size() < script_.waits.calls.size())
    next = std::min(next, script_.waits.calls[found_.waited.size()].end);
  next_ = script_.steps.data() + next + 1;
}

void TimesCollector::follow(const CallEnd* end) {
  const auto event = static_cast<std::size_t>(next_ - script_.steps.data()) - 1;
  for (; mark_ < script_.marks.size() && script_.marks[mark_].event == event; ++mark_)
    end_iterations_before(script_.marks[mark_].iteration);

  const auto& calls = script_.waits.calls;
  if (const auto k = found_.waited.size(); k < calls.size() && calls[k].end == event) {
    // Other calls may begin here.
    const auto& call = end ? *end : CallEnd{};
    found_.waited.push_back({call.time, call.inclusive, call.exclusive});
  }

  // Whatever follows on the last step is not told by the script: it stays there.
  if (event + 1 == script_.steps.size())
    --step_;
  find_next();
}

void TimesCollector::end_iterations_before(std::size_t iteration) {
  const auto slots = script_.slots.size() - 1;
  while (found_.ticks.size() < iteration * slots)
    for (std::size_t slot = 1; slot <= slots; ++slot) {
      const auto ticks = std::exchange(ticks_[slot], 0);
      const auto low = static_cast<std::uint32_t>(ticks);
      if (low != ticks) [[unlikely]]
        found_.high.push_back({found_.ticks.size(), ticks - low});
      found_.ticks.push_back(low);
    }
}

std::optional<CollectedTimes> TimesCollector::take() && {
  const auto slots = script_.slots.size() - 1;
  if (found_.ticks.size() != script_.iterations.size() * slots ||
      found_.waited.size() != script_.waits.calls.size())
    return std::nullopt;
  return std::move(found_);
}

}  // namespace tracefold
