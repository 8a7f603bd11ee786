// The tree of calling contexts that a trace defines. Immutable after construction; shared by all
// threads.
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
  // The regions from the outermost to that of the context, in `out`; none where the context is
  // not defined. A context among whose callers it is itself has none of them.
  void find_path(std::uint64_t context, std::vector<std::uint64_t>& out) const;
  // How many regions that are.
  std::size_t find_depth(std::uint64_t context) const;
  // The region of a context; undefined where the context is not defined.
  std::uint64_t find_region(std::uint64_t context) const;
  // The context that the first so many regions are; undefined for none, the context itself where
  // it has no more of them.
  std::uint64_t find_caller(std::uint64_t context, std::size_t depth) const;

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct Node {
    std::uint64_t id = 0;
    std::uint64_t region = 0;
    std::uint32_t caller = none;  // a place in nodes_
    std::uint32_t depth = 0;      // regions, with its own; 0 until it is known
  };
  std::uint32_t find(std::uint64_t context) const;
  void set_depth(std::uint32_t node);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> dense_;  // by id, where ids are small
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
};

}  // namespace tracefold
