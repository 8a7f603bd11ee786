// The figures of what a fold costs as base/packed_values.hpp packs them: one member of a team
// computes them, and gives them to the others.
#pragma once

#include "base/packed_values.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/iterations/iteration_section.hpp"

#include <tuple>

namespace tracefold {

auto list_members(Like<TimeError> auto& error) {
  return std::tie(error.of_own, error.of_all);
}
auto list_members(Like<FunctionError> auto& error) {
  return std::tie(error.function, error.kind, error.of_all);
}
auto list_members(Like<FoldError> auto& error) {
  return std::tie(error.all, error.computation, error.communication, error.waiting);
}
auto list_members(Like<FoldErrors> auto& errors) {
  return std::tie(errors.processes, errors.of_processes, errors.functions_of_processes,
                  errors.of_iterations, errors.of_loops, errors.unmeasured);
}
auto list_members(Like<IterationFidelity> auto& of) {
  return std::tie(of.mean, of.maximum, of.time_mean, of.time_maximum, of.count_mean,
                  of.count_maximum, of.mean_by_sum, of.time_by_sum, of.counts_exact,
                  of.waiting_by_sum, of.times_above, of.counts_above, of.call_paths, of.phantoms,
                  of.mpi_phantoms, of.functions);
}

}  // namespace tracefold
