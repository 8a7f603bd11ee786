// Numbers distinct operations and distinct sequences of them, in the order of arrival. One thread
// at a time.
//
// Memory: 60 bytes for each operation and up to 16 of a hash table; the sequences and up to 24
// bytes for each.
#pragma once

#include "base/number_table.hpp"
#include "model/messages/folded_sequence.hpp"
#include "model/messages/operation.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace tracefold {

class OperationTable {
 public:
  OperationTable() : slots_(std::size_t{1} << 10, none) {}

  std::uint32_t find_number(const Operation& operation) {
    // Usually it is the operation that followed the operation before the last time.
    const auto before = std::exchange(last_, followers_[last_]);
    if (last_ == none || !are_equal(operations_[last_], operation))
      followers_[before] = last_ = look_up(operation);
    if (const auto next = followers_[last_]; next != none)
      __builtin_prefetch(&operations_[next]);

    return last_;
  }

  const std::vector<Operation>& operations() const { return operations_; }
  std::vector<Operation> take() { return std::move(operations_); }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::array<std::uint64_t, most_parameters + 1> factors{
      0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu,
      0xd6e8feb86659fd93u, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u};

  std::uint32_t look_up(const Operation& operation) {
    for (auto s = hash(operation) & (slots_.size() - 1);; s = (s + 1) & (slots_.size() - 1)) {
      if (slots_[s] == none)
        return add(operation, s);
      if (are_equal(operations_[slots_[s]], operation))
        return slots_[s];
    }
  }

  static bool are_equal(const Operation& a, const Operation& b) {
    return std::memcmp(a.values.data(), b.values.data(), sizeof a.values) == 0 &&
           a.path == b.path && a.kind == b.kind && a.thread == b.thread &&
           a.is_in_same_call == b.is_in_same_call;
  }

  static std::uint64_t hash(const Operation& operation) {
    std::uint64_t hash = std::uint64_t{operation.path} << 16 |
                         static_cast<std::uint64_t>(operation.kind) << 8 | operation.thread;
    hash = (hash + 1) * factors.back() +
           mix(operation.values, std::make_index_sequence<most_parameters>());
    return hash ^ hash >> 32;
  }
  template <class Values, std::size_t... places>
  static std::uint64_t mix(const Values& values, std::index_sequence<places...>) {
    return (... + ((values[places] ^ values[places] >> 32) * factors[places]));
  }

  std::uint32_t add(const Operation& operation, std::size_t slot) {
    const auto number = static_cast<std::uint32_t>(operations_.size());
    operations_.push_back(operation);
    followers_.push_back(none);
    slots_[slot] = number;
    if (2 * operations_.size() > slots_.size())
      grow();
    return number;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), none);
    for (std::uint32_t number = 0; number < operations_.size(); ++number) {
      auto s = hash(operations_[number]) & (slots_.size() - 1);
      while (slots_[s] != none)
        s = (s + 1) & (slots_.size() - 1);
      slots_[s] = number;
    }
  }

  std::vector<Operation> operations_;
  std::vector<std::uint32_t> slots_;            // at most half full
  std::vector<std::uint32_t> followers_{none};  // by operation: what followed it last, or none
  std::uint32_t last_ = 0;
};

class SequenceTable {
 public:
  std::uint32_t find_number(FoldedSequence sequence) {
    const auto next = static_cast<std::uint32_t>(sequences_.size());
    const auto number = numbers_.find_or_add(
        hash(sequence), next, [&](auto known) { return sequences_[known] == sequence; });
    if (number == next)
      sequences_.push_back(std::move(sequence));
    return number;
  }

  const std::vector<FoldedSequence>& sequences() const { return sequences_; }
  std::vector<FoldedSequence> take() { return std::move(sequences_); }

 private:
  static std::uint64_t hash(const FoldedSequence& sequence) {
    std::uint64_t hash = sequence.size();
    for (const auto& node : sequence) {
      hash = (hash ^ node.symbol ^ std::uint64_t{node.body} << 32) * 0x9e3779b97f4a7c15u;
      hash = (hash ^ hash >> 32 ^ node.count) * 0xbf58476d1ce4e5b9u;
    }
    return hash;
  }

  std::vector<FoldedSequence> sequences_;
  NumberTable numbers_;
};

}  // namespace tracefold
