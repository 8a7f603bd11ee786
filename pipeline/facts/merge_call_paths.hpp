// Merges call-path profiles of several trees into profiles over one tree, which does not
// depend on which thread read what. Pure, safe from any thread.
//
// It serves any profiles with the same columns: those of whole processes, and those of
// iterations, whose processes have a tree each.
//
// Source: dynamics 3 (call-path profiles of all processes over one call tree).
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace tracefold {

struct MergedTree {
  std::vector<CallPath> paths;  // as in CallPathProfiles
  // By tree and by path of that tree: which of `paths` it is, and no_path for its first.
  std::vector<std::vector<PathIndex>> merged;
};

// The first path of each tree stands for the virtual root.
MergedTree merge_call_trees(std::span<const std::span<const CallPath>> trees);

// The profiles of some processes over one tree, as one thread found them. A value that can be
// packed (base/packed_values.hpp) for another process that reads the same trace with the same
// filters. Sets of paths are held once.
class CallPathPart {
 public:
  using Paths = std::vector<PathIndex>;  // numbers in the tree, ascending
  struct Process {
    std::size_t process = 0;            // index into the processes of all parts
    std::uint32_t path_set = 0;         // its number
    std::vector<std::uint64_t> values;  // path by path
    std::vector<std::uint64_t> outside = {};
  };

  // Values are of one path after the other, by column; `outside` as in CallPathProfiles.
  void add(std::size_t process, Paths paths, std::vector<std::uint64_t> values,
           std::vector<std::uint64_t> outside = {});
  // Call once, after the last profile: the first path stands for the virtual root.
  void set_tree(std::span<const CallPath> tree) { tree_.assign(tree.begin(), tree.end()); }

  // What another part has, which is of other processes. Both have their trees.
  void append(CallPathPart other);

  std::span<const CallPath> tree() const { return tree_; }
  // The distinct sets of paths, each ascending, with their numbers.
  const std::map<Paths, std::uint32_t>& path_sets() const { return path_sets_; }
  std::vector<Process>& processes() { return processes_; }

 private:
  friend auto list_members(Like<CallPathPart> auto& part) {
    return std::tie(part.tree_, part.path_sets_, part.processes_);
  }

  std::vector<CallPath> tree_;
  std::map<Paths, std::uint32_t> path_sets_;
  std::vector<Process> processes_;
};
auto list_members(Like<CallPathPart::Process> auto& process) {
  return std::tie(process.process, process.path_set, process.values, process.outside);
}

// `processes` is the number of processes; those in no part have no paths. Takes the values
// out of the parts.
CallPathProfiles merge_call_paths(std::vector<CallPathPart> parts, MetricColumns columns,
                                  std::size_t processes);

}  // namespace tracefold
