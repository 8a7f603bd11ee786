// Filtered cross-correlation of views over a grid, by way of the frequencies.
//
// For prepared views a and b with spectra A and B and the weight w of each frequency,
//   R(shift) = sum of w A* B exp(+2 pi i k shift) / sqrt(sum of w |A|^2 * sum of w |B|^2),
//   w(k) = sum over the chosen axes of k_i^2 / ||k||^2, w(0) = 0,
// k_i being the signed frequency index along an axis. r is R where |R| is largest; among shifts
// within 1e-5 of that the shortest counts, then the first one in the order of the grid. Where
// b(x) = a(x - s), the shift is +s. Near 1: alike; near -1: one is long where the other is short.
// A view whose weighted energy is rounding noise correlates with nothing: r is 0.
//
// Along an axis that is not periodic, a shift beyond the end must not come in again at the other
// end. Views are then filtered first and laid into a larger grid with zeros around them; shifts
// of up to half the axis are looked at, as around a periodic one, or of more where that is asked
// for.
//
// arccos of the largest |R| of two views is a distance that obeys the triangle inequality, as long
// as all shifts of the (larger) grid count, also those that are not looked at.
//
// Two real views make one complex one, 16 of these are transformed at once. Memory: 128 bytes for
// each point of the (larger) grid and batch. Immutable, safe from any thread; a thread brings its
// own Room. The answers do not depend on how views are put into batches by more than rounding.
//
// Source: frequency 3; arg max |R| instead of arg max R, which cannot be negative.
#pragma once

#include "filters/correlation/grid.hpp"
#include "filters/correlation/preparation.hpp"
#include "filters/correlation/transform.hpp"
#include "filters/correlation/vector_kernels.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace tracefold::correlation {

struct ShiftLimits {
  // The most steps along each axis; half the axis where it is not given. Around a periodic axis
  // more than half of it is less the other way; along one with ends all but the last point's
  // distance is possible.
  std::optional<std::size_t> most;

  // Treats all axes as periodic.
  bool wrap = false;
};

// How two views correlate.
struct Match {
  float r = 0;
  Shift shift{};
  float unshifted = 0;  // R of no shift
  float largest = 0;    // |R| of all shifts, also of those that are not looked at
};

// One view against which others are held: w A* / sqrt(energy), by position.
struct Query {
  std::vector<Complex> factors;
  bool is_zero = false;
};

// Which shifts are looked at: 1 or 0 by point of the (larger) grid; empty: all of them.
using ShiftMask = std::vector<float>;

// The spectra of 32 views.
struct Spectra {
  Points points;
  std::array<float, batch_views>
      lengths{};  // the square roots of energies; 0: correlates with nothing
};

class Correlator {
 public:
  // What one thread works with.
  struct Room {
    Points points;
    Points filtered;
    Points scratch;
    Points filter_scratch;
  };

  using Matches = std::array<Match, batch_views>;
  using Values = std::array<float, batch_views>;

  // Throws Error(usage) on a grid that `check` refuses.
  Correlator(Grid grid, const ShiftLimits& limits, const Kernels& kernels = choose_kernels());

  const Grid& grid() const { return grid_; }
  const Kernels& kernels() const { return kernels_; }
  std::size_t grid_points() const { return grid_.count_points(); }
  // The points of the grid with room for shifts beyond the ends.
  std::size_t points() const { return transform_.size(); }

  Room make_room() const;
  Spectra make_spectra() const;
  // Bytes of a room, of the spectra of a batch, and of a query.
  std::size_t room_bytes() const;
  std::size_t spectra_bytes() const { return points() * batch_views * sizeof(float); }
  std::size_t query_bytes() const { return points() * sizeof(Complex); }

  // Values as in preparation.hpp: grid_points() rows of 32.
  void transform(const double* values, Spectra& spectra, Room& room) const;
  Query make_query(const Spectra& spectra, std::size_t view) const;

  // Of the shifts that the limits leave, those that are allowed as well.
  ShiftMask make_mask(const std::function<bool(const Shift&)>& is_allowed) const;
  // The shifts that the limits leave.
  const ShiftMask& usual_mask() const { return allowed_; }

  // With views whose spectra are not kept.
  Matches correlate(const Query& query, const double* values, Room& room,
                    const ShiftMask& mask) const;
  Matches correlate(const Query& query, const double* values, Room& room) const {
    return correlate(query, values, room, allowed_);
  }

  // With spectra that were made before: only the largest |r| of each view.
  Values find_largest(const Query& query, const Spectra& spectra, Room& room,
                      const ShiftMask& mask) const;
  Values find_largest(const Query& query, const Spectra& spectra, Room& room) const {
    return find_largest(query, spectra, room, allowed_);
  }

  // The strengths of the frequencies of one view, for `bound`; empty where it correlates with
  // nothing.
  std::vector<float> find_strengths(const Spectra& spectra, std::size_t view) const;

  // The prepared values of one view of a batch, in units of its largest value.
  std::vector<float> prepare(const double* values, std::size_t view) const;

 private:
  void set_weights();
  void limit_shifts();

  Shift find_shift(std::size_t point) const;
  void write_views(const double* values, float* points, BatchSizes& sizes, Room& room) const;
  void transform(const double* values, float* points, Values& lengths, Room& room) const;
  void multiply_back(const Query& query, const float* spectra, Room& room) const;
  Values find_maxima(float* points, Room& room, const ShiftMask& mask) const;
  Matches find_matches(float* points, const Values& lengths, Room& room,
                       const ShiftMask& mask) const;

  Grid grid_;
  const Kernels& kernels_;
  Preparation preparation_;
  std::vector<std::size_t> reach_;  // the most steps along each axis
  std::vector<std::size_t> sizes_;  // of the padded grid
  bool padded_ = false;

  Transform transform_;                  // of the padded grid
  std::optional<Transform> filter_;      // of the grid itself, where both are needed
  std::vector<float> weights_;           // by position of the padded grid
  std::vector<Complex> filter_weights_;  // sqrt(w) / N, by position of the grid itself
  ShiftMask allowed_;
};

// Points of the grid with room for shifts beyond the ends, without making one. Throws Error(usage)
// as the constructor does.
std::size_t count_points_with_room(const Grid& grid, const ShiftLimits& limits);

// At least |R| of two views for any shift: the sum of w |A| |B| over the square root of both
// energies. Both have strengths that are not empty.
float bound(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace tracefold::correlation
