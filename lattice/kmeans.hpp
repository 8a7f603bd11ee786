// k-means clusters of weighted points.
//
// Lloyd's algorithm from k-means++ seeds, with squared Euclidean distance; at most
// 100 rounds of O(k·d·n), and then as many in which single points move where that makes the spread
// less. It starts up to most_kmeans_starts times, as long as these take no more
// than most_kmeans_steps together, and the clusters with the least spread count: it ends a few
// percent above the least possible one from a single start. Equal input and seed give equal
// clusters on all machines: all draws are of the 64-bit Mersenne Twister's own integers. Clusters
// are numbered by their first members, none is empty, and equal points are in one cluster. Pure
// functions, safe from any thread.
//
// Source: structural VIII.B, thesis 4.4 (time clusters inside a group); Lloyd (1982); Hartigan and
// Wong (1979); Arthur and Vassilvitskii (2007); Rousseeuw (1987).
#pragma once

#include "lattice/medoid.hpp"

namespace tracefold::lattice {

// Starts, and comparisons of coordinates in all of them together: about a tenth of a second at most
// besides the first start. On shared traces no cheaper clusters were found by six times as many
// starts.
inline constexpr std::uint64_t most_kmeans_starts = 256;
inline constexpr std::uint64_t most_kmeans_steps = std::uint64_t{1} << 26;

// For each point its cluster. weights[i] is how many processes points[i] stands
// for, at least 1. Fewer than k clusters where fewer points differ; k = 0 counts as 1.
std::vector<std::size_t> kmeans(const Points& points, const std::vector<std::uint64_t>& weights,
                                std::size_t k, std::uint64_t seed);

// What a mean silhouette must exceed to count as clusters: what Kaufman and
// Rousseeuw (1990) call strong structure. Two clusters of normal noise reach it when
// they are about 4.5 standard deviations apart in one dimension, or 14 in ten. One
// cluster of uniform, normal or exponential noise in one dimension, cut anywhere, as
// a rule stays below (0.62, 0.56 and 0.69 where it was tried).
inline constexpr double separating_silhouette = 0.7;

// The same with the k from 2 to max_k that has the largest mean silhouette after
// 20 rounds (sampled, see lattice/scaled_points.hpp), the smallest of several; one
// cluster where none exceeds separating_silhouette.
std::vector<std::size_t> kmeans_auto(const Points& points,
                                     const std::vector<std::uint64_t>& weights,
                                     std::size_t max_k = 8, std::uint64_t seed = 0);

}  // namespace tracefold::lattice
