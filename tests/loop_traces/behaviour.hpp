// What a process does in an iteration.
#pragma once

#include "tests/loop_traces/options.hpp"

namespace tracefold::testing {

struct Behaviour {
  double work = 1;             // how much longer computing takes
  std::uint32_t kernels = 4;   // calls of update_cells
  std::uint32_t messages = 1;  // to each neighbour
  std::uint32_t mode = 0;      // which function computes
  bool rebuild = false;        // calls rebuild_lists, too
};

inline std::uint64_t hash(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {  // splitmix64
  std::uint64_t x = a * 0x9e3779b97f4a7c15 + b * 0xbf58476d1ce4e5b9 + c * 0x94d049bb133111eb + 1;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

inline Behaviour behaviour_of(const Options& options, std::uint32_t process,
                              std::uint32_t iteration, std::uint32_t iterations) {
  Behaviour out;
  const double progress = iterations > 1 ? static_cast<double>(iteration) / (iterations - 1) : 0;
  const auto p = process, n = options.members();

  switch (options.shape) {
    case Shape::steady: break;
    case Shape::drift: out.work = 1 + progress; break;
    case Shape::peaks:
      if ((iteration + 1) % options.period == 0)
        out.work = 1.5, out.kernels = 8, out.rebuild = true;
      break;
    case Shape::change:
      if (2 * iteration >= iterations)
        out.work = 1.3, out.kernels = 6;
      break;
    case Shape::imbalance:
      if (4 * p >= n && 4 * p < 3 * n)
        out.work = 1 + 2 * progress;
      break;
    case Shape::hot_spot: {
      const auto hot = static_cast<std::uint32_t>(progress * (n - 1) + 0.5);
      out.messages = p == hot ? 5 : p + 1 == hot || p == hot + 1 ? 2 : 1;
      break;
    }
    case Shape::modes: out.mode = static_cast<std::uint32_t>(hash(iteration, 17) % 4); break;
  }

  if (options.uneven_visits)
    out.kernels += static_cast<std::uint32_t>(hash(process, iteration, 23) % 3);

  return out;
}

}  // namespace tracefold::testing
