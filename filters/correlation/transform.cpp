#include "filters/correlation/transform.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace tracefold::correlation {

namespace {

// exp(-2 pi i part / whole), rounded once.
Complex find_root(std::size_t part, std::size_t whole) {
  const auto angle =
      -2 * std::numbers::pi * static_cast<double>(part % whole) / static_cast<double>(whole);
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

// The smallest length from `least` on that has only small factors.
std::size_t find_padded_length(std::size_t least) {
  for (auto length = least;; ++length) {
    auto rest = length;
    for (std::size_t factor : {2u, 3u, 5u})
      while (rest % factor == 0)
        rest /= factor;
    if (rest == 1)
      return length;
  }
}

// A transform in natural order, for tables: cut by the smallest factor of the length.
std::vector<std::complex<double>> transform_in_double(
    const std::vector<std::complex<double>>& values) {
  const auto length = values.size();
  if (length <= 1)
    return values;

  std::size_t radix = 2;
  while (length % radix != 0)
    ++radix;
  const auto part = length / radix;
  assert(part > 0);

  std::vector<std::complex<double>> out(length);
  for (std::size_t r = 0; r < radix; ++r) {
    std::vector<std::complex<double>> every(part);
    for (std::size_t i = 0; i < part; ++i)
      every[i] = values[i * radix + r];
    const auto spectrum = transform_in_double(every);

    for (std::size_t k = 0; k < length; ++k) {
      const auto angle =
          -2 * std::numbers::pi * static_cast<double>(r * k % length) / static_cast<double>(length);
      out[k] += std::polar(1.0, angle) * spectrum[k % part];
    }
  }

  return out;
}

}  // namespace

Points::Points(std::size_t points) : size_(points) {
  if (points == 0)
    return;
  data_.reset(static_cast<float*>(
      ::operator new[](points* batch_views * sizeof(float), std::align_val_t{64})));
}

std::vector<std::size_t> split_length(std::size_t length) {
  std::vector<std::size_t> radices;

  // A prime factor beyond 7 goes first: its stage is the slowest for each point, whatever its
  // place, and those after it then find their points nearer to each other.
  std::size_t odd = length;
  std::size_t twos = 0;
  while (odd % 2 == 0) {
    odd /= 2;
    ++twos;
  }

  std::vector<std::size_t> primes;
  for (std::size_t factor = 3; factor * factor <= odd; factor += 2)
    while (odd % factor == 0) {
      primes.push_back(factor);
      odd /= factor;
    }
  if (odd > 1)
    primes.push_back(odd);
  radices.assign(primes.rbegin(), primes.rend());

  // Eights, and what is left of the twos in fours where that needs no two.
  const std::size_t eights = twos % 3 == 1 && twos > 1 ? (twos - 4) / 3 : twos / 3;
  const std::size_t rest = twos - 3 * eights;
  radices.insert(radices.end(), rest / 2, 4);
  radices.insert(radices.end(), rest % 2, 2);
  radices.insert(radices.end(), eights, 8);
  return radices;
}

Transform::Transform(std::span<const std::size_t> sizes, std::size_t cached_points)
    : sizes_(sizes.begin(), sizes.end()) {
  for (auto size : sizes_)
    points_ *= size;

  auto stride = points_;
  for (auto size : sizes_) {
    stride /= size;
    add_axis(size, stride);
  }

  cut(cached_points);
  find_mirrors();
}

void Transform::add_axis(std::size_t size, std::size_t stride) {
  const auto radices = split_length(size);

  auto rest = size;
  for (auto radix : radices) {
    rest /= radix;
    add_stage(radix, rest, stride);
  }

  // The first digit of a position, the one with the largest stride, is the lowest of the
  // frequency there.
  std::vector<std::uint32_t> frequencies(size);
  for (std::size_t position = 0; position < size; ++position) {
    std::size_t frequency = 0;
    std::size_t weight = 1;
    std::size_t left = position;
    std::size_t block = size;

    for (auto radix : radices) {
      block /= radix;
      frequency += weight * (left / block);
      left %= block;
      weight *= radix;
    }
    frequencies[position] = static_cast<std::uint32_t>(frequency);
  }
  frequencies_.push_back(std::move(frequencies));
}

void Transform::add_stage(std::size_t radix, std::size_t rest, std::size_t stride) {
  Stage stage{.radix = radix, .steps = rest, .run = stride};

  if (rest > 1) {
    auto& table = tables_.emplace_back();
    table.reserve(rest * (radix - 1));
    for (std::size_t step = 0; step < rest; ++step)
      for (std::size_t q = 1; q < radix; ++q)
        table.push_back(find_root(step * q, rest * radix));
    stage.twiddles = table.data();
  }

  if (radix > largest_direct) {
    use_bluestein(stage);
  } else if (radix > 7 && radix != 8) {
    auto& table = tables_.emplace_back();
    for (std::size_t q = 0; q < radix; ++q)
      table.push_back(find_root(q, radix));
    stage.roots = table.data();
  }

  stages_.push_back(stage);
}

void Transform::use_bluestein(Stage& stage) {
  const auto radix = stage.radix;
  const std::size_t length = find_padded_length(2 * radix - 1);

  // q * q grows beyond what a float could hold exactly, so it is reduced first.
  auto& chirp = tables_.emplace_back();
  for (std::size_t q = 0; q < radix; ++q)
    chirp.push_back(find_root(q * q, 2 * radix));

  // The padded transform works on one block.
  const std::size_t sizes[] = {length};
  padded_.push_back(std::make_unique<Transform>(sizes, std::numeric_limits<std::size_t>::max()));
  const auto& padded = *padded_.back();

  // The chirp's own transform, in double: it is used for every point.
  std::vector<std::complex<double>> wrapped(length);
  for (std::size_t q = 0; q < radix; ++q) {
    const auto angle =
        std::numbers::pi * static_cast<double>(q * q % (2 * radix)) / static_cast<double>(radix);
    wrapped[q] = wrapped[(length - q) % length] = std::polar(1.0, angle);
  }
  const auto spectrum = transform_in_double(wrapped);

  auto& transformed = tables_.emplace_back();
  for (std::size_t position = 0; position < length; ++position) {
    const auto value = spectrum[padded.frequencies_[0][position]] / static_cast<double>(length);
    transformed.push_back({static_cast<float>(value.real()), static_cast<float>(value.imag())});
  }

  stage.roots = chirp.data();
  stage.padded = padded.stages_.data();
  stage.padded_stages = padded.stages_.size();
  stage.padded_points = length;
  stage.padded_chirp = transformed.data();
  padded_points_ = std::max(padded_points_, length);
}

// Cuts where the larger one of the number of blocks and their size is smallest.
void Transform::cut(std::size_t cached_points) {
  block_points_ = points_;
  if (points_ <= cached_points)
    return;

  std::size_t blocks = 1;
  for (std::size_t outer = 0; outer < stages_.size();) {
    blocks *= stages_[outer++].radix;
    if (std::max(blocks, points_ / blocks) < std::max(block_count(), block_points_)) {
      outer_stages_ = outer;
      block_points_ = points_ / blocks;
    }
  }
}

void Transform::find_mirrors() {
  mirror_.resize(points_);
  mirror_[0] = 0;
  std::size_t done = 1;

  // Axis by axis from the last: the mirror of a position is the sum of those along the axes.
  for (auto axis = sizes_.size(); axis-- > 0;) {
    const auto size = sizes_[axis];
    const auto& frequencies = frequencies_[axis];
    std::vector<std::uint32_t> positions(size);
    for (std::uint32_t p = 0; p < size; ++p)
      positions[frequencies[p]] = p;

    for (auto p = size; p-- > 0;) {
      const auto opposite = positions[(size - frequencies[p]) % size];
      for (std::size_t i = 0; i < done; ++i)
        mirror_[p * done + i] = static_cast<std::uint32_t>(opposite * done + mirror_[i]);
    }
    done *= size;
  }
}

std::int32_t Transform::find_frequency(std::size_t axis, std::size_t position) const {
  std::size_t stride = 1;
  for (auto a = axis + 1; a < sizes_.size(); ++a)
    stride *= sizes_[a];

  const auto size = sizes_[axis];
  const auto k = frequencies_[axis][position / stride % size];
  const auto signed_k = static_cast<std::int32_t>(k);
  return 2 * k > size ? signed_k - static_cast<std::int32_t>(size) : signed_k;
}

std::size_t Transform::find_number(std::size_t position) const {
  std::size_t number = 0;
  std::size_t stride = 1;
  for (auto a = sizes_.size(); a-- > 0;) {
    number += frequencies_[a][position % sizes_[a]] * stride;
    position /= sizes_[a];
    stride *= sizes_[a];
  }
  return number;
}

void Transform::run_outer(const Kernels& kernels, Direction direction, float* data,
                          Points& scratch) const {
  kernels.transform(direction, stages_.data(), outer_stages_, data, points_, scratch.data());
}

void Transform::run_block(const Kernels& kernels, Direction direction, float* block,
                          Points& scratch) const {
  kernels.transform(direction, stages_.data() + outer_stages_, stages_.size() - outer_stages_,
                    block, block_points_, scratch.data());
}

void Transform::run(const Kernels& kernels, Direction direction, float* data,
                    Points& scratch) const {
  kernels.transform(direction, stages_.data(), stages_.size(), data, points_, scratch.data());
}

}  // namespace tracefold::correlation
