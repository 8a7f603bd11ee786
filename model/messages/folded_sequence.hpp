// A sequence of symbols with its repetitions folded: <count, body>, bodies nested in bodies.
//
// It is held flat, as a list of nodes in the order of the sequence: a loop's node stands
// before those of its body. Equal lists of nodes mean equal sequences; equal sequences have
// equal nodes where the same folding made them. Plain data.
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
  std::uint32_t symbol = 0;  // of a node that is no loop
  std::uint32_t body = 0;  // nodes that a loop repeats, those of inner loops among them; 0: no loop
  std::uint64_t count = 1;  // how often a loop is gone through

  bool is_loop() const { return body != 0; }
  bool operator==(const SequenceNode&) const = default;
};
auto list_members(Like<SequenceNode> auto& node) {
  return std::tie(node.symbol, node.body, node.count);
}

using FoldedSequence = std::vector<SequenceNode>;

// What nodes from elsewhere must keep: loops do not reach beyond the loop around them, go
// through their bodies at least twice, nest at most `deepest_loops` deep, and stand for less
// than 2^62 symbols together. Throws Error(input) otherwise.
inline constexpr std::size_t deepest_loops = 64;
void check_sequence(std::span<const SequenceNode> nodes);

// How many symbols a sequence has.
std::uint64_t count_symbols(std::span<const SequenceNode> nodes);

// Those that it names, ascending.
std::vector<std::uint32_t> list_symbols(std::span<const SequenceNode> nodes);

// Calls visit(symbol, times) for each node that is no loop, in order: how often it comes in all.
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

// Goes through a sequence symbol by symbol. The nodes must stay.
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
    std::uint64_t left;      // how often it is still to be gone through after this
  };

  // Goes on to the next node that is no loop: into loops that begin, back where one ends.
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
