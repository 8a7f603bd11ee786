#include "filters/groups/lonely_ranks.hpp"

#include "filters/messages/signature_clusters.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace tracefold {

std::optional<LonelyRanks> find_lonely_ranks(const Plan& plan, const Communication& communication) {
  auto options = plan.comparison.signature;
  if (plan.comparison.by != CompareBy::signature || !options.keep_order ||
      options.peers == ComparePeers::pattern)
    return std::nullopt;

  std::map<std::uint32_t, std::uint64_t> sizes;  // ranks of each cluster; each thread has a group
  for (const auto& group : *plan.groups)
    if (group.clusters) {
      auto& size = sizes[group.clusters->sub];
      size = std::max(size, count_processes(plan, group.members));
    }
  LonelyRanks out;
  out.clusters = sizes.size();
  for (const auto& [cluster, size] : sizes) {
    out.ranks += size;
    out.alone += size == 1;
  }
  if (out.ranks < least_ranks_of_lonely || 2 * out.alone <= out.ranks)
    return std::nullopt;

  std::set<std::string> ignored;
  for (auto function : plan.ignored)
    ignored.insert(plan.functions[function].name);
  auto by_pattern = options;
  by_pattern.peers = ComparePeers::pattern;
  options.keep_order = false;
  out.clusters_without_order = find_clusters(communication, options, ignored).subs;
  if (options.level == ClusterLevel::sub && options.peers == ComparePeers::relative)
    out.clusters_by_pattern = find_clusters(communication, by_pattern, ignored).subs;
  return out;
}

}  // namespace tracefold
