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
    bits_ |= call.inclusive;
    found_.waited.push_back({call.time, static_cast<std::uint32_t>(call.inclusive),
                             static_cast<std::uint32_t>(call.exclusive)});
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
      bits_ |= ticks_[slot];
      found_.ticks.push_back(static_cast<std::uint32_t>(std::exchange(ticks_[slot], 0)));
    }
}

std::optional<CollectedTimes> TimesCollector::take() && {
  const auto slots = script_.slots.size() - 1;
  if (bits_ >> 32 != 0 || found_.ticks.size() != script_.iterations.size() * slots ||
      found_.waited.size() != script_.waits.calls.size())
    return std::nullopt;
  return std::move(found_);
}

}  // namespace tracefold
