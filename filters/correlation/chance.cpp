#include "filters/correlation/chance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace tracefold::correlation {

namespace {

// Surrogates that are a little lower than the finding by rounding count as equal.
constexpr float rounding = 2e-5f;

// Numbers that are the same with every library: splitmix64.
class Random {
 public:
  Random(SurrogateKind kind, std::size_t number)
      : state_((2 * std::uint64_t{number} + (kind == SurrogateKind::order)) * 0xd1342543de82ef95u) {
  }

  std::uint64_t draw() {
    state_ += 0x9e3779b97f4a7c15u;
    auto z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  double draw_share() { return static_cast<double>(draw() >> 11) * 0x1p-53; }

  // Below the limit; what the limit does not divide evenly is far too little to matter.
  std::size_t draw_below(std::size_t limit) {
    return static_cast<std::size_t>(draw_share() * static_cast<double>(limit));
  }

 private:
  std::uint64_t state_;
};

// An axis that is not periodic is mirrored, so that a trend along it does not look like a jump from
// its end to its beginning, which surrogates would spread over all frequencies.
std::size_t find_mirrored_size(const Axis& axis) {
  return axis.periodic ? axis.size : 2 * axis.size;
}

std::vector<std::size_t> find_mirrored_sizes(const Grid& grid) {
  std::vector<std::size_t> sizes;
  for (const auto& axis : grid.axes)
    sizes.push_back(find_mirrored_size(axis));
  return sizes;
}

}  // namespace

Surrogates::Surrogates(const Correlator& correlator, const double* values, std::size_t view)
    : correlator_(correlator),
      transform_(find_mirrored_sizes(correlator.grid())),
      prepared_(correlator.prepare(values, view)),
      places_(prepared_.size()) {
  const auto& grid = correlator.grid();
  const auto points = transform_.size();
  Points spectrum(points);
  std::fill_n(spectrum.data(), points * batch_views, 0.0f);

  for (std::size_t p = 0; p < points; ++p) {
    auto rest = p;
    std::size_t from = 0;
    std::size_t stride = 1;
    bool mirrored = false;
    for (auto a = grid.axes.size(); a-- > 0;) {
      const auto size = grid.axes[a].size;
      const auto whole = find_mirrored_size(grid.axes[a]);
      const auto place = rest % whole;
      mirrored |= place >= size;
      from += (place < size ? place : whole - 1 - place) * stride;
      stride *= size;
      rest /= whole;
    }

    *spectrum.at(p) = prepared_[from];
    if (!mirrored)
      places_[from] = static_cast<std::uint32_t>(p);
  }

  auto workspace = transform_.make_workspace();
  transform_.forward(correlator.kernels(), spectrum.data(), workspace);
  for (std::size_t p = 0; p < points; ++p)
    spectrum_.push_back({spectrum.at(p)[0], spectrum.at(p)[lanes]});
}

void Surrogates::make(SurrogateKind kind, std::size_t first, double* values) const {
  const auto& grid = correlator_.grid();
  const auto points = grid.count_points();

  if (kind == SurrogateKind::order) {
    std::vector<float> present;
    for (std::size_t p = 0; p < points; ++p)
      if (grid.has(p))
        present.push_back(prepared_[p]);

    for (std::size_t view = 0; view < batch_views; ++view) {
      Random random(kind, first + view);
      auto order = present;
      for (auto left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[random.draw_below(left)]);

      auto next = order.begin();
      for (std::size_t p = 0; p < points; ++p)
        values[p * batch_views + view] = grid.has(p) ? static_cast<double>(*next++) : 0.0;
    }
    return;
  }

  // Two real surrogates make one complex one: the spectrum of the first plus i times that of the
  // second. Opposite frequencies of a real view are conjugates of each other.
  Points spectra(transform_.size());
  const auto mirror = transform_.mirror();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    Random one(kind, first + lane);
    Random two(kind, first + lane + lanes);

    const auto turn = [](Random& random, Complex value, bool alone) {
      const auto share = random.draw_share();
      if (alone)
        return share < 0.5 ? value : Complex{-value.re, -value.im};

      const auto angle = 2 * std::numbers::pi * share;
      const auto size = std::hypot(static_cast<double>(value.re), static_cast<double>(value.im));
      return Complex{static_cast<float>(size * std::cos(angle)),
                     static_cast<float>(size * std::sin(angle))};
    };

    for (std::size_t p = 0; p < transform_.size(); ++p) {
      const std::size_t m = mirror[p];
      if (m < p)
        continue;

      const auto a = turn(one, spectrum_[p], m == p);
      const auto b = turn(two, spectrum_[p], m == p);
      spectra.at(m)[lane] = a.re + b.im;
      spectra.at(m)[lane + lanes] = b.re - a.im;
      spectra.at(p)[lane] = a.re - b.im;
      spectra.at(p)[lane + lanes] = a.im + b.re;
    }
  }

  auto workspace = transform_.make_workspace();
  transform_.inverse(correlator_.kernels(), spectra.data(), workspace);
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t view = 0; view < batch_views; ++view)
      values[p * batch_views + view] = static_cast<double>(spectra.at(places_[p])[view]);
}

void Luck::raise(const Luck& other) {
  for (std::size_t i = 0; i < phases.size(); ++i)
    phases[i] = std::max(phases[i], other.phases[i]);
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = std::max(order[i], other.order[i]);
}

double Luck::find_chance(float r) const {
  const auto share = [r](const std::vector<float>& maxima) {
    const auto as_high = std::count_if(maxima.begin(), maxima.end(), [r](float reached) {
      return reached >= std::abs(r) - rounding;
    });
    return static_cast<double>(1 + as_high) / static_cast<double>(1 + maxima.size());
  };
  return std::max(share(phases), share(order));
}

}  // namespace tracefold::correlation
