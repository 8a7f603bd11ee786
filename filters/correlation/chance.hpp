// How high correlations get by chance alone.
//
// On a small grid some shift of some view always fits. How well it fits by chance is measured with
// two kinds of surrogates of the query: views with the same spectrum and random phases (as smooth
// as the query, with trends like it), and views with the same values in another order (with the
// same spikes). Each surrogate is correlated with all views, and its largest |r| over all shifts
// and views counts. The chance of a finding is the share of surrogates that reach its |r|, for the
// kind where that share is larger: at 0.05, one query in twenty finds anything by chance.
//
// Along an axis with ends the query is mirrored before its phases are turned. That makes surrogates
// as smooth as the query at its ends, too, and chances higher. Without it, of 200 queries of smooth
// fields of 8 x 8 that had nothing to do with each other, 35 to 85 % had a finding of chance 0.05;
// with it 3 to 12 % have (tests/bench/correlation_bench --chance).
//
// The mirrored grid has twice the points for each such axis, but is not kept: surrogates need 128
// bytes for each point of the grid itself.
//
// What surrogates are made of depends on their number and on nothing else, so the answer does not
// depend on threads. Thread-safe.
//
// Sources: frequency 3; Theiler et al. 1992 (phase surrogates, and what ends do to them); Westfall
// and Young 1993 (maxima over all that is tested).
#pragma once

#include "filters/correlation/correlator.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace tracefold::correlation {

inline constexpr std::size_t surrogates_of_a_kind = 199;
inline constexpr double usual_chance = 0.05;

enum class SurrogateKind { phases, order };

// Makes surrogates of one view.
class Surrogates {
 public:
  // `values` has the view in place `view` of a batch.
  Surrogates(const Correlator& correlator, const double* values, std::size_t view);

  // A batch of values: surrogates number first to first + 31 of a kind. `values` has room for
  // 32 of each point of the grid.
  void make(SurrogateKind kind, std::size_t first, double* values) const;

  // Bytes that `make` needs besides.
  std::size_t room_bytes() const;

 private:
  using Parities = std::array<std::size_t, most_axes>;  // 1 for odd frequencies, by axis

  void change_order(std::size_t first, double* values) const;
  void turn_phases(std::size_t first, double* values) const;
  void write_spectra(std::size_t first, const Parities& is_odd, Points& points) const;
  void add_turned(const Points& points, const Parities& is_odd, double* values) const;

  const Correlator& correlator_;
  Transform transform_;  // of the grid
  std::vector<float> prepared_;
  std::vector<float> sizes_;  // of the frequencies of the mirrored view, 0 to the size of each axis
};

// The largest |r| that surrogates reach.
struct SurrogateMaxima {
  std::vector<float> phases, order;  // by number

  explicit SurrogateMaxima(std::size_t surrogates = 0) : phases(surrogates), order(surrogates) {}

  // Takes the larger one of both maxima for each surrogate.
  void raise(const SurrogateMaxima& other);

  // In (0, 1]: at most 1 / (surrogates + 1) where none is as high.
  double find_chance(float r) const;
};

}  // namespace tracefold::correlation
