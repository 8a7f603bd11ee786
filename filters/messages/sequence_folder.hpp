// Folds a sequence while its symbols arrive: as soon as its end repeats what stands right before
// it, both become a loop, and when the body of a loop comes once more, the loop counts one more.
//
// Greedy: the shortest repetition at the tail is taken at once, except that symbols which repeat
// the body of the loop before them are first counted to it. What repeats may span up to `window`
// symbols and loops. The result depends on the sequence alone. Nothing is lost: repetitions are
// compared, hashes only say where to look.
//
// Memory: 24 bytes for each symbol and loop that is left, and each distinct body once. One
// sequence at a time; used for one after the other, since its tables are as large as the
// number of symbols.
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

  // The sequence of what was added since the last call.
  FoldedSequence take();

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  // Where a symbol stands very often without any repetition, not all places are tried.
  static constexpr std::size_t most_candidates = 512;

  struct Item {
    std::uint32_t what = 0;  // a symbol · 2, or a body's number · 2 + 1
    std::uint64_t count = 1;

    bool operator==(const Item&) const = default;
    bool is_loop() const { return what & 1; }
  };
  using Body = std::vector<Item>;
  // An item at its place in the sequence.
  struct Placed {
    std::uint32_t what;
    std::uint32_t earlier;  // the last place of the same symbol or body before, or none
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

  // Where the last item is a loop of symbols alone: its body, and how many symbols of the next
  // repetition have come, which are not among the items yet.
  std::vector<std::uint32_t> body_;
  std::uint32_t expected_ = none;  // the body's number; none: nothing is expected
  std::size_t matched_ = 0;

  std::vector<Placed> items_;
  std::uint64_t hash_ = 0;  // of all items
  std::vector<std::uint64_t> powers_{1};
  std::vector<std::uint32_t> last_symbol_, last_body_;  // last places, none where there is none
  std::vector<std::uint32_t> touched_;                  // symbols with a place in last_symbol_
  // For each number of items the places of loops whose bodies would be repeated there; some
  // may be gone.
  std::vector<std::vector<std::uint32_t>> waiting_;
  std::vector<std::size_t> waited_;  // places in waiting_ that were used, each at least once
  std::vector<Body> bodies_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known_bodies_;  // by hash
};

}  // namespace tracefold
