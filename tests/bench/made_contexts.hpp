// Contexts made to the measures of published ones: processes, pairs, groups, and
// near enough the nodes of the concept lattice.
//
// Half of the pairs are common to all groups, the others belong to blocks, and a
// group has some of the blocks: the first k of them where `share` is 0, which
// makes a chain, or each with a chance of `share` in 1,000. More blocks, and
// shares near the middle, make more nodes. All draws are of std::mt19937_64's own
// integers, so that a context is the same everywhere.
#pragma once

#include "lattice/bits.hpp"

#include <random>
#include <set>

namespace tracefold::bench {

struct Measures {
  std::size_t processes, pairs, groups, blocks, share;
  std::uint64_t seed;
};

// Which blocks each group has, no two groups the same.
inline std::vector<std::vector<bool>> blocks_of_groups(const Measures& m) {
  std::mt19937_64 random(m.seed);
  std::set<std::vector<bool>> known;
  std::vector<std::vector<bool>> groups;

  while (groups.size() < m.groups) {
    std::vector<bool> has(m.blocks);
    for (std::size_t b = 0; b < m.blocks; ++b)
      has[b] = m.share == 0 ? b < groups.size() : random() % 1000 < m.share;
    if (known.insert(has).second)
      groups.push_back(has);
  }

  for (std::size_t b = 0; b < m.blocks; ++b) {  // each pair is some process's
    bool used = false;
    for (const auto& has : groups)
      used = used || has[b];
    if (!used)
      groups[b % m.groups][b] = true;
  }

  return groups;
}

inline lattice::BitRows rows_of_groups(const Measures& m) {
  lattice::BitRows rows(m.groups, m.pairs);
  const auto common = m.blocks == 0 ? m.pairs : m.pairs / 2;
  const auto groups = blocks_of_groups(m);
  for (std::size_t g = 0; g < m.groups; ++g)
    for (std::size_t pair = 0; pair < m.pairs; ++pair)
      if (pair < common || groups[g][(pair - common) % m.blocks])
        lattice::set_bit(rows.row(g), pair);

  return rows;
}

// Every group has a process, and the first groups have most.
inline lattice::BitRows rows_of_processes(const Measures& m) {
  const auto groups = rows_of_groups(m);
  lattice::BitRows rows(m.processes, m.pairs);
  std::mt19937_64 random(m.seed + 1);
  for (std::size_t p = 0; p < m.processes; ++p) {
    const auto draw = random() >> 48;
    const auto group = p < m.groups ? p : static_cast<std::size_t>(draw * draw * m.groups >> 32);
    std::ranges::copy(groups.row(group), rows.row(p).begin());
  }

  return rows;
}

}  // namespace tracefold::bench
