// The discrete Fourier transform of batches of views over a grid of any shape, in place.
//
// Frequencies are left where decimation in frequency puts them (digit-reversed along each axis),
// since what is done with them needs no order: the inverse, by decimation in time, takes them
// from there. The tables say which frequency stands where.
//
// All axes together are one list of stages with falling strides. Where the whole array does not
// fit into the second-level cache, the list is cut in two: the inner stages work on contiguous
// blocks. A caller takes these one by one and does whatever else has to be done with their points
// while they are in the cache.
//
// Cost: O(N log N) for N points, whatever its factors. Memory: up to 16 bytes a point for tables.
// Immutable after its construction, safe from any thread; a thread brings its own Workspace.
//
// Sources: frequency 2; Cooley and Tukey 1965; Bluestein 1970; Gentleman and Sande 1966 (no
// reordering between a forward and an inverse transform).
#pragma once

#include "filters/correlation/vector_kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace tracefold::correlation {

// Floating-point numbers of points, where vectors may begin. What is in them is undefined.
class Points {
 public:
  Points() = default;
  explicit Points(std::size_t points);

  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  float* at(std::size_t point) { return data_.get() + point * batch_views; }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(float* data) const { ::operator delete[](data, std::align_val_t{64}); }
  };

  std::unique_ptr<float[], Free> data_;
  std::size_t size_ = 0;
};

class Transform {
 public:
  // `cached_points` is what stays in the second-level cache: blocks are at most as large where the
  // sizes allow that.
  explicit Transform(std::span<const std::size_t> sizes, std::size_t cached_points = 2048);

  std::size_t size() const { return points_; }
  // What one thread needs besides the points: so many others.
  std::size_t scratch_points() const { return padded_points_; }

  // The whole transform. The inverse is not divided by the number of points.
  void run(const Kernels& kernels, Direction direction, float* data, Points& scratch) const;

  // Its two parts: the outer stages of all points, and the inner ones, block by block. Without
  // outer stages, the only block is the whole array.
  void run_outer(const Kernels& kernels, Direction direction, float* data, Points& scratch) const;
  std::size_t block_count() const { return points_ / block_points_; }
  std::size_t block_points() const { return block_points_; }
  void run_block(const Kernels& kernels, Direction direction, float* block, Points& scratch) const;

  // Where the frequency -k stands, by the position of the frequency k.
  std::span<const std::uint32_t> mirror() const { return mirror_; }
  // The signed index along an axis of the frequency at a position: the shorter way around.
  std::int32_t find_frequency(std::size_t axis, std::size_t position) const;
  // The number of the frequency among those of all axes, row by row from 0 on.
  std::size_t find_number(std::size_t position) const;

 private:
  void add_axis(std::size_t size, std::size_t stride);
  void add_stage(std::size_t radix, std::size_t rest, std::size_t stride);
  void use_bluestein(Stage& stage);
  void cut(std::size_t cached_points);
  void find_mirrors();

  std::vector<std::size_t> sizes_;
  std::size_t points_ = 1;
  std::size_t padded_points_ = 0;

  std::vector<Stage> stages_;
  std::size_t outer_stages_ = 0;
  std::size_t block_points_ = 1;

  // The frequency index at each position of each axis.
  std::vector<std::vector<std::uint32_t>> frequencies_;
  std::vector<std::uint32_t> mirror_;

  // Tables that stages point into; a deque does not move what it holds.
  std::deque<std::vector<Complex>> tables_;
  std::deque<std::unique_ptr<Transform>> padded_;
};

// The radices that a length is transformed by, in the order of decimation in frequency.
std::vector<std::size_t> split_length(std::size_t length);

}  // namespace tracefold::correlation
