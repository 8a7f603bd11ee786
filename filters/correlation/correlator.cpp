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

// Of the grid with room for shifts beyond the ends of axes that are not periodic.
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
    filter_weights_[p] = std::sqrt(find_weight(grid_, *filter_, p)) / static_cast<float>(n);
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

  allowed_.assign(points(), 0.0f);
  for (std::size_t p = 0; p < points(); ++p) {
    const auto shift = find_shift(p);
    bool near = true;
    for (std::size_t a = 0; a < sizes_.size(); ++a)
      near &= static_cast<std::size_t>(std::abs(shift[a])) <= reach_[a];
    if (near)
      allowed_[p] = 1;
  }
}

Correlator::Room Correlator::make_room() const {
  return {Points(points()), Points(padded_ ? grid_points() : 0), transform_.make_workspace(),
          filter_ ? filter_->make_workspace() : Workspace{}};
}

Spectra Correlator::make_spectra() const {
  return {Points(points()), {}};
}

std::size_t Correlator::room_bytes() const {
  const auto points_here = points() + (padded_ ? grid_points() : 0) +
                           transform_.workspace_points() +
                           (filter_ ? filter_->workspace_points() : 0);
  return points_here * batch_views * sizeof(float);
}

// Prepared views, and what the outer stages of the transform make of them.
void Correlator::write_views(const double* values, float* points, BatchSizes& sizes,
                             Room& room) const {
  const auto means = preparation_.find_means(values);

  // One row of a panel after the other, straight from the values.
  if (!padded_) {
    each_panel(points, room, [&](float* panel, std::size_t k) {
      const auto run = transform_.panel_run();
      for (std::size_t r = 0; r < transform_.panel_rows(); ++r)
        preparation_.write(kernels_, values, means, r * transform_.block_points() + k * run, run,
                           panel + r * run * batch_views, sizes);
      transform_.run_panel(kernels_, Direction::forward, panel, k, room.workspace);
      if (panel != points)
        transform_.scatter(panel, k, points);
    });
    return;
  }

  preparation_.write(kernels_, values, means, 0, grid_points(), room.filtered.data(), sizes);
  if (filter_) {
    filter_->run(kernels_, Direction::forward, room.filtered.data(), room.filter_workspace);
    kernels_.scale(room.filtered.data(), filter_weights_.data(), room.filtered.data(),
                   grid_points());
    filter_->run(kernels_, Direction::inverse, room.filtered.data(), room.filter_workspace);
  }

  // Rows along the last axis stay together.
  std::memset(points, 0, spectra_bytes());
  const auto run = grid_.axes.back().size;
  for (std::size_t p = 0; p < grid_points(); p += run) {
    const auto coordinates = find_coordinates(grid_, p);
    std::size_t to = 0;
    for (std::size_t a = 0; a < sizes_.size(); ++a)
      to = to * sizes_[a] + coordinates[a];
    std::memcpy(points + to * batch_views, room.filtered.at(p), run * batch_views * sizeof(float));
  }

  transform_.run_panels(kernels_, Direction::forward, points, room.workspace);
}

// Calls body(panel, k) with room for each panel: the points themselves where there is only one.
template <class Body>
void Correlator::each_panel(float* points, Room& room, Body&& body) const {
  float* panel = room.workspace.panel.size() > 0 ? room.workspace.panel.data() : points;
  for (std::size_t k = 0; k < transform_.panel_count(); ++k)
    body(panel, k);
}

// The inner stages and the energies, of a block and the one with the mirrored frequencies; with a
// query the product and the way back as well, while both are in the cache.
void Correlator::transform_blocks(float* points, const BatchSizes& sizes, const Query* query,
                                  std::array<float, batch_views>& lengths, Room& room) const {
  const auto mirror = transform_.mirror();
  const auto block_points = transform_.block_points();
  LaneSums sums;

  for (std::size_t block = 0; block < transform_.block_count(); ++block) {
    const auto other = mirror[block * block_points] / block_points;
    if (other < block)
      continue;

    const auto each_of_both = [&](auto&& body) {
      body(block * block_points);
      if (other != block)
        body(other * block_points);
    };

    each_of_both([&](std::size_t first) {
      transform_.run_block(kernels_, Direction::forward, points + first * batch_views,
                           room.workspace);
    });

    kernels_.add_energies(points, weights_.data(), mirror.data(), block * block_points,
                          block_points, other != block, sums);
    if (!query)
      continue;

    each_of_both([&](std::size_t first) {
      float* here = points + first * batch_views;
      kernels_.multiply(here, query->factors.data() + first, here, block_points);
      transform_.run_block(kernels_, Direction::inverse, here, room.workspace);
    });
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
  BatchSizes sizes;
  write_views(values, spectra.points.data(), sizes, room);
  transform_blocks(spectra.points.data(), sizes, nullptr, spectra.lengths, room);
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

// The largest |value| of each view among the shifts that are looked at; where they are wanted the
// same by panel, with 32 in `each` for each of them, the largest of all shifts, and the value of no
// shift.
void Correlator::find_maxima(float* points, Room& room, float* all, float* each, float* beyond,
                             float* unshifted) const {
  std::vector<float> mask;
  const auto run = transform_.panel_run();

  each_panel(points, room, [&](float* panel, std::size_t k) {
    if (panel != points)
      transform_.gather(points, k, panel);
    transform_.run_panel(kernels_, Direction::inverse, panel, k, room.workspace);
    if (k == 0 && unshifted)
      std::copy_n(panel, batch_views, unshifted);

    if (beyond)
      kernels_.raise_maxima(panel, nullptr, transform_.panel_points(), beyond);
    const float* allowed = allowed_.empty() ? nullptr : allowed_.data();
    if (allowed && panel != points) {
      mask.clear();
      for (std::size_t r = 0; r < transform_.panel_rows(); ++r) {
        const auto from = allowed + r * transform_.block_points() + k * run;
        mask.insert(mask.end(), from, from + run);
      }
      allowed = mask.data();
    }

    alignas(64) std::array<float, batch_views> largest{};
    kernels_.raise_maxima(panel, allowed, transform_.panel_points(), largest.data());
    for (std::size_t view = 0; view < batch_views; ++view)
      all[view] = std::max(all[view], largest[view]);
    if (each)
      std::copy(largest.begin(), largest.end(), each + k * batch_views);
  });
}

Correlator::Matches Correlator::find_matches(float* points,
                                             const std::array<float, batch_views>& lengths,
                                             Room& room) const {
  std::vector<float> each(transform_.panel_count() * batch_views);
  alignas(64) std::array<float, batch_views> all{};
  alignas(64) std::array<float, batch_views> beyond{};
  alignas(64) std::array<float, batch_views> unshifted{};
  find_maxima(points, room, all.data(), each.data(), allowed_.empty() ? nullptr : beyond.data(),
              unshifted.data());

  std::array<float, batch_views> least{};
  for (std::size_t view = 0; view < batch_views; ++view)
    least[view] = lengths[view] == 0 ? std::numeric_limits<float>::infinity()
                                     : std::max(0.0f, all[view] - tie * lengths[view]);

  // Only panels that hold a value near the maximum are computed again.
  Matches matches;
  std::array<std::size_t, batch_views> nearest;
  nearest.fill(std::numeric_limits<std::size_t>::max());
  std::array<std::size_t, batch_views> places{};
  const auto run = transform_.panel_run();

  const auto consider = [&](std::size_t view, std::size_t point, float value) {
    const auto shift = find_shift(point);
    std::size_t squares = 0;
    for (auto step : shift)
      squares += static_cast<std::size_t>(std::int64_t{step} * step);
    if (std::pair(squares, point) >= std::pair(nearest[view], places[view]))
      return;

    nearest[view] = squares;
    places[view] = point;
    matches[view].shift = shift;
    matches[view].r = std::clamp(value / lengths[view], -1.0f, 1.0f);
  };

  each_panel(points, room, [&](float* panel, std::size_t k) {
    std::array<std::size_t, batch_views> wanted{};
    std::size_t count = 0;
    for (std::size_t view = 0; view < batch_views; ++view)
      if (each[k * batch_views + view] >= least[view])
        wanted[count++] = view;
    if (count == 0)
      return;

    if (panel != points) {
      transform_.gather(points, k, panel);
      transform_.run_panel(kernels_, Direction::inverse, panel, k, room.workspace);
    }

    for (std::size_t r = 0; r < transform_.panel_rows(); ++r)
      for (std::size_t i = 0; i < run; ++i) {
        const auto point = r * transform_.block_points() + k * run + i;
        if (!allowed_.empty() && allowed_[point] == 0)
          continue;

        const float* row = panel + (r * run + i) * batch_views;
        for (std::size_t w = 0; w < count; ++w)
          if (std::abs(row[wanted[w]]) >= least[wanted[w]])
            consider(wanted[w], point, row[wanted[w]]);
      }
  });

  for (std::size_t view = 0; view < batch_views; ++view)
    if (lengths[view] > 0) {
      const auto largest = allowed_.empty() ? all[view] : beyond[view];
      matches[view].largest = std::min(1.0f, largest / lengths[view]);
      matches[view].unshifted = std::clamp(unshifted[view] / lengths[view], -1.0f, 1.0f);
    }
  return matches;
}

// The product and the inner stages of the way back, block by block.
void Correlator::multiply_back(const Query& query, const Spectra& spectra, Room& room) const {
  const auto block_points = transform_.block_points();
  for (std::size_t block = 0; block < transform_.block_count(); ++block) {
    const auto first = block * block_points;
    float* here = room.points.at(first);
    kernels_.multiply(spectra.points.data() + first * batch_views, query.factors.data() + first,
                      here, block_points);
    transform_.run_block(kernels_, Direction::inverse, here, room.workspace);
  }
}

Correlator::Matches Correlator::correlate(const Query& query, const Spectra& spectra,
                                          Room& room) const {
  if (query.is_zero)
    return {};

  multiply_back(query, spectra, room);
  return find_matches(room.points.data(), spectra.lengths, room);
}

Correlator::Matches Correlator::correlate(const Query& query, const double* values,
                                          Room& room) const {
  if (query.is_zero)
    return {};

  BatchSizes sizes;
  std::array<float, batch_views> lengths{};
  write_views(values, room.points.data(), sizes, room);
  transform_blocks(room.points.data(), sizes, &query, lengths, room);
  return find_matches(room.points.data(), lengths, room);
}

std::array<float, batch_views> Correlator::find_largest(const Query& query, const Spectra& spectra,
                                                        Room& room) const {
  std::array<float, batch_views> out{};
  if (query.is_zero)
    return out;

  multiply_back(query, spectra, room);
  alignas(64) std::array<float, batch_views> all{};
  find_maxima(room.points.data(), room, all.data());
  for (std::size_t view = 0; view < batch_views; ++view)
    if (spectra.lengths[view] > 0)
      out[view] = std::min(1.0f, all[view] / spectra.lengths[view]);
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
