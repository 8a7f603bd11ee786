// Ids of call paths: a hash of the functions on them, so that every thread gives a path the same
// id, as do other traces of the program. They have 63 bits, for readers without unsigned numbers.
//
// Immutable, thread-safe.
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

class CallPathIds {
 public:
  // The path without functions.
  static constexpr std::uint64_t root = 0;

  explicit CallPathIds(const std::vector<Function>& functions);

  std::uint64_t extend(std::uint64_t caller, FunctionIndex function) const;
  // Of all paths of a tree; the first one stands for the virtual root, and `known` are the ids of
  // those before.
  void extend(std::span<const CallPath> paths, std::vector<std::uint64_t>& known) const;

 private:
  std::vector<std::uint64_t> hashes_;  // by function
};

// The path behind each id.
class KnownCallPaths {
 public:
  struct Path {
    std::uint64_t caller = CallPathIds::root;
    std::string function;  // its name

    bool operator==(const Path&) const = default;
  };

  // Throw Error(input) where two paths have one id.
  void add(std::uint64_t id, const Path& path);
  // All paths of a tree, with these ids and names of functions; the first one stands for the
  // virtual root.
  void add(std::span<const CallPath> paths, const std::vector<std::uint64_t>& ids,
           const std::vector<std::string>& functions);
  const std::map<std::uint64_t, Path>& paths() const { return paths_; }

 private:
  std::map<std::uint64_t, Path> paths_;
};

}  // namespace tracefold
