// A sequence of symbols whose repetitions are folded into nested loops: <count, body>.
//
// It is stored as a flat list of nodes in the order of the sequence; the node of a loop precedes
// those of its body. Example: "1 2 2 2 3" is {1}, {loop: count 3, body 1}, {2}, {3}. Equal lists
// mean equal sequences, and the same folding makes equal lists of equal sequences. Plain data.
//
// Source: signatures 2 (RSDs and PRSDs, regular section descriptors and their powers).
#pragma once

#include "base/packed_values.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

struct SequenceNode {
  std::uint32_t symbol = 0;  // of a node that is not a loop
  std::uint32_t body = 0;    // nodes in a loop's body, with those of inner loops; 0: no loop
  std::uint64_t count = 1;   // number of repetitions of a loop

  bool is_loop() const { return body != 0; }
  bool operator==(const SequenceNode&) const = default;
};
auto list_members(Like<SequenceNode> auto& node) {
  return std::tie(node.symbol, node.body, node.count);
}

using FoldedSequence = std::vector<SequenceNode>;

// Checks nodes from an input: loops end within the loop around them, repeat at least twice, are
// nested at most `deepest_loops` deep, and stand for less than 2^62 symbols in total. Throws
// Error(input) otherwise.
inline constexpr std::size_t deepest_loops = 64;
void check_sequence(std::span<const SequenceNode> nodes);

// The number of symbols in the unfolded sequence.
std::uint64_t count_symbols(std::span<const SequenceNode> nodes);

// The distinct symbols, ascending.
std::vector<std::uint32_t> list_symbols(std::span<const SequenceNode> nodes);

// Calls visit(symbol, times) for each node that is not a loop, in order, with the total number of
// repetitions.
template <class Visit>
void visit_symbols(std::span<const SequenceNode> nodes, Visit&& visit, std::uint64_t times = 1) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is_loop()) {
      visit_symbols(nodes.subspan(i + 1, nodes[i].body), visit, times * nodes[i].count);
      i += nodes[i].body;
    } else {
      visit(nodes[i].symbol, times);
    }
  }
}

// Goes through the unfolded sequence symbol by symbol. The nodes must outlive it.
class SequenceCursor {
 public:
  explicit SequenceCursor(std::span<const SequenceNode> nodes) : nodes_(nodes) { settle(); }

  bool at_end() const { return at_ == nodes_.size(); }
  std::uint32_t symbol() const { return nodes_[at_].symbol; }
  void advance() {
    ++at_;
    settle();
  }

 private:
  struct Open {
    std::size_t begin, end;  // of the body
    std::uint64_t left;      // how many more times it will be repeated
  };

  // Moves to the next node that is not a loop: into loops that begin, and back at the end of a
  // body.
  void settle() {
    while (true) {
      if (!open_.empty() && at_ == open_.back().end) {
        if (open_.back().left-- > 0)
          at_ = open_.back().begin;
        else
          open_.pop_back();
      } else if (at_ < nodes_.size() && nodes_[at_].is_loop()) {
        const auto& loop = nodes_[at_];
        open_.push_back({at_ + 1, at_ + 1 + loop.body, loop.count - 1});
        ++at_;
      } else {
        return;
      }
    }
  }

  std::span<const SequenceNode> nodes_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
};

}  // namespace tracefold
