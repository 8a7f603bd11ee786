// Lists from which a run is played again later: the part of Replay that makes and takes them.
#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "base/packed_pairs.hpp"
#include "base/varints.hpp"
#include "model/program/value_steps.hpp"
#include "pipeline/replay/replay.hpp"

#include <algorithm>
#include <array>
#include <numeric>

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

// The largest value of a step (program_profiles.hpp) that is no larger.
std::uint64_t round_down(std::uint64_t ticks) {
  static const ValueSteps steps(1);
  const auto step = steps.find_step(ticks);
  const auto value = steps.find_value(step);
  return value > ticks ? steps.find_value(step - 1) : value;
}

}  // namespace

ProgramSequence Replay::list_sequence(std::size_t process, const std::vector<Part>& parts) const {
  const auto& own = played_[process];
  const auto& line = processes_[process].line;
  ProgramSequence out;
  if (own.ends.empty())
    return out;

  // What is longer is stored as the sum of two times, which is right to 0.01 %: errors of a few
  // long times would move all that comes behind them.
  constexpr std::uint64_t many = 256;
  const auto is_long = [longest = (own.ends.back() - own.ends.front()) /
                                  many](std::uint64_t ticks) { return ticks > longest; };

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

  out.spans.push_back(0);
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
    const auto put_part = [&](PathIndex path, std::uint64_t ticks) {
      if (ticks == 0)
        return;
      out.parts.push_back(path);
      out.part_times.push_back(ticks);
      ++count;
    };
    PathIndex of_mpi = 0;
    reader.visit_parts([&](std::uint32_t part, std::uint64_t ticks) {
      const auto path = line.find_in_all(PartTimes::find_path(part));
      if (reader.is_call() && is_mpi(path))
        of_mpi = path;
      if (reader.is_call() && (PartTimes::is_waiting(part) || is_mpi(path)))
        return;
      const auto takes = std::min(ticks, rest);
      const auto first = is_long(takes) ? round_down(takes) : takes;
      put_part(path, first);
      put_part(path, takes - first);
      rest -= takes;
    });
    if (segment > 0 && is_long(rest)) {
      put_part(of_mpi, rest - round_down(rest));
      rest = round_down(rest);
    }
    out.segments.push_back(1 + static_cast<std::uint64_t>(reader.kind()) + segment_kinds * count);
    out.rests.push_back(segment == 0 ? 0 : rest);
    if (segment == 0)
      out.spans.front() = rest;
  }

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
class Replay::SequencePlayer {
 public:
  SequencePlayer(const std::vector<ProgramSequence>& sequences, std::size_t paths, Replay& out)
      : sequences_(sequences), paths_(paths), out_(out), at_(sequences.size()) {
    out.played_.resize(sequences.size());
    for (std::size_t p = 0; p < sequences.size(); ++p)
      read(p);
    std::uint64_t meetings = 0;
    for (const auto& played : out.played_)
      for (const auto& on : played.dependencies)
        meetings += on.is_meeting;
    for (const auto& played : out.played_)
      for (const auto& on : played.dependencies)
        if (on.is_meeting ? on.place >= meetings
                          : on.place >= out.played_[on.process].is_call.size())
          refuse();
    out.meetings_.resize(meetings);
    missing_.resize(meetings);
    for (const auto& played : out.played_)
      for (const auto& on : played.dependencies)
        if (on.is_meeting)
          missing_[on.place] += on.is_waited_for;
  }

  // A process goes on until it has to wait for one that comes later. Where all have to, as calls
  // that take no time may bring about, the first one goes on.
  void play() {
    for (;;) {
      bool goes_on = false;
      std::optional<std::size_t> first;
      for (std::size_t p = 0; p < at_.size(); ++p) {
        while (!is_over(p) && play_segment(p, Must::wait))
          goes_on = true;
        if (!is_over(p) && (!first || begin(p) < begin(*first)))
          first = p;
      }
      if (!first)
        return;
      if (!goes_on)
        play_segment(*first, Must::go_on);
    }
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
        parts.add(number_part(static_cast<PathIndex>(of.parts[part]), false), of.part_times[part]);
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
    const auto first = 1 + 4 * part;
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
  enum class Must : bool { wait, go_on };
  struct At {
    std::size_t segment = 0, call = 0;  // the next ones
    bool is_entered = false;            // the call, by which others may have waited
    std::vector<std::uint64_t> takes = {};
  };

  void read(std::size_t process) {
    const auto& of = sequences_[process];
    auto& own = out_.played_[process];
    auto& takes = at_[process].takes;
    if (!of.segments.empty() && of.spans.empty())
      refuse();
    LastPlaces last;
    std::size_t part = 0, call = 0;
    for (std::size_t n = 0; n < of.segments.size() && of.segments[n] > 0; ++n) {
      const auto kind = (of.segments[n] - 1) % segment_kinds;
      const auto parts = (of.segments[n] - 1) / segment_kinds;
      if (kind > static_cast<std::uint64_t>(SegmentKind::before_iteration) ||
          n >= of.rests.size() || parts > std::min(of.parts.size(), of.part_times.size()) - part)
        refuse();
      auto time = n == 0 ? of.spans.front() : of.rests[n];
      for (auto left = parts; left > 0; --left, ++part) {
        if (of.parts[part] >= paths_)
          refuse();
        time = add_time(time, of.part_times[part]);
      }
      takes.push_back(time);
      own.is_call.push_back(kind == static_cast<std::uint64_t>(SegmentKind::call));
      if (!own.is_call.back())
        continue;
      if (call >= of.dependencies.size())
        refuse();
      read_dependencies(process, static_cast<std::uint32_t>(n), of.dependencies[call++], last);
    }
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
    return at_[process].segment == at_[process].takes.size();
  }
  std::uint64_t begin(std::size_t process) const {
    return out_.played_[process].begin(at_[process].segment);
  }
  bool is_there(const On& on) const {
    return on.is_meeting ? missing_[on.place] == 0 : on.place < at_[on.process].segment;
  }

  // False where it has to wait.
  bool play_segment(std::size_t process, Must must) {
    auto& at = at_[process];
    auto& own = out_.played_[process];
    const auto begin = own.begin(at.segment);
    auto until = begin;
    const bool is_at_call = at.call < own.calls.size() && own.calls[at.call].segment == at.segment;
    const auto dependencies = is_at_call ? own.list(at.call) : std::span<const On>();
    for (const auto& on : dependencies)
      if (!at.is_entered && on.is_meeting && on.is_waited_for) {
        out_.meetings_[on.place] = std::max(out_.meetings_[on.place], begin);
        --missing_[on.place];
      }
    at.is_entered = true;
    for (const auto& on : dependencies) {
      if (!on.waits)
        continue;
      if (is_there(on))
        until = std::max(until, out_.find_time(on));
      else if (must == Must::wait)
        return false;
    }
    own.ends.push_back(add_time(until, at.takes[at.segment++]));
    at.call += is_at_call;
    at.is_entered = false;
    return true;
  }

  const std::vector<ProgramSequence>& sequences_;
  const std::size_t paths_;
  Replay& out_;
  std::vector<At> at_;
  std::vector<std::uint32_t> missing_;  // of operations: who others wait for, and did not enter yet
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
