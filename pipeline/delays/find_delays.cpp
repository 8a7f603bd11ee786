#include "pipeline/delays/find_delays.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "pipeline/delays/time_line.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

namespace tracefold {

namespace {

// A wait: its process, and its number among the waits of that. Ordered by when they ended.
struct WaitPlace {
  std::uint64_t end = 0;
  std::uint32_t process = 0, number = 0;

  auto operator<=>(const WaitPlace&) const = default;
};

// When two processes were together: times of the one that waits and of the one that is late.
struct Meeting {
  std::uint64_t of_waiting = 0, of_late = 0;

  auto operator<=>(const Meeting&) const = default;
};

// What a wait is charged to, each with its excess in ticks.
struct Excess {
  std::vector<std::pair<PathIndex, std::uint64_t>> paths;      // of the late one; 0: not known
  std::vector<std::pair<std::uint32_t, std::uint64_t>> waits;  // of the late one, by number

  void clear() {
    paths.clear();
    waits.clear();
  }
};

// amount * part / whole, where part is no larger than whole. Sums of a damaged trace's times may
// exceed 64 bits, and so be 0.
std::uint64_t scale(std::uint64_t amount, std::uint64_t part, std::uint64_t whole) {
  __extension__ using Wide = unsigned __int128;
  if (std::uint64_t product = 0; whole > 0 && !__builtin_mul_overflow(amount, part, &product))
      [[likely]]
    return product / whole;
  return whole == 0 ? 0 : static_cast<std::uint64_t>(Wide{amount} * part / whole);
}

constexpr std::size_t most_passed = 64;  // waits of a process to which one is passed on

// Finds the excess of one wait after the other. One thread each.
class ExcessFinder {
 public:
  ExcessFinder(const std::vector<TimedProcess>& all) : all_(all) {}

  void find(WaitPlace place, Excess& out) {
    out.clear();
    const auto& waiting = all_[place.process];
    const auto& wait = waiting.waits[place.number];
    const auto& late = all_[wait.late];
    const auto since = find_last_meeting(place, wait);

    clear();
    late.line.sum(since.of_late, wait.until, of_late_);
    waiting.line.sum(since.of_waiting, wait.begin, of_waiting_);
    for (auto part : of_late_.parts())
      if (const auto other = of_waiting_[part];
          !PartTimes::is_waiting(part) && of_late_[part] > other)
        out.paths.emplace_back(PartTimes::find_path(part), of_late_[part] - other);
    if (const auto waited = of_late_.sum_waiting(), other = of_waiting_.sum_waiting();
        waited > other) {
      sum_waits(place.process, since.of_waiting, wait.begin);
      pass_on(place, since.of_late, waited - other, out);
    }
    if (!out.paths.empty() || !out.waits.empty())
      return;

    clear();
    const auto begin = std::max(since.of_late, wait.begin);
    late.line.sum(begin, wait.until, of_late_);
    for (auto part : of_late_.parts())
      if (!PartTimes::is_waiting(part))
        out.paths.emplace_back(PartTimes::find_path(part), of_late_[part]);
    if (const auto waited = of_late_.sum_waiting(); waited > 0)
      pass_on(place, begin, waited, out);
    if (out.paths.empty() && out.waits.empty())
      out.paths.emplace_back(0, 1);
  }

 private:
  void clear() {
    of_late_.clear();
    of_waiting_.clear();
    waited_for_.clear();
  }

  // At most the last ones: what was long before says little, and may be very many.
  std::span<const std::uint32_t> list_waits(std::size_t process, std::uint64_t after,
                                            std::uint64_t until) const {
    const auto& order = all_[process].by_end;
    const auto is_earlier = [&](std::uint64_t time, std::uint32_t number) {
      return time < all_[process].waits[number].end;
    };
    const auto first = std::upper_bound(order.begin(), order.end(), after, is_earlier);
    const std::span found(first, std::upper_bound(first, order.end(), until, is_earlier));
    return found.last(std::min(found.size(), most_passed));
  }
  // Of the process that waits, by whom it waited for.
  void sum_waits(std::size_t process, std::uint64_t after, std::uint64_t until) {
    for (auto number : list_waits(process, after, until)) {
      const auto& wait = all_[process].waits[number];
      waited_for_[wait.late] += wait.ticks;
    }
  }

  // Divides an excess over the waits of the late one, by how much longer it waited for each process
  // than the one that waits for it did.
  void pass_on(WaitPlace from, std::uint64_t after, std::uint64_t ticks, Excess& out) {
    const auto& wait = all_[from.process].waits[from.number];
    const auto& waits = all_[wait.late].waits;
    const auto numbers = list_waits(wait.late, after, wait.until);
    std::uint64_t sum = 0;
    const auto put = [&](std::uint32_t number, std::uint64_t longer) {
      // Nothing is passed on to what ended later, as clocks out of step may have it.
      if (longer == 0 ||
          WaitPlace{waits[number].end, static_cast<std::uint32_t>(wait.late), number} >= from)
        return;
      out.waits.emplace_back(number, longer);
      sum += longer;
    };
    for (auto number : numbers) {
      auto longer = waits[number].ticks;
      if (const auto other = waited_for_.find(waits[number].late); other != waited_for_.end()) {
        const auto same = std::min(longer, other->second);
        longer -= same;
        other->second -= same;
      }
      put(number, longer);
    }
    if (out.waits.empty())
      for (auto number : numbers)
        put(number, waits[number].ticks);
    if (out.waits.empty())
      return out.paths.emplace_back(0, ticks), void();
    std::uint64_t before = 0, given = 0;
    for (auto& [number, longer] : out.waits) {
      before += longer;
      const auto until = scale(ticks, before, sum);
      longer = until - std::exchange(given, until);
    }
  }

  Meeting find_last_meeting(WaitPlace place, const KnownWait& wait) const {
    const auto& waiting = all_[place.process];
    const auto& late = all_[wait.late];
    const auto waits = waiting.find_waits(wait.late);
    const auto other_waits = late.find_waits(place.process);
    Meeting last;
    const auto take = [&](Meeting meeting) {
      if (meeting.of_waiting <= wait.begin && meeting.of_late <= wait.until)
        last = std::max(last, meeting);
    };
    take({waiting.begin, late.begin});

    // Each list ascends, so that the last one that fits is the latest of its list, or ends in one
    // call with it.
    for (auto at = std::upper_bound(waits.begin(), waits.end(), wait.begin,
                                    [](auto time, const KnownWait&of) { return time < of.end; });
         at != waits.begin() && (--at)->end >= last.of_waiting;)
      take({at->end, late.line.find_end_of_call(at->until)});
    for (auto at = std::upper_bound(other_waits.begin(), other_waits.end(), wait.until,
                                    [](auto time, const KnownWait&of) { return time < of.end; });
         at != other_waits.begin() && (--at)->end >= last.of_late;)
      if (at->until <= wait.begin)
        take({waiting.line.find_end_of_call(at->until), at->end});
    for (const auto& [key, of_waiting] : waiting.meetings)
      if (const auto of_late = late.meetings.find(key); of_late != late.meetings.end())
        take(find_last_operation(wait, of_waiting, of_late->second));

    return last;
  }

  static Meeting find_last_operation(const KnownWait& wait,
                                     const std::vector<CallTimes::Meeting>& of_waiting,
                                     const std::vector<CallTimes::Meeting>& of_late) {
    const auto behind =
        std::upper_bound(of_waiting.begin(), of_waiting.end(), wait.begin,
                         [](auto time, const CallTimes::Meeting& of) { return time < of.entered; });
    for (auto n = static_cast<std::size_t>(behind - of_waiting.begin()); n > 0; --n) {
      const auto left = of_waiting[n - 1].left;
      if (left == 0 || left > wait.begin || n > of_late.size())
        continue;
      if (of_late[n - 1].left != 0 && of_late[n - 1].left <= wait.until)
        return {left, of_late[n - 1].left};
    }
    return {};
  }

  const std::vector<TimedProcess>& all_;
  PartTimes of_late_, of_waiting_;
  std::map<std::size_t, std::uint64_t> waited_for_;  // ticks, by process
};

std::uint64_t& find_kind(DelayTimes& times, Metric metric) {
  switch (metric) {
    case Metric::mpi_late_sender_time: return times.late_sender;
    case Metric::mpi_late_receiver_time: return times.late_receiver;
    default: return times.collective;
  }
}

// Charges waits, the last one first, so that each has been given all that is passed on to it.
class Charges {
 public:
  Charges(const std::vector<TimedProcess>& all)
      : all_(all), passed_(all.size()), sums_(all.size()) {
    for (std::size_t p = 0; p < all.size(); ++p)
      passed_[p].resize(all[p].waits.size());
  }

  void charge(WaitPlace place, const Excess& excess) {
    const auto& wait = all_[place.process].waits[place.number];
    DelayTimes direct;
    find_kind(direct, wait.metric) = wait.ticks;
    const auto passed = std::exchange(passed_[place.process][place.number], {});

    std::uint64_t sum = 0, before = 0;
    for (const auto& [path, ticks] : excess.paths)
      sum += ticks;
    for (const auto& [number, ticks] : excess.waits)
      sum += ticks;
    const auto take = [&](std::uint64_t ticks, const DelayTimes& from, DelayTimes& to) {
      for (auto kind :
           {&DelayTimes::late_sender, &DelayTimes::late_receiver, &DelayTimes::collective})
        if (from.*kind > 0)
          to.*kind += scale(from.*kind, before + ticks, sum) - scale(from.*kind, before, sum);
    };
    for (const auto& [path, ticks] : excess.paths) {
      auto& to = sums_[wait.late][path];
      take(ticks, direct, to.own);
      take(ticks, passed, to.passed);
      before += ticks;
    }
    for (const auto& [number, ticks] : excess.waits) {
      auto& to = passed_[wait.late][number];
      take(ticks, direct, to);
      take(ticks, passed, to);
      before += ticks;
    }
  }

  std::vector<ProgramDelay> take() {
    std::vector<ProgramDelay> out;
    for (std::size_t p = 0; p < sums_.size(); ++p)
      for (const auto& [path, delay] : sums_[p]) {
        if (delay.own.sum() + delay.passed.sum() == 0)
          continue;
        out.push_back(delay);
        out.back().process = p;
        if (path > 0)
          out.back().path = path - 1;
      }
    return out;
  }

 private:
  const std::vector<TimedProcess>& all_;
  std::vector<std::vector<DelayTimes>> passed_;          // to waits
  std::vector<std::map<PathIndex, ProgramDelay>> sums_;  // by process
};

}  // namespace

std::vector<ProgramDelay> find_delays(const std::vector<TimedProcess>& all) {
  std::vector<WaitPlace> places;
  for (std::uint32_t p = 0; p < all.size(); ++p)
    for (auto number : all[p].by_end)
      places.push_back({all[p].waits[number].end, p, number});
  std::sort(places.begin(), places.end(), std::greater<>());

  // What waits are charged to is found for many at a time, by all threads.
  constexpr std::size_t together = 64, parts = 256;
  std::vector<Excess> excess(std::min(places.size(), together * parts));
  Charges charges(all);
  for (std::size_t first = 0; first < places.size(); first += excess.size()) {
    const auto count = std::min(excess.size(), places.size() - first);
    for_each_index((count + together - 1) / together, [&](std::size_t part) {
      check_stop();
      ExcessFinder finder(all);
      for (auto k = part * together; k < std::min(count, (part + 1) * together); ++k)
        finder.find(places[first + k], excess[k]);
    });
    for (std::size_t k = 0; k < count; ++k)
      charges.charge(places[first + k], excess[k]);
  }

  return charges.take();
}

}  // namespace tracefold
