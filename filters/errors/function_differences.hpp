// Adds up differences between times and those of what stands for them, by function and kind of
// time, and returns the largest sums. One thread at a time.
#pragma once

#include "filters/iterations/profile_sums.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/errors/time_kinds.hpp"
#include "model/profile/intent.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace tracefold {

// By TimeKind.
using KindSums = std::array<Wide, time_kinds>;

class FunctionDifferences {
 public:
  // Adds the times of a call path of the function, and of what stands for it. The virtual root is
  // ignored.
  void add(FunctionIndex function, const KindTimes& own, const KindTimes& standing);
  // Adds the summed differences of a call path.
  void add(FunctionIndex function, const KindSums& differences);
  void add(const FunctionDifferences& other);

  // Appends the sums of `functions` functions to `out`, and reads them again.
  void put(WideSums& out, std::size_t functions) const;
  void take(const WideSums& from, std::size_t first, std::size_t functions);

  // At most most_function_errors errors as shares of all time, the largest first, equal ones by
  // function.
  std::vector<FunctionError> list_largest(std::vector<Function> functions, Wide all_time) const;

 private:
  std::vector<KindSums> sums_;  // by function
};

}  // namespace tracefold
