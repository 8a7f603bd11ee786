// Which functions differ most from what stands for them: differences of time are added up by
// function and kind of time, and the largest sums are told. A value; one thread at a time.
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
  // What a call path of the function has, and what stands for it. The virtual root is left out.
  void add(FunctionIndex function, const KindTimes& own, const KindTimes& standing);
  // The differences of a call path, added up.
  void add(FunctionIndex function, const KindSums& differences);
  void add(const FunctionDifferences& other);

  // The sums of so many functions, one behind the other, and back.
  void put(WideSums& out, std::size_t functions) const;
  void take(const WideSums& from, std::size_t first, std::size_t functions);

  // At most most_function_errors, the largest first, as shares of all time. Of equal ones the first
  // function is first.
  std::vector<FunctionError> list_largest(std::vector<Function> functions, Wide all_time) const;

 private:
  std::vector<KindSums> sums_;  // by function
};

}  // namespace tracefold
