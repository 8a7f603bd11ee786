// Which function a region is, and whether a filter drops it. Immutable after
// construction; shared by all threads.
#pragma once

#include "model/plan.hpp"
#include "otf2/definitions.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

class FunctionTable {
 public:
  FunctionTable(const Definitions& definitions, const std::vector<FilterSection>& filters);

  struct Entry {
    FunctionIndex function = virtual_root;  // virtual_root: not a defined region
    std::uint32_t dropped = 0;              // 1 where a filter drops it
  };
  // An undefined region is dropped, as its calls could name nothing.
  Entry of(std::uint64_t region) const {
    return region < dense_.size() ? dense_[region] : find(region);
  }
  // For ids below the number of entries the same, as an array.
  std::span<const Entry> entries() const { return dense_; }
  Entry find(std::uint64_t region) const {
    auto at = sparse_.find(region);
    return at == sparse_.end() ? Entry{virtual_root, 1} : at->second;
  }

  const std::vector<Function>& functions() const { return functions_; }
  bool drops_any() const { return drops_any_; }  // of the defined regions

 private:
  bool drops_any_ = false;
  std::vector<Function> functions_;  // in the order of their first region definition
  std::vector<Entry> dense_;         // by region id, where ids are small
  std::unordered_map<std::uint64_t, Entry> sparse_;
};

}  // namespace tracefold
