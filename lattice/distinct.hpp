// Numbers equal spans of words alike. The hash only finds candidates: what it
// finds is compared, so that a collision costs time and never joins what differs.
#pragma once

#include "lattice/bits.hpp"

#include <array>

namespace tracefold::lattice {

// Reads 32 bytes a step in two chains that do not wait for each other, because
// sets of a million processes are hashed as fast as memory gives them.
struct WordHash {
  std::uint64_t operator()(std::span<const Word> words) const {
    std::array<Word, 2> chain{words.size(), 0x9e3779b97f4a7c15};
    std::size_t w = 0;
    for (; w + 4 <= words.size(); w += 4) {
      chain[0] = mix(words[w] ^ 0xa0761d6478bd642f, words[w + 1] ^ chain[0]);
      chain[1] = mix(words[w + 2] ^ 0xe7037ed1a0b428db, words[w + 3] ^ chain[1]);
    }

    for (; w < words.size(); ++w)
      chain[0] = mix(words[w] ^ 0x8ebc6af09c88c6e3, chain[0] ^ 0x589965cc75374cc3);

    return mix(chain[0] ^ 0xa0761d6478bd642f, chain[1]);
  }

 private:
  static Word mix(Word a, Word b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{a} * b;
    return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
  }
};

// Keeps each distinct span once, in the order of first appearance.
template <class Hash = WordHash>
class DistinctSpans {
 public:
  std::size_t size() const { return hashes_.size(); }
  std::span<const Word> at(std::size_t i) const {
    return {words_.data() + ends_[i], ends_[i + 1] - ends_[i]};
  }

  // The number of what equals `words`, which is size() - 1 where it is new.
  std::size_t find_or_add(std::span<const Word> words) {
    const std::uint64_t hash = Hash{}(words);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::size_t i = slots_[slot] - 1;
      if (hashes_[i] == hash && std::ranges::equal(at(i), words))
        return i;
    }

    words_.insert(words_.end(), words.begin(), words.end());
    ends_.push_back(words_.size());
    hashes_.push_back(hash);
    slots_[slot] = hashes_.size();
    if (2 * hashes_.size() > slots_.size())
      grow();

    return hashes_.size() - 1;
  }

 private:
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      std::size_t slot = hashes_[i] & (slots_.size() - 1);
      while (slots_[slot] != 0)
        slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i + 1;
    }
  }
  std::vector<Word> words_;            // all spans, one after the other
  std::vector<std::size_t> ends_{0};   // span i ends where span i + 1 begins
  std::vector<std::uint64_t> hashes_;  // of each span
  std::vector<std::size_t> slots_ = std::vector<std::size_t>(64);  // number + 1, or 0 where free
};

}  // namespace tracefold::lattice
