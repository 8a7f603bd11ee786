#include "pipeline/delays/timed_processes.hpp"

#include "base/for_each_index.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

TimedProcess make_timed(RecordedTimes from, const FindLate& find_late,
                        const IsMeeting& is_meeting) {
  TimedProcess out;
  out.line = TimeLine(std::move(from.times.segments), std::move(from.path_in_all));
  out.dependencies = std::move(from.dependencies);
  out.begin = from.begin;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // whom they are for, and their places
  for (std::size_t k = 0; k < from.waits.size(); ++k)
    if (const auto late = find_late(from.waits[k].late))
      order.emplace_back(*late, k);
  const auto places = order;
  std::sort(order.begin(), order.end());
  for (const auto& [late, place] : order) {
    out.waits.push_back(from.waits[place]);
    out.waits.back().late = late;
  }
  for (const auto& place : places)
    out.by_end.push_back(static_cast<std::uint32_t>(
        std::lower_bound(order.begin(), order.end(), place) - order.begin()));
  for (auto& [key, meetings] : from.times.meetings)
    if (is_meeting(key))
      out.meetings.emplace(key, std::move(meetings));

  return out;
}

}  // namespace

std::span<const KnownWait> TimedProcess::find_waits(std::size_t process) const {
  const auto found = std::ranges::equal_range(waits, process, {}, &KnownWait::late);
  return {found.begin(), found.end()};
}

std::vector<TimedProcess> make_timed(std::vector<RecordedTimes> recorded, const FindLate& find_late,
                                     const IsMeeting& is_meeting) {
  std::vector<TimedProcess> all(recorded.size());
  for_each_index(all.size(), [&](std::size_t p) {
    all[p] = make_timed(std::exchange(recorded[p], {}), find_late, is_meeting);
  });
  return all;
}

}  // namespace tracefold
