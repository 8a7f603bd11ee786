#include "pipeline/rewrite/group_tree.hpp"

#include "model/describe_group.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"
#include "pipeline/events/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

using K = DefinitionKind;

std::string put_count(std::uint64_t count, const std::string& words) {
  return count > 1 ? fmt::format("{}× {}", count, words) : words;
}

// What parts a row from others, from the outside in.
struct Branch {
  std::optional<std::uint32_t> main_cluster;
  std::uint32_t group = 0;
  std::optional<std::size_t> merged;  // place in Group::merged
  std::size_t process = 0;            // of the first kept location
};

class GroupTreeMaker {
 public:
  GroupTreeMaker(const Definitions& original, const Plan& plan, const KeptLocations& kept,
                 const Places& places)
      : original_(original), plan_(plan), kept_(kept), places_(places) {
    for (const auto id : kept_.groups())
      if (original_.find(Ref::location_group, id))
        location_groups_.push_back(id);

    root_ = find_root();
    number_merged_sets();
    find_first_locations();
    count_what_is_parted();
  }

  SystemTree make() {
    for (const auto id : location_groups_) {
      tree_.parents.emplace(id, find_parent(id));
      if (auto place = places_.find(id))
        tree_.places.emplace(id, std::move(*place));
    }

    return std::move(tree_);
  }

 private:
  // The root of the machine where all location groups are below one.
  std::optional<TreeNodeRef> find_root() const {
    std::optional<std::uint64_t> root;
    for (const auto id : location_groups_) {
      const auto own = places_.find_root(id);
      if (!own || (root && *root != *own))
        return std::nullopt;
      root = own;
    }

    return root ? std::optional(TreeNodeRef{*root, false}) : std::nullopt;
  }

  const Group* find_group(std::uint32_t group) const {
    return plan_.groups && group < plan_.groups->size() ? &(*plan_.groups)[group] : nullptr;
  }

  void number_merged_sets() {
    set_of_.resize(plan_.processes.size());
    if (!plan_.groups)
      return;
    for (const auto& group : *plan_.groups)
      for (std::size_t set = 0; set < group.merged.size(); ++set)
        for (const auto member : group.merged[set])
          set_of_[member] = set;
  }

  // A location group that has only created others goes with the first of these.
  void find_first_locations() {
    std::unordered_set<std::uint64_t> empty(location_groups_.begin(), location_groups_.end());
    for (const auto& location : kept_.all()) {
      const auto id = original_.location_group(location.id);
      empty.erase(id);
      if (location.role == LocationRole::kept)
        first_.emplace(id, &location);
    }

    for (const auto id : location_groups_) {
      const auto own = first_.find(id);
      if (own == first_.end())
        continue;
      const auto* location = own->second;
      for (auto creator = find_creator(id); empty.erase(creator) > 0;
           creator = find_creator(creator))
        first_.emplace(creator, location);
    }
  }

  std::uint64_t find_creator(std::uint64_t id) const {
    return get_field<"creatingLocationGroup", K::LocationGroup>(
        *original_.find(Ref::location_group, id));
  }

  Branch find_branch(const KeptLocation& location) const {
    Branch branch{{}, location.group, {}, location.process};
    if (const auto* group = find_group(location.group)) {
      if (group->clusters)
        branch.main_cluster = group->clusters->main;
      if (!group->merged.empty())
        branch.merged = set_of_[location.process];
    }

    return branch;
  }

  void count_what_is_parted() {
    for (const auto& location : kept_.all())
      if (location.role == LocationRole::kept) {
        counts_[location.group] += location.count;
        const auto example = examples_.emplace(location.group, location.process).first;
        example->second = std::min(example->second, location.process);
      }

    for (const auto& [id, location] : first_) {
      const auto branch = find_branch(*location);
      processes_[{branch.group, branch.merged}].insert(branch.process);
      if (branch.main_cluster)
        groups_of_main_[*branch.main_cluster].insert(branch.group);
    }

    if (plan_.representatives)
      for (const auto& representative : *plan_.representatives)
        why_.emplace(representative.process, &representative.why);
  }

  std::optional<TreeNodeRef> find_parent(std::uint64_t id) {
    const auto location = first_.find(id);
    return location == first_.end() ? find_partners() : find_row(*location->second);
  }

  TreeNodeRef find_partners() {
    if (!partners_)
      partners_ = add({"◌ partners of kept processes", "partners", root_, false, {}});
    return *partners_;
  }

  // The node for what a location stands for, added with those above it where they are not there
  // yet.
  TreeNodeRef find_row(const KeptLocation& location) {
    const auto branch = find_branch(location);
    const auto* group = find_group(branch.group);
    const auto find_or_add = [this](auto& nodes, const auto& key, auto&& make) {
      const auto at = nodes.find(key);
      return at == nodes.end() ? nodes.emplace(key, add(make())).first->second : at->second;
    };

    auto parent = root_;
    if (branch.main_cluster && groups_of_main_.at(*branch.main_cluster).size() > 1)
      parent = find_or_add(main_nodes_, *branch.main_cluster, [&] {
        return AddedTreeNode{
            name_main_cluster(*branch.main_cluster), "main cluster", parent, false, {}};
      });

    auto node = find_or_add(group_nodes_, branch.group, [&] {
      return AddedTreeNode{
          name_group(plan_, branch.group, counts_.at(branch.group), examples_.at(branch.group)),
          "group", parent, false, branch.group};
    });

    const std::pair key{branch.group, branch.merged};
    if (branch.merged)
      node = find_or_add(merged_nodes_, key, [&] {
        const auto count = count_processes(plan_, group->merged[*branch.merged]);
        const auto words =
            (count > 1 ? "equal to " : "") + name_process(plan_.processes[branch.process]);
        return AddedTreeNode{put_count(count, words), "merged", node, false, {}};
      });

    if (plan_.representatives && processes_.at(key).size() > 1)
      node = find_or_add(cluster_nodes_, branch.process, [&] {
        return AddedTreeNode{name_cluster(location), "cluster", node, false, {}};
      });

    return node;
  }

  // A process that is kept for itself, as the slowest one, has another reason than being like
  // others.
  std::string name_cluster(const KeptLocation& location) const {
    const auto process = name_process(plan_.processes[location.process]);
    return location.count > 1 ? put_count(location.count, "like " + process)
                              : fmt::format("{} · {}", process, *why_.at(location.process));
  }

  std::string name_main_cluster(std::uint32_t main) const {
    std::uint64_t count = 0;
    for (const auto group : groups_of_main_.at(main))
      count += counts_.at(group);
    return put_count(count, fmt::format("main cluster {}", main));
  }

  TreeNodeRef add(AddedTreeNode node) {
    tree_.nodes.push_back(std::move(node));
    return {tree_.nodes.size() - 1, true};
  }

  const Definitions& original_;
  const Plan& plan_;
  const KeptLocations& kept_;
  const Places& places_;
  SystemTree tree_;
  std::optional<TreeNodeRef> root_, partners_;
  std::vector<std::uint64_t> location_groups_;  // that stay and are defined, in their new order
  std::unordered_map<std::uint64_t, const KeptLocation*> first_;  // by location group
  std::vector<std::size_t> set_of_;                // by process, of groups that were merged
  std::map<std::uint32_t, std::size_t> examples_;  // by group: its first kept process
  std::map<std::uint32_t, std::uint64_t> counts_;  // by group: processes that it stands for
  std::map<std::uint32_t, std::set<std::uint32_t>> groups_of_main_;
  // By group and set that was merged into it: the first locations' processes.
  std::map<std::pair<std::uint32_t, std::optional<std::size_t>>, std::set<std::size_t>> processes_;
  std::map<std::size_t, const std::string*> why_;  // by representative
  // The nodes that were added.
  std::map<std::uint32_t, TreeNodeRef> main_nodes_, group_nodes_;
  std::map<std::pair<std::uint32_t, std::optional<std::size_t>>, TreeNodeRef> merged_nodes_;
  std::map<std::size_t, TreeNodeRef> cluster_nodes_;
};

// The machine again, of a trace that shows groups: nodes that it still has, and those that only the
// places of location groups tell of.
class MachineMaker {
 public:
  MachineMaker(const Definitions& original, const KeptLocations& kept, const Places& places)
      : original_(original), kept_(kept), places_(places) {
    for (const auto& d : original_.all())
      if (d.kind == K::SystemTreeNode && !places_.is_added(d.id()))
        nodes_.emplace(to_text(places_.find_path(d.id())), TreeNodeRef{d.id(), false});
  }

  SystemTree make() {
    for (const auto id : kept_.groups()) {
      const auto* group = original_.find(Ref::location_group, id);
      if (!group || !places_.is_added(get_field<"systemTreeParent", K::LocationGroup>(*group)))
        continue;

      const auto place = places_.find(id);
      tree_.parents.emplace(id, place ? find_node(parse_node_path(*place)) : std::nullopt);
    }

    return std::move(tree_);
  }

 private:
  std::optional<TreeNodeRef> find_node(const NodePath& path) {
    std::optional<TreeNodeRef> node;
    NodePath above;
    for (const auto& [class_name, name] : path) {
      above.emplace_back(class_name, name);
      const auto [at, is_new] = nodes_.try_emplace(to_text(above));
      if (is_new) {
        at->second = {tree_.nodes.size(), true};
        tree_.nodes.push_back({name, class_name, node, true, {}});
      }
      node = at->second;
    }

    return node;
  }

  const Definitions& original_;
  const KeptLocations& kept_;
  const Places& places_;
  SystemTree tree_;
  std::unordered_map<std::string, TreeNodeRef> nodes_;  // by their path
};

bool shows_groups(const Plan& plan) {
  return plan.write && plan.write->tree == TreeChoice::groups;
}

}  // namespace

bool changes_tree(const Definitions& original, const Plan& plan) {
  return shows_groups(plan) || Places(original).has_added();
}

SystemTree make_system_tree(const Definitions& original, const Plan& plan,
                            const KeptLocations& kept) {
  const Places places(original);
  if (shows_groups(plan))
    return GroupTreeMaker(original, plan, kept, places).make();
  if (places.has_added())
    return MachineMaker(original, kept, places).make();

  return {};
}

// A group of one process is called as this is.
std::string name_group(const Plan& plan, std::uint32_t group, std::uint64_t count,
                       std::size_t example) {
  const auto process = name_process(plan.processes.at(example));
  const auto like = (count > 1 ? "like " : "") + process;
  if (!plan.groups)
    return put_count(count, like);
  const auto apart = label_group(plan, group);
  const bool is_only_like = apart.starts_with("like ");
  if (count == 1 && (is_only_like || apart == process))
    return process;

  return put_count(count, is_only_like ? apart : like + " · " + apart);
}

}  // namespace tracefold
