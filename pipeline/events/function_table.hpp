// The function of each region, whether a filter drops it, and the metric of its time. Immutable,
// shared by all threads.
#pragma once

#include "model/profile/intent.hpp"
#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/events/calling_contexts.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

struct FilterSection;
class WindowReader;

// Whether the filters may drop any function.
bool leave_out_functions(const std::vector<FilterSection>& filters);
// Whether any of the filters drops a function.
bool is_dropped(const Function& function, const std::vector<FilterSection>& filters);

class FunctionTable {
 public:
  struct Entry {
    FunctionIndex function = virtual_root;  // virtual_root: not a defined region
    std::uint32_t dropped = 0;              // 1 if a filter drops it
  };

  // A window among the filters must have its crossing records (find_crossing.hpp).
  FunctionTable(const Definitions& definitions, const std::vector<FilterSection>& filters);

  // Undefined regions are dropped, since they have no name.
  Entry find(std::uint64_t region) const {
    return region < dense_.size() ? dense_[region] : find_sparse(region);
  }
  // The same as an array for ids below its size, and for all other ids.
  std::span<const Entry> entries() const { return dense_; }
  Entry find_sparse(std::uint64_t region) const {
    const auto at = sparse_.find(region);
    return at == sparse_.end() ? Entry{virtual_root, 1} : at->second;
  }

  const std::vector<Function>& functions() const { return functions_; }
  bool drops_any() const { return drops_any_; }  // of the defined regions
  // For calls from calling contexts.
  const CallingContexts& contexts() const { return contexts_; }
  // Whether the time of a function belongs to MPI. Only if there are contexts.
  bool is_mpi(FunctionIndex function) const { return is_mpi_[function]; }
  // Whether a location is a stream of an accelerator.
  bool is_stream(std::uint64_t location) const { return streams_.contains(location); }
  // Reads locations within a window; null without a window among the filters.
  const WindowReader* window() const { return window_.get(); }

 private:
  void add(std::uint64_t region, Entry entry, std::uint64_t first_sparse);

  std::vector<Function> functions_;  // in the order of their first regions
  std::vector<Entry> dense_;         // by region id, where ids are small
  std::unordered_map<std::uint64_t, Entry> sparse_;
  CallingContexts contexts_;
  std::vector<bool> is_mpi_;                   // by function, where there are contexts
  std::unordered_set<std::uint64_t> streams_;  // locations
  std::shared_ptr<const WindowReader> window_;
  bool drops_any_ = false;
};

// By function: the metric of its exclusive time (see time_metric.hpp), according to its first
// region.
std::vector<Metric> find_time_metrics(const Definitions& definitions,
                                      const FunctionTable& functions);

}  // namespace tracefold
