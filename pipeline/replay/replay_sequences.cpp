// Lists from which a run is played again later: the part of Replay that makes and takes them.
#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "base/packed_pairs.hpp"
#include "base/varints.hpp"
#include "model/program/value_steps.hpp"
#include "pipeline/replay/play_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// Of dependencies.
constexpr std::uint64_t is_meeting_bit = 1, waits_bit = 2, is_waited_for_bit = 4, is_apart_bit = 8;

// Times are added up, and compared with signs.
constexpr std::uint64_t most_time = std::uint64_t{1} << 62;

[[noreturn]] void refuse() {
  throw Error(ErrorKind::input, "what the run is played from does not fit together");
}

std::uint64_t add_time(std::uint64_t a, std::uint64_t b) {
  if (b > most_time || a > most_time - b)
    refuse();
  return a + b;
}

// The places before: of segments of other processes, and of operations.
class LastPlaces {
 public:
  std::uint64_t& find(bool is_meeting, std::uint32_t process) {
    return is_meeting ? of_meetings_ : of_processes_[process];
  }

 private:
  std::map<std::uint32_t, std::uint64_t> of_processes_;
  std::uint64_t of_meetings_ = 0;
};

// Of those that are not long: a third of their median, or what two of a call path that follow each
// other differ by, where that is less, but not below 1 % of it. Most are short, and others may wait
// for each; so rounding must not make even ones uneven.
std::uint64_t find_part_quantum(const ProgramSequence& of, std::uint64_t longest) {
  ProgramSequence::List usual, differences;
  std::vector<std::uint64_t> last;  // by path
  for (std::size_t k = 0; k < of.parts.size(); ++k) {
    const auto ticks = of.part_times[k];
    if (ticks == 0 || ticks > longest)
      continue;
    usual.push_back(ticks);
    if (of.parts[k] >= last.size())
      last.resize(static_cast<std::size_t>(of.parts[k]) + 1);
    if (const auto before = std::exchange(last[static_cast<std::size_t>(of.parts[k])], ticks);
        before > 0)
      differences.push_back(std::max(before, ticks) - std::min(before, ticks));
  }
  const auto find_median = [](ProgramSequence::List& values) {
    const auto median = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), median, values.end());
    return *median;
  };
  if (usual.empty())
    return 1;
  constexpr std::uint64_t coarse = 3, fine = 100;  // quanta of the median
  const auto median = find_median(usual);
  auto quantum = median / coarse;
  if (!differences.empty())
    quantum = std::min(quantum, std::max(find_median(differences), median / fine));
  return std::max<std::uint64_t>(quantum, 1);
}

// Of rests, those in which most time passes are right to 1 %.
std::uint64_t find_rest_quantum(const ProgramSequence::List& times, std::uint64_t longest) {
  constexpr double quanta = 100;  // of the mean length that a tick is in
  double sum = 0, squares = 0;
  for (const auto ticks : times)
    if (ticks <= longest) {
      sum += static_cast<double>(ticks);
      squares += static_cast<double>(ticks) * static_cast<double>(ticks);
    }
  return sum > 0 ? std::max<std::uint64_t>(static_cast<std::uint64_t>(squares / sum / quanta), 1)
                 : 1;
}

// Times of a process as quanta. Rounding errors go over to the next time of the same kind that is
// about as long: sums stay, and 1 % of a long time is much of a short one. Those of a few long
// times would move all that comes behind, so these are not rounded.
class TimeRounder {
 public:
  TimeRounder(std::uint64_t quantum, std::uint64_t longest)
      : longest_(longest), quantum_(quantum) {}

  std::uint64_t quantum() const { return quantum_; }
  // As ProgramSequence has it; a long one is added to the others.
  std::uint64_t round(std::uint64_t ticks, std::uint64_t kind, ProgramSequence::List& long_times) {
    if (ticks > longest_) {
      long_times.push_back(ticks);
      return 0;
    }
    static const ValueSteps steps(1);  // that the list is stored in
    if (kind >= left_.size())
      left_.resize(kind + 1);
    auto& left = left_[kind][static_cast<std::size_t>(std::bit_width(ticks))];
    left += static_cast<std::int64_t>(ticks);
    const auto quantum = static_cast<std::int64_t>(quantum_);
    const auto quanta =
        static_cast<std::uint64_t>(std::max<std::int64_t>(left + quantum / 2, 0)) / quantum_;
    const auto stored = steps.find_value(steps.find_step(quanta + 1));
    left -= static_cast<std::int64_t>(stored - 1) * quantum;
    return stored;
  }

 private:
  std::uint64_t longest_, quantum_;
  std::vector<std::array<std::int64_t, 65>> left_;  // by kind and how many bits a time has
};

}  // namespace

ProgramSequence Replay::list_sequence(std::size_t process, const std::vector<Part>& parts) const {
  const auto& own = played_[process];
  const auto& line = processes_[process].line;
  ProgramSequence out;
  if (own.ends.empty())
    return out;

  LastPlaces last;
  const auto put = [&](const On& on, bool waits) {
    out.kinds.push_back(on.is_meeting * is_meeting_bit + waits * waits_bit +
                        on.is_waited_for * is_waited_for_bit + on.is_apart * is_apart_bit);
    out.others.push_back(on.is_meeting ? 0
                                       : (on.process + played_.size() - process) % played_.size());
    auto& before = last.find(on.is_meeting, on.process);
    out.places.push_back(to_zigzag(on.place - before));
    before = on.place;
  };

  std::size_t segment = 0, call = 0;
  for (auto reader = line.read(); reader.next(); ++segment) {
    auto until = reader.begin();
    if (reader.is_call()) {
      const bool depends = call < own.calls.size() && own.calls[call].segment == segment;
      const auto dependencies = depends ? own.list(call++) : std::span<const On>();
      out.dependencies.push_back(dependencies.size());
      for (const auto& on : dependencies) {
        const auto time = find_time(on);
        const bool waits = on.waits && time <= reader.end();
        if (waits)
          until = std::max(until, time);
        put(on, waits);
      }
    }
    auto rest = reader.end() - until;
    std::uint64_t count = 0;
    const auto add_part = [&](PathIndex path, std::uint64_t ticks) {
      const auto takes = std::min(ticks, rest);
      out.parts.push_back(path);
      out.part_times.push_back(takes);
      rest -= takes;
      ++count;
    };
    reader.visit_parts([&](std::uint32_t part, std::uint64_t ticks) {
      const auto path = line.find_in_all(PartTimes::find_path(part));
      if (!reader.is_call() || !(PartTimes::is_waiting(part) || is_mpi(path)))
        add_part(path, ticks);
    });
    if (reader.is_call())
      out.rests.push_back(rest);
    else if (rest > 0)
      add_part(0, rest);
    out.segments.push_back(1 + static_cast<std::uint64_t>(reader.kind()) + segment_kinds * count);
  }

  constexpr std::uint64_t many = 64;
  const auto longest = (own.ends.back() - own.ends.front()) / many;
  TimeRounder of_parts(find_part_quantum(out, longest), longest);
  TimeRounder of_rests(find_rest_quantum(out.rests, longest), longest);
  for (std::size_t k = 0; k < out.parts.size(); ++k)
    out.part_times[k] = of_parts.round(out.part_times[k], out.parts[k], out.long_times);
  for (auto& rest : out.rests)
    rest = of_rests.round(rest, 0, out.long_times);
  out.spans = {of_parts.quantum(), of_rests.quantum()};

  // Behind the last segment is one more place.
  const auto put_place = [&](std::uint64_t time) {
    const auto& ends = own.ends;
    const auto at =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
    out.spans.push_back(at);
    out.spans.push_back(at < ends.size() ? std::max(time, own.begin(at)) - own.begin(at) : 0);
  };
  for (const auto& part : parts) {
    const auto [begin, end] = part[process];
    if (end == 0) {
      out.spans.resize(out.spans.size() + 4);
      continue;
    }
    put_place(begin);
    put_place(end);
  }
  return out;
}

std::vector<ProgramSequence> Replay::list_sequences(const std::vector<Part>& parts) const {
  std::uint64_t least = 0;
  for (const auto& played : played_)
    least += 2 * played.ends.size() + 3 * played.dependencies.size();
  if (least > most_sequence_numbers)
    return {};
  for (std::size_t p = 0; p < played_.size(); ++p) {
    const auto& ends = played_[p].ends;
    const bool is_there =
        std::any_of(parts.begin(), parts.end(), [&](const Part& part) { return part[p].end > 0; });
    if (ends.empty() ? is_there : ends.back() > most_time)
      return {};
  }
  std::vector<ProgramSequence> out(played_.size());
  for_each_index(out.size(), [&](std::size_t p) { out[p] = list_sequence(p, parts); });
  // A table has as many columns as the longest of its rows.
  std::uint64_t numbers = 0;
  for (const auto& [name, list, is_time] : sequence_lists) {
    std::size_t longest = 0;
    for (const auto& sequence : out)
      longest = std::max(longest, (sequence.*list).size());
    numbers += longest * out.size();
  }
  return numbers > most_sequence_numbers ? std::vector<ProgramSequence>() : out;
}

// Finds when segments end, from how long they take and what they depend on.
class Replay::SequencePlayer : public PlayOrder<SequencePlayer> {
 public:
  SequencePlayer(const std::vector<ProgramSequence>& sequences, std::size_t paths, Replay& out)
      : PlayOrder(out), sequences_(sequences), paths_(paths), out_(out), times_(sequences.size()) {
    out.played_.resize(sequences.size());
    for (std::size_t p = 0; p < sequences.size(); ++p)
      read(p);
    // Each operation has somebody who takes part in it.
    std::size_t meetings = 0, members = 0;
    for (const auto& played : out.played_)
      for (const auto& on : played.dependencies) {
        members += on.is_meeting;
        if (on.is_meeting)
          meetings = std::max(meetings, std::size_t{on.place} + 1);
        else if (on.place >= out.played_[on.process].is_call.size())
          refuse();
      }
    if (meetings > members)
      refuse();

    out.meetings_.resize(meetings);
    begin();
  }

  // The segments, as CallTimes has them.
  std::string make_line(std::size_t process) const {
    const auto& of = sequences_[process];
    const auto& ends = out_.played_[process].ends;
    PackedPairs head, parts;
    std::string line;
    std::size_t part = 0;
    for (std::size_t n = 0; n < ends.size(); ++n) {
      for (auto left = (of.segments[n] - 1) / segment_kinds; left > 0; --left, ++part)
        if (const auto ticks = times_[process].parts[part]; ticks > 0)
          parts.add(number_part(static_cast<PathIndex>(of.parts[part]), false), ticks);
      head.add(segment_kinds * parts.bytes().size() + (of.segments[n] - 1) % segment_kinds,
               ends[n] - out_.played_[process].begin(n));
      line += head.bytes();
      line += parts.bytes();
      head.clear();
      parts.clear();
    }
    if (!line.empty())
      line.append(PackedPairs::beyond, 0);
    return line;
  }

  Interval find_span(std::size_t process, std::size_t part) const {
    const auto& spans = sequences_[process].spans;
    const auto& played = out_.played_[process];
    if (played.ends.empty())
      return {};
    const auto first = 2 + 4 * part;
    if (spans.size() < first + 4)
      refuse();
    const auto find = [&](std::uint64_t segment, std::uint64_t offset) {
      if (segment > played.ends.size())
        refuse();
      const auto n = static_cast<std::size_t>(segment);
      const auto since = played.begin(n);
      return n == played.ends.size() ? since : since + std::min(offset, played.ends[n] - since);
    };
    const auto end = find(spans[first + 2], spans[first + 3]);
    return {std::min(find(spans[first], spans[first + 1]), end), end};
  }

 private:
  friend class PlayOrder<SequencePlayer>;

  struct Times {
    ProgramSequence::List segments;  // beyond what they depend on
    ProgramSequence::List parts;     // of these
  };

  void read(std::size_t process) {
    const auto& of = sequences_[process];
    auto& own = out_.played_[process];
    std::size_t segments = 0, parts = 0, calls = 0;
    for (; segments < of.segments.size() && of.segments[segments] > 0; ++segments) {
      const auto kind = (of.segments[segments] - 1) % segment_kinds;
      const auto own_parts = (of.segments[segments] - 1) / segment_kinds;
      if (kind > static_cast<std::uint64_t>(SegmentKind::before_iteration) ||
          own_parts > of.parts.size() - parts)
        refuse();
      parts += own_parts;
      own.is_call.push_back(kind == static_cast<std::uint64_t>(SegmentKind::call));
      calls += own.is_call.back();
    }
    if (segments == 0)
      return;
    if (of.spans.size() < 2)
      refuse();

    std::size_t used = 0;  // of long times
    auto& times = times_[process];
    times.parts = read_times(of.part_times, parts, of.spans[0], of.long_times, used);
    times.segments.resize(segments);
    const auto rests = read_times(of.rests, calls, of.spans[1], of.long_times, used);
    LastPlaces last;
    for (std::size_t n = 0, part = 0, call = 0; n < segments; ++n) {
      for (auto left = (of.segments[n] - 1) / segment_kinds; left > 0; --left, ++part) {
        if (of.parts[part] >= paths_)
          refuse();
        times.segments[n] = add_time(times.segments[n], times.parts[part]);
      }
      if (!own.is_call[n])
        continue;
      times.segments[n] = add_time(times.segments[n], rests[call]);
      if (call >= of.dependencies.size())
        refuse();
      read_dependencies(process, static_cast<std::uint32_t>(n), of.dependencies[call++], last);
    }
  }
  static ProgramSequence::List read_times(const ProgramSequence::List& stored, std::size_t count,
                                          std::uint64_t quantum,
                                          const ProgramSequence::List& long_times,
                                          std::size_t& used) {
    if (count > stored.size())
      refuse();
    ProgramSequence::List out(count);
    for (std::size_t k = 0; k < count; ++k) {
      if (stored[k] > 0 && quantum > 0 && stored[k] - 1 <= most_time / quantum)
        out[k] = (stored[k] - 1) * quantum;
      else if (stored[k] == 0 && used < long_times.size())
        out[k] = long_times[used++];
      else
        refuse();
    }
    return out;
  }
  void read_dependencies(std::size_t process, std::uint32_t segment, std::uint64_t count,
                         LastPlaces& last) {
    const auto& of = sequences_[process];
    auto& own = out_.played_[process];
    const auto done = own.dependencies.size();
    if (count > std::min({of.kinds.size(), of.others.size(), of.places.size()}) - done)
      refuse();
    if (count > 0)
      own.calls.push_back({segment, static_cast<std::uint32_t>(done)});
    for (std::size_t k = done; k < done + count; ++k) {
      auto& on = own.dependencies.emplace_back();
      on.is_meeting = (of.kinds[k] & is_meeting_bit) != 0;
      on.waits = (of.kinds[k] & waits_bit) != 0;
      on.is_waited_for = (of.kinds[k] & is_waited_for_bit) != 0;
      on.is_apart = (of.kinds[k] & is_apart_bit) != 0;
      if (of.others[k] >= sequences_.size())
        refuse();
      on.process = static_cast<std::uint32_t>((process + of.others[k]) % sequences_.size());
      auto& place = last.find(on.is_meeting, on.process);
      place += from_zigzag(of.places[k]);
      if (place >= no_place)
        refuse();
      on.place = static_cast<std::uint32_t>(place);
    }
  }

  bool is_over(std::size_t process) const {
    return segment(process) == times_[process].segments.size();
  }
  std::uint64_t find_begin(std::size_t process) const {
    return out_.played_[process].begin(segment(process));
  }
  bool waits_for(std::size_t, const On& on) const { return on.waits; }
  void enter(std::size_t process, std::uint32_t meeting) {
    out_.meetings_[meeting] = std::max(out_.meetings_[meeting], find_begin(process));
  }
  void finish(std::size_t process, std::span<const On> dependencies) {
    auto until = find_begin(process);
    for (const auto& on : dependencies)
      if (on.waits)
        until = std::max(
            until, is_there(on) || on.is_meeting ? out_.find_time(on) : find_begin(on.process));
    out_.played_[process].ends.push_back(
        add_time(until, times_[process].segments[segment(process)]));
  }

  const std::vector<ProgramSequence>& sequences_;
  const std::size_t paths_;
  Replay& out_;
  std::vector<Times> times_;  // by process
};

Replay::Replay(const std::vector<ProgramSequence>& sequences, std::size_t paths,
               std::vector<bool> is_mpi, std::vector<TimedProcess>& processes,
               std::vector<Part>& parts)
    : processes_(processes), is_mpi_(std::move(is_mpi)) {
  SequencePlayer player(sequences, paths, *this);
  player.play();
  std::vector<PathIndex> same(paths);
  std::iota(same.begin(), same.end(), PathIndex{0});
  processes.resize(sequences.size());
  for (std::size_t p = 0; p < sequences.size(); ++p) {
    processes[p].line = TimeLine(player.make_line(p), same);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      parts[part].resize(sequences.size());
      parts[part][p] = player.find_span(p, part);
    }
  }
  count_members();
}

}  // namespace tracefold
