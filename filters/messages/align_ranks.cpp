#include "filters/messages/align_ranks.hpp"

#include "base/number_table.hpp"
#include "filters/messages/sequence_folder.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

// Distinct rows, one behind the other.
class Rows {
 public:
  explicit Rows(std::vector<std::uint32_t>& operations) : operations_(operations) {}

  std::uint32_t find_number(const std::vector<std::uint32_t>& row) {
    const auto next = static_cast<std::uint32_t>(operations_.size() / row.size());
    const auto number = numbers_.find_or_add(hash(row), next, [&](auto n) {
      return std::equal(row.begin(), row.end(),
                        operations_.begin() + static_cast<std::ptrdiff_t>(n * row.size()));
    });
    if (number == next)
      operations_.insert(operations_.end(), row.begin(), row.end());
    return number;
  }

 private:
  static std::uint64_t hash(const std::vector<std::uint32_t>& row) {
    std::uint64_t hash = row.size();
    for (auto operation : row)
      hash = (hash ^ operation ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    return hash;
  }

  std::vector<std::uint32_t>& operations_;
  NumberTable numbers_;
};

bool have_one_shape(const FoldedSequence& a, const FoldedSequence& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.body == y.body && x.count == y.count;
  });
}

using Sequences = std::vector<const FoldedSequence*>;

// Node by node, where all are folded alike.
FoldedSequence align_nodes(const Sequences& sequences, Rows& rows) {
  auto aligned = *sequences.front();
  std::vector<std::uint32_t> row(sequences.size());
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    if (aligned[i].is_loop())
      continue;
    for (std::size_t s = 0; s < sequences.size(); ++s)
      row[s] = (*sequences[s])[i].symbol;
    aligned[i].symbol = rows.find_number(row);
  }
  return aligned;
}

// Operation by operation, and folded anew.
FoldedSequence align_operations(const Sequences& sequences, Rows& rows) {
  std::vector<SequenceCursor> cursors;
  for (const auto* sequence : sequences)
    cursors.emplace_back(*sequence);

  SequenceFolder folder;
  std::vector<std::uint32_t> row(sequences.size());
  while (!cursors.front().at_end()) {
    for (std::size_t s = 0; s < cursors.size(); ++s) {
      row[s] = cursors[s].symbol();
      cursors[s].advance();
    }
    folder.add(rows.find_number(row));
  }
  return folder.take();
}

}  // namespace

AlignedRanks align_ranks(const Communication& communication, std::vector<std::size_t> members) {
  AlignedRanks aligned;
  Sequences sequences;
  std::unordered_map<std::uint32_t, std::uint32_t> places;
  for (auto member : members) {
    const auto sequence = communication.ranks[member].sequence;
    const auto next = static_cast<std::uint32_t>(sequences.size());
    const auto [at, is_new] = places.try_emplace(sequence, next);
    if (is_new)
      sequences.push_back(&communication.sequences[sequence]);
    aligned.columns.push_back(at->second);
  }
  aligned.members = std::move(members);

  aligned.width = sequences.size();
  Rows rows(aligned.operations);
  const bool one_shape = std::all_of(sequences.begin(), sequences.end(), [&](const auto* s) {
    return have_one_shape(*s, *sequences.front());
  });
  aligned.sequence = one_shape ? align_nodes(sequences, rows) : align_operations(sequences, rows);
  return aligned;
}

}  // namespace tracefold
