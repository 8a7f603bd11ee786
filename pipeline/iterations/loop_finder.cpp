#include "pipeline/iterations/loop_finder.hpp"

#include "filters/iterations/choose_loops.hpp"
#include "filters/iterations/find_loops_in_call.hpp"
#include "filters/iterations/loop_markers.hpp"
#include "filters/iterations/split_iterations.hpp"
#include "model/profile/function_names.hpp"

#include <algorithm>
#include <functional>

namespace tracefold {

using K = DefinitionKind;

namespace {

Mark find_mark(const Definition& region) {
  using namespace otf2_value;
  if (get_field<"regionFlags", K::Region>(region) & (region_flag_dynamic | region_flag_phase))
    return Mark::flagged;

  // Not OpenMP's: one instance is all of a loop.
  const auto paradigm = get_field<"paradigm", K::Region>(region);
  const bool is_of_program = paradigm == paradigm_user || paradigm == paradigm_compiler;
  const bool is_loop = get_field<"regionRole", K::Region>(region) == region_role_loop;

  return is_loop && is_of_program ? Mark::loop_role : Mark::none;
}

constexpr std::size_t large_search = std::size_t{1} << 18;  // calls

// What is left of the confidence in a loop without calls of the program itself: it is unsure, also
// where that is known for half of the processes only. But not if it repeats its calls exactly and
// is this share of the process's work.
constexpr double without_own_calls = 0.04;
constexpr double least_share_of_repeated = 0.3;

// In how many iterations of a loop the caller makes a call that is neither MPI's nor a task.
std::size_t count_iterations_with_own_calls(const Loop& loop, std::span<const Call> calls,
                                            const LoopMarks& marks) {
  std::size_t with_own_calls = 0;
  std::size_t iteration = 0;
  std::size_t next_to_count = 0;

  for (const auto& call : calls) {
    const std::pair at(call.begin, call.order);
    if (at < std::pair(loop.begin(), loop.begin_order(0)) || marks.communication[call.function] ||
        marks.tasks[call.function])
      continue;
    if (at >= std::pair(loop.end(), loop.end_order))
      break;

    while (iteration + 1 < loop.iterations.size() &&
           at >= std::pair(loop.iterations[iteration + 1].begin, loop.begin_order(iteration + 1)))
      ++iteration;
    if (iteration >= next_to_count) {
      ++with_own_calls;
      next_to_count = iteration + 1;
    }
  }

  return with_own_calls;
}

void doubt_loops_without_own_calls(std::vector<Loop>& loops, std::span<const Call> calls,
                                   const LoopMarks& marks, const ProcessWork& work) {
  if (marks.is_sampled)
    return;
  for (auto& loop : loops) {
    loop.has_own_calls =
        2 * count_iterations_with_own_calls(loop, calls, marks) > loop.iterations.size();
    const bool is_main_loop = loop.is_repeated && work.compute_share(loop.ticks, loop.subcalls) >=
                                                      least_share_of_repeated;
    if (!loop.has_own_calls && !is_main_loop)
      loop.confidence *= without_own_calls;
  }
}

// A region of the role may be the loop or one pass of it.
std::size_t fewest_instances(Mark mark) {
  return mark == Mark::asked ? 1 : mark == Mark::flagged ? 2 : fewest_iterations;
}

}  // namespace

LoopMarks::LoopMarks(const Definitions& definitions, const FunctionTable& functions,
                     const AskedIterations& iterations)
    : of(functions.functions().size(), Mark::none),
      communication(of.size()),
      tasks(of.size()),
      every(std::max<std::size_t>(iterations.every, 1)),
      asked(!iterations.empty()) {
  if (!iterations.begin_at.empty())
    for (const auto& function : functions.functions())
      begins.push_back(matches_function(iterations.begin_at, function));

  for (const auto& d : definitions.all()) {
    if (d.kind == K::Parameter &&
        definitions.text(get_field<"name", K::Parameter>(d)) == "instance")
      parameters.insert(d.id());
    is_sampled = is_sampled || d.kind == K::CallingContext;
    if (d.kind != K::Region)
      continue;

    const auto entry = functions.find(d.id());
    if (entry.is_dropped())
      continue;
    const auto& function = functions.functions()[entry.function];
    if (get_field<"paradigm", K::Region>(d) == otf2_value::paradigm_mpi ||
        function.name.starts_with("MPI_"))
      communication[entry.function] = true;
    const auto role = get_field<"regionRole", K::Region>(d);
    if (role == otf2_value::region_role_task || role == otf2_value::region_role_task_untied)
      tasks[entry.function] = true;

    auto mark = Mark::none;
    if (!asked)
      mark = find_mark(d);
    else if (matches_function(iterations.region, function))
      mark = Mark::asked;

    if (mark != Mark::none)
      of[entry.function] = mark;
  }
}

IterationCounts LoopCalls::list(const Loop& loop) const {
  IterationCounts counts;
  const auto found = numbers_.find(make_key(loop));
  if (found == numbers_.end())
    return counts;

  const auto& numbers = found->second;
  const auto iterations = loop.iterations.size();
  for (std::size_t i = 0; i < iterations; ++i)
    if (loop.is_found())
      counts.push_back({numbers[i], numbers[i + 1], i + 1 < iterations, false});
    else
      counts.push_back({numbers[2 * i], numbers[2 * i + 1], false, true});
  return counts;
}

void LoopCalls::leave(const std::vector<Loop>& loops) {
  std::map<Key, std::vector<std::uint64_t>> left;
  for (const auto& loop : loops)
    if (auto found = numbers_.extract(make_key(loop)))
      left.insert(std::move(found));
  numbers_ = std::move(left);
}

std::vector<FunctionIndex> LoopFinder::open_functions(std::size_t depth) const {
  std::vector<FunctionIndex> path;
  for (std::size_t k = 0; k < depth; ++k)
    path.push_back(open_[k].function);
  return path;
}

void LoopFinder::search(const Frame& frame, const ProcessWork& work, std::uint64_t now) {
  const std::span<const Call> calls = std::span<const Call>(calls_).subspan(frame.first);
  if (marks_.asked || calls.size() < fewest_iterations)
    return;

  const auto so_far = work_so_far(now);
  const auto share = so_far.compute_share(work.ticks, work.calls);
  if (share < least_work_of_call)
    return;

  std::unique_lock one_at_a_time(marks_.large_search, std::defer_lock);
  if (calls.size() >= large_search)
    one_at_a_time.lock();

  // Where one call makes most calls, and they communicate, names alone say too little.
  const auto communicating =
      static_cast<std::size_t>(std::count_if(calls.begin(), calls.end(), [&](const Call& call) {
        return marks_.communication[call.function];
      }));
  auto key = CallKey::function;
  if (2 * calls.size() >= so_far.calls && 2 * communicating > calls.size())
    key = communicating == calls.size() ? CallKey::place : CallKey::partner;

  auto loops = find_loops_in_call(calls, least_share / 2 / share, key);
  if (one_at_a_time.owns_lock())
    one_at_a_time.unlock();

  // The same message again and again is no iteration of its own.
  std::erase_if(loops, [&](const Loop& loop) {
    return loop.calls == 1 && marks_.communication[loop.function];
  });
  if (loops.empty())
    return;

  doubt_loops_without_own_calls(loops, calls, marks_, so_far);
  if (ever_left_out_.empty())
    note_calls(loops, calls, frame.number);

  auto path = open_functions(open_.size());
  if (frame.function != virtual_root)
    path.push_back(frame.function);
  for (auto& loop : loops)
    loop.path = path;

  // The shares of calls only become smaller.
  std::erase_if(found_, [&](const CallWithLoops& call) {
    return so_far.compute_share(call.ticks, call.calls) < least_work_of_call;
  });
  found_.push_back({std::move(loops), work.ticks, work.calls});
}

void LoopFinder::note_calls(const std::vector<Loop>& loops, std::span<const Call> calls,
                            std::uint64_t first) {
  auto call = calls.begin();
  auto number = first;  // of the call
  bool is_known = true;
  const auto pass_to = [&](std::uint64_t time, std::uint32_t order) {
    for (; call != calls.end() && std::pair(call->begin, call->order) < std::pair(time, order);
         ++call) {
      number += call->calls;
      is_known &= call->calls < most_subcalls;
    }
    return number;
  };

  for (const auto& loop : loops) {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < loop.iterations.size(); ++i)
      numbers.push_back(pass_to(loop.iterations[i].begin, loop.begin_order(i)));
    numbers.push_back(pass_to(loop.end(), loop.end_order));
    if (is_known)
      calls_of_loops_.add(loop, std::move(numbers));
  }
}

std::uint32_t LoopFinder::number_partner(const Event& event) {
  using enum EventKind;

  constexpr auto all_members = ~std::uint64_t{0};
  auto peer = all_members;
  if (event.kind == MpiSend || event.kind == MpiIsend)
    peer = get_field<"receiver", MpiSend, MpiIsend>(event);
  else if (event.kind == MpiRecv || event.kind == MpiIrecv)
    peer = get_field<"sender", MpiRecv, MpiIrecv>(event);

  const auto communicator =
      get_field<"communicator", MpiSend, MpiIsend, MpiRecv, MpiIrecv, MpiCollectiveEnd>(event);
  const auto next = static_cast<std::uint32_t>(partners_.size() + 1);
  return partners_.try_emplace({communicator, peer}, next).first->second;
}

bool LoopFinder::is_left_out(FunctionIndex function) const {
  if (left_out_.empty())
    return false;
  const auto at = left_out_.find(open_.size());
  return at != left_out_.end() && at->second.contains(function);
}

// Makes room: of the open call that has entered the most, the functions that it
// entered most often are left out until half of its calls are gone.
void LoopFinder::thin() {
  const auto find_last = [&](std::size_t depth) {
    return depth < open_.size() ? open_[depth].first : calls_.size();
  };  // of the calls at a depth
  const auto find_first = [&](std::size_t depth) {
    return depth == 0 ? std::size_t{0} : open_[depth - 1].first;
  };
  std::size_t depth = 0;
  for (std::size_t d = 1; d <= open_.size(); ++d)
    if (find_last(d) - find_first(d) > find_last(depth) - find_first(depth))
      depth = d;

  std::unordered_map<FunctionIndex, std::size_t> counts;
  const auto begin = calls_.begin() + static_cast<std::ptrdiff_t>(find_first(depth)),
             end = calls_.begin() + static_cast<std::ptrdiff_t>(find_last(depth));
  for (auto call = begin; call != end; ++call)
    ++counts[call->function];
  if (counts.empty())
    return;

  std::vector<std::pair<std::size_t, FunctionIndex>> most(counts.size());
  std::transform(counts.begin(), counts.end(), most.begin(),
                 [](const auto& of) { return std::pair(of.second, of.first); });
  std::sort(most.begin(), most.end(), std::greater<>());
  auto& left_out = left_out_[depth];
  std::size_t going = 0;

  for (auto of = most.begin(); of != most.end() && 2 * going < find_last(depth) - find_first(depth);
       ++of) {
    left_out.insert(of->second);
    ever_left_out_.insert(of->second);
    going += of->first;
  }

  if (depth > 0)
    open_[depth - 1].thinned = true;

  const auto kept = std::remove_if(
      begin, end, [&](const Call& call) { return left_out.contains(call.function); });
  const auto gone = static_cast<std::size_t>(end - kept);
  calls_.erase(kept, end);
  for (auto d = depth; d < open_.size(); ++d)
    open_[d].first -= gone;
}

void LoopFinder::begin_marked() {
  const auto function = open_.back().function;
  open_.back().marked = true;
  auto [at, fresh] = marked_.try_emplace(find_slot(function));
  auto& loop = at->second.loop;
  if (fresh) {
    loop.source = marks_.asked ? LoopSource::asked : LoopSource::marked;
    loop.function = function;
    loop.path = open_functions(open_.size() - 1);
  }

  if (at->second.open++ > 0)
    return;

  const auto around = open_.size() > 1 ? open_[open_.size() - 2].number : 0;
  if (at->second.pieces.empty() || around != at->second.around)
    at->second.pieces.push_back(loop.iterations.size());

  at->second.around = around;
}

void LoopFinder::end_marked(const Frame& frame, Interval interval) {
  auto& instances = marked_.at(find_slot(frame.function));
  if (--instances.open > 0)
    return;  // inside another one
  instances.loop.add(interval, frame.order);
  instances.numbers.push_back(frame.number - 1);
  instances.numbers.push_back(entered_);
  instances.loop.ticks += interval.end - interval.begin;
}

void LoopFinder::number(std::uint64_t parameter) {
  just_entered_ = false;
  const auto function = open_.back().function;
  if (marks_.asked || of_[function] == Mark::flagged || !marks_.parameters.contains(parameter))
    return;
  if (!open_.back().marked)
    begin_marked();
  of_[function] = Mark::flagged;
}

void LoopFinder::note_begin(const Frame& frame, const CallEnd& call) {
  const auto depth = open_.size() + 1;
  auto first = begins_.size();
  Begin own{call.time - call.inclusive, frame.order, frame.function, 0, depth - 1};
  while (first > 0 && begins_[first - 1].depth == depth) {
    --first;
    own.calls += begins_[first].calls;
    own.function = begins_[first].function;
  }

  if (own.calls > marks_.every) {
    end_begins(frame, std::span<const Begin>(begins_).subspan(first), call.time);
    own.calls = 0;
  }

  begins_.resize(first);
  if (marks_.begins[frame.function]) {
    own.function = frame.function;
    own.calls = 1;
  }
  if (own.calls > 0)
    begins_.push_back(own);
}

// Iterations of one call path are one loop, apart from each other where their callers are.
void LoopFinder::end_begins(const Frame& frame, std::span<const Begin> begins, std::uint64_t end) {
  auto path = open_functions(open_.size());
  if (frame.function != virtual_root)
    path.push_back(frame.function);

  const std::span<const Call> calls = std::span<const Call>(calls_).subspan(frame.first);
  std::vector<const Begin*> first_of_iterations;
  std::vector<std::size_t> places;
  std::size_t seen = 0;
  for (const auto& begin : begins) {
    const auto next = (seen + marks_.every - 1) / marks_.every * marks_.every;
    seen += begin.calls;
    if (next >= seen)
      continue;

    first_of_iterations.push_back(&begin);
    const auto at = std::lower_bound(calls.begin(), calls.end(), std::pair(begin.time, begin.order),
                                     [](const Call& call, const auto& time_and_order) {
                                       return std::pair(call.begin, call.order) < time_and_order;
                                     });
    if (at != calls.end() && at->begin == begin.time && at->order == begin.order)
      places.push_back(static_cast<std::size_t>(at - calls.begin()));
  }

  const auto iterations = first_of_iterations.size();
  if (iterations < 2)
    return;

  // Where calls were left out, the last iteration lasts as long as their caller.
  std::uint32_t end_order = 0;
  if (places.size() == iterations) {
    std::unique_lock one_at_a_time(marks_.large_search, std::defer_lock);
    if (calls.size() >= large_search)
      one_at_a_time.lock();
    const auto& last = calls[find_loop_end(CallSequence(calls), places) - 1];
    end = last.end;
    end_order = last.begin == last.end ? last.order + 1 : 0;
  }

  auto& loop = begun_[path];
  if (loop.iterations.empty()) {
    loop.source = LoopSource::asked_begin;
    loop.function = begins.front().function;
    loop.path = path;
  }

  loop.end_order = end_order;
  loop.ticks += end - begins.front().time;
  for (std::size_t i = 0; i < iterations; ++i)
    loop.add(
        {first_of_iterations[i]->time, i + 1 < iterations ? first_of_iterations[i + 1]->time : end},
        first_of_iterations[i]->order);
}

std::vector<Loop> LoopFinder::take_begun_loop() {
  auto begun = std::exchange(begun_, {});
  if (begun.empty())
    return {};

  const auto most = std::max_element(begun.begin(), begun.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.iterations.size(), a.second.ticks) <
           std::pair(b.second.iterations.size(), b.second.ticks);
  });

  return {std::move(most->second)};
}

// The instances in one call are a loop, and those alone in theirs none; all are
// one loop where most are alone.
std::vector<Loop> LoopFinder::marked_loops() {
  std::vector<Loop> out;

  for (auto& [slot, instances] : marked_) {
    auto& all = instances.loop.iterations;
    const auto fewest = fewest_instances(of_[instances.loop.function]);
    if (all.size() < fewest)
      continue;

    auto& pieces = instances.pieces;
    pieces.push_back(all.size());
    std::size_t in_loops = 0;
    for (std::size_t k = 0; k + 1 < pieces.size(); ++k)
      if (pieces[k + 1] - pieces[k] >= std::max<std::size_t>(fewest, 2))
        in_loops += pieces[k + 1] - pieces[k];

    if (marks_.asked || pieces.size() == 2 || 2 * in_loops < all.size()) {
      calls_of_loops_.add(instances.loop, std::move(instances.numbers));
      out.push_back(std::move(instances.loop));
      continue;
    }

    for (std::size_t k = 0; k + 1 < pieces.size(); ++k) {
      if (pieces[k + 1] - pieces[k] < std::max<std::size_t>(fewest, 2))
        continue;

      Loop piece;
      piece.source = instances.loop.source;
      piece.path = instances.loop.path;
      piece.function = instances.loop.function;
      for (auto i = pieces[k]; i < pieces[k + 1]; ++i) {
        piece.add(all[i], instances.loop.begin_order(i));
        piece.ticks += all[i].end - all[i].begin;
      }

      const auto numbers = std::span(instances.numbers).subspan(2 * pieces[k]);
      calls_of_loops_.add(
          piece, {numbers.begin(),
                  numbers.begin() + static_cast<std::ptrdiff_t>(2 * (pieces[k + 1] - pieces[k]))});
      out.push_back(std::move(piece));
    }
  }

  return out;
}

ProcessLoops LoopFinder::take(std::uint64_t first_time, std::uint64_t last_time) {
  const auto ticks = last_time - std::min(last_time, first_);
  const Frame root{0, 0, virtual_root, 0, false, false};
  if (!is_schedule())
    search(root, {ticks, entered_}, last_time);

  std::size_t begins = 0;
  for (const auto& begin : begins_)
    begins += begin.calls;
  if (begins > marks_.every)
    end_begins(root, begins_, last_time);

  auto out =
      choose_process_loops(marks_.begins.empty() ? marked_loops() : take_begun_loop(),
                           choose_nested_loops(std::exchange(found_, {}), work_so_far(last_time)),
                           first_time, last_time);
  calls_of_loops_.leave(out.loops);
  marked_.clear();
  begins_.clear();
  left_out_.clear();
  ever_left_out_.clear();
  calls_.clear();
  open_.clear();
  of_ = marks_.of;
  first_ = now_ = ~std::uint64_t{0};
  entered_ = stays_ = ticks_once_ = 0;
  partner_ = 0;
  partners_.clear();
  seen_.assign(seen_.size(), {});
  just_entered_ = false;

  return out;
}

}  // namespace tracefold
