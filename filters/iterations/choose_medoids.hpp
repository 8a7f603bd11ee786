// Chooses a few of many points so that each of the others has one near that stands for it.
//
// Points are vectors; their distance is Manhattan. Each is in one class, and only points of its
// own class can stand for it, so each class has at least one medoid. Above that, the point is
// taken next that brings all points nearest to their medoids, as long as it brings any nearer:
// points that are equal need one medoid only. This greedy way reaches at least 1 - 1/e of what the
// best choice would save. Then each medoid moves into the middle of what it stands for. On
// iterations of programs a search by exchanges would save 1 % more. More than a few thousand points
// are first thinned out, block by block.
//
// The result depends on points, classes and their order only. For n points of d elements and k
// medoids it takes O(n * (block + k) * d), and block * (block + d) floats of memory, where a block
// has 512 to 2,048 points, or 8 for each medoid.
//
// Source: Nemhauser, Wolsey, Fisher (1978) for the greedy choice; Guha, Mishra, Motwani,
// O'Callaghan (2000) for blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tracefold {

struct MedoidPoints {
  std::size_t elements = 0;
  std::vector<std::uint32_t> classes;  // by point, counted from 0 without gaps
  // Writes a point's elements. Asked for again and again, from one thread.
  std::function<void(std::size_t point, std::span<float> elements)> read;
};

struct Medoids {
  std::vector<std::uint32_t> points;     // ascending
  std::vector<std::uint32_t> medoid_of;  // by point: index into `points`
};

// At most max(`most`, number of classes), and at least one where there are points.
Medoids choose_medoids(const MedoidPoints& points, std::size_t most);

}  // namespace tracefold
