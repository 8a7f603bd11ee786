// Formal contexts of sets that a test names.
#pragma once

#include "lattice/context.hpp"

#include <utility>
#include <vector>

namespace tracefold::testing {

// Object i has sets[i], which is ascending.
inline lattice::Context make_context(const std::vector<lattice::Set>& sets) {
  lattice::ContextBuilder builder;
  for (std::size_t i = 0; i < sets.size(); ++i)
    builder.add(i, sets[i]);

  return std::move(builder).build();
}

}  // namespace tracefold::testing
