// k-means clusters of weighted points.
//
// Lloyd's algorithm with k-means++ seeds and squared Euclidean distance: at most 100 rounds of
// O(k·d·n), then at most 100 rounds that move single points while that reduces the spread. It
// starts up to most_kmeans_starts times within most_kmeans_steps, and the clusters with the least
// spread are returned, since a single start ends a few percent above the minimum. Equal input and
// seed give equal clusters on all machines: random numbers are the integers of the 64-bit Mersenne
// Twister. Clusters are numbered by their first members, none is empty, and equal points are in the
// same cluster. Pure functions.
//
// Source: structural VIII.B, thesis 4.4 (time clusters inside a group); Lloyd (1982); Hartigan and
// Wong (1979); Arthur and Vassilvitskii (2007); Rousseeuw (1987).
#pragma once

#include "lattice/medoid.hpp"

namespace tracefold::lattice {

// The number of starts, and of comparisons of coordinates in all of them: about a tenth of a second
// at most, besides the first start. Six times as many starts found nothing better on the shared
// traces.
inline constexpr std::uint64_t most_kmeans_starts = 256;
inline constexpr std::uint64_t most_kmeans_steps = std::uint64_t{1} << 26;

// Returns the cluster of each point. weights[i], at least 1, is the number of processes that
// points[i] stands for. There are fewer than k clusters if there are fewer different points; k = 0
// counts as 1.
std::vector<std::size_t> kmeans(const Points& points, const std::vector<std::uint64_t>& weights,
                                std::size_t k, std::uint64_t seed);

// The mean silhouette that clusters must exceed: "strong structure" of Kaufman and Rousseeuw
// (1990). Two clusters of normal noise reach it if they are about 4.5 standard deviations apart in
// one dimension, or 14 in ten. A single cluster of uniform, normal or exponential noise in one
// dimension, cut anywhere, usually stays below (0.62, 0.56 and 0.69 in trials).
inline constexpr double separating_silhouette = 0.7;

// The same for the k from 2 to max_k with the largest mean silhouette after 20 rounds (sampled, see
// lattice/scaled_points.hpp), the smallest k of several. One cluster where no silhouette exceeds
// separating_silhouette.
std::vector<std::size_t> kmeans_auto(const Points& points,
                                     const std::vector<std::uint64_t>& weights,
                                     std::size_t max_k = 8, std::uint64_t seed = 0);

}  // namespace tracefold::lattice
