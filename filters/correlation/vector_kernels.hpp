// The inner loops of the correlation: butterflies, products, sums and maxima over points that
// hold many views beside each other.
//
// A point holds 32 views as 16 complex numbers: 16 real parts (views 0 to 15), then 16 imaginary
// parts (views 16 to 31), 128 bytes of single precision. A vector instruction thus always works
// on one point of several views, whatever the lengths of the axes are.
//
// The source behind this header is compiled once for each instruction set, and
// `choose_kernels` picks one at run time; answers differ by rounding only. For that reason the
// structures here are plain: nothing that is compiled for one instruction set may be linked into
// code for another. Thread-safe: everything that changes is passed in.
//
// Sources: frequency 2 and 3 (spectra, filtered correlation); Cooley and Tukey 1965 (stages);
// Bluestein 1970 (lengths with a large prime).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tracefold::correlation {

inline constexpr std::size_t lanes = 16;           // complex numbers of one point
inline constexpr std::size_t batch_views = 32;     // real numbers of one point
inline constexpr std::size_t largest_direct = 31;  // a larger prime radix goes Bluestein's way

struct Complex {
  float re = 0;
  float im = 0;
};

// One stage of a transform in place. Seen from it the points are [blocks][radix][steps][run]: a
// butterfly takes the `radix` points that are steps * run apart, and its twiddles are those of its
// step.
struct Stage {
  std::size_t radix = 1;
  std::size_t steps = 1;
  std::size_t run = 1;

  // radix - 1 for each step of the axis; null where the axis ends with this stage.
  const Complex* twiddles = nullptr;

  // exp(-2 pi i q / radix) for a radix without a butterfly of its own; for Bluestein's way the
  // chirp exp(-pi i q^2 / radix).
  const Complex* roots = nullptr;

  // Bluestein's way: the padded transform, and the transformed chirp divided by its length.
  const Stage* padded = nullptr;
  std::size_t padded_stages = 0;
  std::size_t padded_points = 0;
  const Complex* padded_chirp = nullptr;
};

// What a sum over points gives for each lane.
struct LaneSums {
  double squares[lanes] = {};   // of |Z(k)|^2, weighted
  double mirrored[lanes] = {};  // of Re Z(k) Z(-k), weighted
};

enum class Direction { forward, inverse };

struct Kernels {
  const char* name;

  // All stages over `points` points. `scratch` holds as many points as the largest padded
  // transform has. The inverse is not divided by the number of points.
  void (*transform)(Direction direction, const Stage* stages, std::size_t count, float* data,
                    std::size_t points, float* scratch);

  // to[p] = from[p] * factors[p]; `to` may be `from`.
  void (*multiply)(const float* from, const Complex* factors, float* to, std::size_t points);

  // Adds the energies of points [first, first + points) of `data`; mirror[p] is where -k stands.
  // With `twice`, the mirrored points are none of these and are counted, too.
  void (*add_energies)(const float* data, const float* weights, const std::uint32_t* mirror,
                       std::size_t first, std::size_t points, bool twice, LaneSums& sums);

  // Raises each of the 32 maxima to the largest |value| among the points. Where `allowed` is not
  // null, a point counts only if allowed[p] is 1, else it is 0.
  void (*raise_maxima)(const float* data, const float* allowed, std::size_t points, float* maxima);

  // to[view] = (from[view] - means[view]) * scales[view] of one row of views after the other, for
  // points with the same means. Adds the squares of what was written, before scaling.
  void (*centre)(const double* from, const double* means, const double* scales, float* to,
                 std::size_t points, double* squares);
};

// Those that this machine can run, the fastest first.
std::span<const Kernels* const> list_kernels();

// The fastest.
const Kernels& choose_kernels();

}  // namespace tracefold::correlation
