#include "pipeline/expand/align_operations.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

constexpr std::size_t most_passed_over = 64;  // calls and operations together

class Alignment {
 public:
  Alignment(const Messages& messages, const CallTemplate& calls, Script& script)
      : messages_(messages), calls_(calls), script_(script) {
    std::vector<std::uint64_t> operations(messages.paths.size()), places(messages.paths.size());
    for (auto operation : script.operations)
      ++operations[find_path(operation)];
    for (std::uint32_t c = 0; c < calls.calls.size(); ++c) {
      const auto path = calls.calls[c].path;
      if (path == NamedPaths::none || operations[path] == 0)
        continue;
      ++places[path];
      candidates_.push_back(c);
    }

    // A call of MPI_Sendrecv holds two, one of MPI_Startall any number.
    for (std::size_t p = 0; p < operations.size(); ++p)
      most_in_call_.push_back(places[p] == 0 ? 1 : (operations[p] + places[p] - 1) / places[p]);
  }

  void align() {
    script_.places.assign(calls_.calls.size() + 1, {});
    std::size_t call = 0;  // of the candidates
    std::uint32_t operation = 0;

    while (operation < script_.operations.size() && call < candidates_.size()) {
      const auto agreement = find_agreement(call, operation);
      if (!agreement)
        break;

      const auto inside = operation + agreement->operations;
      operation = leave_behind(operation, inside);
      call += agreement->calls;
      operation = put(candidates_[call], operation, inside);
      ++call;
    }

    const auto all = static_cast<std::uint32_t>(script_.operations.size());
    operation = leave_behind(operation, all);
    put(static_cast<std::uint32_t>(calls_.calls.size()), operation, all);
  }

 private:
  struct Agreement {
    std::uint32_t calls, operations;  // that are passed over
  };

  std::uint32_t find_path(std::uint32_t operation) const {
    return messages_.operations[script_.symbols[operation]].path;
  }
  bool agree(std::size_t call, std::size_t operation) const {
    return call < candidates_.size() && operation < script_.operations.size() &&
           calls_.calls[candidates_[call]].path == find_path(script_.operations[operation]);
  }

  std::optional<Agreement> find_agreement(std::size_t call, std::size_t operation) const {
    for (std::uint32_t sum = 0; sum <= most_passed_over; ++sum)
      for (std::uint32_t operations = 0; operations <= sum; ++operations)
        if (agree(call + sum - operations, operation + operations))
          return Agreement{sum - operations, operations};

    // Far away: from this operation on, where it comes next.
    for (auto c = call; c < candidates_.size(); ++c)
      if (agree(c, operation))
        return Agreement{static_cast<std::uint32_t>(c - call), 0};
    return std::nullopt;
  }

  // Of operations that get calls of their own, those stand behind the last call whose callers are
  // the same. Returns the first of the others.
  std::uint32_t leave_behind(std::uint32_t operation, std::uint32_t until) {
    if (next_ == 0)
      return operation;

    const auto caller = messages_.paths[calls_.calls[next_ - 1].path].caller;
    for (; operation < until; ++operation) {
      if (messages_.paths[find_path(script_.operations[operation])].caller != caller)
        break;
      ++script_.apart;
    }
    return operation;
  }

  // Nothing is in the calls before this one that have nothing yet. Returns the first operation
  // behind it.
  std::uint32_t put(std::uint32_t call, std::uint32_t operation, std::uint32_t inside) {
    for (; next_ < call; ++next_)
      script_.places[next_] = {operation, operation, operation};

    const auto behind = call < calls_.calls.size() ? take(call, inside) : inside;
    script_.places[call] = {operation, inside, behind};
    script_.apart += inside - operation;
    next_ = call + 1;
    return behind;
  }

  // Behind the last operation that is in a call.
  std::uint32_t take(std::uint32_t call, std::uint32_t operation) const {
    const auto path = calls_.calls[call].path;
    std::uint64_t taken = 0;
    while (operation < script_.operations.size() && taken < most_in_call_[path] &&
           find_path(script_.operations[operation]) == path) {
      ++operation;
      ++taken;
    }
    return operation;
  }

  const Messages& messages_;
  const CallTemplate& calls_;
  Script& script_;
  std::vector<std::uint32_t> candidates_;    // calls in whose path operations are
  std::vector<std::uint64_t> most_in_call_;  // by path
  std::uint32_t next_ = 0;                   // call that was not put yet
};

}  // namespace

Script list_operations(const Messages& messages, const MainCluster& cluster, std::uint8_t thread,
                       std::size_t most) {
  Script script;
  const auto is_own = [&](std::uint32_t symbol) {
    return messages.operations[symbol].thread == thread;
  };
  for (const auto& node : cluster.sequence)
    if (!node.is_loop() && is_own(node.symbol))
      script.symbols.push_back(node.symbol);
  std::sort(script.symbols.begin(), script.symbols.end());
  script.symbols.erase(std::unique(script.symbols.begin(), script.symbols.end()),
                       script.symbols.end());

  std::uint64_t operations = count_symbols(cluster.sequence);
  if (operations > most)
    throw Error(ErrorKind::input, "its operations, unfolded, need more memory than there is")
        .hint("raise `memory`");
  for (SequenceCursor cursor(cluster.sequence); !cursor.at_end(); cursor.advance()) {
    if (!is_own(cursor.symbol()))
      continue;
    const auto at = std::lower_bound(script.symbols.begin(), script.symbols.end(), cursor.symbol());
    script.operations.push_back(static_cast<std::uint32_t>(at - script.symbols.begin()));
  }
  return script;
}

void align_operations(const Messages& messages, const CallTemplate& calls, Script& script) {
  Alignment(messages, calls, script).align();
}

}  // namespace tracefold
