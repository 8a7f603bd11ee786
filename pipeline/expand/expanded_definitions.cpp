#include "pipeline/expand/expanded_definitions.hpp"

#include "base/sha256.hpp"
#include "base/sort_and_unite.hpp"
#include "base/version.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/places.hpp"
#include "pipeline/rewrite/string_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

class DefinitionMaker {
  using K = DefinitionKind;

 public:
  DefinitionMaker(const Archive& reduced, const Messages& messages,
                  const ExpandedProcesses& expanded, const OperationFinder& finder,
                  const ExpandedRecords& records, const ExpandedRegions& regions,
                  const std::vector<ExpandedEvents>& events)
      : reduced_(reduced.definitions()),
        messages_(messages),
        expanded_(expanded),
        finder_(finder),
        records_(records),
        regions_(regions),
        events_(events) {}

  std::vector<Definition> make() {
    add_paradigms();
    add_nodes();
    add_processes();
    add_locations();
    add_regions();
    add_communicators();
    add_records();
    add_properties();

    std::vector<Definition> all{make_clock()};
    strings_.append_definitions(all);
    std::move(made_.begin(), made_.end(), std::back_inserter(all));
    return all;
  }

 private:
  std::uint64_t copy_string(std::uint64_t id) {
    return id == undefined_id(Ref::string) ? id : strings_.add(reduced_.text(id));
  }

  Definition& add(K kind, std::initializer_list<std::uint64_t> fields,
                  std::vector<std::uint64_t> list = {}) {
    auto& definition = made_.emplace_back();
    definition.kind = kind;
    std::copy(fields.begin(), fields.end(), definition.fields.begin());
    definition.list = std::move(list);
    return definition;
  }

  Definition make_clock() const {
    Definition clock;
    clock.kind = K::ClockProperties;
    clock.fields = {1'000'000'000, 0, 0, ~std::uint64_t{0}};
    for (const auto& d : reduced_.all())
      if (d.kind == K::ClockProperties)
        clock = d;

    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
    for (const auto& location : events_)
      if (location.written.records > 0) {
        first = std::min(first, location.first);
        last = std::max(last, location.last);
      }
    first = std::min(first, last);
    get_field<"globalOffset", K::ClockProperties>(clock) = first;
    get_field<"traceLength", K::ClockProperties>(clock) = last - first;
    return clock;
  }

  void add_paradigms() {
    bool has_mpi = false;
    for (const auto& d : reduced_.all())
      if (d.kind == K::Paradigm) {
        add(K::Paradigm, {d.id(), copy_string(get_field<"name", K::Paradigm>(d)),
                          get_field<"paradigmClass", K::Paradigm>(d)});
        has_mpi = has_mpi || d.id() == otf2_value::paradigm_mpi;
      }
    constexpr std::uint64_t process_paradigm = 0;
    if (!has_mpi && messages_.size > 0)
      add(K::Paradigm, {otf2_value::paradigm_mpi, strings_.add("MPI"), process_paradigm});
  }

  // The root of the machine, and below it the nodes of the ranks that are there.
  void add_nodes() {
    std::string name = "machine", class_name = "machine", node_class = "node";
    const Places places(reduced_);
    if (places.has_added())
      for (const auto& d : reduced_.all()) {
        const auto place = d.kind == K::LocationGroup ? places.find(d.id()) : std::nullopt;
        if (!place)
          continue;
        const auto path = parse_node_path(*place);
        std::tie(class_name, name) = path.front();
        if (path.size() > 1)
          node_class = path.back().first;
      }
    for (const auto& d : reduced_.all()) {
      if (d.kind != K::SystemTreeNode || places.is_added(d.id()))
        continue;
      const auto& own_class = reduced_.text(get_field<"className", K::SystemTreeNode>(d));
      if (get_field<"parent", K::SystemTreeNode>(d) == undefined_id(Ref::system_tree_node)) {
        name = reduced_.text(get_field<"name", K::SystemTreeNode>(d));
        class_name = own_class;
      } else {
        node_class = own_class;
      }
    }
    add(K::SystemTreeNode,
        {0, strings_.add(name), strings_.add(class_name), undefined_id(Ref::system_tree_node)});
    nodes_.emplace(name, 0);

    std::uint64_t next = 1;
    for (const auto& node : messages_.nodes) {
      const bool is_used = std::any_of(node.ranks.begin(), node.ranks.end(), [&](auto rank) {
        return expanded_.endpoints[rank] != ExpandedProcesses::no_endpoint;
      });
      if (!is_used)
        continue;
      const auto id = node.name == name ? 0 : next++;
      if (id != 0)
        add(K::SystemTreeNode, {id, strings_.add(node.name), strings_.add(node_class), 0});
      nodes_.try_emplace(node.name, id);
      for (auto rank : node.ranks)
        node_of_rank_[rank] = id;
    }
  }

  void add_processes() {
    for (std::size_t p = 0; p < expanded_.processes.size(); ++p) {
      const auto& [name, type, rank] = expanded_.processes[p];
      const auto at = rank ? node_of_rank_.find(*rank) : node_of_rank_.end();
      add(K::LocationGroup,
          {p, strings_.add(name), type, at == node_of_rank_.end() ? 0 : at->second,
           undefined_id(Ref::location_group)});
    }
  }

  void add_locations() {
    for (std::size_t l = 0; l < expanded_.locations.size(); ++l) {
      const auto& location = expanded_.locations[l];
      add(K::Location, {l, strings_.add(location.name), location.type, events_[l].written.records,
                        location.process});
    }
  }

  void add_regions() {
    for (auto region : regions_.used()) {
      if (!reduced_.find(Ref::region, region))
        continue;
      auto copy = *reduced_.find(Ref::region, region);
      copy.fields[0] = regions_.new_id(region);
      for (auto* id :
           {&get_field<"name", K::Region>(copy), &get_field<"canonicalName", K::Region>(copy),
            &get_field<"description", K::Region>(copy), &get_field<"sourceFile", K::Region>(copy)})
        *id = copy_string(*id);
      made_.push_back(std::move(copy));
    }

    const auto& used = regions_.used();
    for (const auto& [id, function] : regions_.missing())
      if (std::binary_search(used.begin(), used.end(), id))
        add(K::Region,
            {regions_.new_id(id), strings_.add(function.name),
             strings_.add(function.canonical.empty() ? function.name : function.canonical),
             undefined_id(Ref::string), otf2_value::region_role_function, function.paradigm, 0,
             function.file.empty() ? undefined_id(Ref::string) : strings_.add(function.file),
             function.line, 0});
  }

  // MPI's list of locations is group 0; members of other groups are places in it.
  void add_communicators() {
    if (messages_.size == 0)
      return;
    std::vector<std::uint64_t> places(messages_.size), locations;
    for (std::uint32_t rank = 0; rank < messages_.size; ++rank)
      if (expanded_.is_there[rank]) {
        places[rank] = locations.size();
        locations.push_back(expanded_.endpoints[rank]);
      }
    if (locations.empty())
      return;

    std::uint64_t next_group = 0;
    const auto add_group = [&](std::uint64_t type, const std::vector<std::uint64_t>& members,
                               const std::string& name = {}) {
      add(K::Group,
          {next_group, strings_.add(name), type, otf2_value::paradigm_mpi, 0, members.size()},
          members);
      return next_group++;
    };
    add_group(otf2_value::group_comm_locations, locations);
    for (const auto& [one, id] : records_.definitions())
      if (one->definition.kind == K::Group) {
        std::vector<std::uint64_t> members;
        for (auto rank : one->definition.list)
          if (expanded_.is_there[rank])
            members.push_back(places[rank]);
        add_group(otf2_value::group_comm_group, members, one->texts.front());
      }
    const auto add_ranks = [&](const std::vector<std::uint32_t>& ranks) {
      std::vector<std::uint64_t> members;
      members.reserve(ranks.size());
      for (auto rank : ranks)
        members.push_back(places[rank]);
      return add_group(otf2_value::group_comm_group, members);
    };

    // OTF2 has one such group for each paradigm.
    std::optional<std::uint64_t> self_group;
    const auto add_self = [&] {
      if (!self_group)
        self_group = add_group(otf2_value::group_comm_self, {});
      return *self_group;
    };

    std::vector<Definition> communicators;
    for (std::size_t c = 0; c < messages_.communicators.size(); ++c) {
      const auto& cut = finder_.communicators()[c];
      const auto& communicator = messages_.communicators[c];
      if (!cut.stays)
        continue;

      Definition made;
      const auto name = strings_.add(communicator.name);
      const auto none = undefined_id(Ref::comm);
      if (communicator.is_self) {
        made.kind = K::Comm;
        made.fields = {cut.id, name, add_self(), none, 0};
      } else if (cut.remote.empty()) {
        made.kind = K::Comm;
        made.fields = {cut.id, name, add_ranks(cut.ranks), none, 0};
      } else {
        made.kind = K::InterComm;
        const auto a = add_ranks(cut.ranks), b = add_ranks(cut.remote);
        made.fields = {cut.id, name, a, b, none, 0};
      }
      communicators.push_back(std::move(made));
    }
    std::move(communicators.begin(), communicators.end(), std::back_inserter(made_));
  }

  // Windows, and files with their handles; groups stand with the other ones.
  void add_records() {
    for (const auto& [one, id] : records_.definitions()) {
      if (one->definition.kind == K::Group)
        continue;

      Definition made;
      made.kind = one->definition.kind;
      const auto fields = list_kept_fields(made.kind);
      auto text = one->texts.begin();
      for (std::size_t f = 0; f < fields.size(); ++f)
        made.fields[f] = is_text(fields[f]) ? find_text(fields[f].target, *text++)
                         : f == 0           ? id
                                            : find_new_id(fields[f], one->definition.fields[f]);
      if (made.kind == K::IoHandle)
        mend_handle(made);
      made_.push_back(std::move(made));
    }
  }

  std::uint64_t find_text(Ref kind, const std::string& text) {
    if (kind == Ref::string)
      return strings_.add(text);
    const auto at = nodes_.find(text);
    return at == nodes_.end() ? undefined_id(kind) : at->second;
  }

  std::uint64_t find_new_id(const Field& field, std::uint64_t value) const {
    if (field.role != FieldRole::ref)
      return value;
    if (field.target == Ref::comm) {
      const auto place = finder_.find_staying(value);
      return place ? finder_.communicators()[*place].id : undefined_id(Ref::comm);
    }
    return records_.find_new_id(field.target, value).value_or(undefined_id(field.target));
  }

  // Readers name a handle without a name by its file and paradigm, and crash where it has none; a
  // handle is defined behind its parent.
  void mend_handle(Definition& handle) {
    auto& name = get_field<"name", K::IoHandle>(handle);
    auto& parent = get_field<"parent", K::IoHandle>(handle);
    const bool is_named_by_file =
        get_field<"file", K::IoHandle>(handle) != undefined_id(Ref::io_file) &&
        get_field<"ioParadigm", K::IoHandle>(handle) != undefined_id(Ref::io_paradigm);
    if (strings_.text(name).empty() && !is_named_by_file)
      name = strings_.add("unnamed");
    if (parent >= handle.id())
      parent = undefined_id(Ref::io_handle);
  }

  // Which location of the original each is, and whose calls it has.
  void add_properties() {
    const auto earlier = find_earlier_reductions(reduced_);
    for (std::size_t l = 0; l < expanded_.locations.size(); ++l) {
      const auto& location = expanded_.locations[l];
      const auto at = earlier.find(location.kept);
      const auto from = at == earlier.end() ? location.kept : at->second.source;
      add(K::LocationProperty,
          {l, strings_.add("tracefold::source"), otf2_value::type_uint64, location.source});
      add(K::LocationProperty,
          {l, strings_.add("tracefold::calls_of"), otf2_value::type_uint64, from});
    }
  }

  const Definitions& reduced_;
  const Messages& messages_;
  const ExpandedProcesses& expanded_;
  const OperationFinder& finder_;
  const ExpandedRecords& records_;
  const ExpandedRegions& regions_;
  const std::vector<ExpandedEvents>& events_;
  std::vector<Definition> made_;  // all but strings and clock properties
  StringTable strings_;
  std::unordered_map<std::uint32_t, std::uint64_t> node_of_rank_;
  std::unordered_map<std::string, std::uint64_t> nodes_;  // ids by name
};

}  // namespace

ExpandedRegions::ExpandedRegions(const Definitions& reduced,
                                 const std::vector<MissingRegion>& missing,
                                 std::vector<std::uint32_t> used)
    : missing_(missing), used_(std::move(used)) {
  sort_and_unite(used_);
  std::erase_if(used_, [&](auto region) {
    const bool is_missing =
        !missing_.empty() && region >= missing_.front().id && region <= missing_.back().id;
    return !is_missing && !reduced.find(Ref::region, region);
  });
  for (auto region : used_)
    new_ids_.emplace(region, static_cast<std::uint32_t>(new_ids_.size()));
}

TraceMetadata make_expanded_metadata(const Archive& reduced, const Messages& messages,
                                     const ExpandedProcesses& expanded,
                                     const OperationFinder& finder, const ExpandedRecords& records,
                                     const ExpandedRegions& regions,
                                     const std::vector<ExpandedEvents>& events) {
  TraceMetadata metadata;
  metadata.machine = reduced.facts().machine;
  metadata.creator = reduced.facts().creator;
  metadata.description = reduced.facts().description;
  metadata.definitions =
      DefinitionMaker(reduced, messages, expanded, finder, records, regions, events).make();

  const bool is_complete = std::find(expanded.is_there.begin(), expanded.is_there.end(), false) ==
                           expanded.is_there.end();
  metadata.properties.emplace_back(complete_property, is_complete ? "true" : "false");
  metadata.properties.emplace_back(
      "TRACEFOLD::EXPANDED",
      fmt::format("{} of {} locations; their calls are those of others, their times are made up",
                  expanded.locations.size(), expanded.in_original));
  metadata.properties.emplace_back(version_property, version);

  Sha256 hash;
  hash.add(fmt::format("{}", reduced.facts().trace_id));
  for (const auto& location : expanded.locations)
    hash.add(fmt::format(" {}", location.source));
  metadata.trace_id = std::stoull(hash.hex().substr(0, 16), nullptr, 16);
  return metadata;
}

}  // namespace tracefold
