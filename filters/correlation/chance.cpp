#include "filters/correlation/chance.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <utility>

namespace tracefold::correlation {

namespace {

// Surrogates that are a little lower than the finding by rounding count as equal.
constexpr float rounding = 2e-5f;

// Numbers that are the same with every library: splitmix64, whose numbers can be had in any order.
class Random {
 public:
  Random(SurrogateKind kind, std::size_t number)
      : state_((2 * std::uint64_t{number} + (kind == SurrogateKind::order)) * 0xd1342543de82ef95u) {
  }

  std::uint64_t draw(std::uint64_t place) const {
    auto z = state_ + (place + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  // Below the limit; what the limit does not divide evenly is far too little to matter.
  std::size_t draw_below(std::uint64_t place, std::size_t limit) const {
    const auto share = static_cast<double>(draw(place) >> 11) * 0x1p-53;
    return static_cast<std::size_t>(share * static_cast<double>(limit));
  }

 private:
  std::uint64_t state_;
};

// So many phases are drawn from: a random one needs no more.
constexpr unsigned root_bits = 12;
constexpr std::size_t roots = std::size_t{1} << root_bits;

std::vector<Complex> make_roots() {
  std::vector<Complex> out;
  for (std::size_t i = 0; i < roots; ++i) {
    const auto angle = 2 * std::numbers::pi * static_cast<double>(i) / double{roots};
    out.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))});
  }
  return out;
}

// An axis that is not periodic is mirrored, so that a trend along it does not look like a jump from
// its end to its beginning, which surrogates would spread over all frequencies.
bool is_mirrored(const Axis& axis) {
  return !axis.periodic && axis.size > 1;
}

// The point whose value the cosine transform reads at a point of the grid: along a mirrored axis it
// takes the values at even places first, then the others from the end.
std::size_t find_source(const Grid& grid, std::size_t point) {
  std::size_t source = 0;
  std::size_t stride = 1;

  for (auto a = grid.axes.size(); a-- > 0;) {
    const auto size = grid.axes[a].size;
    auto place = point % size;
    if (is_mirrored(grid.axes[a]))
      place = 2 * place < size ? 2 * place : 2 * (size - 1 - place) + 1;
    source += place * stride;
    stride *= size;
    point /= size;
  }

  return source;
}

using Wide = std::complex<double>;

// The last step of the cosine transform along one axis, for all points: what stands at k and at
// size - k makes the coefficients of both.
void finish_cosines(std::vector<Wide>& spectrum, std::size_t size, std::size_t stride) {
  for (std::size_t k = 0; k <= size / 2; ++k) {
    const auto other = (size - k) % size;
    const auto turn_by = [size](std::size_t step) {
      return std::polar(
          0.5, -std::numbers::pi * static_cast<double>(step) / static_cast<double>(2 * size));
    };
    const auto turn = turn_by(k);
    const auto other_turn = turn_by(other);

    for (std::size_t first = 0; first < spectrum.size(); first += size * stride)
      for (std::size_t i = 0; i < stride; ++i) {
        auto& here = spectrum[first + k * stride + i];
        auto& there = spectrum[first + other * stride + i];
        const auto one = turn * here + std::conj(turn) * there;
        const auto two = other_turn * there + std::conj(other_turn) * here;
        here = one;
        if (other != k)
          there = two;
      }
  }
}

}  // namespace

Surrogates::Surrogates(const Correlator& correlator, const double* values, std::size_t view)
    : correlator_(correlator),
      transform_(correlator.grid().list_sizes()),
      prepared_(correlator.prepare(values, view)) {
  const auto& grid = correlator.grid();
  const auto points = prepared_.size();

  // The spectrum of the mirrored view is the cosine transform along the mirrored axes: that of the
  // view with its points in another order, and one more step.
  std::vector<Wide> spectrum(points);
  {
    Points data(points);
    std::fill_n(data.data(), points * batch_views, 0.0f);
    for (std::size_t p = 0; p < points; ++p)
      *data.at(p) = prepared_[find_source(grid, p)];

    Points scratch(transform_.scratch_points());
    transform_.run(correlator.kernels(), Direction::forward, data.data(), scratch);
    for (std::size_t p = 0; p < points; ++p)
      spectrum[transform_.find_number(p)] = {static_cast<double>(data.at(p)[0]),
                                             static_cast<double>(data.at(p)[lanes])};
  }

  std::size_t stride = 1;
  for (auto a = grid.axes.size(); a-- > 0;) {
    if (is_mirrored(grid.axes[a]))
      finish_cosines(spectrum, grid.axes[a].size, stride);
    stride *= grid.axes[a].size;
  }

  sizes_.reserve(points);
  for (const auto& value : spectrum)
    sizes_.push_back(static_cast<float>(std::abs(value)));
}

void Surrogates::make(SurrogateKind kind, std::size_t first, double* values) const {
  if (kind == SurrogateKind::order)
    change_order(first, values);
  else
    turn_phases(first, values);
}

std::size_t Surrogates::room_bytes() const {
  return (transform_.size() + transform_.scratch_points()) * batch_views * sizeof(float);
}

void Surrogates::change_order(std::size_t first, double* values) const {
  const auto& grid = correlator_.grid();
  std::vector<float> present;
  for (std::size_t p = 0; p < prepared_.size(); ++p)
    if (grid.has(p))
      present.push_back(prepared_[p]);

  for (std::size_t view = 0; view < batch_views; ++view) {
    const Random random(SurrogateKind::order, first + view);
    auto order = present;
    for (auto left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[random.draw_below(left, left)]);

    auto next = order.begin();
    for (std::size_t p = 0; p < prepared_.size(); ++p)
      values[p * batch_views + view] = grid.has(p) ? static_cast<double>(*next++) : 0.0;
  }
}

// The mirrored grid is never there as a whole: frequencies that are even along an axis of it, and
// those that are odd, are those of the grid itself each, the latter turned by half a step.
void Surrogates::turn_phases(std::size_t first, double* values) const {
  const auto& grid = correlator_.grid();
  std::fill_n(values, prepared_.size() * batch_views, 0.0);
  Points points(transform_.size());
  Points scratch(transform_.scratch_points());

  std::vector<std::size_t> mirrored;
  for (std::size_t a = 0; a < grid.axes.size(); ++a)
    if (is_mirrored(grid.axes[a]))
      mirrored.push_back(a);

  for (std::size_t odd = 0; odd < std::size_t{1} << mirrored.size(); ++odd) {
    Parities is_odd{};
    for (std::size_t i = 0; i < mirrored.size(); ++i)
      is_odd[mirrored[i]] = odd >> i & 1;

    write_spectra(first, is_odd, points);
    transform_.run(correlator_.kernels(), Direction::inverse, points.data(), scratch);
    add_turned(points, is_odd, values);
  }
}

// Two real surrogates make one complex one: the spectrum of the first plus i times that of the
// second. Opposite frequencies of a real view are conjugates of each other.
void Surrogates::write_spectra(std::size_t first, const Parities& is_odd, Points& points) const {
  static const auto phases = make_roots();
  const auto& grid = correlator_.grid();
  std::vector<Random> randoms;
  for (std::size_t view = 0; view < batch_views; ++view)
    randoms.emplace_back(SurrogateKind::phases, first + view);

  for (std::size_t p = 0; p < transform_.size(); ++p) {
    // The frequency and its opposite one in the mirrored grid, and the coefficient of both.
    std::uint64_t number = 0;
    std::uint64_t opposite = 0;
    std::size_t coefficient = 0;
    bool is_zero = false;
    std::uint64_t whole_stride = 1;
    std::size_t stride = 1;
    auto rest = transform_.find_number(p);

    for (auto a = grid.axes.size(); a-- > 0;) {
      const auto size = grid.axes[a].size;
      const bool is_whole = is_mirrored(grid.axes[a]);
      const auto whole = is_whole ? 2 * size : size;
      const auto k = is_whole ? 2 * (rest % size) + is_odd[a] : rest % size;
      number += k * whole_stride;
      opposite += (whole - k) % whole * whole_stride;
      is_zero |= is_whole && k == size;
      coefficient += (is_whole && k > size ? whole - k : k) % size * stride;
      whole_stride *= whole;
      stride *= size;
      rest /= size;
    }

    float* to = points.at(p);
    if (is_zero) {
      std::fill_n(to, batch_views, 0.0f);
      continue;
    }

    const auto size = sizes_[coefficient];
    const auto place = std::min(number, opposite);
    const auto turn = [&](std::size_t view) -> Complex {
      const auto drawn = randoms[view].draw(place) >> (64 - root_bits);
      if (number == opposite)
        return {drawn % 2 == 0 ? size : -size, 0};
      const auto& phase = phases[drawn];
      return {size * phase.re, number < opposite ? size * phase.im : -size * phase.im};
    };

    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto one = turn(lane);
      const auto two = turn(lane + lanes);
      to[lane] = one.re - two.im;
      to[lane + lanes] = one.im + two.re;
    }
  }
}

void Surrogates::add_turned(const Points& points, const Parities& is_odd, double* values) const {
  const auto& grid = correlator_.grid();

  for (std::size_t p = 0; p < prepared_.size(); ++p) {
    double angle = 0;
    auto rest = p;
    for (auto a = grid.axes.size(); a-- > 0;) {
      const auto size = grid.axes[a].size;
      angle += std::numbers::pi * static_cast<double>(is_odd[a] * (rest % size)) /
               static_cast<double>(size);
      rest /= size;
    }

    const auto turn = std::polar(1.0, angle);
    const float* from = points.data() + p * batch_views;
    double* to = values + p * batch_views;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto re = static_cast<double>(from[lane]);
      const auto im = static_cast<double>(from[lane + lanes]);
      to[lane] += turn.real() * re - turn.imag() * im;
      to[lane + lanes] += turn.imag() * re + turn.real() * im;
    }
  }
}

void SurrogateMaxima::raise(const SurrogateMaxima& other) {
  for (std::size_t i = 0; i < phases.size(); ++i)
    phases[i] = std::max(phases[i], other.phases[i]);
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = std::max(order[i], other.order[i]);
}

double SurrogateMaxima::find_chance(float r) const {
  const auto share = [r](const std::vector<float>& maxima) {
    const auto as_high = std::count_if(maxima.begin(), maxima.end(), [r](float reached) {
      return reached >= std::abs(r) - rounding;
    });
    return static_cast<double>(1 + as_high) / static_cast<double>(1 + maxima.size());
  };
  return std::max(share(phases), share(order));
}

}  // namespace tracefold::correlation
