#include "pipeline/expand/align_operations.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace tracefold {

namespace {

constexpr std::uint32_t most_passed_over = 64;  // calls, and operations, at once

class Alignment {
 public:
  Alignment(const Messages& messages, const CallTemplate& calls, OperationSequence& sequence)
      : messages_(messages), calls_(calls), sequence_(sequence) {
    is_in_parts_.resize(messages.paths.size());
    std::vector<bool> has_time(messages.paths.size());
    for (const auto& call : calls.calls)
      if (call.part != CallPart::whole) {
        is_in_parts_[call.path] = true;
        has_time[call.path] = has_time[call.path] || call.own > 0;
      }

    find_calls_around();
    count_outside();

    std::vector<std::uint64_t> operations(messages.paths.size()), places(messages.paths.size());
    for (std::uint32_t o = 0; o < sequence.operations.size(); ++o)
      operations[find_path(sequence.operations[o])] += !belongs_to_one_before(o);
    for (std::uint32_t c = 0; c < calls.calls.size(); ++c) {
      const auto& call = calls.calls[c];
      const auto path = call.path;
      if (path == NamedPaths::none || operations[path] == 0)
        continue;
      if (call.part != CallPart::whole && call.own == 0 && has_time[path])
        continue;
      ++places[path];
      candidates_.push_back(c);
    }

    for (std::size_t p = 0; p < operations.size(); ++p) {
      const auto each = places[p] == 0
                            ? 0.0
                            : static_cast<double>(operations[p]) / static_cast<double>(places[p]);
      cost_of_call_.push_back(std::min(1.0, each));
      cost_of_operation_.push_back(places[p] == 0 ? 0 : each <= 1 ? 1 : 1 / each);
    }
  }

  void align() {
    sequence_.places.assign(calls_.calls.size() + 1, {});
    std::size_t call = 0;  // of the candidates
    std::uint32_t operation = 0;

    while (operation < sequence_.operations.size() && call < candidates_.size()) {
      const auto agreement = find_agreement(call, operation);
      if (call + agreement.calls >= candidates_.size())
        break;

      const auto inside = operation + agreement.operations;
      operation = leave_behind(operation, inside);
      call += agreement.calls;
      operation = put(candidates_[call], operation, inside);
      latest_ = candidates_[call];
      next_operation_ = operation;
      seen_call_ = none;
      ++call;
    }

    const auto all = static_cast<std::uint32_t>(sequence_.operations.size());
    operation = leave_behind(operation, all);
    put(static_cast<std::uint32_t>(calls_.calls.size()), operation, all);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Agreement {
    std::uint32_t calls = 0, operations = 0;  // that are passed over
  };

  // The steps that the calls around each call of the template begin at, and those of these calls
  // that are in the template.
  void find_calls_around() {
    std::vector<std::uint32_t> open, functions;
    std::uint32_t step = 0;
    for (const auto& call : calls_.calls) {
      for (; step <= call.enter; ++step)
        if (calls_.steps[step].is_enter)
          open.push_back(step);
        else
          open.pop_back();
      begins_.push_back({open.front(), open.back()});

      while (!functions.empty() && calls_.calls[functions.back()].leave < call.enter)
        functions.pop_back();
      around_.push_back(functions.empty() ? none : functions.back());
      if (call.part == CallPart::whole && !call.is_mpi)
        functions.push_back(static_cast<std::uint32_t>(around_.size() - 1));
    }
  }

  // The innermost whole call of the template that was begun when the latest one was put, and goes
  // on around this one.
  std::optional<std::uint32_t> find_call_around_both(std::uint32_t call) const {
    if (!latest_)
      return std::nullopt;
    auto around = around_[call];
    while (around != none && around > *latest_)
      around = around_[around];
    return around == none ? std::nullopt : std::optional(around);
  }

  // Whether operations outside of a call of the template are passed over, up to this one.
  bool passes_over(std::uint32_t call, std::size_t operation) {
    if (seen_call_ != call) {
      seen_call_ = call;
      seen_ = next_operation_;
    }
    const auto path = calls_.calls[call].path;
    while (seen_ < operation && is_inside(find_path(sequence_.operations[seen_]), path))
      ++seen_;
    return seen_ < operation;
  }

  bool is_inside(std::uint32_t path, std::uint32_t caller) const {
    while (path != caller && path != 0)
      path = messages_.paths[path].caller;
    return path == caller;
  }

  void count_outside() {
    outside_.push_back(0);
    for (const auto operation : sequence_.operations)
      outside_.push_back(outside_.back() + (find_path(operation) == 0));
  }

  std::uint32_t find_path(std::uint32_t operation) const {
    return messages_.operations[sequence_.symbols[operation]].path;
  }
  const ClusterOperation& find_shared(std::uint32_t operation) const {
    return messages_.operations[sequence_.symbols[operation]];
  }
  // Whether an operation is in the call of one before it.
  bool follows_in_call(std::uint32_t operation) const {
    return find_shared(operation).is_in_same_call;
  }
  // Whether the operation at a place of the sequence is in that call, too, and cannot be in a part
  // of it further on.
  bool belongs_to_one_before(std::size_t place) const {
    const auto operation = sequence_.operations[place];
    if (!follows_in_call(operation))
      return false;
    const auto path = find_path(operation);
    return !is_in_parts_[path] || (place > 0 && find_path(sequence_.operations[place - 1]) == path);
  }
  static bool begins_call(const TemplateCall& call) {
    return call.part != CallPart::middle && call.part != CallPart::last;
  }
  // What begins a call is not in one that has operations already, also in calls inside of it. What
  // comes behind an operation outside of all calls is in another outermost call than what came
  // before; and so it is with operations outside of a call of the template.
  bool agree(std::size_t candidate, std::size_t operation) {
    if (candidate >= candidates_.size() || operation >= sequence_.operations.size())
      return false;

    const auto call = candidates_[candidate];
    const auto symbol = sequence_.operations[operation];
    if (calls_.calls[call].path != find_path(symbol))
      return false;
    if (outside_[operation] != outside_[next_operation_] && is_in_latest_outermost(call))
      return false;
    if (const auto around = find_call_around_both(call); around && passes_over(*around, operation))
      return false;

    if (follows_in_call(symbol))
      return !begins_call(calls_.calls[call]);
    const bool has_operations = latest_ && begins_[call].own <= calls_.calls[*latest_].enter;
    return !has_operations;
  }

  bool is_in_latest_outermost(std::uint32_t call) const {
    return latest_ && begins_[call].outermost == begins_[*latest_].outermost;
  }

  // Passes over as little as can be: calls whose path mostly has no operation, and operations whose
  // path has more of them than calls, cost less.
  Agreement find_agreement(std::size_t call, std::uint32_t operation) {
    Agreement best;
    for (; call + best.calls < candidates_.size(); find_far(call, operation, best)) {
      if (agree(call + best.calls, operation + best.operations))
        return best;
      const auto near = find_near(call + best.calls, operation + best.operations);
      if (near)
        return {best.calls + near->calls, best.operations + near->operations};
      if (operation + best.operations >= sequence_.operations.size())
        break;
    }
    return {static_cast<std::uint32_t>(candidates_.size() - call), 0};
  }

  std::optional<Agreement> find_near(std::size_t call, std::uint32_t operation) {
    std::optional<Agreement> best;
    double least = std::numeric_limits<double>::infinity();
    double cost_of_calls = 0;
    for (std::uint32_t c = 0; c <= most_passed_over && call + c < candidates_.size(); ++c) {
      auto cost = cost_of_calls;
      for (std::uint32_t o = 0; o <= most_passed_over && cost < least; ++o) {
        if (operation + o >= sequence_.operations.size())
          break;
        if (agree(call + c, operation + o)) {
          best = Agreement{c, o};
          least = cost;
        }
        if (!belongs_to_one_before(operation + o))
          cost += cost_of_operation_[find_path(sequence_.operations[operation + o])];
      }
      cost_of_calls += find_cost(calls_.calls[candidates_[call + c]]);
    }
    return best;
  }

  // Between the calls inside of a call there often is nothing.
  double find_cost(const TemplateCall& call) const {
    const bool is_whole = call.part == CallPart::whole || call.part == CallPart::only;
    return cost_of_call_[call.path] / (is_whole ? 1 : most_passed_over);
  }

  // Passes over what is behind in its own order: calls or operations.
  void find_far(std::size_t call, std::uint32_t operation, Agreement& passed) const {
    const auto share = [](std::size_t at, std::size_t all) {
      return static_cast<double>(at) / static_cast<double>(all);
    };
    constexpr std::uint32_t stride = most_passed_over / 2;
    const auto operations_left =
        static_cast<std::uint32_t>(sequence_.operations.size()) - operation - passed.operations;
    if (share(call + passed.calls, candidates_.size()) <
        share(operation + passed.operations, sequence_.operations.size()))
      passed.calls += stride;
    else
      passed.operations += std::min(stride, operations_left);
  }

  // Operations that get calls of their own stand behind the last call as long as they are called
  // where that has ended. Returns the first that is not.
  std::uint32_t leave_behind(std::uint32_t operation, std::uint32_t until) {
    if (next_ == 0)
      return operation;

    const auto& last = calls_.calls[next_ - 1];
    const bool goes_on = last.part == CallPart::first || last.part == CallPart::middle;
    const auto caller = goes_on ? last.path : messages_.paths[last.path].caller;
    for (; operation < until; ++operation) {
      if (messages_.paths[find_path(sequence_.operations[operation])].caller != caller)
        break;
      ++sequence_.apart;
    }
    return operation;
  }

  // Nothing is in the calls before this one that have nothing yet. What comes before the last
  // operation outside of all calls is done before the next outermost call. Returns the first
  // operation behind the call.
  std::uint32_t put(std::uint32_t call, std::uint32_t operation, std::uint32_t inside) {
    const bool is_call = call < calls_.calls.size();
    sequence_.apart += inside - operation;
    const auto outside = is_call ? find_end_of_outermost(operation, inside) : operation;
    for (; next_ < call; ++next_) {
      auto done = is_in_latest_outermost(next_) ? operation : outside;
      if (is_call && is_around(next_, call))
        done = std::max(done, find_end_of_outside(calls_.calls[next_].path, operation, inside));
      sequence_.places[next_] = {operation, done, done, done};
      operation = done;
    }

    const auto behind = is_call ? take(call, inside) : inside;
    sequence_.places[call] = {operation, outside, inside, behind};
    next_ = call + 1;

    // What the calls around this one do when it has ended stands behind it.
    auto next = behind;
    while (next < sequence_.operations.size() && belongs_to_one_before(next))
      ++next;
    sequence_.apart += next - behind;
    return next;
  }

  // Behind the last of these operations that is outside of all calls.
  std::uint32_t find_end_of_outermost(std::uint32_t first, std::uint32_t end) const {
    while (end > first && outside_[end] == outside_[end - 1])
      --end;
    return end;
  }

  // Behind the last of them that is not in a call of this path.
  std::uint32_t find_end_of_outside(std::uint32_t path, std::uint32_t first,
                                    std::uint32_t end) const {
    while (end > first && is_inside(find_path(sequence_.operations[end - 1]), path))
      --end;
    return end;
  }

  bool is_around(std::uint32_t outer, std::uint32_t call) const {
    auto around = around_[call];
    while (around != none && around > outer)
      around = around_[around];
    return around == outer;
  }

  // Behind the last operation that is in a call.
  std::uint32_t take(std::uint32_t call, std::uint32_t operation) const {
    const auto path = calls_.calls[call].path;
    const auto first = operation;
    while (operation < sequence_.operations.size() &&
           find_path(sequence_.operations[operation]) == path &&
           (operation == first || follows_in_call(sequence_.operations[operation])))
      ++operation;
    return operation;
  }

  const Messages& messages_;
  const CallTemplate& calls_;
  OperationSequence& sequence_;
  std::vector<std::uint32_t> candidates_;  // calls in whose path operations are
  struct Begin {
    std::uint32_t outermost = 0, own = 0;
  };
  std::vector<Begin> begins_;  // by call: steps of the outermost call around it, and of its own
  std::vector<std::uint32_t> around_;   // by call: the whole one of the template around it, or none
  std::vector<std::uint32_t> outside_;  // by place: operations outside of all calls before it
  std::optional<std::uint32_t> latest_;  // the call put last
  std::uint32_t next_operation_ = 0;     // behind it
  // Operations from there up to this one are all in one call.
  std::uint32_t seen_call_ = none, seen_ = 0;
  std::vector<bool> is_in_parts_;                         // by path
  std::vector<double> cost_of_call_, cost_of_operation_;  // by path
  std::uint32_t next_ = 0;                                // call that was not put yet
};

}  // namespace

OperationSequence list_operations(const Messages& messages, const MainCluster& cluster,
                                  std::uint8_t thread, std::size_t most) {
  OperationSequence sequence;
  const auto is_own = [&](std::uint32_t symbol) {
    return messages.operations[symbol].thread == thread;
  };
  sequence.symbols = list_symbols(cluster.sequence);
  std::erase_if(sequence.symbols, [&](auto symbol) { return !is_own(symbol); });

  std::uint64_t operations = count_symbols(cluster.sequence);
  if (operations > most)
    throw Error(ErrorKind::input, "its operations, unfolded, need more memory than there is")
        .hint("raise `memory`");
  for (SequenceCursor cursor(cluster.sequence); !cursor.at_end(); cursor.advance()) {
    if (!is_own(cursor.symbol()))
      continue;
    const auto at =
        std::lower_bound(sequence.symbols.begin(), sequence.symbols.end(), cursor.symbol());
    sequence.operations.push_back(static_cast<std::uint32_t>(at - sequence.symbols.begin()));
  }
  return sequence;
}

void align_operations(const Messages& messages, const CallTemplate& calls,
                      OperationSequence& sequence) {
  Alignment(messages, calls, sequence).align();
}

}  // namespace tracefold
