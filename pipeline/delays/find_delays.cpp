#include "pipeline/delays/find_delays.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "pipeline/delays/time_line.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

namespace tracefold {

namespace {

// When two processes were together: times of the one that waits and of the one that is late.
struct Meeting {
  std::uint64_t of_waiting = 0, of_late = 0;

  auto operator<=>(const Meeting&) const = default;
};

// By process and call path, as RecordedTimes::path_in_all numbers it.
using Charges = std::map<std::pair<std::size_t, PathIndex>, ProgramDelay>;

using Excess = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // by part

// What is added up for the waits of one process for another one.
struct Sums {
  PartTimes of_late, of_waiting;  // for one wait
  Excess excess, waited;
  PartTimes late_sender, late_receiver, collective;  // what is charged for all of them

  void begin_wait() {
    of_late.clear();
    of_waiting.clear();
    excess.clear();
    waited.clear();
  }
  PartTimes& find_charges(Metric metric) {
    switch (metric) {
      case Metric::mpi_late_sender_time: return late_sender;
      case Metric::mpi_late_receiver_time: return late_receiver;
      default: return collective;
    }
  }
  // Gives them to the process that was late.
  void take_charges(std::size_t late, Charges& to) {
    take(late_sender, &DelayTimes::late_sender, late, to);
    take(late_receiver, &DelayTimes::late_receiver, late, to);
    take(collective, &DelayTimes::collective, late, to);
  }

 private:
  static void take(PartTimes& from, std::uint64_t DelayTimes::*kind, std::size_t late,
                   Charges& to) {
    for (auto part : from.parts()) {
      auto& delay = to[{late, PartTimes::find_path(part)}];
      auto& times = PartTimes::is_waiting(part) ? delay.waiting : delay.own;
      times.*kind += from[part];
    }
    from.clear();
  }
};

// The waits of one process for another one.
class PairOfProcesses {
 public:
  PairOfProcesses(const TimedProcess& waiting, std::size_t waiting_number, const TimedProcess& late,
                  std::size_t late_number)
      : waiting_(waiting),
        late_(late),
        waits_(waiting.find_waits(late_number)),
        other_waits_(late.find_waits(waiting_number)) {
    for (const auto& [key, of_waiting] : waiting.meetings)
      if (const auto of_late = late.meetings.find(key); of_late != late.meetings.end())
        meetings_.emplace_back(&of_waiting, &of_late->second);
  }

  void charge(Sums& sums) const {
    for (const auto& wait : waits_) {
      const auto since = find_last_meeting(wait);
      sums.begin_wait();
      late_.line.sum(since.of_late, wait.until, sums.of_late);
      waiting_.line.sum(since.of_waiting, wait.begin, sums.of_waiting);
      find_excess(sums);
      if (sums.excess.empty()) {
        sums.of_late.clear();
        late_.line.sum(std::max(since.of_late, wait.begin), wait.until, sums.of_late);
        for (auto part : sums.of_late.parts())
          sums.excess.emplace_back(part, sums.of_late[part]);
      }
      divide(wait, sums.excess, sums.find_charges(wait.metric));
    }
  }

 private:
  using Both =
      std::pair<const std::vector<CallTimes::Meeting>*, const std::vector<CallTimes::Meeting>*>;

  Meeting find_last_meeting(const KnownWait& wait) const {
    Meeting last;
    const auto take = [&](Meeting meeting) {
      if (meeting.of_waiting <= wait.begin && meeting.of_late <= wait.until)
        last = std::max(last, meeting);
    };
    take({waiting_.begin, late_.begin});

    // Each list ascends, so that the last one that fits is the latest of its list, or ends in one
    // call with it.
    for (auto at = std::upper_bound(waits_.begin(), waits_.end(), wait.begin,
                                    [](auto time, const KnownWait&of) { return time < of.end; });
         at != waits_.begin() && (--at)->end >= last.of_waiting;) {
      take({at->end, late_.line.find_end_of_call(at->until)});
    }
    for (auto at = std::upper_bound(other_waits_.begin(), other_waits_.end(), wait.until,
                                    [](auto time, const KnownWait&of) { return time < of.end; });
         at != other_waits_.begin() && (--at)->end >= last.of_late;) {
      if (at->until > wait.begin)
        continue;
      take({waiting_.line.find_end_of_call(at->until), at->end});
    }
    for (const auto& [of_waiting, of_late] : meetings_)
      take(find_last_operation(wait, *of_waiting, *of_late));

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

  static void find_excess(Sums& sums) {
    const auto& late = sums.of_late;
    std::uint64_t sum = 0;  // of `waited`
    for (auto part : late.parts()) {
      const auto other = sums.of_waiting[part];
      if (late[part] <= other)
        continue;
      const auto longer = late[part] - other;
      (PartTimes::is_waiting(part) ? sums.waited : sums.excess).emplace_back(part, longer);
      sum += PartTimes::is_waiting(part) ? longer : 0;
    }
    const auto all = late.sum_waiting(), other = sums.of_waiting.sum_waiting();
    std::uint64_t before = 0, given = 0;
    for (const auto& [part, longer] : sums.waited) {
      if (all <= other)
        break;
      before += longer;
      const auto until = scale(all - other, before, sum);
      if (until > given)
        sums.excess.emplace_back(part, until - given);
      given = until;
    }
    std::sort(sums.excess.begin(), sums.excess.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  // amount * part / whole, where part is no larger than whole. Sums of a damaged trace's times may
  // exceed 64 bits, and so be 0.
  static std::uint64_t scale(std::uint64_t amount, std::uint64_t part, std::uint64_t whole) {
    __extension__ using Wide = unsigned __int128;
    if (std::uint64_t product = 0; whole > 0 && !__builtin_mul_overflow(amount, part, &product))
        [[likely]]
      return product / whole;
    return whole == 0 ? 0 : static_cast<std::uint64_t>(Wide{amount} * part / whole);
  }

  static void divide(const KnownWait& wait, const Excess& excess, PartTimes& charges) {
    if (excess.empty())
      return charges.add(number_part(0, false), wait.ticks);

    const auto sum = std::accumulate(excess.begin(), excess.end(), std::uint64_t{0},
                                     [](auto to, const auto& part) { return to + part.second; });
    std::uint64_t before = 0, given = 0;
    for (const auto& [part, longer] : excess) {
      before += longer;
      const auto until = scale(wait.ticks, before, sum);
      if (until > given)
        charges.add(part, until - given);
      given = until;
    }
  }

  const TimedProcess& waiting_;
  const TimedProcess& late_;
  std::span<const KnownWait> waits_, other_waits_;  // of the first, and of the second for the first
  std::vector<Both> meetings_;                      // of operations of both
};

Charges charge_waits(const std::vector<TimedProcess>& all, std::size_t waiting) {
  Charges charges;
  Sums sums;
  const auto& late = all[waiting].late;
  for (auto at = late.begin(); at != late.end(); at = std::upper_bound(at, late.end(), *at)) {
    check_stop();
    PairOfProcesses(all[waiting], waiting, all[*at], *at).charge(sums);
    sums.take_charges(*at, charges);
  }
  return charges;
}

void add_times(DelayTimes& to, const DelayTimes& from) {
  to.late_sender += from.late_sender;
  to.late_receiver += from.late_receiver;
  to.collective += from.collective;
}

}  // namespace

std::vector<ProgramDelay> find_delays(const std::vector<TimedProcess>& all) {
  std::vector<Charges> charges(all.size());
  for_each_index(all.size(), [&](std::size_t p) { charges[p] = charge_waits(all, p); });

  Charges sums;
  for (auto& of_process : charges)
    for (const auto& [place, delay] : std::exchange(of_process, {})) {
      auto& to = sums[place];
      add_times(to.own, delay.own);
      add_times(to.waiting, delay.waiting);
    }
  std::vector<ProgramDelay> out;
  for (const auto& [place, delay] : sums) {
    out.push_back(delay);
    out.back().process = place.first;
    if (place.second > 0)
      out.back().path = place.second - 1;
  }

  return out;
}

}  // namespace tracefold
