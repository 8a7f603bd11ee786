#include "otf2/merge_archives.hpp"

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "otf2/archive_parts.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracefold {

using K = DefinitionKind;

namespace {

bool lists_locations(const Definition& d) {
  return d.kind == K::Group &&
         get_field<"groupType", K::Group>(d) == otf2_value::group_comm_locations;
}

// What the members of a group are; none where they are places in a list of locations.
std::optional<Ref> find_kind_of_members(std::uint64_t type) {
  switch (type) {
    case otf2_value::group_locations:
    case otf2_value::group_comm_locations: return Ref::location;
    case otf2_value::group_regions: return Ref::region;
    case otf2_value::group_metric: return Ref::metric;
    default: return std::nullopt;
  }
}

std::optional<Ref> find_kind_of_scope(std::uint64_t scope) {
  switch (scope) {
    case otf2_value::scope_location: return Ref::location;
    case otf2_value::scope_location_group: return Ref::location_group;
    case otf2_value::scope_system_tree_node: return Ref::system_tree_node;
    case otf2_value::scope_group: return Ref::group;
    default: return std::nullopt;
  }
}

// In the order of OTF2_MarkerScope, whose first means the whole trace.
std::optional<Ref> find_kind_of_marker_scope(std::uint64_t scope) {
  return scope == 0   ? std::nullopt
         : scope == 5 ? std::optional(Ref::comm)
                      : find_kind_of_scope(scope - 1);
}

// Where these properties of shared things differ, the first counts.
bool is_property(K kind) {
  return kind == K::SystemTreeNodeProperty || kind == K::LocationGroupProperty ||
         kind == K::LocationProperty || kind == K::CallingContextProperty ||
         kind == K::IoFileProperty || kind == K::ParadigmProperty;
}

// Never the same in two archives.
bool is_of_one_archive(K kind) {
  return kind == K::Location || kind == K::LocationGroup || kind == K::IoHandle;
}

class Merge {
 public:
  Merge(const std::vector<ArchiveInRun>& archives, const std::string& folder,
        std::uint64_t ticks_per_second)
      : archives_(archives), parts_(archives.size()), ticks_per_second_(ticks_per_second) {
    out_.folder = folder;
    out_.parts.resize(archives.size());
  }

  MergedArchive run() {
    add_clock();
    for (std::size_t p = 0; p < parts_.size(); ++p)
      prepare(p);
    choose_signs();
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto id : definitions(p).locations())
        place(p, Ref::location, id);
    list_locations();
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& d : definitions(p).all())
        take(p, d);
    name_archives();
    for (std::size_t p = 0; p < parts_.size(); ++p)
      finish(p);
    facts_.definitions.finish();
    add_facts();

    MergedArchive merged;
    merged.incomplete_communicators = incomplete_;
    merged.archive = std::make_shared<const Archive>(std::move(facts_), std::move(out_));
    return merged;
  }

 private:
  using Ids = std::unordered_map<std::uint64_t, std::uint64_t>;

  struct Part {
    std::array<Ids, ref_kinds> ids;
    // How often the archive has defined what is so keyed.
    std::unordered_map<std::string, std::uint64_t> times;
    // By paradigm: the places of its list of locations in that of the run.
    std::map<std::uint64_t, std::vector<std::uint64_t>> ranks;
    std::string sign;  // before the names of its location groups
  };

  const Definitions& definitions(std::size_t p) const {
    return archives_[p].archive->definitions();
  }
  static std::size_t index(Ref kind) { return static_cast<std::size_t>(kind); }

  void add_clock() {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    std::optional<std::uint64_t> wall;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto clock = read_clock_facts(definitions(p));
      auto& shift = out_.parts[p].clock;
      shift.origin = clock.begin;
      shift.begin = archives_[p].name.begin;
      if (ticks_per_second_ != clock.ticks_per_second)
        shift.scale =
            static_cast<double>(ticks_per_second_) / static_cast<double>(clock.ticks_per_second);
      if (shift.begin < first)
        wall = clock.wall;
      first = std::min(first, shift.begin);
      last = std::max(last, shift.of(clock.begin + clock.length));
    }
    if (ticks_per_second_ == 0)
      return;
    Definition d;
    d.kind = K::ClockProperties;
    d.fields = {ticks_per_second_, first, last - first, wall.value_or(~std::uint64_t{0})};
    facts_.definitions.add(std::move(d));
  }

  void prepare(std::size_t p) {
    const auto& archive = *archives_[p].archive;
    auto& part = out_.parts[p];
    if (archive.event_chunk() == 0)
      throw Error(ErrorKind::input, "its files are packed or compressed, which is not put together")
          .in(archive.paths().anchor.string())
          .hint("convert it with the OTF2 that wrote it");
    part.paths = archive.paths();
    part.name = archives_[p].name;
    part.event_chunk = archive.event_chunk();
    part.definition_chunk = archive.definition_chunk();
  }

  std::string find_process_name(std::size_t p) const {
    for (const auto& d : definitions(p).all())
      if (d.kind == K::LocationGroup &&
          get_field<"locationGroupType", K::LocationGroup>(d) == otf2_value::location_group_process)
        return definitions(p).text(get_field<"name", K::LocationGroup>(d));
    return {};
  }

  // Processes that all have the same name are told apart by their ranks.
  void choose_signs() {
    std::set<std::string> names;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      names.insert(find_process_name(p));
    if (names.size() < parts_.size())
      for (std::size_t p = 0; p < parts_.size(); ++p)
        parts_[p].sign = fmt::format("rank {}: ", archives_[p].name.rank);
  }

  // The id of this text.
  std::uint64_t add_text(const std::string& text) {
    const auto [at, is_new] = keys_.try_emplace("text " + text, counts_[index(Ref::string)]);
    if (is_new) {
      ++counts_[index(Ref::string)];
      Definition d;
      d.kind = K::String;
      d.fields[0] = at->second;
      d.text = text;
      facts_.definitions.add(std::move(d));
    }
    return at->second;
  }

  // The lists of locations that ranks mean, over all archives.
  void list_locations() {
    std::set<std::uint64_t> paradigms;
    std::vector<const Definitions*> all;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      all.push_back(&definitions(p));
      for (const auto& [paradigm, group] : definitions(p).comm_locations())
        paradigms.insert(paradigm);
    }
    for (const auto paradigm : paradigms)
      list_locations(paradigm, share_ranks(all, paradigm));
  }

  void list_locations(std::uint64_t paradigm, bool are_shared) {
    Definition list;
    std::optional<std::uint64_t> nobody;  // the place of all that no archive has
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto found = definitions(p).comm_locations().find(paradigm);
      if (found == definitions(p).comm_locations().end())
        continue;
      const auto& group = found->second;
      auto& places = parts_[p].ranks[paradigm];
      if (list.kind != K::Group) {
        list.kind = K::Group;
        list.fields = group.fields;
        get_field<"self", K::Group>(list) = counts_[index(Ref::group)]++;
        get_field<"name", K::Group>(list) =
            add_text(definitions(p).text(get_field<"name", K::Group>(group)));
        if (are_shared)
          for (const auto id : group.list)
            list.list.push_back(find_owned(paradigm, id));
      }
      for (std::size_t rank = 0; rank < group.list.size(); ++rank) {
        const auto own = parts_[p].ids[index(Ref::location)].find(group.list[rank]);
        if (are_shared) {
          places.push_back(rank);
        } else if (own != parts_[p].ids[index(Ref::location)].end()) {
          const auto [at, is_new] =
              place_of_.try_emplace({paradigm, own->second}, list.list.size());
          if (is_new)
            list.list.push_back(own->second);
          places.push_back(at->second);
        } else {
          places.push_back(not_there);
          nobody = 0;
        }
      }
    }
    if (nobody) {
      nobody = list.list.size();
      list.list.push_back(undefined_id(Ref::location));
      for (auto& part : parts_)
        if (const auto at = part.ranks.find(paradigm); at != part.ranks.end())
          std::replace(at->second.begin(), at->second.end(), not_there, *nobody);
      nobody_[paradigm] = *nobody;
    }
    get_field<"numberOfMembers", K::Group>(list) = list.list.size();
    lists_[paradigm] = list.list;
    facts_.definitions.add(std::move(list));
  }

  // A location of a list over all archives that have one.
  std::uint64_t find_owned(std::uint64_t paradigm, std::uint64_t id) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const auto& ids = parts_[p].ids[index(Ref::location)];
      if (const auto at = ids.find(id);
          definitions(p).comm_locations().contains(paradigm) && at != ids.end())
        return at->second;
    }
    return undefined_id(Ref::location);
  }

  // The new id of what an archive refers to.
  std::uint64_t place(std::size_t p, Ref kind, std::uint64_t id) {
    if (id == undefined_id(kind) || kind == Ref::paradigm)
      return id;
    const auto& ids = parts_[p].ids[index(kind)];
    if (const auto at = ids.find(id); at != ids.end())
      return at->second;
    const auto* definition = definitions(p).find(kind, id);
    return definition && !lists_locations(*definition) ? take(p, *definition) : undefined_id(kind);
  }

  void place_members(std::size_t p, Definition& group) {
    const auto type = get_field<"groupType", K::Group>(group);
    if (const auto kind = find_kind_of_members(type)) {
      for (auto& id : group.list)
        id = place(p, *kind, id);
      return;
    }
    const auto ranks = parts_[p].ranks.find(get_field<"paradigm", K::Group>(group));
    if (type != otf2_value::group_comm_group || ranks == parts_[p].ranks.end())
      return;

    // Ranks in events are places in the archive's own list, which is no longer the whole one.
    if (auto& flags = get_field<"groupFlags", K::Group>(group);
        Definitions::has_global_members(group) && !is_whole_list(ranks->second, ranks->first)) {
      flags &= ~otf2_value::group_flag_global_members;
      group.list.resize(ranks->second.size());
      for (std::size_t rank = 0; rank < group.list.size(); ++rank)
        group.list[rank] = rank;
      get_field<"numberOfMembers", K::Group>(group) = group.list.size();
    }
    for (auto& rank : group.list)
      rank = rank < ranks->second.size() ? ranks->second[rank] : rank + not_there;
  }

  bool is_whole_list(const std::vector<std::uint64_t>& places, std::uint64_t paradigm) const {
    const auto& list = lists_.at(paradigm);
    for (std::size_t rank = 0; rank < places.size(); ++rank)
      if (places[rank] != rank)
        return false;
    return places.size() == list.size();
  }

  // With the run's ids, but not yet its own.
  Definition translate(std::size_t p, const Definition& original) {
    auto d = original;
    for_each_ref(get_row(d.kind).shape(), d.fields, d.list,
                 [&](Ref kind, std::uint64_t& id) { id = place(p, kind, id); });
    if (d.kind == K::Group)
      place_members(p, d);
    if (d.kind == K::MetricInstance)
      if (const auto kind = find_kind_of_scope(get_field<"metricScope", K::MetricInstance>(d))) {
        auto& scope = get_field<"scope", K::MetricInstance>(d);
        scope = place(p, *kind, scope);
      }
    if (auto& sign = parts_[p].sign; d.kind == K::LocationGroup && !sign.empty())
      get_field<"name", K::LocationGroup>(d) =
          add_text(sign + definitions(p).text(get_field<"name", K::LocationGroup>(original)));
    return d;
  }

  // What makes two definitions the same one.
  std::string make_key(std::size_t p, const Definition& d) {
    const auto shape = get_row(d.kind).shape();
    std::string key(get_row(d.kind).name);
    const auto fields = is_property(d.kind) ? 2 : shape.size();
    for (std::size_t i = 0; i < fields; ++i)
      if (shape[i].role != FieldRole::self)
        key += fmt::format(" {}", d.fields[i]);
    for (const auto value : d.list)
      key += fmt::format(" {}", value);
    if (is_of_one_archive(d.kind) || has_unknown_members(d))
      key += fmt::format(" of {}", p);
    return key;
  }

  // Who is in none of the archives is not known to be the same in two of them.
  bool has_unknown_members(const Definition& d) const {
    if (d.kind != K::Group || get_field<"groupType", K::Group>(d) != otf2_value::group_comm_group)
      return false;
    const auto nobody = nobody_.find(get_field<"paradigm", K::Group>(d));
    return nobody != nobody_.end() &&
           std::find(d.list.begin(), d.list.end(), nobody->second) != d.list.end();
  }

  // Adds it where none is alike. Returns its id.
  std::uint64_t take(std::size_t p, const Definition& original) {
    if (original.kind == K::ClockProperties || lists_locations(original) ||
        tells_archive(definitions(p), original))
      return 0;
    const auto& own = get_row(original.kind).fields[0];
    const bool has_id = own.role == FieldRole::self;
    if (original.kind == K::String)
      return parts_[p].ids[index(Ref::string)][original.id()] = add_text(original.text);
    if (has_id && own.target != Ref::paradigm)
      if (const auto at = parts_[p].ids[index(own.target)].find(original.id());
          at != parts_[p].ids[index(own.target)].end())
        return at->second;

    auto d = translate(p, original);
    if (!has_id && d.id() == undefined_id(own.target))
      return 0;
    auto key = make_key(p, d);
    if (own.target == Ref::paradigm && has_id)
      key = fmt::format("paradigm {}", d.id());
    else if (has_id)
      key += fmt::format(" time {}", parts_[p].times[key]++);

    auto& count = counts_[index(own.target)];
    const auto [at, is_new] =
        keys_.try_emplace(std::move(key), !has_id || own.target == Ref::paradigm ? d.id() : count);
    if (has_id && own.target != Ref::paradigm)
      parts_[p].ids[index(own.target)][original.id()] = at->second;
    if (!is_new)
      return at->second;

    if (has_id && own.target != Ref::paradigm)
      d.fields[0] = count++;
    const auto id = at->second;
    if (d.kind == K::Location)
      out_.locations.emplace_back(p, original.id());
    if (d.kind == K::Comm || d.kind == K::InterComm)
      incomplete_ += is_incomplete(d);
    facts_.definitions.add(std::move(d));
    return id;
  }

  template <class Visit>
  void for_each_location(const Definition& comm, Visit&& visit) const {
    const auto visit_group = [&](std::uint64_t id) {
      const auto* group = facts_.definitions.find(Ref::group, id);
      if (group && get_field<"groupType", K::Group>(*group) == otf2_value::group_comm_group) {
        const auto& list = lists_.at(get_field<"paradigm", K::Group>(*group));
        for (const auto rank : group->list)
          visit(rank < list.size() ? list[rank] : undefined_id(Ref::location));
      }
    };
    if (comm.kind == K::Comm)
      return visit_group(get_field<"group", K::Comm>(comm));
    visit_group(get_field<"groupA", K::InterComm>(comm));
    visit_group(get_field<"groupB", K::InterComm>(comm));
  }

  // Whether MPI's messages may have an end in none of the archives.
  bool is_incomplete(const Definition& comm) const {
    const auto* group = facts_.definitions.find(
        Ref::group, comm.kind == K::Comm ? get_field<"group", K::Comm>(comm)
                                         : get_field<"groupA", K::InterComm>(comm));
    bool is = false;
    if (!group || get_field<"paradigm", K::Group>(*group) != otf2_value::paradigm_mpi)
      return is;
    for_each_location(comm, [&](std::uint64_t id) { is |= id == undefined_id(Ref::location); });
    return is;
  }

  bool has_loose_clocks() const {
    for (const auto& d : facts_.definitions.all()) {
      if (d.kind != K::Comm && d.kind != K::InterComm)
        continue;
      std::set<std::uint64_t> clocks;
      for_each_location(d, [&](std::uint64_t id) {
        if (id < out_.locations.size())
          clocks.insert(archives_[out_.locations[id].first].name.clock);
      });
      if (clocks.size() > 1)
        return true;
    }
    return false;
  }

  // Each process says which archive it is from.
  static constexpr const char *archive_word = "archive", *rank_word = "rank";
  static bool tells_archive(const Definitions& definitions, const Definition& d) {
    if (d.kind != K::LocationGroupProperty)
      return false;
    const auto& name = definitions.text(get_field<"name", K::LocationGroupProperty>(d));
    return name == archive_word || name == rank_word;
  }

  void name_archives() {
    const auto archive = add_text(archive_word), rank = add_text(rank_word);
    const auto add = [&](std::uint64_t group, std::uint64_t name, std::uint64_t type,
                         std::uint64_t value) {
      Definition d;
      d.kind = K::LocationGroupProperty;
      d.fields = {group, name, type, value};
      facts_.definitions.add(std::move(d));
    };
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const auto& d : definitions(p).all())
        if (d.kind == K::LocationGroup) {
          const auto group = parts_[p].ids[index(Ref::location_group)].at(d.id());
          add(group, archive, otf2_value::type_string, add_text(archives_[p].name.anchor));
          add(group, rank, otf2_value::type_uint64, archives_[p].name.rank);
        }
  }

  // Makes the tables that events are read with.
  void finish(std::size_t p) {
    for (std::size_t k = 0; k < ref_kinds; ++k) {
      if (static_cast<Ref>(k) == Ref::paradigm)
        continue;  // these are OTF2's own
      auto& map = out_.parts[p].ids[k];
      std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs(parts_[p].ids[k].begin(),
                                                                 parts_[p].ids[k].end());
      map.set_others(undefined_id(static_cast<Ref>(k)));
      std::sort(pairs.begin(), pairs.end());
      fill_gaps(pairs, undefined_id(static_cast<Ref>(k)));
      map.set_sparse(std::move(pairs));
    }
    add_markers(p);
  }

  // Small ids are looked up in an array, in which all ids have a place.
  static void fill_gaps(std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                        std::uint64_t undefined) {
    constexpr std::uint64_t most = 1 << 16;
    if (pairs.empty() || pairs.back().first >= most)
      return;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> whole(pairs.back().first + 1);
    for (std::size_t id = 0; id < whole.size(); ++id)
      whole[id] = {id, undefined};
    for (const auto& [id, global] : pairs)
      whole[id].second = global;
    pairs = std::move(whole);
  }

  void add_markers(std::size_t p) {
    const auto& facts = archives_[p].archive->facts();
    std::unordered_map<std::uint64_t, std::uint64_t> kinds;
    for (const auto& kind : facts.marker_kinds) {
      auto at = std::find_if(
          facts_.marker_kinds.begin(), facts_.marker_kinds.end(), [&](const MarkerKind& other) {
            return other.group == kind.group && other.category == kind.category &&
                   other.severity == kind.severity;
          });
      if (at == facts_.marker_kinds.end())
        at = facts_.marker_kinds.insert(
            at, {facts_.marker_kinds.size(), kind.group, kind.category, kind.severity});
      kinds[kind.id] = at->id;
    }
    const auto& clock = out_.parts[p].clock;
    for (auto marker : facts.markers) {
      const auto kind = kinds.find(marker.kind);
      if (kind == kinds.end())
        continue;
      marker.kind = kind->second;
      const auto end = clock.of(marker.time + marker.duration);
      marker.time = clock.of(marker.time);
      marker.duration = end - marker.time;
      if (const auto scope = find_kind_of_marker_scope(marker.scope))
        marker.scope_id = place(p, *scope, marker.scope_id);
      facts_.markers.push_back(std::move(marker));
    }
  }

  // What all archives say stays.
  void add_facts() {
    const auto& first = archives_.front().archive->facts();
    facts_.properties = first.properties;
    facts_.creator = first.creator;
    facts_.machine = first.machine;
    facts_.description = first.description;
    Sha256 ids;
    for (const auto& one : archives_) {
      const auto& facts = one.archive->facts();
      std::erase_if(facts_.properties, [&](const auto& property) {
        const auto at = facts.properties.find(property.first);
        return at == facts.properties.end() || at->second != property.second;
      });
      if (facts.machine != facts_.machine)
        facts_.machine.clear();
      if (facts.description != facts_.description)
        facts_.description.clear();
      facts_.has_snapshots |= facts.has_snapshots;
      ids.add(fmt::format("{} ", facts.trace_id));
    }
    facts_.stated_locations = facts_.definitions.locations().size();
    facts_.stated_definitions = facts_.definitions.all().size();
    facts_.trace_id = std::stoull(ids.hex().substr(0, 16), nullptr, 16);
    if (incomplete_ > 0)
      facts_.properties["OTF2::MPI_COMMUNICATION_COMPLETE"] = "false";
    if (has_loose_clocks())
      facts_.properties[loose_clocks_property] = "true";
  }

  static constexpr std::uint64_t not_there = std::uint64_t{1} << 62;

  const std::vector<ArchiveInRun>& archives_;
  std::vector<Part> parts_;
  std::uint64_t ticks_per_second_;
  ArchiveFacts facts_;
  ArchiveParts out_;
  std::unordered_map<std::string, std::uint64_t> keys_;  // ids of what is defined
  std::array<std::uint64_t, ref_kinds> counts_{};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> place_of_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> lists_;  // by paradigm
  std::map<std::uint64_t, std::uint64_t> nobody_;              // by paradigm
  std::uint64_t incomplete_ = 0;
};

}  // namespace

ClockFacts read_clock_facts(const Definitions& definitions) {
  ClockFacts clock;
  for (const auto& d : definitions.all())
    if (d.kind == K::ClockProperties) {
      clock.ticks_per_second = get_field<"timerResolution", K::ClockProperties>(d);
      clock.begin = get_field<"globalOffset", K::ClockProperties>(d);
      clock.length = get_field<"traceLength", K::ClockProperties>(d);
      const auto wall = get_field<"realtimeTimestamp", K::ClockProperties>(d);
      if (wall != 0 && wall != ~std::uint64_t{0})
        clock.wall = wall;
    }
  return clock;
}

bool share_ranks(const std::vector<const Definitions*>& archives, std::uint64_t paradigm) {
  const Members* list = nullptr;
  std::unordered_set<std::uint64_t> owned;
  for (const auto* definitions : archives) {
    const auto found = definitions->comm_locations().find(paradigm);
    if (found == definitions->comm_locations().end())
      continue;
    if (list && *list != found->second.list)
      return false;
    list = &found->second.list;
    bool has_any = false;
    for (const auto id : *list)
      if (definitions->find(Ref::location, id)) {
        has_any = true;
        if (!owned.insert(id).second)
          return false;
      }
    if (!has_any)
      return false;
  }
  return list != nullptr;
}

MergedArchive merge_archives(const std::vector<ArchiveInRun>& archives, const std::string& folder,
                             std::uint64_t ticks_per_second) {
  return Merge(archives, folder, ticks_per_second).run();
}

}  // namespace tracefold
