// Folds a sequence while its symbols arrive. If the end of the sequence repeats what directly
// precedes it, both become a loop; if the body of a loop follows once more, the loop's count grows
// by one. Example: 1 2 1 2 1 2 becomes 3 × (1 2).
//
// The folder is greedy: it takes the shortest repetition at the tail at once, but symbols that
// repeat the body of the loop before them are first counted for that loop. Repetitions span at most
// `window` symbols and loops. The result depends only on the sequence. Nothing is lost: repetitions
// are compared, and hashes only find candidates.
//
// Memory: 24 bytes for each remaining symbol and loop, and each distinct body once. Use one folder
// for many sequences, one after the other, since its tables are as large as the number of symbols.
//
// Source: signatures 2 (RSDs and PRSDs, made at the tail of the queue of events).
#pragma once

#include "model/messages/folded_sequence.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracefold {

class SequenceFolder {
 public:
  static constexpr std::size_t window = 4096;

  void add(std::uint32_t symbol) {
    if (matched_ < body_.size() && body_[matched_] == symbol) [[likely]] {
      if (++matched_ == body_.size())
        count_body();
      return;
    }
    add_other(symbol);
  }

  // Returns the sequence of the symbols since the last call.
  FoldedSequence take();

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  // Where a symbol occurs very often without repetitions, only some places are tried.
  static constexpr std::size_t most_candidates = 512;

  struct Item {
    std::uint32_t what = 0;  // a symbol · 2, or a body's number · 2 + 1
    std::uint64_t count = 1;

    bool operator==(const Item&) const = default;
    bool is_loop() const { return what & 1; }
  };
  using Body = std::vector<Item>;
  // An item at a place of the sequence.
  struct Placed {
    std::uint32_t what;
    std::uint32_t earlier;  // the previous place of the same symbol or body, or none
    std::uint64_t count;
    std::uint64_t hash_before;  // of all items before this place

    Item item() const { return {what, count}; }
    bool is_same(const Placed& other) const { return what == other.what && count == other.count; }
  };

  void add_other(std::uint32_t symbol);
  void count_body();
  void put_matched();
  void expect_body();
  std::uint32_t put_behind(const Item& item, std::vector<std::uint32_t>& places);
  void push_symbol(std::uint32_t symbol);
  void push_loop(const Item& item);
  void pop();
  void fold_tail();
  bool has_waiting() const;
  bool extend_loop();
  bool begin_loop();
  bool is_repeated(std::size_t length);
  std::uint64_t hash_before(std::size_t place) const;
  std::uint64_t hash_range(std::size_t begin, std::size_t end) const;
  std::uint32_t number_body(std::size_t first);
  std::uint32_t& find_last_place(std::uint32_t what);
  void put(const Item& item, FoldedSequence& out) const;

  // If the last item is a loop of symbols only: its body, and how many symbols of its next
  // repetition have arrived, which are not yet among the items.
  std::vector<std::uint32_t> body_;
  std::uint32_t expected_ = none;  // the number of the body; none: there is no such loop
  std::size_t matched_ = 0;

  std::vector<Placed> items_;
  std::uint64_t hash_ = 0;  // of all items
  std::vector<std::uint64_t> powers_{1};
  std::vector<std::uint32_t> last_symbol_, last_body_;  // last places, or none
  std::vector<std::uint32_t> touched_;                  // symbols with a place in last_symbol_
  // By number of items: the places of loops whose bodies would be repeated there. Some may no
  // longer exist.
  std::vector<std::vector<std::uint32_t>> waiting_;
  std::vector<std::size_t> waited_;  // used places of waiting_, each at least once
  std::vector<Body> bodies_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known_bodies_;  // by hash
};

}  // namespace tracefold
