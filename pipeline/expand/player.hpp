// Plays the events of one process of an expanded trace in order: the calls of the kept process that
// it follows, with the operations of its own rank in them, at times that are made up here.
//
// Times. Outside MPI, time is scaled: before the MPI calls of one path it passes as much faster or
// slower than in the kept process as the gap times of the rank are shorter or longer there. A call
// of MPI that waits ends when what it waits for is there. Where it is known how long the calls of a
// path take on the process in all, each takes its part of that; those that follow one that had to
// wait longer are shorter by as much, but calls that wait for nobody not shorter than the shortest
// one of their path. Where it is not known, a call takes as long as it took in the kept process,
// and one that waits at least as long as the shortest call of its path.
//
// Windows and files. The operations of a call are begun where the call begins. Its other records
// come where it ends, or where a call inside of it begins; records behind a call inside of it come
// where that one ends. Their order stays.
//
// Calls in parts. Where a function has operations of its own, since the calls of MPI in it were not
// recorded, these come one after the other, spread evenly over the time of the part that they are
// in. What is done outside of all calls comes where none is open, spread evenly over these places.
//
// Calls of their own. Operations that no call of the kept process has are done in calls that are
// opened for them. One that begins a call in which the process is already ends that call, and the
// new one goes on in its place.
//
// Completion. Receives and collectives that block end with their call. For others nothing tells
// which call completes them: the name of a call tells how many it completes, and the oldest are
// completed first. Where no call is named so, they are completed where the function that began them
// ends. What is still open at MPI_Finalize, or at the end, is completed there.
//
// One thread at a time. All that is handed in must stay.
//
// Source: signatures 4; MPI 4.0, 3.5 and 3.7 (order of messages, completion of requests).
#pragma once

#include "pipeline/expand/align_operations.hpp"
#include "pipeline/expand/call_template.hpp"
#include "pipeline/expand/call_times.hpp"
#include "pipeline/expand/rank_operations.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

// How time outside MPI passes before calls of one path: `scale` times what it took in the calls
// that are followed, and `more` ticks.
struct PathPace {
  double scale = 1, more = 0;
};

// The calls that an operation is in.
struct OperationCallers {
  std::vector<std::uint32_t> regions;  // ids in the reduced trace, from the outermost on
  bool is_mpi = false;                 // the innermost is a call of MPI
};

// What a process follows.
struct PlayedCalls {
  const CallTemplate* calls = nullptr;
  const OperationSequence* sequence = nullptr;
  const std::vector<OperationCallers>* callers = nullptr;  // by place in sequence->symbols
  std::vector<PathPace> pace;                              // by path
  ProcessPace process_pace;                                // of calls of MPI
};

// The answer to a question for the time: the operation is left open here.
inline constexpr std::uint64_t left_open = ~std::uint64_t{0};

// What happens to a process, in order. Operations are places in OperationSequence::symbols;
// `ticket` is what begin() returned for the operation.
//   enter, leave   a call, by the region's id in the reduced trace
//   find           what an operation is for the process
//   begin          an operation is begun, with the number of its request where it opens one
//   find_end       when an operation that waits can end, or left_open where it may be left open;
//                  none where that is not known yet: then the player stops, and asks again later
//   end            an operation ends
template <class Sink>
concept PlayerSink = requires(Sink& sink, std::uint64_t time, std::uint32_t region,
                              std::uint32_t operation, std::uint64_t request,
                              std::uint64_t ticket) {
  sink.enter(time, region);
  sink.leave(time, region);
  { sink.find(operation) } -> std::same_as<const RankOperation&>;
  { sink.begin(operation, time, request) } -> std::same_as<std::uint64_t>;
  { sink.find_end(operation, ticket, true) } -> std::same_as<std::optional<std::uint64_t>>;
  sink.end(operation, time, request);
};

template <PlayerSink Sink>
class Player {
 public:
  Player(const PlayedCalls& part, Sink sink) : part_(part), sink_(std::move(sink)) {}

  // How far it is, in ticks.
  std::uint64_t now() const { return now_; }
  // How much of all operations is done, where there are no calls.
  double find_share_done() const {
    return static_cast<double>(apart_) / static_cast<double>(part_.sequence->operations.size());
  }

  // Goes on until something has to be waited for, or to the end. True at the end.
  bool play() {
    for (; at_ < steps().size(); ++at_) {
      if (state_ == State::time) {
        if (in_part_ && !play_part())
          return false;
        pass_time();
        state_ = in_part_ && calls()[part_call_].leave == at_ ? State::end_of_part : State::step;
      }
      if (state_ == State::end_of_part && !end_part())
        return false;
      if (state_ == State::step && !play_step())
        return false;
      if (state_ == State::end_of_call) {
        if (!end_call())
          return false;
        state_ = State::behind;
      }
      if (state_ == State::behind && !play_behind_call())
        return false;
      if (state_ == State::left && !play_apart(apart_until_, Stop::at_deeper_calls))
        return false;
      if (begins_part() && !play_before_part())
        return false;
      state_ = State::time;
    }

    return play_end();
  }

 private:
  // Where in a step the process is: on the way to it, at the end of a part of a call, at the step
  // itself, at the end of a call of the template, behind that, or behind another call.
  enum class State : std::uint8_t { time, end_of_part, step, end_of_call, behind, left };
  struct Frame {
    std::uint32_t call = 0;
    std::uint32_t next = 0, last = 0;  // operations that have not ended
    std::uint32_t waiting = 0;         // the first whose record waits for the end of the call
    std::size_t next_ticket = 0;
    std::size_t next_open = 0;  // of those that are open; those before are left open
    std::size_t completes = 0;  // requests, still
    double scale = 1;           // of time inside
    double more = 0;            // ticks before it ends
    double told = 0;            // ticks that it is to take
    std::uint64_t begin = 0;
  };
  struct OpenRequest {
    std::uint32_t operation = 0;
    std::uint64_t request = 0, ticket = 0;
  };

  // Operations that come between outermost calls.
  struct Outside {
    std::uint32_t first = 0, end = 0;
    std::uint32_t call = ~std::uint32_t{0};  // of the template, that comes next
    std::uint64_t gaps = 0, passed = 0;      // places before, between and behind these calls
    std::size_t step = ~std::size_t{0};      // behind the place passed last
    std::uint32_t due = 0;                   // behind the operations that have come
  };

  const std::vector<TemplateStep>& steps() const { return part_.calls->steps; }
  const std::vector<TemplateCall>& calls() const { return part_.calls->calls; }
  bool enters_call() const {
    return steps()[at_].is_enter && next_call_ < calls().size() && calls()[next_call_].enter == at_;
  }

  static bool ends_later(OperationRole role) {
    return role == OperationRole::receive || role == OperationRole::collective;
  }
  static bool waits_when_completed(OperationRole role) {
    return role == OperationRole::open_receive || role == OperationRole::open_collective;
  }

  void add_time(double ticks) {
    part_of_tick_ += ticks;
    const auto whole = std::floor(part_of_tick_);
    part_of_tick_ -= whole;
    constexpr double most = 9e18;
    const auto room = most - static_cast<double>(now_);
    now_ += static_cast<std::uint64_t>(std::clamp(whole, 0.0, std::max(room, 0.0)));
  }

  // How much faster or slower time passes than in the steps.
  double find_scale() const {
    if (mpi_frames_ > 0)
      return frames_.back().scale;
    if (!was_in_mpi_ || next_mpi_ == calls().size())
      return 1;
    const auto path = calls()[next_mpi_].path;
    return path == NamedPaths::none ? 1 : part_.pace[path].scale;
  }

  // Ticks from the step before to this one.
  double find_ticks() const {
    return at_ == 0 ? 0 : static_cast<double>(steps()[at_].time - steps()[at_ - 1].time);
  }

  void pass_time() {
    if (at_ == 0)
      now_ = part_.process_pace.first_time.value_or(steps()[0].time);
    add_time(find_scale() * (find_ticks() - passed_));
    passed_ = 0;
    if (!enters_call())
      return;

    // The next call of MPI may be one further on, where this one is none.
    const auto& call = calls()[next_call_];
    if (call.is_mpi && was_in_mpi_ && call.path != NamedPaths::none)
      add_time(part_.pace[call.path].more);
  }

  bool begins_part() const {
    return next_call_ < calls().size() && calls()[next_call_].enter == at_ &&
           calls()[next_call_].part != CallPart::whole;
  }

  bool play_before_part() {
    const auto& places = part_.sequence->places[next_call_];
    if (!play_before_call(places))
      return false;

    in_part_ = true;
    part_depth_ = regions_.size();
    part_call_ = next_call_++;
    part_next_ = places.inside;
    part_time_ = 0;
    return true;
  }

  // The operations of a part that come before the next step.
  bool play_part() {
    const auto& call = calls()[part_call_];
    const auto& places = part_.sequence->places[part_call_];
    if (regions_.size() != part_depth_)
      return true;
    const auto own_ticks = find_ticks();
    const auto share =
        static_cast<double>(call.own) / (1.0 + static_cast<double>(places.behind - places.inside));
    for (; part_next_ < places.behind; ++part_next_) {
      const auto due = share * static_cast<double>(part_next_ - places.inside + 1) - part_time_;
      if (due > own_ticks)
        break;
      if (!is_alone_) {
        const auto until = std::clamp(due, passed_, std::max(passed_, own_ticks));
        add_time(find_scale() * (until - passed_));
        passed_ = until;
      }
      if (!play_alone(part_next_, part_next_ + 1, false))
        return false;
    }

    part_time_ += own_ticks;
    return true;
  }

  void begin_operations(Frame& frame) {
    frame.waiting = frame.last;
    for (auto i = frame.next; i < frame.last; ++i) {
      const auto operation = part_.sequence->operations[i];
      const RankOperation& what = sink_.find(operation);
      if (what.comes_last || ends_later(what.role))
        frame.waiting = std::min(frame.waiting, i);
      if (what.role == OperationRole::record && i >= frame.waiting) {
        tickets_.push_back(0);
        continue;
      }
      const auto request = what.opens ? requests_++ : 0;
      const auto ticket =
          what.role == OperationRole::none ? 0 : sink_.begin(operation, now_, request);
      if (what.opens)
        open_.push_back({operation, request, ticket});
      tickets_.push_back(ticket);
    }
  }

  // Whether an operation is a record that waits for the end of its call, which is written now.
  bool write_if_waiting(Frame& frame, std::uint32_t place) {
    const auto operation = part_.sequence->operations[place];
    if (sink_.find(operation).role != OperationRole::record)
      return false;
    if (place >= frame.waiting) {
      sink_.begin(operation, now_, 0);
      frame.waiting = place + 1;
    }
    return true;
  }

  // What the innermost call has done by now, where another one begins inside of it.
  void write_waiting() {
    if (frames_.empty())
      return;
    auto& frame = frames_.back();
    for (auto i = frame.waiting; i < frame.last; ++i)
      write_if_waiting(frame, i);
  }

  // Requests that are open when a function ends are completed there where no call is named so.
  bool end_part() {
    const auto& call = calls()[part_call_];
    in_part_ = false;
    behind_call_ = part_call_;
    if (call.part == CallPart::first || call.part == CallPart::middle) {
      if (!play_behind_call())
        return false;
      state_ = State::step;
      return true;
    }

    if (!part_.calls->has_waits) {
      if (!completes_)
        completes_ = Frame{.completes = open_.size()};
      if (!complete(*completes_, true))
        return false;
    }
    // What comes behind the call comes before the rest.
    const auto& places = part_.sequence->places;
    if (places[part_call_].behind == places[part_call_ + 1].first && !play_rest_inside())
      return false;
    completes_.reset();
    leave_step();
    state_ = State::behind;
    return true;
  }

  bool waits(std::uint32_t first, std::uint32_t last, std::size_t completes) {
    for (auto i = first; i < last; ++i)
      if (ends_later(sink_.find(part_.sequence->operations[i]).role))
        return true;
    for (std::size_t i = 0; i < std::min(completes, open_.size()); ++i)
      if (waits_when_completed(sink_.find(open_[i].operation).role))
        return true;
    return false;
  }

  void begin_call() {
    const auto& call = calls()[next_call_];
    const auto& places = part_.sequence->places[next_call_];
    Frame frame;
    frame.call = next_call_;
    frame.next = places.inside;
    frame.last = places.behind;
    frame.completes = call.completes == Completes::none  ? 0
                      : call.completes == Completes::one ? 1
                                                         : open_.size();
    frame.next_ticket = tickets_.size();
    frame.scale = frames_.empty() ? 1 : frames_.back().scale;

    if (call.is_mpi && !part_.process_pace.calls.empty())
      set_told_time(call, frame);
    else if (call.is_mpi && waits(frame.next, frame.last, frame.completes))
      frame.scale = find_shortest_share(call);

    begin_operations(frame);
    if (frame.next < frame.last)
      calls_with_operations_ = regions_.size();
    frames_.push_back(frame);
    mpi_frames_ += call.is_mpi;
  }

  // How much of a call of MPI the shortest one of its path takes.
  double find_shortest_share(const TemplateCall& call) const {
    const auto length = steps()[call.leave].time - steps()[call.enter].time;
    if (length == 0 || call.path == NamedPaths::none)
      return 1;
    const auto shortest = std::min(part_.calls->paths[call.path].shortest, length);
    return static_cast<double>(shortest) / static_cast<double>(length);
  }

  // A call of MPI takes its part of what is told of its path, less what calls before took too long.
  void set_told_time(const TemplateCall& call, Frame& frame) {
    const auto length = static_cast<double>(steps()[call.leave].time - steps()[call.enter].time);
    const auto& pace = part_.process_pace.calls[call.mpi_path];
    frame.begin = now_;
    frame.told = pace.scale * length + pace.more;
    const bool may_take_none = waits(frame.next, frame.last, frame.completes);
    const auto least = may_take_none ? 0 : frame.told * find_shortest_share(call);
    const auto rest = std::max(least, frame.told - std::max(late_, 0.0));
    frame.scale = length > 0 ? rest / length : 0;
    frame.more = length > 0 ? 0 : rest;
  }

  bool end_operations(Frame& frame) {
    for (; frame.next < frame.last; ++frame.next, ++frame.next_ticket) {
      const auto operation = part_.sequence->operations[frame.next];
      if (write_if_waiting(frame, frame.next))
        continue;
      if (!ends_later(sink_.find(operation).role))
        continue;
      const auto end = sink_.find_end(operation, tickets_[frame.next_ticket], false);
      if (!end)
        return false;
      now_ = std::max(now_, *end);
      sink_.end(operation, now_, 0);
    }
    return true;
  }

  bool complete(Frame& frame, bool may_leave_open) {
    while (frame.completes > 0 && frame.next_open < open_.size()) {
      const auto [operation, request, ticket] = open_[frame.next_open];
      const auto role = sink_.find(operation).role;
      if (waits_when_completed(role)) {
        const auto end = sink_.find_end(operation, ticket, may_leave_open);
        if (!end)
          return false;
        if (*end == left_open) {
          ++frame.next_open;
          --frame.completes;
          continue;
        }
        now_ = std::max(now_, *end);
      }
      if (role != OperationRole::none)
        sink_.end(operation, now_, request);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(frame.next_open));
      --frame.completes;
    }
    return true;
  }

  // Leaves the calls of one path, and enters those of the other, but for the outermost ones, which
  // stay open.
  void change_calls(const std::vector<std::uint32_t>& from, const std::vector<std::uint32_t>& to,
                    std::size_t staying) {
    for (auto k = from.size(); k > staying; --k)
      sink_.leave(now_, from[k - 1]);
    for (auto k = staying; k < to.size(); ++k)
      sink_.enter(now_, to[k]);
  }

  // How many of the open calls, from the outermost on, a path leads through.
  std::size_t count_common(const std::vector<std::uint32_t>& callers) const {
    const auto ends =
        std::mismatch(callers.begin(), callers.end(), regions_.begin(), regions_.end());
    return static_cast<std::size_t>(ends.first - callers.begin());
  }

  // Opens the calls of an operation. One that begins a call needs a new one where the open call of
  // its path has operations already.
  void open_operation_calls(std::uint32_t operation) {
    const auto& callers = (*part_.callers)[operation].regions;
    const auto common = count_common(callers);
    const bool is_open = common == callers.size();
    const bool needs_new_call =
        is_open && common <= calls_with_operations_ && !sink_.find(operation).is_in_same_call;
    change_calls(regions_, callers, needs_new_call ? common - 1 : common);
  }

  // Back to the calls of the template. The one of the operation goes on where it is among them.
  void turn_back(const std::vector<std::uint32_t>& callers) {
    const auto common = count_common(callers);
    change_calls(callers, regions_, common);
    calls_with_operations_ = common;
  }

  // Whether an operation is one of a call around those that are open.
  bool is_of_caller(std::uint32_t place) {
    const auto operation = part_.sequence->operations[place];
    const auto& callers = (*part_.callers)[operation].regions;
    return sink_.find(operation).is_in_same_call && !callers.empty() &&
           callers.size() < regions_.size();
  }

  // Behind the operations that are in one call with this one.
  std::uint32_t find_end_of_call(std::uint32_t place, std::uint32_t until) {
    const auto& operations = part_.sequence->operations;
    const auto& path = (*part_.callers)[operations[place]].regions;
    auto end = place + 1;
    while (end < until && sink_.find(operations[end]).is_in_same_call &&
           (*part_.callers)[operations[end]].regions == path)
      ++end;
    return end;
  }

  bool is_inside(const std::vector<std::uint32_t>& callers) const {
    return callers.size() >= regions_.size() &&
           std::equal(regions_.begin(), regions_.end(), callers.begin());
  }

  // Whether calls are opened for an operation, up to the one that does it: not in a call of MPI,
  // and in another call of the template only where that leads to the operation.
  bool gets_calls(const std::vector<std::uint32_t>& callers) const {
    return !callers.empty() && mpi_frames_ == 0 && (frames_.empty() || is_inside(callers));
  }

  enum class Stop : bool { at_deeper_calls, nowhere };

  // Operations that have calls of their own, or are done by a call behind one inside of it.
  bool play_apart(std::uint32_t until, Stop stop) {
    while (apart_ < until) {
      if (stop == Stop::at_deeper_calls && !is_alone_ && is_of_caller(apart_))
        return true;
      const auto& callers = (*part_.callers)[part_.sequence->operations[apart_]].regions;
      const auto end = find_end_of_call(apart_, until);
      if (!play_alone(apart_, end, gets_calls(callers)))
        return false;
      apart_ = end;
    }
    return true;
  }

  // Operations that are done outside of the template's calls of MPI: all at once where they have a
  // call of MPI of their own, otherwise one after the other. `turns` tells whether they have calls
  // of their own.
  bool play_alone(std::uint32_t first, std::uint32_t end, bool turns) {
    const auto operation = part_.sequence->operations[first];
    const auto& callers = (*part_.callers)[operation];
    const auto begin = [&](std::uint32_t from) {
      tickets_before_ = tickets_.size();
      alone_ = {.next = from,
                .last = turns && callers.is_mpi ? end : from + 1,
                .next_ticket = tickets_before_};
      begin_operations(alone_);
    };

    if (!is_alone_) {
      is_alone_ = true;
      if (turns) {
        write_waiting();
        open_operation_calls(operation);
      }
      begin(first);
    }
    while (true) {
      if (!end_operations(alone_))
        return false;
      tickets_.resize(tickets_before_);
      if (alone_.last == end)
        break;
      begin(alone_.last);
    }

    if (turns)
      turn_back(callers.regions);
    else
      calls_with_operations_ = regions_.size();
    is_alone_ = false;
    return true;
  }

  // Operations outside of all calls, where no call is open and they come next, or come before the
  // outermost call that begins; with those in between.
  bool play_outside() {
    if (!play_apart(apart_until_, Stop::nowhere))
      return false;
    apart_ = std::max(apart_, part_.sequence->places[next_call_].first);

    apart_until_ = std::max(apart_until_, find_due_outside());
    return play_apart(apart_until_, Stop::nowhere);
  }

  // Behind the operations that have come by now. Nothing tells between which of the outermost calls
  // they are, so they are spread evenly.
  std::uint32_t find_due_outside() {
    if (outside_.step == at_)
      return outside_.due;

    if (outside_.call != next_call_ || apart_ > outside_.end)
      outside_ = {apart_, find_end_of_outside(), next_call_, count_gaps(), 0, at_, apart_};
    outside_.step = at_;
    ++outside_.passed;
    const auto all = std::uint64_t{outside_.end - outside_.first};
    const auto is_due = [&](std::uint32_t place) {
      return (2 * std::uint64_t{place - outside_.first} + 1) * outside_.gaps <
             2 * all * outside_.passed;
    };
    while (outside_.due < outside_.end && is_due(outside_.due))
      ++outside_.due;
    return outside_.due;
  }

  std::uint32_t find_end_of_outside() const {
    const auto& operations = part_.sequence->operations;
    auto end = std::max(apart_, part_.sequence->places[next_call_].outside);
    while (end < operations.size() && (*part_.callers)[operations[end]].regions.empty())
      ++end;
    return end;
  }

  // From this step on, the places where no call is open, up to the outermost call with the next
  // call of the template, or the end.
  std::uint64_t count_gaps() const {
    const bool is_last = next_call_ == calls().size();
    const auto until = is_last ? steps().size() : calls()[next_call_].enter + std::size_t{1};
    std::uint64_t gaps = is_last;
    std::uint64_t depth = 0;
    for (auto step = at_; step < until; ++step) {
      if (!steps()[step].is_enter) {
        --depth;
        continue;
      }
      gaps += depth == 0;
      ++depth;
    }
    return gaps;
  }

  // Up to the call that this step enters: what happens before it.
  bool play_before_step() {
    if (!enters_call())
      return true;

    return play_before_call(part_.sequence->places[next_call_]);
  }

  bool play_before_call(const OperationSequence::Places& places) {
    if (places.first == places.behind)
      return true;
    if (!play_apart(apart_until_, Stop::nowhere))
      return false;
    apart_ = std::max(apart_, places.first);
    apart_until_ = std::max(apart_until_, places.inside);
    return play_apart(places.inside, Stop::nowhere);
  }

  // A step with what happens before it; where it ends a call of the template, only that.
  bool play_step() {
    if (steps()[at_].is_enter) {
      write_waiting();
      if (regions_.empty() && !play_outside())
        return false;
    }
    if (!play_before_step())
      return false;

    if (steps()[at_].is_enter) {
      enter_step();
    } else if (!frames_.empty() && calls()[frames_.back().call].leave == at_) {
      state_ = State::end_of_call;
    } else {
      if (!play_rest_inside())
        return false;
      leave_step();
      state_ = State::left;
    }
    return true;
  }

  void enter_step() {
    sink_.enter(now_, steps()[at_].region);
    regions_.push_back(steps()[at_].region);

    if (enters_call() && !begins_part()) {
      begin_call();
      ++next_call_;
      find_next_mpi();
    }
  }

  void find_next_mpi() {
    next_mpi_ = std::max(next_mpi_, next_call_);
    while (next_mpi_ < calls().size() && !calls()[next_mpi_].is_mpi)
      ++next_mpi_;
  }

  void leave_step() {
    sink_.leave(now_, steps()[at_].region);
    regions_.pop_back();
    calls_with_operations_ = std::min(calls_with_operations_, regions_.size());
  }

  bool end_call() {
    auto& frame = frames_.back();
    add_time(frame.more);
    frame.more = 0;
    if (!end_operations(frame) || !complete(frame, true))
      return false;

    leave_step();
    const auto& call = calls()[frame.call];
    if (call.is_mpi && !part_.process_pace.calls.empty())
      late_ += static_cast<double>(now_ - frame.begin) - frame.told;
    was_in_mpi_ = was_in_mpi_ || call.is_mpi;
    mpi_frames_ -= call.is_mpi;
    behind_call_ = frame.call;
    frames_.pop_back();
    if (frames_.empty())
      tickets_.clear();
    return true;
  }

  // What happens between a call and the next one.
  bool play_behind_call() {
    const auto& places = part_.sequence->places;
    if (apart_ >= apart_until_)
      apart_ = std::max(apart_, places[behind_call_].behind);
    apart_until_ = std::max(apart_until_, places[behind_call_ + 1].first);
    return play_apart(apart_until_, Stop::at_deeper_calls);
  }

  // Operations behind all calls of the template that are called in those which are open still.
  bool play_rest_inside() {
    if (next_call_ < calls().size() || in_part_ || !frames_.empty())
      return true;
    if (!begin_rest())
      return false;

    const auto end = static_cast<std::uint32_t>(part_.sequence->operations.size());
    while (apart_ < end) {
      const auto& callers = (*part_.callers)[part_.sequence->operations[apart_]].regions;
      if (!is_inside(callers))
        break;
      if (!play_apart(find_end_of_call(apart_, end), Stop::nowhere))
        return false;
    }
    return true;
  }

  bool begin_rest() {
    if (!play_apart(apart_until_, Stop::nowhere))
      return false;
    apart_ = std::max(apart_, part_.sequence->places.back().first);
    return true;
  }

  bool play_end() {
    if (!begin_rest())
      return false;
    apart_until_ = static_cast<std::uint32_t>(part_.sequence->operations.size());
    if (!play_apart(apart_until_, Stop::nowhere))
      return false;

    if (frames_.empty()) {
      frames_.emplace_back();
      frames_.back().completes = open_.size();
    }
    return complete(frames_.back(), false);
  }

  const PlayedCalls& part_;
  Sink sink_;
  State state_ = State::time;
  std::size_t at_ = 0;           // step
  std::uint32_t next_call_ = 0;  // that was not entered yet
  std::uint32_t next_mpi_ = 0;   // call of MPI that was not entered yet
  bool was_in_mpi_ = false;
  std::uint64_t now_ = 0;
  double part_of_tick_ = 0;
  double late_ = 0;  // ticks that calls of MPI took more than they were to
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> regions_;     // of the calls that are open
  std::size_t calls_with_operations_ = 0;  // of them, from the outermost on
  std::size_t mpi_frames_ = 0;
  std::vector<std::uint64_t> tickets_;
  std::deque<OpenRequest> open_;
  std::uint64_t requests_ = 0;
  std::uint32_t behind_call_ = 0;  // that has just ended
  std::uint32_t apart_ = 0;        // the next operation with a call of its own
  std::uint32_t apart_until_ = 0;  // up to there they may be played by now
  Outside outside_;
  bool is_alone_ = false;  // in operations outside of the template's calls of MPI
  Frame alone_;
  std::size_t tickets_before_ = 0;
  bool in_part_ = false;  // of a call
  std::uint32_t part_call_ = 0;
  std::uint32_t part_next_ = 0;     // its operation that comes next
  std::size_t part_depth_ = 0;      // calls that are open in it
  double part_time_ = 0;            // ticks of its own, up to the step before
  double passed_ = 0;               // ticks from the step before
  std::optional<Frame> completes_;  // requests, at the end of a part
};

}  // namespace tracefold
