#include "pipeline/expand/align_operations.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tracefold {

namespace {

constexpr std::uint32_t most_passed_over = 64;  // calls, and operations, at once

// A call that sends or receives one message; one of MPI_Sendrecv holds two, of MPI_Startall any
// number.
bool is_single_message(const std::vector<std::string>& names, const NamedPath& path) {
  if (names.empty())
    return false;
  const std::string_view name = names[path.name];
  const bool is_message =
      name.find("end") != std::string_view::npos || name.find("ecv") != std::string_view::npos;
  return name.starts_with("MPI_") && is_message && (name.find("endrecv") == std::string_view::npos);
}

class Alignment {
 public:
  Alignment(const Messages& messages, const CallTemplate& calls, OperationSequence& sequence)
      : messages_(messages), calls_(calls), sequence_(sequence) {
    std::vector<std::uint64_t> operations(messages.paths.size()), places(messages.paths.size());
    for (auto operation : sequence.operations)
      operations[find_path(operation)] += !follows_in_call(operation);
    for (std::uint32_t c = 0; c < calls.calls.size(); ++c) {
      const auto path = calls.calls[c].path;
      if (path == NamedPaths::none || operations[path] == 0)
        continue;
      ++places[path];
      candidates_.push_back(c);
    }

    for (std::size_t p = 0; p < operations.size(); ++p) {
      const auto each = places[p] == 0
                            ? 0.0
                            : static_cast<double>(operations[p]) / static_cast<double>(places[p]);
      const bool is_single = is_single_message(messages.names, messages.paths[p]);
      most_in_call_.push_back(is_single ? 1 : std::max(1.0, std::ceil(each)));
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
      ++call;
    }

    const auto all = static_cast<std::uint32_t>(sequence_.operations.size());
    operation = leave_behind(operation, all);
    put(static_cast<std::uint32_t>(calls_.calls.size()), operation, all);
  }

 private:
  struct Agreement {
    std::uint32_t calls = 0, operations = 0;  // that are passed over
  };

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
  bool agree(std::size_t call, std::size_t operation) const {
    return call < candidates_.size() && operation < sequence_.operations.size() &&
           !follows_in_call(sequence_.operations[operation]) &&
           calls_.calls[candidates_[call]].path == find_path(sequence_.operations[operation]);
  }

  // Passes over as little as can be: calls whose path mostly has no operation, and operations whose
  // path has more of them than calls, cost less.
  Agreement find_agreement(std::size_t call, std::uint32_t operation) const {
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

  std::optional<Agreement> find_near(std::size_t call, std::uint32_t operation) const {
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
        if (!follows_in_call(sequence_.operations[operation + o]))
          cost += cost_of_operation_[find_path(sequence_.operations[operation + o])];
      }
      cost_of_calls += cost_of_call_[calls_.calls[candidates_[call + c]].path];
    }
    return best;
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

  // Operations that get calls of their own stand behind the last call as long as they have the same
  // callers as it. Returns the first that has others.
  std::uint32_t leave_behind(std::uint32_t operation, std::uint32_t until) {
    if (next_ == 0)
      return operation;

    const auto caller = messages_.paths[calls_.calls[next_ - 1].path].caller;
    for (; operation < until; ++operation) {
      if (messages_.paths[find_path(sequence_.operations[operation])].caller != caller)
        break;
      ++sequence_.apart;
    }
    return operation;
  }

  // Nothing is in the calls before this one that have nothing yet. Returns the first operation
  // behind it.
  std::uint32_t put(std::uint32_t call, std::uint32_t operation, std::uint32_t inside) {
    for (; next_ < call; ++next_)
      sequence_.places[next_] = {operation, operation, operation};

    const auto behind = call < calls_.calls.size() ? take(call, inside) : inside;
    sequence_.places[call] = {operation, inside, behind};
    sequence_.apart += inside - operation;
    next_ = call + 1;

    // What the calls around this one do when it has ended stands behind it.
    auto next = behind;
    while (next < sequence_.operations.size() && follows_in_call(sequence_.operations[next]))
      ++next;
    sequence_.apart += next - behind;
    return next;
  }

  // Behind the last operation that is in a call.
  std::uint32_t take(std::uint32_t call, std::uint32_t operation) const {
    const auto path = calls_.calls[call].path;
    double taken = 0;
    while (operation < sequence_.operations.size() &&
           find_path(sequence_.operations[operation]) == path &&
           is_in_call(sequence_.operations[operation], taken, most_in_call_[path])) {
      taken += !follows_in_call(sequence_.operations[operation]);
      ++operation;
    }
    return operation;
  }

  // Whether an operation is in a call that has `taken` operations already. For windows and files
  // the plan tells what one call did, unless an older version wrote it.
  bool is_in_call(std::uint32_t operation, double taken, double most) const {
    const bool is_told = !messages_.definitions.empty() &&
                         !list_record_parameters(find_shared(operation).kind).empty();
    return follows_in_call(operation) || (is_told ? taken == 0 : taken < most);
  }

  const Messages& messages_;
  const CallTemplate& calls_;
  OperationSequence& sequence_;
  std::vector<std::uint32_t> candidates_;  // calls in whose path operations are
  std::vector<double> most_in_call_, cost_of_call_, cost_of_operation_;  // by path
  std::uint32_t next_ = 0;  // call that was not put yet
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
