#include "pipeline/replay/critical_path.hpp"

#include "base/interrupt.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

using Times = std::map<std::pair<std::size_t, PathIndex>, std::uint64_t>;

// What a process did before a time since the last cut of its times: of each call path as much of
// its time as there is of all.
void add_rest(const TimeLine& line, std::size_t process, std::uint64_t time, Times& times) {
  for (auto reader = line.read(); reader.next() && reader.begin() < time;)
    if (reader.end() > time) {
      const auto share = static_cast<double>(time - reader.begin()) /
                         static_cast<double>(reader.end() - reader.begin());
      reader.visit_parts([&](std::uint32_t part, std::uint64_t ticks) {
        times[{process, line.find_in_all(PartTimes::find_path(part))}] +=
            static_cast<std::uint64_t>(static_cast<double>(ticks) * share);
      });
    }
}

}  // namespace

CriticalPath find_critical_path(const Replay& replay, const Replay::Part& part) {
  CriticalPath out;
  std::optional<std::size_t> last;
  std::uint64_t begin = ~std::uint64_t{0};
  for (std::size_t p = 0; p < part.size(); ++p)
    if (part[p].end > 0) {
      begin = std::min(begin, part[p].begin);
      if (!last || part[p].end > part[*last].end)
        last = p;
    }
  if (!last)
    return out;

  Times times;
  auto process = *last;
  auto time = part[process].end;
  out.length = time - begin;
  add_rest(replay.processes()[process].line, process, time, times);
  auto steps = replay.count_waits() + 1;
  for (PartTimes of_stay; time > part[process].begin && steps > 0; --steps) {
    check_stop();
    const auto wait = replay.find_last_wait(process, time);
    const auto from = wait ? std::max(wait->end, part[process].begin) : part[process].begin;
    replay.processes()[process].line.sum(from, time, of_stay);
    for (auto of_path : of_stay.parts())
      times[{process, PartTimes::find_path(of_path)}] += of_stay[of_path];
    of_stay.clear();
    if (!wait || wait->end <= part[process].begin)
      break;
    out.network += wait->end - wait->cause.time;
    process = wait->cause.process;
    time = wait->cause.time;
    if (part[process].end == 0)
      break;
  }
  for (const auto& [place, ticks] : times)
    out.times.push_back({place.first, place.second, ticks});

  return out;
}

}  // namespace tracefold
