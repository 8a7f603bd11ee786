#include "filters/messages/report_waiting.hpp"

#include "model/profile/time_metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

template <class Timed>
void put_longest_first(std::vector<Timed>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Timed& a, const Timed& b) { return a.seconds > b.seconds; });
}

class WaitingReporter {
 public:
  explicit WaitingReporter(const RankPairs& of)
      : of_(of), second_(static_cast<double>(of.ticks_per_second)) {}

  WaitingReport report() {
    for (const auto& pair : of_.pairs) {
      out_.late_sender.seconds += to_seconds(pair.late_sender);
      out_.late_receiver.seconds += to_seconds(pair.late_receiver);
    }
    if (of_.caused)
      add_collectives(*of_.caused);
    out_.unknown_collectives = of_.unknown;
    if (of_.delays)
      add_delays(*of_.delays);
    return std::move(out_);
  }

 private:
  // A function and its caller.
  using Place = std::tuple<WaitingCause::Kind, std::string, std::string>;
  using Places = std::map<Place, std::uint64_t>;  // ticks

  double to_seconds(std::uint64_t ticks) const { return static_cast<double>(ticks) / second_; }

  std::string name(std::size_t process) const { return of_.names[process]; }

  void add_collectives(const std::map<Metric, std::vector<std::uint64_t>>& caused) {
    out_.knows_collectives = true;
    for (const auto& [metric, by_process] : caused) {
      LastInCollectives of_kind{metric, 0, {}};
      for (std::size_t p = 0; p < by_process.size(); ++p) {
        if (by_process[p] == 0)
          continue;
        of_kind.seconds += to_seconds(by_process[p]);
        of_kind.last.push_back({name(p), to_seconds(by_process[p])});
      }
      out_.collective.seconds += of_kind.seconds;
      put_longest_first(of_kind.last);
      if (!of_kind.last.empty())
        out_.collectives.push_back(std::move(of_kind));
    }
    put_longest_first(out_.collectives);
  }

  Place find_place(const ProgramDelay& delay) const {
    using Kind = WaitingCause::Kind;
    if (!delay.path)
      return {Kind::unknown, {}, {}};
    if (*delay.path >= of_.paths.size())
      return {Kind::measurement, {}, {}};
    const auto& [caller, function] = of_.paths[*delay.path];
    const bool computes = is_computation(of_.time_metrics[function]);
    return {computes ? Kind::computation : Kind::other, of_.functions[function],
            caller == no_path ? std::string() : of_.functions[of_.paths[caller].function]};
  }

  static bool is_computation(Metric time) { return time == Metric::execution_time; }

  std::vector<WaitingCause> list_causes(const Places& places) const {
    std::vector<WaitingCause> out;
    for (const auto& [place, ticks] : places) {
      const auto& [kind, function, caller] = place;
      out.push_back({kind, function, caller, to_seconds(ticks)});
    }
    put_longest_first(out);
    return out;
  }

  void add_delays(const std::vector<ProgramDelay>& delays) {
    out_.knows_delays = true;
    Places all;
    DelayTimes passed_on, computing;
    for (auto delay = delays.begin(); delay != delays.end();) {
      const auto process = delay->process;
      Places places;
      std::uint64_t sum = 0, passed = 0;
      for (; delay != delays.end() && delay->process == process; ++delay) {
        const auto place = find_place(*delay);
        const auto ticks = delay->own.sum() + delay->passed.sum();
        places[place] += ticks;
        all[place] += ticks;
        sum += ticks;
        if (std::get<WaitingCause::Kind>(place) == WaitingCause::Kind::computation)
          add(delay->own, computing);
        passed += delay->passed.sum();
        add(delay->passed, passed_on);
      }
      out_.processes.push_back(
          {process, name(process), to_seconds(sum), to_seconds(passed), list_causes(places)});
    }
    put_sums(passed_on, &WaitingReport::WaitTotal::passed_on);
    put_sums(computing, &WaitingReport::WaitTotal::computing);
    put_longest_first(out_.processes);
    out_.causes = list_causes(all);
  }

  void put_sums(const DelayTimes& times, double WaitingReport::WaitTotal::*part) {
    out_.late_sender.*part = to_seconds(times.late_sender);
    out_.late_receiver.*part = to_seconds(times.late_receiver);
    out_.collective.*part = to_seconds(times.collective);
  }

  static void add(const DelayTimes& from, DelayTimes& to) {
    to.late_sender += from.late_sender;
    to.late_receiver += from.late_receiver;
    to.collective += from.collective;
  }

  const RankPairs& of_;
  double second_;
  WaitingReport out_;
};

}  // namespace

WaitingReport report_waiting(const RankPairs& of) {
  return WaitingReporter(of).report();
}

}  // namespace tracefold
