// The function of each region, whether a filter drops it, and the metric of its time. Immutable,
// shared by all threads.
#pragma once

#include "model/profile/intent.hpp"
#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/events/calling_contexts.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

struct FilterSection;
class WindowReader;

// Whether the filters may drop any calls.
bool leave_out_functions(const std::vector<FilterSection>& filters);
// Whether any of the filters drops all calls of a function.
bool is_dropped(const Function& function, const std::vector<FilterSection>& filters);

// The least depth that any of the filters asks for: calls with so many calls around them are
// dropped, if they are of functions for which is_dropped_when_deep(). None: calls of any depth
// stay.
std::optional<std::uint64_t> find_max_depth(const std::vector<FilterSection>& filters);
// Whether a function is of the program itself. `time` is the metric of its time.
bool is_dropped_when_deep(const Function& function, Metric time);

// Which calls of a function filters drop.
enum class Dropped : std::uint32_t { none, deep, all };

class FunctionTable {
 public:
  struct Entry {
    FunctionIndex function = virtual_root;  // virtual_root: not a defined region
    Dropped dropped = Dropped::none;

    bool is_dropped() const { return dropped == Dropped::all; }
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
    return at == sparse_.end() ? Entry{virtual_root, Dropped::all} : at->second;
  }

  const std::vector<Function>& functions() const { return functions_; }
  bool drops_any() const { return drops_any_; }  // calls of the defined regions
  // See find_max_depth(); without one, the largest number.
  std::uint64_t max_depth() const { return max_depth_; }
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
  std::uint64_t max_depth_ = ~std::uint64_t{0};
};

// By function: the metric of its exclusive time (see time_metric.hpp), according to its first
// region.
std::vector<Metric> find_time_metrics(const Definitions& definitions,
                                      const FunctionTable& functions);

}  // namespace tracefold
