// How much time groups of processes take for each kind of iteration. Plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// So many kinds fit a drawing, where nothing says how many there are.
inline constexpr std::size_t drawn_iteration_kinds = 8;

// Iterations that one of them stands for.
struct IterationKind {
  std::uint32_t kept = 0;                 // number of that one
  std::vector<std::uint32_t> iterations;  // numbers, ascending
};

// The values of a group's processes in all iterations of a kind.
struct KindCell {
  std::array<double, 5> at{};  // 2, 25, 50, 75 and 98 %
  std::size_t values = 0;
  // How far the values are from those that stand for them, over their sum; not a number where that
  // is not known.
  double error = 0;
};

struct GroupKinds {
  std::vector<std::size_t> groups;           // of the plan, those that have the loop
  std::vector<IterationKind> kinds;          // by their first iteration
  std::vector<std::vector<KindCell>> cells;  // by group and kind
};

}  // namespace tracefold
