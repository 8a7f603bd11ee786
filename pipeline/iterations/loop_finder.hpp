// Finds the loops of locations, one after the other, from clean events.
//
// While a call is open, its callees are stored. When it ends, and did a fair part of the work so
// far, they are searched for loops and dropped. At the end, either the outer or the inner loops are
// chosen (choose_nested_loops). Marked regions, and those that the user asks for, are stored as
// they come. If iterations should begin at calls of a function, the loop's caller is the innermost
// call with several of these calls inside, and an iteration begins at each of its callees that
// leads to one. Of several such call paths, that with the most iterations is taken.
//
// A loop is unsure if at least half of its iterations have only calls of MPI or tasks: MPI is
// called from everywhere in a program, so that repeated calls need not be iterations, and tasks run
// when their runtime decides. But not if it repeats its calls with their partners exactly and takes
// a good part of the process.
//
// One object for each thread. Memory: 32 bytes for each callee of an open call, at most
// `most_calls`; of a call with more, the most frequent callees are left out, since they do not
// separate iterations. And 24 bytes for each iteration that is found.
//
// Source: dynamics 3 (Score-P marks an iteration by a region of its own, and by a
// parameter "instance" behind its Enter).
#pragma once

#include "filters/iterations/choose_loops.hpp"
#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/loops.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/counted_iterations.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

enum class Mark : std::uint8_t { none, flagged, loop_role, asked };

// The calls that make the iterations of found and marked loops of one location, as numbers of its
// calls from 0 on: for a found loop, the calls at which iterations begin, and the first call behind
// it; for single calls, the call of each iteration and the first one behind it. A loop is
// identified by its first call and its number of iterations. A value.
class LoopCalls {
 public:
  void add(const Loop& loop, std::vector<std::uint64_t> numbers) {
    numbers_.insert_or_assign(make_key(loop), std::move(numbers));
  }
  // Empty if not known.
  IterationCounts list(const Loop& loop) const;
  // Drops all other loops.
  void leave(const std::vector<Loop>& loops);

 private:
  using Key = std::tuple<bool, std::uint64_t, std::uint32_t, std::size_t>;
  static Key make_key(const Loop& loop) {
    return {loop.is_found(), loop.begin(), loop.begin_order(0), loop.iterations.size()};
  }

  friend auto list_members(Like<LoopCalls> auto& calls) { return std::tie(calls.numbers_); }

  std::map<Key, std::vector<std::uint64_t>> numbers_;
};

// What the definitions or the user say about functions. Shared by all threads.
struct LoopMarks {
  std::vector<Mark> of;                // by function
  std::vector<bool> communication;     // by function: belongs to MPI
  std::vector<bool> tasks;             // by function: a runtime decides when it runs
  std::vector<bool> begins;            // by function: an iteration may begin at it; or empty
  std::size_t every = 1;               // an iteration begins at each n-th of these calls
  std::set<std::uint64_t> parameters;  // ids of parameters that number instances
  bool asked = false;                  // only regions that the user asked for count
  bool is_sampled = false;             // samples may know functions without recorded calls
  mutable std::mutex large_search;     // large searches need much memory: one at a time

  // If nothing is asked for, regions are marked by the definitions.
  LoopMarks(const Definitions& definitions, const FunctionTable& functions,
            const AskedIterations& iterations);
};

class LoopFinder {
 public:
  // Each takes 224 bytes while it is searched.
  static constexpr std::size_t most_calls = std::size_t{1} << 21;

  explicit LoopFinder(const LoopMarks& marks, std::size_t most = most_calls)
      : marks_(marks), of_(marks.of), most_(most), seen_(marks.of.size()) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    if (open_.empty()) [[unlikely]]
      note_outermost(call);

    order_ = call.time == now_ ? order_ + 1 : 0;
    now_ = call.time;
    partner_ = 0;
    // Fields are copied one by one: a copy of the struct would wait for memory, since processors
    // forward only reads of the pieces that were written.
    auto& frame = open_.emplace_back();
    frame.first = calls_.size();
    frame.number = ++entered_;
    frame.function = call.function;
    frame.order = order_;
    just_entered_ = true;
    if (of_[call.function] != Mark::none) [[unlikely]]
      begin_marked();
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    const auto frame = open_.back();
    open_.pop_back();
    just_entered_ = false;
    if (!marks_.begins.empty()) [[unlikely]]
      note_begin(frame, call);
    if (calls_.size() > frame.first) {
      search(frame, {call.inclusive, entered_ - frame.number}, call.time);
      calls_.resize(frame.first);
    }

    const auto subcalls = entered_ - frame.number + 1;
    count_once(call, subcalls == 1);

    if (frame.thinned) [[unlikely]]
      left_out_.erase(open_.size() + 1);

    const auto begin = call.time - call.inclusive;
    if (frame.marked) [[unlikely]]
      end_marked(frame, {begin, call.time});
    if (is_left_out(frame.function)) [[unlikely]]
      return;

    auto& own = calls_.emplace_back();
    own.begin = begin;
    own.end = call.time;
    own.function = frame.function;
    own.order = frame.order;
    own.calls = static_cast<std::uint32_t>(std::min(subcalls, most_subcalls));
    own.partner = marks_.communication[frame.function] ? partner_ : 0;
    if (calls_.size() >= most_) [[unlikely]]
      thin();
  }
  void other(const Event& event) {
    if (just_entered_ &&
        (event.kind == EventKind::ParameterInt || event.kind == EventKind::ParameterUnsignedInt))
      number(
          get_field<"parameter", EventKind::ParameterInt, EventKind::ParameterUnsignedInt>(event));
    if (names_partner(event.kind))
      partner_ = number_partner(event);
  }
  void unknown(std::uint64_t) {}

  // Functions whose calls were left out, after all events of a location.
  const std::set<FunctionIndex>& left_out() const { return ever_left_out_; }
  // The loops, after all events of a location.
  ProcessLoops take(std::uint64_t first_time, std::uint64_t last_time);
  // The calls that begin the iterations of these loops. Call after take(), before the next
  // location.
  LoopCalls take_calls() { return std::exchange(calls_of_loops_, {}); }

 private:
  static constexpr std::uint64_t most_subcalls = 0xffffffffu;

  struct Frame {
    std::size_t first = 0;     // of what it entered, in calls_
    std::uint64_t number = 0;  // of all calls
    FunctionIndex function = 0;
    std::uint32_t order = 0;  // number of calls before at the same time
    bool thinned = false;
    bool marked = false;  // marked when entered, or by a parameter behind its Enter
  };
  struct Instances {
    Loop loop;
    std::vector<std::uint64_t> numbers;  // as in LoopCalls
    std::uint64_t open = 0;              // number of open calls of the function
    std::vector<std::size_t> pieces;     // the first instance in each call around them
    std::uint64_t around = 0;            // number of that call; 0: none
  };

  // A call at which an iteration may begin, or that has such a call as a callee.
  struct Begin {
    std::uint64_t time = 0;
    std::uint32_t order = 0;
    FunctionIndex function = 0;  // the function at which iterations may begin
    std::size_t calls = 0;       // of such functions
    std::size_t depth = 0;       // open calls around it
  };

  void note_outermost(const CallBegin& call) {
    first_ = std::min(first_, call.time);
    stays_ += !call.is_recorded && !marks_.communication[call.function];
  }
  // Whether all calls are contexts without callees and outside of MPI: the times that threads spent
  // on a processor, as sampling tools record them.
  bool is_schedule() const { return stays_ > 0 && stays_ == entered_; }

  // `work` has the ticks of the call, and the number of calls inside of it.
  void search(const Frame& frame, const ProcessWork& work, std::uint64_t now);
  ProcessWork work_so_far(std::uint64_t now) const {
    return {now - first_ - std::min(now - first_, ticks_once_), entered_};
  }
  // Adds up the time in calls that are made once and have no callees.
  void count_once(const CallEnd& call, bool is_leaf) {
    auto& seen = seen_[call.function];
    if (seen.times++ == 0 && is_leaf)
      ticks_once_ += seen.ticks = call.inclusive;
    else
      ticks_once_ -= std::exchange(seen.ticks, 0);
  }
  static bool names_partner(EventKind kind) {
    return kind == EventKind::MpiSend || kind == EventKind::MpiIsend ||
           kind == EventKind::MpiRecv || kind == EventKind::MpiIrecv ||
           kind == EventKind::MpiCollectiveEnd;
  }
  std::uint32_t number_partner(const Event& event);
  void thin();
  bool is_left_out(FunctionIndex function) const;
  FunctionIndex find_slot(FunctionIndex function) const {
    return marks_.asked ? virtual_root : function;
  }
  // Ends a call that is no longer open: it was the caller of a loop, or is a possible begin in its
  // own caller.
  void note_begin(const Frame& frame, const CallEnd& call);
  void end_begins(const Frame& frame, std::span<const Begin> begins, std::uint64_t end);
  std::vector<Loop> take_begun_loop();
  void begin_marked();  // of the innermost open call
  void end_marked(const Frame& frame, Interval interval);
  // Stores which calls make these loops. `calls` are the callees of an open call.
  void note_calls(const std::vector<Loop>& loops, std::span<const Call> calls, std::uint64_t first);
  void number(std::uint64_t parameter);
  std::vector<Loop> marked_loops();
  std::vector<FunctionIndex> open_functions(std::size_t depth) const;

  const LoopMarks& marks_;
  std::vector<Mark> of_;  // by definitions, and by parameters of this location
  std::size_t most_;
  std::vector<Frame> open_;
  std::vector<Call> calls_;  // the callees of open calls, those of the outermost first
  std::unordered_map<std::size_t, std::set<FunctionIndex>>
      left_out_;  // by the number of open calls
  std::set<FunctionIndex> ever_left_out_;
  std::vector<CallWithLoops> found_;
  LoopCalls calls_of_loops_;
  struct Seen {
    std::uint64_t times = 0, ticks = 0;
  };
  std::vector<Seen> seen_;        // by function
  std::uint64_t ticks_once_ = 0;  // in functions that are called once and have no callees
  std::uint32_t partner_ = 0;     // of the last message or collective operation in this call
  std::map<std::array<std::uint64_t, 2>, std::uint32_t> partners_;
  std::unordered_map<FunctionIndex, Instances> marked_;
  std::vector<Begin> begins_;                         // in open calls, those of the outermost first
  std::map<std::vector<FunctionIndex>, Loop> begun_;  // of callers that have ended, by call path
  std::uint64_t first_ = ~std::uint64_t{0}, now_ = first_;  // of all times, and of the last Enter
  std::uint32_t order_ = 0;                                 // of the last Enter
  std::uint64_t entered_ = 0;                               // number of calls
  std::uint64_t stays_ = 0;  // number of outermost contexts outside of MPI
  bool just_entered_ = false;
};

}  // namespace tracefold
