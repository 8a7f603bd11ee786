// Finds the loops of one location after the other from clean events.
//
// While a call is open, the calls that it entered are kept; when it ends, and did
// a fair part of the work so far, they are searched for loops and forgotten. At the
// end, the outer loop or those in it are chosen (choose_nested_loops). Regions that
// are marked, and those that the user asks for, are kept as they come. Where iterations are
// asked to begin at calls of a function, the innermost call that made several of these calls,
// directly or through others, is the caller of the loop, and an iteration begins at those of
// its own calls that lead there. Of several such call paths the one where most iterations begin
// counts.
//
// Where at least half of a loop's iterations hold calls of MPI or tasks alone, it is unsure: calls
// of MPI come from everywhere in a program, so that the same ones again and again need not be its
// iterations, and tasks run when their runtime sees fit.
//
// One per thread. Memory: 32 bytes for each call that an open one has entered, at
// most `most_calls` of them; of a call that enters more, the functions it enters
// most often are left out, since they part no iterations. Besides, 24 bytes for each
// iteration of what is found.
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

// Which calls make the iterations of found and of marked loops of one location, as numbers of its
// calls, from 0 on: of a found loop those that begin its iterations, and the first one behind it;
// of single calls each iteration's own, and the first one behind that. Loops are told by the call
// that begins them, and by how many iterations they have. A value.
class LoopCalls {
 public:
  void add(const Loop& loop, std::vector<std::uint64_t> numbers) {
    numbers_.insert_or_assign(make_key(loop), std::move(numbers));
  }
  // Empty where they are not known.
  IterationCounts list(const Loop& loop) const;
  // Forgets the calls of all but these loops.
  void leave(const std::vector<Loop>& loops);

 private:
  using Key = std::tuple<bool, std::uint64_t, std::uint32_t, std::size_t>;
  static Key make_key(const Loop& loop) {
    return {loop.is_found(), loop.begin(), loop.begin_order(0), loop.iterations.size()};
  }

  friend auto list_members(Like<LoopCalls> auto& calls) { return std::tie(calls.numbers_); }

  std::map<Key, std::vector<std::uint64_t>> numbers_;
};

// What the definitions, or the user, say of functions. Shared by all threads.
struct LoopMarks {
  std::vector<Mark> of;                // by function
  std::vector<bool> communication;     // by function: MPI's
  std::vector<bool> tasks;             // by function: a runtime chooses when it runs
  std::vector<bool> begins;            // by function: an iteration may begin at it; or empty
  std::size_t every = 1;               // it begins at every so many of these calls
  std::set<std::uint64_t> parameters;  // ids of the parameters that number instances
  bool asked = false;                  // only those that the user asked for count
  bool is_sampled = false;             // samples may know functions of which no calls are recorded
  mutable std::mutex large_search;     // such take much memory: one at a time

  // Nothing asked: as the definitions mark them.
  LoopMarks(const Definitions& definitions, const FunctionTable& functions,
            const AskedIterations& iterations);
};

class LoopFinder {
 public:
  // While they are searched for loops, 224 bytes for each.
  static constexpr std::size_t most_calls = std::size_t{1} << 21;

  explicit LoopFinder(const LoopMarks& marks, std::size_t most = most_calls)
      : marks_(marks), of_(marks.of), most_(most), seen_(marks.of.size()) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    if (open_.empty()) [[unlikely]]
      note_outermost(call);

    order_ = call.time == now_ ? order_ + 1 : 0;
    now_ = call.time;
    partner_ = 0;
    // Field by field: a copy of a whole struct would wait until its fields are in memory, since
    // processors forward only what is read in the pieces in which it was written.
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

  // Functions whose calls were left out, of the location whose events have all been seen.
  const std::set<FunctionIndex>& left_out() const { return ever_left_out_; }
  // The loops of the location whose events have all been seen.
  ProcessLoops take(std::uint64_t first_time, std::uint64_t last_time);
  // The calls that begin the iterations of these loops; after take(), before the next location.
  LoopCalls take_calls() { return std::exchange(calls_of_loops_, {}); }

 private:
  static constexpr std::uint64_t most_subcalls = 0xffffffffu;

  struct Frame {
    std::size_t first = 0;     // of what it entered, in calls_
    std::uint64_t number = 0;  // of all calls
    FunctionIndex function = 0;
    std::uint32_t order = 0;  // of calls entered at the same time
    bool thinned = false;
    bool marked = false;  // when it was entered, or by a parameter behind its Enter
  };
  struct Instances {
    Loop loop;
    std::vector<std::uint64_t> numbers;  // as LoopCalls has them
    std::uint64_t open = 0;              // calls of the function, one in another
    std::vector<std::size_t> pieces;     // the first instance in each call around them
    std::uint64_t around = 0;            // that call's number, 0: none
  };

  // A call at which an iteration may begin, or that made such calls itself.
  struct Begin {
    std::uint64_t time = 0;
    std::uint32_t order = 0;
    FunctionIndex function = 0;  // where it is asked to begin
    std::size_t calls = 0;       // of such functions
    std::size_t depth = 0;       // open calls around it
  };

  void note_outermost(const CallBegin& call) {
    first_ = std::min(first_, call.time);
    stays_ += !call.is_recorded && !marks_.communication[call.function];
  }
  // Whether all calls are contexts that nothing is called in, and none is MPI's: the times that
  // threads were on a processor, as tools that sample record them.
  bool is_schedule() const { return stays_ > 0 && stays_ == entered_; }

  // What a call did: its ticks, and the calls that were entered in it.
  void search(const Frame& frame, const ProcessWork& work, std::uint64_t now);
  ProcessWork work_so_far(std::uint64_t now) const {
    return {now - first_ - std::min(now - first_, ticks_once_), entered_};
  }
  // Keeps the time in calls that are made once and call nothing.
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
  // Ends a call, which is no longer open: it was the caller of a loop, or is a begin in its own
  // caller.
  void note_begin(const Frame& frame, const CallEnd& call);
  void end_begins(const Frame& frame, std::span<const Begin> begins, std::uint64_t end);
  std::vector<Loop> take_begun_loop();
  void begin_marked();  // the innermost open call
  void end_marked(const Frame& frame, Interval interval);
  // Keeps which calls make these loops, which are those that an open call made.
  void note_calls(const std::vector<Loop>& loops, std::span<const Call> calls, std::uint64_t first);
  void number(std::uint64_t parameter);
  std::vector<Loop> marked_loops();
  std::vector<FunctionIndex> open_functions(std::size_t depth) const;

  const LoopMarks& marks_;
  std::vector<Mark> of_;  // those of the definitions, and what parameters tell of this location
  std::size_t most_;
  std::vector<Frame> open_;
  std::vector<Call> calls_;  // that the open calls have entered, of the outermost first
  std::unordered_map<std::size_t, std::set<FunctionIndex>>
      left_out_;  // by the number of open calls
  std::set<FunctionIndex> ever_left_out_;
  std::vector<CallWithLoops> found_;
  LoopCalls calls_of_loops_;
  struct Seen {
    std::uint64_t times = 0, ticks = 0;
  };
  std::vector<Seen> seen_;        // by function
  std::uint64_t ticks_once_ = 0;  // in functions that are called once, and call nothing
  std::uint32_t partner_ = 0;     // of the last message or collective operation in this call
  std::map<std::array<std::uint64_t, 2>, std::uint32_t> partners_;
  std::unordered_map<FunctionIndex, Instances> marked_;
  std::vector<Begin> begins_;                         // in open calls, of the outermost first
  std::map<std::vector<FunctionIndex>, Loop> begun_;  // whose callers have ended, by call path
  std::uint64_t first_ = ~std::uint64_t{0}, now_ = first_;  // of all times, and of the last Enter
  std::uint32_t order_ = 0;                                 // of the last Enter
  std::uint64_t entered_ = 0;                               // calls
  std::uint64_t stays_ = 0;  // of them: outermost contexts that are none of MPI's functions
  bool just_entered_ = false;
};

}  // namespace tracefold
