// The tree of calling contexts of a trace. Immutable, shared by all threads.
//
// Source: OTF2 3.0, CallingContext.
#pragma once

#include "otf2/definitions.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracefold {

class CallingContexts {
 public:
  CallingContexts() = default;
  explicit CallingContexts(const Definitions& definitions);

  bool empty() const { return nodes_.empty(); }
  // Sets `out` to the regions from the outermost one to that of the context; empty if the context
  // is not defined, or is among its own callers.
  void find_path(std::uint64_t context, std::vector<std::uint64_t>& out) const;
  // The number of these regions.
  std::size_t find_depth(std::uint64_t context) const;
  // The region of a context; the undefined id if the context is not defined.
  std::uint64_t find_region(std::uint64_t context) const;
  // The context of the first `depth` regions: the undefined id for 0, and the context itself if it
  // has no more than that.
  std::uint64_t find_caller(std::uint64_t context, std::size_t depth) const;

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct Node {
    std::uint64_t id = 0;
    std::uint64_t region = 0;
    std::uint32_t caller = none;  // an index into nodes_
    std::uint32_t depth = 0;      // number of regions, with its own; 0 until it is known
  };
  std::uint32_t find(std::uint64_t context) const;
  void set_depth(std::uint32_t node);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> dense_;  // by id, where ids are small
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
};

}  // namespace tracefold
