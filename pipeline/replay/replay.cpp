#include "pipeline/replay/replay.hpp"

#include "base/for_each_index.hpp"
#include "pipeline/replay/play_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace tracefold {

// One run of the player: how much later than recorded each segment ends, in ticks.
class Replay::Run : public PlayOrder<Run> {
 public:
  Run(const Replay& replay, const Part& part, const ReplayChange& change, Waits* waits)
      : PlayOrder(replay),
        replay_(replay),
        part_(part),
        change_(change),
        waits_(waits),
        meetings_(replay.meetings_.size(), not_met) {
    begin();
    later_.resize(part.size());
    at_.reserve(part.size());
    for (std::size_t p = 0; p < part.size(); ++p) {
      auto& at = at_.emplace_back(replay.processes_[p].line.read());
      at.is_over = !at.reader.next();
      later_[p].resize(replay.played_[p].ends.size());
      processes_ += part[p].end > 0;
      for (std::size_t s = 0; s < change.scalings.size(); ++s)
        if (const auto own = change.scalings[s].find(p); own != change.scalings[s].end()) {
          at.factors.resize(change.scalings.size());
          at.factors[s] = &own->second;
        }
    }
  }

  std::uint64_t find_length() const {
    std::optional<std::uint64_t> first, last;
    for (std::size_t p = 0; p < part_.size(); ++p)
      if (part_[p].end > 0) {
        const auto end = part_[p].end + static_cast<std::uint64_t>(at_[p].later);
        first = std::min(first.value_or(part_[p].begin), part_[p].begin);
        last = std::max(last.value_or(end), end);
      }
    return first ? *last - std::min(*first, *last) : 0;
  }

 private:
  friend class PlayOrder<Run>;

  struct At {
    explicit At(SegmentReader segments) : reader(segments) {}

    SegmentReader reader;    // at the next segment
    std::int64_t later = 0;  // up to now
    bool is_over = true;
    std::size_t section = 0;                               // of the part
    std::vector<const std::vector<double>*> factors = {};  // by scaling; none where all are null
  };
  static constexpr std::int64_t not_met = std::numeric_limits<std::int64_t>::min();

  bool is_over(std::uint32_t process) const { return at_[process].is_over; }
  std::uint64_t find_begin(std::uint32_t process) const { return at_[process].reader.begin(); }
  // What was before the part is as it was recorded, what is behind it as much later as its end.
  bool is_in_part(std::uint32_t process) const {
    const auto& reader = at_[process].reader;
    return reader.end() > part_[process].begin && reader.begin() < part_[process].end;
  }
  // Where the part ends in a call, nobody knows when that would.
  bool is_cut(std::uint32_t process) const {
    const auto& reader = at_[process].reader;
    return reader.is_call() && reader.end() > part_[process].end;
  }
  bool waits_for(std::uint32_t process, const On& on) const {
    return on.waits && is_in_part(process) && !is_cut(process) &&
           replay_.find_time(on) <= at_[process].reader.end();
  }
  void enter(std::uint32_t process, std::uint32_t meeting) {
    meetings_[meeting] =
        std::max(meetings_[meeting],
                 static_cast<std::int64_t>(at_[process].reader.begin()) + at_[process].later);
  }

  // When what a call depends on is there, in the played run. What is not yet, as it seems now.
  std::optional<std::int64_t> find_played(const On& on) const {
    if (on.is_meeting)
      return meetings_[on.place] == not_met ? std::nullopt : std::optional(meetings_[on.place]);
    return static_cast<std::int64_t>(replay_.find_time(on)) +
           (is_there(on) ? later_[on.process][on.place] : at_[on.process].later);
  }

  double find_factor(const At& at, std::uint32_t process, std::uint32_t part) const {
    const auto path = replay_.processes_[process].line.find_in_all(PartTimes::find_path(part));
    const auto factor = path < change_.paths.size() ? change_.paths[path] : 1;
    if (at.factors.empty() || path >= change_.scaling_of.size() || change_.scaling_of[path] == 0)
      return factor;
    const auto* own = at.factors[change_.scaling_of[path] - 1];
    if (!own || (own->size() > 1 && at.section >= own->size()))
      return factor;
    return factor * (own->size() > 1 ? (*own)[at.section] : own->front());
  }

  // How many ticks a time outside of calls takes.
  std::int64_t scale_time(const At& at, std::uint32_t process, std::int64_t ticks) const {
    double less = 0, all = 0;
    at.reader.visit_parts([&](std::uint32_t part, std::uint64_t of_part) {
      less += static_cast<double>(of_part) * (1 - find_factor(at, process, part));
      all += static_cast<double>(of_part);
    });
    // The first segment of a process begins at no time, that of the part where this begins.
    const auto whole =
        static_cast<double>(at.reader.end() - std::max(at.reader.begin(), part_[process].begin));
    if (less == 0 || whole <= 0)
      return ticks;
    return ticks - std::llround(less * static_cast<double>(ticks) / std::max(whole, all));
  }
  // The same for what a call takes beyond what it depends on.
  std::int64_t scale_call(const At& at, std::uint32_t process, std::int64_t ticks) const {
    double own = 0, others = 0;  // what MPI calls is not of the network
    at.reader.visit_parts([&](std::uint32_t part, std::uint64_t of_part) {
      const auto path = replay_.processes_[process].line.find_in_all(PartTimes::find_path(part));
      if (PartTimes::is_waiting(part) || (path < replay_.is_mpi_.size() && replay_.is_mpi_[path]))
        return;
      own += static_cast<double>(of_part);
      others += static_cast<double>(of_part) * find_factor(at, process, part);
    });
    const auto rest = std::max(static_cast<double>(ticks) - own, 0.0);
    return std::llround(std::min(others, static_cast<double>(ticks)) + rest * change_.network);
  }

  // In the call path that has most of the call's time.
  void add_wait(const On& on, std::uint32_t process, std::uint64_t ticks) {
    waits_->pairs[{on.process, process}] += ticks;
    std::pair<std::uint64_t, PathIndex> most;
    at_[process].reader.visit_parts([&](std::uint32_t part, std::uint64_t of_part) {
      most = std::max(
          most,
          {of_part, replay_.processes_[process].line.find_in_all(PartTimes::find_path(part))});
    });
    waits_->paths[most.second] += ticks;
  }

  void finish(std::uint32_t process, std::span<const On> dependencies) {
    auto& at = at_[process];
    if (is_in_part(process) && !is_cut(process))
      finish_in_part(process, dependencies);
    later_[process][segment(process)] = at.later;
    at.is_over = !at.reader.next();
  }
  void finish_in_part(std::uint32_t process, std::span<const On> dependencies) {
    auto& at = at_[process];
    const auto& part = part_[process];
    const auto begin = static_cast<std::int64_t>(std::max(at.reader.begin(), part.begin));
    const auto end = static_cast<std::int64_t>(std::min(at.reader.end(), part.end));
    bool is_end_of_section =
        change_.sections.iterations && at.reader.kind() == SegmentKind::before_iteration;
    const bool is_changed = !change_.paths.empty() || !at.factors.empty() || change_.network != 1;
    if (!dependencies.empty()) {
      std::int64_t until = begin, played_until = begin + at.later;
      const On* last = nullptr;
      for (const auto& on : dependencies) {
        const auto now = waits_for(process, on) ? find_played(on) : std::nullopt;
        if (!now)
          continue;
        until = std::max(until, static_cast<std::int64_t>(replay_.find_time(on)));
        if (*now > played_until) {
          played_until = *now;
          last = &on;
        }
      }
      if (waits_ && last && !last->is_meeting)
        add_wait(*last, process, static_cast<std::uint64_t>(played_until - (begin + at.later)));
      const auto takes = is_changed ? scale_call(at, process, end - until) : end - until;
      at.later = played_until + takes - end;
      is_end_of_section |= change_.sections.meetings && replay_.meets_all(dependencies, processes_);
    } else if (is_changed) {
      const auto takes = at.reader.is_call() ? scale_call(at, process, end - begin)
                                             : scale_time(at, process, end - begin);
      at.later += takes - (end - begin);
    }
    at.section += is_end_of_section;
  }

  const Replay& replay_;
  const Part& part_;
  const ReplayChange& change_;
  Waits* waits_;
  std::size_t processes_ = 0;  // of the part
  std::vector<std::int64_t> meetings_;
  std::vector<std::vector<std::int64_t>> later_;
  std::vector<At> at_;
};

namespace {

// The most bytes of a message whose send ended before its receive was posted.
std::uint64_t find_eager(const TimedProcess& process, const std::vector<std::uint64_t>& calls) {
  std::uint64_t most = 0;
  process.dependencies.visit([&](const Dependency& one) {
    if (one.kind == Dependency::Kind::posted && one.call < calls.size() &&
        one.time >= calls[one.call])
      most = std::max(most, one.bytes);
  });
  return most;
}

}  // namespace

Replay::Replay(const std::vector<TimedProcess>& processes, const FindLate& find_process,
               std::vector<bool> is_mpi)
    : processes_(processes), is_mpi_(std::move(is_mpi)), played_(processes.size()) {
  std::vector<std::uint64_t> eager(processes.size());
  for_each_index(processes.size(), [&](std::size_t p) {
    auto& played = played_[p];
    std::vector<std::uint64_t> calls;  // ends of those that communicate
    for (auto reader = processes[p].line.read(); reader.next();) {
      played.ends.push_back(reader.end());
      played.is_call.push_back(reader.is_call());
      if (reader.is_call())
        calls.push_back(reader.end());
    }
    played.ends.shrink_to_fit();
    eager[p] = find_eager(processes[p], calls);
  });

  // Operations of one kind on one communicator are numbered one behind the other.
  std::map<CollectiveMatcher::Key, std::size_t> counts;
  for (const auto& process : processes)
    process.dependencies.visit([&](const Dependency& one) {
      if (one.kind != Dependency::Kind::meeting)
        return;
      auto& count = counts[process.dependencies.keys()[one.key]];
      count = std::max(count, static_cast<std::size_t>(one.number) + 1);
    });
  std::size_t meetings = 0;
  for (auto& [key, count] : counts)
    meetings += std::exchange(count, meetings);
  meetings_.resize(meetings);

  const auto most_eager =
      eager.empty() ? std::uint64_t{0} : *std::max_element(eager.begin(), eager.end());
  for (const auto& process : processes)
    process.dependencies.visit([&](const Dependency& one) {
      if (one.kind == Dependency::Kind::meeting)
        meetings_[counts[process.dependencies.keys()[one.key]] +
                  static_cast<std::size_t>(one.number)] = one.time;
    });
  std::vector<std::vector<std::size_t>> first(processes.size());
  for (std::size_t p = 0; p < processes.size(); ++p)
    for (const auto& key : processes[p].dependencies.keys())
      first[p].push_back(counts[key]);
  for_each_index(processes.size(),
                 [&](std::size_t p) { resolve(p, find_process, most_eager, first[p]); });
  count_members();
}

void Replay::count_members() {
  last_.resize(meetings_.size(), no_place);
  members_.resize(meetings_.size());
  communicating_ = static_cast<std::size_t>(std::count_if(
      played_.begin(), played_.end(), [](const Played& played) { return !played.calls.empty(); }));
  for (std::uint32_t p = 0; p < played_.size(); ++p)
    for (std::size_t c = 0; c < played_[p].calls.size(); ++c)
      for (const auto& on : played_[p].list(c)) {
        if (!on.is_meeting)
          continue;
        ++members_[on.place];
        if (on.is_waited_for && last_[on.place] == no_place &&
            played_[p].begin(played_[p].calls[c].segment) == meetings_[on.place])
          last_[on.place] = p;
      }
}

void Replay::resolve(std::size_t process, const FindLate& find_process, std::uint64_t eager,
                     const std::vector<std::size_t>& first_meetings) {
  auto& own = played_[process];
  std::uint64_t calls = 0;  // up to the segment
  std::size_t segment = 0;
  std::uint64_t latest = 0;  // of what the call received or met
  // Goes on to a call; false where it is not there.
  const auto go_to = [&](std::uint64_t call) {
    for (; segment < own.ends.size(); ++segment)
      if (own.is_call[segment]) {
        if (calls == call)
          break;
        ++calls;
      }
    if (segment == own.ends.size())
      return false;
    own.calls.push_back(
        {static_cast<std::uint32_t>(segment), static_cast<std::uint32_t>(own.dependencies.size())});
    latest = 0;
    return true;
  };
  std::optional<std::uint64_t> last_call;
  bool is_there = false;
  const auto open = [&](std::uint64_t call) {
    if (last_call != call)
      is_there = go_to(call);
    last_call = call;
    return is_there;
  };
  const auto is_apart = [&](const Dependency& one) {
    return one.kind == Dependency::Kind::meeting &&
           processes_[process].dependencies.keys()[one.key].first / does_not_block == 1;
  };
  const auto is_begun = [&](const Dependency& one) { return is_apart(one) && !one.waits; };
  const auto make_meeting = [&](const Dependency& one) {
    On on;
    on.is_meeting = true;
    on.waits = one.waits;
    on.is_waited_for = one.is_waited_for;
    on.is_apart = is_apart(one);
    on.place =
        static_cast<std::uint32_t>(first_meetings[one.key] + static_cast<std::size_t>(one.number));
    return on;
  };

  // What calls begin that do not block is known only where others end it.
  std::vector<std::pair<std::uint64_t, On>> begun;
  processes_[process].dependencies.visit([&](const Dependency& one) {
    if (is_begun(one))
      begun.emplace_back(one.call, make_meeting(one));
  });
  std::stable_sort(begun.begin(), begun.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  auto next = begun.begin();
  const auto put_begun = [&](std::uint64_t until) {
    for (; next != begun.end() && next->first <= until; ++next)
      if (open(next->first))
        own.dependencies.push_back(next->second);
  };

  processes_[process].dependencies.visit([&](const Dependency& one) {
    if (is_begun(one))
      return;
    put_begun(one.call);
    if (!open(one.call))
      return;
    const auto begin = own.begin(segment), end = own.ends[segment];
    On on;
    if (one.kind == Dependency::Kind::meeting) {
      on = make_meeting(one);
    } else {
      const auto other = find_process(one.location);
      const auto place = other ? played_[*other].find_entry(one.time) : std::nullopt;
      // A short message waits for its receive only where that was what ended its call.
      const bool is_post = one.kind == Dependency::Kind::posted;
      const bool is_buffered = is_post && one.bytes <= eager &&
                               (one.time <= begin || one.time < latest || one.time == end);
      if (!place || one.time > end || is_buffered)
        return;
      on.process = static_cast<std::uint32_t>(*other);
      on.place = *place;
    }
    latest = std::max(latest, one.time);
    own.dependencies.push_back(on);
  });
  put_begun(~std::uint64_t{0});
  own.dependencies.shrink_to_fit();
}

std::optional<std::uint32_t> Replay::Played::find_entry(std::uint64_t time) const {
  auto at = std::lower_bound(ends.begin(), ends.end(), time);
  std::optional<std::uint32_t> found;
  for (; at != ends.end() && *at == time; ++at)
    if (const auto segment = static_cast<std::size_t>(at - ends.begin()); !is_call[segment])
      found = static_cast<std::uint32_t>(segment);
  return found;
}

std::uint64_t Replay::play(const Part& part, const ReplayChange& change, Waits* waits) const {
  Run run(*this, part, change, waits);
  run.play();
  return run.find_length();
}

Replay::Transfers Replay::sum_transfers(const Part& part) const {
  Transfers out;
  for (std::uint32_t p = 0; p < played_.size(); ++p) {
    const auto& own = played_[p];
    for (std::size_t call = 0; call < own.calls.size(); ++call) {
      const auto segment = own.calls[call].segment;
      const auto end = own.ends[segment];
      if (end <= part[p].begin || end > part[p].end)
        continue;
      auto until = std::max(own.begin(segment), part[p].begin);
      std::set<std::uint32_t> peers;
      for (const auto& on : own.list(call)) {
        if (const auto time = find_time(on); on.waits && time <= end)
          until = std::max(until, time);
        if (!on.is_meeting)
          peers.insert(on.process);
      }
      out[{p, {peers.begin(), peers.end()}}] += end - until;
    }
  }
  return out;
}

ReplayChange Replay::make_ideal() const {
  ReplayChange out;
  out.network = 0;
  for (const bool is_mpi : is_mpi_)
    out.paths.push_back(is_mpi ? 0 : 1);
  return out;
}

const Replay::On* Replay::find_cause(std::size_t process, std::size_t call) const {
  const auto& own = played_[process];
  const auto segment = own.calls[call].segment;
  auto until = own.begin(segment);
  const On* found = nullptr;
  for (const auto& on : own.list(call))
    if (const auto time = find_time(on);
        on.waits && time > until && time <= own.ends[segment] &&
        (!on.is_meeting || (last_[on.place] != no_place && last_[on.place] != process))) {
      until = time;
      found = &on;
    }
  return found;
}

std::optional<Replay::Wait> Replay::find_last_wait(std::size_t process, std::uint64_t time) const {
  const auto& own = played_[process];
  auto call = static_cast<std::size_t>(std::upper_bound(own.calls.begin(), own.calls.end(), time,
                                                        [&](auto wanted, const Call& one) {
                                                          return wanted < own.ends[one.segment];
                                                        }) -
                                       own.calls.begin());
  while (call-- > 0)
    if (const auto* cause = find_cause(process, call))
      return Wait{own.ends[own.calls[call].segment],
                  {cause->is_meeting ? last_[cause->place] : cause->process, find_time(*cause)}};
  return std::nullopt;
}

std::size_t Replay::count_waits() const {
  std::size_t count = 0;
  for (const auto& played : played_)
    count += played.calls.size();
  return count;
}

}  // namespace tracefold
