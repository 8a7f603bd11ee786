#include "filters/correlation/vector_kernels.hpp"

#include <array>

namespace tracefold::correlation {

namespace baseline {
extern const Kernels kernels;
}

#if defined(TRACEFOLD_WIDE_KERNELS)

namespace avx2 {
extern const Kernels kernels;
}

namespace avx512 {
extern const Kernels kernels;
}

#endif

namespace {

struct Choice {
  std::array<const Kernels*, 3> list{};
  std::size_t count = 0;

  Choice() {
#if defined(TRACEFOLD_WIDE_KERNELS)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
      list[count++] = &avx512::kernels;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      list[count++] = &avx2::kernels;
#endif
    list[count++] = &baseline::kernels;
  }
};

}  // namespace

std::span<const Kernels* const> list_kernels() {
  static const Choice choice;
  return {choice.list.data(), choice.count};
}

const Kernels& choose_kernels() {
  return *list_kernels().front();
}

}  // namespace tracefold::correlation
