// Which function a region is, and whether a filter drops it. Immutable after
// construction; shared by all threads.
#pragma once

#include "model/definition.hpp"
#include "model/plan.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracefold {

class FunctionTable {
 public:
  FunctionTable(const Definitions& definitions, const std::vector<FilterSection>& filters);

  struct Entry {
    FunctionIndex function = virtual_root;  // virtual_root: not a defined region
    bool dropped = false;
  };
  // An undefined region is dropped, as its calls could name nothing.
  Entry of(std::uint64_t region) const {
    if (region < dense_.size()) return dense_[region];
    auto at = sparse_.find(region);
    return at == sparse_.end() ? Entry{virtual_root, true} : at->second;
  }

  const std::vector<Function>& functions() const { return functions_; }

 private:
  std::vector<Function> functions_;  // in the order of their first region definition
  std::vector<Entry> dense_;         // by region id, where ids are small
  std::unordered_map<std::uint64_t, Entry> sparse_;
};

}  // namespace tracefold
