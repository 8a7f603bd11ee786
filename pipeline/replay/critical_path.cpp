#include "pipeline/replay/critical_path.hpp"

#include "base/interrupt.hpp"

#include <algorithm>
#include <cmath>
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

// Who has most of each slot. Stays are added from the last one back to the first.
class PathOverTime {
 public:
  PathOverTime(std::uint64_t begin, std::uint64_t end) : begin_(begin), length_(end - begin) {
    const auto most = std::min<std::uint64_t>(length_, CriticalPath::most_slots);
    out_.resize(static_cast<std::size_t>(most));
    slot_ = out_.size();
  }

  // `place`: as in CriticalPath::over_time.
  void add(std::uint32_t place, std::uint64_t from, std::uint64_t until) {
    while (until > std::max(from, begin_)) {
      // The slot of the tick before.
      const auto slot =
          static_cast<std::size_t>(static_cast<double>(until - 1 - begin_) *
                                   static_cast<double>(out_.size()) / static_cast<double>(length_));
      if (slot < slot_)
        finish(slot);
      const auto first = std::max(from, find_begin(slot_));
      times_[place] += until - std::min(until, first);
      until = std::min(first, until - 1);
    }
  }
  std::vector<std::uint32_t> take() {
    finish(0);
    return std::move(out_);
  }

 private:
  std::uint64_t find_begin(std::size_t slot) const {
    const auto ticks = std::ceil(static_cast<double>(slot) * static_cast<double>(length_) /
                                 static_cast<double>(out_.size()));
    return begin_ + static_cast<std::uint64_t>(ticks);
  }
  void finish(std::size_t next) {
    if (slot_ < out_.size() && !times_.empty())
      out_[slot_] =
          std::max_element(times_.begin(), times_.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
          })->first;
    times_.clear();
    slot_ = next;
  }

  std::uint64_t begin_, length_;
  std::vector<std::uint32_t> out_;
  std::size_t slot_ = 0;
  std::map<std::uint32_t, std::uint64_t> times_;  // in the slot, by place
};

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
  std::map<PathIndex, std::uint64_t> network_in;
  PathOverTime over_time(begin, part[*last].end);
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
    over_time.add(static_cast<std::uint32_t>(process) + CriticalPath::first_process, from, time);
    if (!wait || wait->end <= part[process].begin)
      break;
    out.network += wait->end - wait->cause.time;
    // The call that waited.
    replay.processes()[process].line.sum(wait->end - 1, wait->end, of_stay);
    if (const auto in = of_stay.find_longest())
      network_in[PartTimes::find_path(*in)] += wait->end - wait->cause.time;
    of_stay.clear();
    over_time.add(CriticalPath::on_network, wait->cause.time, wait->end);
    process = wait->cause.process;
    time = wait->cause.time;
    if (part[process].end == 0)
      break;
  }
  for (const auto& [place, ticks] : times)
    out.times.push_back({place.first, place.second, ticks});
  constexpr std::uint64_t most_paths = 200;  // parts of the network that are kept
  for (const auto& [path, ticks] : network_in)
    if (ticks >= out.network / most_paths)
      out.network_in.emplace_back(path, ticks);
  out.over_time = over_time.take();

  return out;
}

}  // namespace tracefold
