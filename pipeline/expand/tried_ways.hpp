// Which of several processes goes on, where what follows depends on it: a depth-first search
// through all ways, each of which is gone from the start.
//
// On the first way it is always the first process. The next way is the same up to the last choice
// that has another process left, and takes that. A state that has been reached before is not gone
// on from: it led nowhere.
//
// One thread at a time. Memory: 16 bytes for each choice of a way, and some 40 for each state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace tracefold {

class TriedWays {
 public:
  // The process that goes on, by its place among `processes`, at least 1. `state` is a hash of all
  // that decides what follows. None where this state has been reached before.
  std::optional<std::size_t> choose(std::uint64_t state, std::size_t processes) {
    if (next_ == choices_.size()) {
      if (!states_.insert(state).second)
        return std::nullopt;
      choices_.push_back({0, processes});
    }
    return choices_[next_++].taken;
  }

  // Begins the next way. False where all have been gone.
  bool begin_next() {
    next_ = 0;
    while (!choices_.empty() && ++choices_.back().taken == choices_.back().processes)
      choices_.pop_back();
    return !choices_.empty();
  }

  std::size_t count_bytes() const {
    constexpr std::size_t bytes_of_state = 40;  // with its node
    return choices_.size() * sizeof(Choice) + states_.size() * bytes_of_state;
  }

 private:
  struct Choice {
    std::size_t taken, processes;
  };
  std::vector<Choice> choices_;
  std::size_t next_ = 0;  // choice of this way
  std::unordered_set<std::uint64_t> states_;
};

}  // namespace tracefold
