// Compiled once for each instruction set, with TRACEFOLD_KERNELS naming it. Only functions of this
// file and of the compiler are called here: an inline function of a library, compiled for a newer
// instruction set, could be linked into the rest of the program.
#include "filters/correlation/vector_kernels.hpp"

namespace tracefold::correlation {

namespace {

#if defined(__AVX512F__)
constexpr std::size_t width = 16;
#elif defined(__AVX2__)
constexpr std::size_t width = 8;
#else
constexpr std::size_t width = 4;
#endif

constexpr std::size_t point_floats = 2 * lanes;

// Blocks of at most so many points stay in the first-level cache for all of their stages.
constexpr std::size_t near_points = 256;

// So many squares are summed in single precision before they are added to a double.
constexpr std::size_t points_per_sum = 32;

using Vector [[gnu::vector_size(width * sizeof(float)), gnu::may_alias]] = float;
using Mask [[gnu::vector_size(width * sizeof(float)), gnu::may_alias]] = std::int32_t;

struct Value {
  Vector re, im;
};

[[gnu::always_inline]] inline Value operator+(Value a, Value b) {
  return {a.re + b.re, a.im + b.im};
}

[[gnu::always_inline]] inline Value operator-(Value a, Value b) {
  return {a.re - b.re, a.im - b.im};
}

[[gnu::always_inline]] inline Value operator*(float f, Value a) {
  return {f * a.re, f * a.im};
}

[[gnu::always_inline]] inline Value operator*(Value a, Complex t) {
  return {a.re * t.re - a.im * t.im, a.re * t.im + a.im * t.re};
}

// -i times the value.
[[gnu::always_inline]] inline Value turn(Value a) {
  return {a.im, -a.re};
}

// The inverse transform is the forward one with real and imaginary parts swapped on both ends, so
// that one butterfly does for both directions.
template <bool Inverse>
[[gnu::always_inline]] inline Value load(const float* at) {
  constexpr std::size_t re = Inverse ? lanes : 0;
  constexpr std::size_t im = Inverse ? 0 : lanes;
  return {*reinterpret_cast<const Vector*>(at + re), *reinterpret_cast<const Vector*>(at + im)};
}

template <bool Inverse>
[[gnu::always_inline]] inline void store(float* at, Value value) {
  constexpr std::size_t re = Inverse ? lanes : 0;
  constexpr std::size_t im = Inverse ? 0 : lanes;
  *reinterpret_cast<Vector*>(at + re) = value.re;
  *reinterpret_cast<Vector*>(at + im) = value.im;
}

[[gnu::always_inline]] inline void transform2(Value& a, Value& b) {
  const Value sum = a + b;
  b = a - b;
  a = sum;
}

[[gnu::always_inline]] inline void transform3(Value* x) {
  constexpr float sine = 0.866025403784438646763723f;
  const Value sum = x[1] + x[2];
  const Value middle = x[0] - 0.5f * sum;
  const Value side = turn(sine * (x[1] - x[2]));

  x[0] = x[0] + sum;
  x[1] = middle + side;
  x[2] = middle - side;
}

[[gnu::always_inline]] inline void transform4(Value& a, Value& b, Value& c, Value& d) {
  const Value even = a + c;
  const Value odd = b + d;
  const Value even_difference = a - c;
  const Value odd_difference = turn(b - d);

  a = even + odd;
  b = even_difference + odd_difference;
  c = even - odd;
  d = even_difference - odd_difference;
}

// Odd lengths in pairs of mirrored points, with the cosines and sines at hand.
template <std::size_t Radix>
[[gnu::always_inline]] inline void transform_odd(Value* x, const float (&cosines)[Radix],
                                                 const float (&sines)[Radix]) {
  constexpr std::size_t half = Radix / 2;
  Value sums[half];
  Value differences[half];
  Value total = x[0];

#pragma GCC unroll 8
  for (std::size_t p = 0; p < half; ++p) {
    sums[p] = x[p + 1] + x[Radix - 1 - p];
    differences[p] = turn(x[p + 1] - x[Radix - 1 - p]);
    total = total + sums[p];
  }

#pragma GCC unroll 8
  for (std::size_t q = 1; q <= half; ++q) {
    Value middle = x[0] + cosines[q] * sums[0];
    Value side = sines[q] * differences[0];

#pragma GCC unroll 8
    for (std::size_t p = 1; p < half; ++p) {
      middle = middle + cosines[(p + 1) * q % Radix] * sums[p];
      side = side + sines[(p + 1) * q % Radix] * differences[p];
    }

    x[q] = middle + side;
    x[Radix - q] = middle - side;
  }

  x[0] = total;
}

[[gnu::always_inline]] inline void transform5(Value* x) {
  constexpr float c1 = 0.309016994374947424f, c2 = -0.809016994374947424f;
  constexpr float s1 = 0.951056516295153572f, s2 = 0.587785252292473129f;
  constexpr float cosines[5] = {1, c1, c2, c2, c1};
  constexpr float sines[5] = {0, s1, s2, -s2, -s1};
  transform_odd(x, cosines, sines);
}

[[gnu::always_inline]] inline void transform7(Value* x) {
  constexpr float c1 = 0.623489801858733531f, c2 = -0.222520933956314404f;
  constexpr float c3 = -0.900968867902419126f;
  constexpr float s1 = 0.781831482468029809f, s2 = 0.974927912181823607f;
  constexpr float s3 = 0.433883739117558120f;
  constexpr float cosines[7] = {1, c1, c2, c3, c3, c2, c1};
  constexpr float sines[7] = {0, s1, s2, s3, -s3, -s2, -s1};
  transform_odd(x, cosines, sines);
}

[[gnu::always_inline]] inline void transform8(Value* x) {
  constexpr float half = 0.707106781186547524f;
  transform4(x[0], x[2], x[4], x[6]);
  transform4(x[1], x[3], x[5], x[7]);

  const Value third = turn(x[5]);
  x[3] = half * Value{x[3].re + x[3].im, x[3].im - x[3].re};
  x[7] = half * Value{x[7].im - x[7].re, -x[7].re - x[7].im};

  const Value e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6];
  const Value o0 = x[1], o1 = x[3], o3 = x[7];
  x[0] = e0 + o0;
  x[1] = e1 + o1;
  x[2] = e2 + third;
  x[3] = e3 + o3;
  x[4] = e0 - o0;
  x[5] = e1 - o1;
  x[6] = e2 - third;
  x[7] = e3 - o3;
}

template <std::size_t Radix>
[[gnu::always_inline]] inline void transform_values(Value* x) {
  if constexpr (Radix == 2)
    transform2(x[0], x[1]);
  if constexpr (Radix == 3)
    transform3(x);
  if constexpr (Radix == 4)
    transform4(x[0], x[1], x[2], x[3]);
  if constexpr (Radix == 5)
    transform5(x);
  if constexpr (Radix == 7)
    transform7(x);
  if constexpr (Radix == 8)
    transform8(x);
}

// Twiddles follow the butterfly on the way to frequencies, and come before it on the way back. A
// swapped number times a twiddle is the swapped product with the twiddle's conjugate.
template <std::size_t Radix, bool Inverse, bool Twiddled>
[[gnu::always_inline]] inline void run_butterfly(float* at, std::size_t apart,
                                                 const Complex* twiddles) {
#pragma GCC unroll 4
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    Value x[Radix];

#pragma GCC unroll 8
    for (std::size_t q = 0; q < Radix; ++q) {
      x[q] = load<Inverse>(at + q * apart + lane);
      if constexpr (Inverse && Twiddled) {
        if (q > 0)
          x[q] = x[q] * twiddles[q - 1];
      }
    }

    transform_values<Radix>(x);

#pragma GCC unroll 8
    for (std::size_t q = 0; q < Radix; ++q) {
      if constexpr (!Inverse && Twiddled) {
        if (q > 0)
          x[q] = x[q] * twiddles[q - 1];
      }
      store<Inverse>(at + q * apart + lane, x[q]);
    }
  }
}

// A prime radix without a butterfly of its own: every output from every input.
template <bool Inverse>
void run_direct(const Stage& stage, float* at, std::size_t apart, const Complex* twiddles) {
  const std::size_t radix = stage.radix;
  const std::size_t half = radix / 2;

  for (std::size_t lane = 0; lane < lanes; lane += width) {
    Value x[largest_direct] = {};
    for (std::size_t q = 0; q < radix; ++q) {
      x[q] = load<Inverse>(at + q * apart + lane);
      if (Inverse && twiddles && q > 0)
        x[q] = x[q] * twiddles[q - 1];
    }

    Value total = x[0];
    for (std::size_t p = 1; p <= half; ++p) {
      const Value sum = x[p] + x[radix - p];
      x[radix - p] = turn(x[p] - x[radix - p]);
      x[p] = sum;
      total = total + sum;
    }

    store<Inverse>(at + lane, total);
    for (std::size_t q = 1; q <= half; ++q) {
      Value middle = x[0];
      Value side = {};
      for (std::size_t p = 1, pq = q; p <= half; ++p) {
        middle = middle + stage.roots[pq].re * x[p];
        side = side - stage.roots[pq].im * x[radix - p];
        pq += q;
        if (pq >= radix)
          pq -= radix;
      }

      Value low = middle + side;
      Value high = middle - side;
      if (!Inverse && twiddles) {
        low = low * twiddles[q - 1];
        high = high * twiddles[radix - q - 1];
      }
      store<Inverse>(at + q * apart + lane, low);
      store<Inverse>(at + (radix - q) * apart + lane, high);
    }
  }
}

template <bool Inverse>
void run_stages(const Stage* stages, std::size_t count, float* data, std::size_t points,
                float* scratch);

// A large prime radix as a cyclic convolution with a chirp, by padded transforms.
template <bool Inverse>
void run_bluestein(const Stage& stage, float* at, std::size_t apart, const Complex* twiddles,
                   float* scratch) {
  const std::size_t radix = stage.radix;

  for (std::size_t lane = 0; lane < lanes; lane += width) {
    for (std::size_t q = 0; q < radix; ++q) {
      Value x = load<Inverse>(at + q * apart + lane);
      if (Inverse && twiddles && q > 0)
        x = x * twiddles[q - 1];
      store<false>(scratch + q * point_floats + lane, x * stage.roots[q]);
    }
    for (std::size_t q = radix; q < stage.padded_points; ++q)
      store<false>(scratch + q * point_floats + lane, Value{});
  }

  run_stages<false>(stage.padded, stage.padded_stages, scratch, stage.padded_points, nullptr);

  for (std::size_t q = 0; q < stage.padded_points; ++q)
    for (std::size_t lane = 0; lane < lanes; lane += width) {
      float* here = scratch + q * point_floats + lane;
      store<false>(here, load<false>(here) * stage.padded_chirp[q]);
    }

  run_stages<true>(stage.padded, stage.padded_stages, scratch, stage.padded_points, nullptr);

  for (std::size_t lane = 0; lane < lanes; lane += width)
    for (std::size_t q = 0; q < radix; ++q) {
      Value x = load<false>(scratch + q * point_floats + lane) * stage.roots[q];
      if (!Inverse && twiddles && q > 0)
        x = x * twiddles[q - 1];
      store<Inverse>(at + q * apart + lane, x);
    }
}

// Calls body(where, twiddles) for each butterfly of the first `blocks` blocks of a stage.
template <class Body>
[[gnu::always_inline]] inline void each_butterfly(const Stage& stage, std::size_t blocks,
                                                  float* data, Body&& body) {
  const std::size_t block_floats = stage.radix * stage.steps * stage.run * point_floats;

  for (std::size_t block = 0; block < blocks; ++block) {
    float* at = data + block * block_floats;

    for (std::size_t step = 0; step < stage.steps; ++step) {
      const Complex* twiddles =
          stage.twiddles ? stage.twiddles + step * (stage.radix - 1) : nullptr;
      for (std::size_t place = 0; place < stage.run; ++place, at += point_floats)
        body(at, twiddles);
    }
  }
}

template <std::size_t Radix, bool Inverse>
[[gnu::noinline]] void run_stage(const Stage& stage, std::size_t blocks, float* data) {
  const std::size_t apart = stage.steps * stage.run * point_floats;

  if (stage.twiddles)
    each_butterfly(stage, blocks, data, [apart](float* at, const Complex* twiddles) {
      run_butterfly<Radix, Inverse, true>(at, apart, twiddles);
    });
  else
    each_butterfly(stage, blocks, data, [apart](float* at, const Complex*) {
      run_butterfly<Radix, Inverse, false>(at, apart, nullptr);
    });
}

template <bool Inverse>
void run_any_stage(const Stage& stage, std::size_t blocks, float* data, float* scratch) {
  const std::size_t apart = stage.steps * stage.run * point_floats;

  switch (stage.radix) {
    case 2: return run_stage<2, Inverse>(stage, blocks, data);
    case 3: return run_stage<3, Inverse>(stage, blocks, data);
    case 4: return run_stage<4, Inverse>(stage, blocks, data);
    case 5: return run_stage<5, Inverse>(stage, blocks, data);
    case 7: return run_stage<7, Inverse>(stage, blocks, data);
    case 8: return run_stage<8, Inverse>(stage, blocks, data);
  }

  if (stage.padded)
    each_butterfly(stage, blocks, data, [&](float* at, const Complex* twiddles) {
      run_bluestein<Inverse>(stage, at, apart, twiddles, scratch);
    });
  else
    each_butterfly(stage, blocks, data, [&](float* at, const Complex* twiddles) {
      run_direct<Inverse>(stage, at, apart, twiddles);
    });
}

// Depth first: a block that is too large for the nearest cache is cut by its first stage, and
// each part is finished before the next one is begun.
template <bool Inverse>
void run_stages(const Stage* stages, std::size_t count, float* data, std::size_t points,
                float* scratch) {
  if (count == 0)
    return;

  const Stage& stage = stages[0];
  const std::size_t part = stage.steps * stage.run;
  const std::size_t block = part * stage.radix;
  const std::size_t blocks = points / block;

  if (block > near_points && blocks > 1) {
    for (std::size_t b = 0; b < blocks; ++b)
      run_stages<Inverse>(stages, count, data + b * block * point_floats, block, scratch);
    return;
  }

  if constexpr (!Inverse)
    run_any_stage<false>(stage, blocks, data, scratch);

  if (count > 1)
    run_stages<Inverse>(stages + 1, count - 1, data, points, scratch);

  if constexpr (Inverse)
    run_any_stage<true>(stage, blocks, data, scratch);
}

void transform(Direction direction, const Stage* stages, std::size_t count, float* data,
               std::size_t points, float* scratch) {
  if (direction == Direction::forward)
    run_stages<false>(stages, count, data, points, scratch);
  else
    run_stages<true>(stages, count, data, points, scratch);
}

void multiply(const float* from, const Complex* factors, float* to, std::size_t points) {
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t lane = 0; lane < lanes; lane += width) {
      const std::size_t at = p * point_floats + lane;
      store<false>(to + at, load<false>(from + at) * factors[p]);
    }
}

void add_energies(const float* data, const float* weights, const std::uint32_t* mirror,
                  std::size_t first, std::size_t points, bool twice, LaneSums& sums) {
  const float factor = twice ? 2.0f : 1.0f;

  for (std::size_t begin = first; begin < first + points; begin += points_per_sum) {
    const std::size_t rest = first + points - begin;
    const std::size_t end = begin + (rest < points_per_sum ? rest : points_per_sum);

    for (std::size_t lane = 0; lane < lanes; lane += width) {
      Vector squares = {};
      Vector mirrored = {};

      for (std::size_t p = begin; p < end; ++p) {
        const Value z = load<false>(data + p * point_floats + lane);
        const Value m = load<false>(data + mirror[p] * point_floats + lane);
        const float weight = weights[p] * factor;
        mirrored += weight * (z.re * m.re - z.im * m.im);

        Vector square = z.re * z.re + z.im * z.im;
        if (twice)
          square = 0.5f * (square + m.re * m.re + m.im * m.im);
        squares += weight * square;
      }

      for (std::size_t v = 0; v < width; ++v) {
        sums.squares[lane + v] += static_cast<double>(squares[v]);
        sums.mirrored[lane + v] += static_cast<double>(mirrored[v]);
      }
    }
  }
}

void raise_maxima(const float* data, const float* allowed, std::size_t points, float* maxima) {
  Vector largest[point_floats / width];
  for (std::size_t v = 0; v < point_floats / width; ++v)
    largest[v] = *reinterpret_cast<const Vector*>(maxima + v * width);

  const Vector zero = {};
  const auto raise = [&](Vector& most, Vector value) {
    const Vector size = value < zero ? -value : value;
    most = most < size ? size : most;
  };

  for (std::size_t p = 0; p < points; ++p) {
    if (allowed && allowed[p] == 0)
      continue;
    for (std::size_t v = 0; v < point_floats / width; ++v)
      raise(largest[v], *reinterpret_cast<const Vector*>(data + p * point_floats + v * width));
  }

  for (std::size_t v = 0; v < point_floats / width; ++v)
    *reinterpret_cast<Vector*>(maxima + v * width) = largest[v];
}

void centre(const double* from, const double* means, const double* scales, float* to,
            std::size_t points, double* squares) {
  for (std::size_t p = 0; p < points; ++p) {
    const double* values = from + p * batch_views;
    float* out = to + p * batch_views;

#ifndef __clang__  // which does not know it
#pragma GCC ivdep
#endif
    for (std::size_t view = 0; view < batch_views; ++view) {
      const double value = (values[view] - means[view]) * scales[view];
      out[view] = static_cast<float>(value);
      squares[view] += value * value;
    }
  }
}

}  // namespace

namespace TRACEFOLD_KERNELS {

extern const Kernels kernels;
const Kernels kernels{
    .name = TRACEFOLD_KERNELS_NAME,
    .transform = transform,
    .multiply = multiply,
    .add_energies = add_energies,
    .raise_maxima = raise_maxima,
    .centre = centre,
};

}  // namespace TRACEFOLD_KERNELS

}  // namespace tracefold::correlation
