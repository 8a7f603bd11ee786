#include "filters/correlation/correlator.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace tracefold::correlation {

namespace {

// Shifts whose |R| differs by less than this count as equal.
constexpr float tie = 1e-5f;

// An energy below this share of what a view has at all frequencies is rounding.
constexpr double noise = 1e-12;

bool is_smooth(std::size_t length) {
  for (std::size_t factor : {2u, 3u, 5u, 7u})
    while (length % factor == 0)
      length /= factor;
  return length == 1;
}

Grid take_checked(Grid grid, bool wrap) {
  check(grid);
  for (auto& axis : grid.axes)
    axis.periodic |= wrap;
  return grid;
}

// The most steps along each axis: around a periodic one half of it is the farthest, and along one
// with ends the last point from the first.
std::vector<std::size_t> find_reach(const Grid& grid, const ShiftLimits& limits) {
  std::vector<std::size_t> reach;
  for (const auto& axis : grid.axes) {
    const auto half = axis.size / 2;
    const auto farthest = axis.periodic ? half : axis.size - 1;
    reach.push_back(std::min(farthest, limits.most.value_or(half)));
  }
  return reach;
}

// The sizes of the axes with room for shifts beyond the ends of those that are not periodic.
std::vector<std::size_t> find_sizes(const Grid& grid, const std::vector<std::size_t>& reach) {
  std::vector<std::size_t> sizes;
  std::size_t points = 1;

  for (std::size_t a = 0; a < grid.axes.size(); ++a) {
    auto size = grid.axes[a].size;
    if (!grid.axes[a].periodic && reach[a] > 0) {
      size += reach[a];
      while (!is_smooth(size))
        ++size;
    }

    if (size > most_points / points)
      throw Error(ErrorKind::usage,
                  fmt::format("with room for shifts the grid has more than {} points", most_points))
          .hint("`max_shift` N or `wrap` makes it smaller");
    points *= size;
    sizes.push_back(size);
  }

  return sizes;
}

// The share of a frequency that counts: by the position of the frequency.
float find_weight(const Grid& grid, const Transform& transform, std::size_t position) {
  double chosen = 0;
  double all = 0;
  for (std::size_t a = 0; a < grid.axes.size(); ++a) {
    const double k = transform.find_frequency(a, position);
    all += k * k;
    if (grid.axes[a].chosen)
      chosen += k * k;
  }
  return all == 0 ? 0.0f : static_cast<float>(chosen / all);
}

}  // namespace

std::size_t count_points_with_room(const Grid& grid, const ShiftLimits& limits) {
  const auto checked = take_checked(grid, limits.wrap);
  const auto sizes = find_sizes(checked, find_reach(checked, limits));
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

Correlator::Correlator(Grid grid, const ShiftLimits& limits, const Kernels& kernels)
    : grid_(take_checked(std::move(grid), limits.wrap)),
      kernels_(kernels),
      preparation_(grid_),
      reach_(find_reach(grid_, limits)),
      sizes_(find_sizes(grid_, reach_)),
      transform_(sizes_) {
  const auto sizes = grid_.list_sizes();
  const auto filters = std::any_of(grid_.axes.begin(), grid_.axes.end(),
                                   [](const auto& axis) { return !axis.chosen; });

  padded_ = sizes_ != sizes;
  if (padded_ && filters)
    filter_.emplace(sizes);
  set_weights();
  limit_shifts();
}

void Correlator::set_weights() {
  weights_.assign(points(), 1.0f);
  if (!padded_)
    for (std::size_t p = 0; p < points(); ++p)
      weights_[p] = find_weight(grid_, transform_, p);

  if (!filter_)
    return;
  const auto n = filter_->size();
  filter_weights_.resize(n);
  for (std::size_t p = 0; p < n; ++p)
    filter_weights_[p].re = std::sqrt(find_weight(grid_, *filter_, p)) / static_cast<float>(n);
}

Shift Correlator::find_shift(std::size_t point) const {
  Shift shift{};
  for (auto a = sizes_.size(); a-- > 0;) {
    shift[a] = tracefold::correlation::wrap(point % sizes_[a], sizes_[a]);
    point /= sizes_[a];
  }
  return shift;
}

void Correlator::limit_shifts() {
  bool any = false;
  for (std::size_t a = 0; a < sizes_.size(); ++a)
    any |= reach_[a] < sizes_[a] / 2;
  if (!any)
    return;

  allowed_ = make_mask([&](const Shift& shift) {
    bool near = true;
    for (std::size_t a = 0; a < sizes_.size(); ++a)
      near &= static_cast<std::size_t>(std::abs(shift[a])) <= reach_[a];
    return near;
  });
}

ShiftMask Correlator::make_mask(const std::function<bool(const Shift&)>& is_allowed) const {
  auto mask = allowed_.empty() ? ShiftMask(points(), 1.0f) : allowed_;
  for (std::size_t p = 0; p < points(); ++p)
    if (mask[p] != 0 && !is_allowed(find_shift(p)))
      mask[p] = 0;
  return mask;
}

Correlator::Room Correlator::make_room() const {
  return {Points(points()), Points(padded_ ? grid_points() : 0),
          Points(transform_.scratch_points()), Points(filter_ ? filter_->scratch_points() : 0)};
}

Spectra Correlator::make_spectra() const {
  return {Points(points()), {}};
}

std::size_t Correlator::room_bytes() const {
  const auto points_here = points() + (padded_ ? grid_points() : 0) + transform_.scratch_points() +
                           (filter_ ? filter_->scratch_points() : 0);
  return points_here * batch_views * sizeof(float);
}

// Prepared views, and what the outer stages of the transform make of them.
void Correlator::write_views(const double* values, float* points, BatchSizes& sizes,
                             Room& room) const {
  const auto means = preparation_.find_means(values);
  float* prepared = padded_ ? room.filtered.data() : points;
  preparation_.write(kernels_, values, means, 0, grid_points(), prepared, sizes);

  if (filter_) {
    filter_->run(kernels_, Direction::forward, prepared, room.filter_scratch);
    kernels_.multiply(prepared, filter_weights_.data(), prepared, grid_points());
    filter_->run(kernels_, Direction::inverse, prepared, room.filter_scratch);
  }

  // Rows along the last axis stay together.
  if (padded_) {
    std::memset(points, 0, spectra_bytes());
    const auto run = grid_.axes.back().size;
    for (std::size_t p = 0; p < grid_points(); p += run) {
      const auto coordinates = find_coordinates(grid_, p);
      std::size_t to = 0;
      for (std::size_t a = 0; a < sizes_.size(); ++a)
        to = to * sizes_[a] + coordinates[a];
      std::memcpy(points + to * batch_views, room.filtered.at(p),
                  run * batch_views * sizeof(float));
    }
  }

  transform_.run_outer(kernels_, Direction::forward, points, room.scratch);
}

// Spectra and their lengths. Energies are those of a block and the one with the mirrored
// frequencies, while both are in the cache.
void Correlator::transform(const double* values, float* points, Values& lengths, Room& room) const {
  BatchSizes sizes;
  write_views(values, points, sizes, room);

  const auto mirror = transform_.mirror();
  const auto block_points = transform_.block_points();
  LaneSums sums;

  for (std::size_t block = 0; block < transform_.block_count(); ++block) {
    const auto other = mirror[block * block_points] / block_points;
    if (other < block)
      continue;

    const auto run = [&](std::size_t one) {
      transform_.run_block(kernels_, Direction::forward, points + one * block_points * batch_views,
                           room.scratch);
    };
    run(block);
    if (other != block)
      run(other);
    kernels_.add_energies(points, weights_.data(), mirror.data(), block * block_points,
                          block_points, other != block, sums);
  }

  const auto n = static_cast<double>(this->points());
  for (std::size_t view = 0; view < batch_views; ++view) {
    const auto lane = view % lanes;
    const auto sign = view < lanes ? 1.0 : -1.0;
    const auto energy = (sums.squares[lane] + sign * sums.mirrored[lane]) / 2;
    const auto counts = !sizes.is_zero(view) && energy > noise * n * sizes.squares[view];
    lengths[view] = counts ? static_cast<float>(std::sqrt(energy)) : 0.0f;
  }
}

void Correlator::transform(const double* values, Spectra& spectra, Room& room) const {
  transform(values, spectra.points.data(), spectra.lengths, room);
}

Query Correlator::make_query(const Spectra& spectra, std::size_t view) const {
  Query query;
  query.factors.resize(points());
  query.is_zero = spectra.lengths[view] == 0;
  if (query.is_zero)
    return query;

  const auto mirror = transform_.mirror();
  const auto lane = view % lanes;
  const float* data = spectra.points.data();
  const float share = 0.5f / spectra.lengths[view];

  // One of two views that were transformed as one: half the sum or the difference of what stands
  // at a frequency and the conjugate of what stands at its mirror.
  for (std::size_t p = 0; p < points(); ++p) {
    const float* here = data + p * batch_views + lane;
    const float* there = data + mirror[p] * batch_views + lane;
    const auto factor = weights_[p] * share;

    if (view < lanes)
      query.factors[p] = {factor * (here[0] + there[0]), -factor * (here[lanes] - there[lanes])};
    else
      query.factors[p] = {factor * (here[lanes] + there[lanes]), factor * (here[0] - there[0])};
  }
  return query;
}

// The outer stages of the way back, and the largest |value| of each view among the shifts that are
// looked at.
Correlator::Values Correlator::find_maxima(float* points, Room& room, const ShiftMask& mask) const {
  transform_.run_outer(kernels_, Direction::inverse, points, room.scratch);
  alignas(64) Values largest{};
  kernels_.raise_maxima(points, mask.empty() ? nullptr : mask.data(), this->points(),
                        largest.data());
  return largest;
}

Correlator::Matches Correlator::find_matches(float* points, const Values& lengths, Room& room,
                                             const ShiftMask& mask) const {
  const auto largest = find_maxima(points, room, mask);
  alignas(64) Values beyond = largest;
  if (!mask.empty())
    kernels_.raise_maxima(points, nullptr, this->points(), beyond.data());

  Values least{};
  for (std::size_t view = 0; view < batch_views; ++view)
    least[view] = lengths[view] == 0 ? std::numeric_limits<float>::infinity()
                                     : std::max(0.0f, largest[view] - tie * lengths[view]);

  Matches matches;
  std::array<std::size_t, batch_views> nearest;
  nearest.fill(std::numeric_limits<std::size_t>::max());
  for (std::size_t point = 0; point < this->points(); ++point) {
    if (!mask.empty() && mask[point] == 0)
      continue;

    const float* row = points + point * batch_views;
    for (std::size_t view = 0; view < batch_views; ++view) {
      if (std::abs(row[view]) < least[view])
        continue;
      const auto shift = find_shift(point);
      std::size_t squares = 0;
      for (auto step : shift)
        squares += static_cast<std::size_t>(std::int64_t{step} * step);
      if (squares >= nearest[view])
        continue;

      nearest[view] = squares;
      matches[view].shift = shift;
      matches[view].r = std::clamp(row[view] / lengths[view], -1.0f, 1.0f);
    }
  }

  for (std::size_t view = 0; view < batch_views; ++view)
    if (lengths[view] > 0) {
      matches[view].largest = std::min(1.0f, beyond[view] / lengths[view]);
      matches[view].unshifted = std::clamp(points[view] / lengths[view], -1.0f, 1.0f);
    }
  return matches;
}

// The product and the inner stages of the way back, block by block.
void Correlator::multiply_back(const Query& query, const float* spectra, Room& room) const {
  const auto block_points = transform_.block_points();
  for (std::size_t first = 0; first < points(); first += block_points) {
    float* here = room.points.at(first);
    kernels_.multiply(spectra + first * batch_views, query.factors.data() + first, here,
                      block_points);
    transform_.run_block(kernels_, Direction::inverse, here, room.scratch);
  }
}

Correlator::Matches Correlator::correlate(const Query& query, const double* values, Room& room,
                                          const ShiftMask& mask) const {
  if (query.is_zero)
    return {};

  Values lengths{};
  transform(values, room.points.data(), lengths, room);
  multiply_back(query, room.points.data(), room);
  return find_matches(room.points.data(), lengths, room, mask);
}

Correlator::Values Correlator::find_largest(const Query& query, const Spectra& spectra, Room& room,
                                            const ShiftMask& mask) const {
  Values out{};
  if (query.is_zero)
    return out;

  multiply_back(query, spectra.points.data(), room);
  const auto largest = find_maxima(room.points.data(), room, mask);
  for (std::size_t view = 0; view < batch_views; ++view)
    if (spectra.lengths[view] > 0)
      out[view] = std::min(1.0f, largest[view] / spectra.lengths[view]);
  return out;
}

std::vector<float> Correlator::prepare(const double* values, std::size_t view) const {
  const auto means = preparation_.find_means(values);
  BatchSizes sizes;
  std::vector<float> prepared(grid_points());
  alignas(64) std::array<float, batch_views> row{};

  for (std::size_t p = 0; p < prepared.size(); ++p) {
    preparation_.write(kernels_, values, means, p, 1, row.data(), sizes);
    prepared[p] = row[view];
  }
  return prepared;
}

std::vector<float> Correlator::find_strengths(const Spectra& spectra, std::size_t view) const {
  if (spectra.lengths[view] == 0)
    return {};

  // Opposite frequencies are of the same size: one stands for both.
  const auto mirror = transform_.mirror();
  const auto lane = view % lanes;
  const float sign = view < lanes ? 1 : -1;
  std::vector<float> sizes;
  sizes.reserve(points() / 2 + 1);

  for (std::size_t p = 0; p < points(); ++p) {
    if (mirror[p] < p || weights_[p] == 0)
      continue;

    const float* here = spectra.points.data() + p * batch_views + lane;
    const float* there = spectra.points.data() + mirror[p] * batch_views + lane;
    const auto size = std::hypot(here[0] + sign * there[0], here[lanes] - sign * there[lanes]) / 2;
    const auto both = mirror[p] == p ? weights_[p] : 2 * weights_[p];
    sizes.push_back(std::sqrt(both) * size / spectra.lengths[view]);
  }
  return sizes;
}

float bound(const std::vector<float>& a, const std::vector<float>& b) {
  constexpr std::size_t width = 16;
  const auto whole = a.size() / width * width;
  std::array<float, width> parts{};

  for (std::size_t p = 0; p < whole; p += width)
    for (std::size_t i = 0; i < width; ++i)
      parts[i] += a[p + i] * b[p + i];

  double sum = 0;
  for (auto p = whole; p < a.size(); ++p)
    sum += static_cast<double>(a[p] * b[p]);
  for (auto part : parts)
    sum += static_cast<double>(part);
  return static_cast<float>(sum);
}

}  // namespace tracefold::correlation
