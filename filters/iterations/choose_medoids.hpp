// Chooses a few of many points so that each other point has a close one that stands for it.
//
// Points are vectors with Manhattan distance. Each belongs to a class, and only points of the same
// class can stand for it, so each class has at least one medoid. Further medoids are added
// greedily: the point that most reduces the sum of distances, as long as there is a reduction;
// equal points need only one. This reaches at least 1 - 1/e of the best possible reduction. Then
// each medoid moves to the middle of its points. (On iterations of programs, a search by exchanges
// would save 1 % more.) More than a few thousand points are first thinned out block by block.
//
// The result depends only on points, classes and their order. For n points with d elements and k
// medoids it takes O(n * (block + k) * d) time and block * (block + d) floats of memory; a block
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
  std::vector<std::uint32_t> classes;  // by point, from 0 without gaps
  // Writes the elements of a point. Called repeatedly, by one thread.
  std::function<void(std::size_t point, std::span<float> elements)> read;
};

struct Medoids {
  std::vector<std::uint32_t> points;     // ascending
  std::vector<std::uint32_t> medoid_of;  // by point: index into `points`
};

// At most max(`most`, number of classes) medoids, and at least one if there are points.
Medoids choose_medoids(const MedoidPoints& points, std::size_t most);

}  // namespace tracefold
