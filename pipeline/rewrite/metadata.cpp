#include "pipeline/rewrite/metadata.hpp"

#include "base/sha256.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/plan.hpp"
#include "otf2/merge_archives.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/places.hpp"
#include "pipeline/messages/marker_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace tracefold {

namespace {

// Values of OTF2_MarkerScope.
constexpr std::uint64_t marker_scope_tree_node = 3;
constexpr std::uint64_t marker_scope_group = 4;
constexpr std::uint64_t marker_scope_comm = 5;

constexpr const char* marker_group = "tracefold";
constexpr const char* loop_property = "TRACEFOLD::LOOP::";

// Readers cannot open an anchor whose properties are large.
constexpr std::size_t most_described_loops = 16;

const char* describe(CallTreeEquivalence equivalence) {
  switch (equivalence) {
    case CallTreeEquivalence::strong: return "strongly equivalent call trees";
    case CallTreeEquivalence::weak: return "weakly equivalent call trees";
    default: return "weakly equivalent call trees, some of them merged";
  }
}

// `error`: of iterations; null where it was not measured.
std::string describe(const FoldedLoop& loop, const FoldError* error) {
  const auto& choice = loop.choice;
  auto text = fmt::format("{} of {} iterations kept, for {} clusters in {} classes of {}",
                          choice.kept.size(), choice.kept_of.size(), choice.clusters,
                          choice.classes, describe(choice.equivalence));

  if (error)
    text += "; error: " + describe(*error);

  return text;
}

// Whether every record of communication is there: those of processes that are left out are not, nor
// those of the halo with others.
bool is_communication_complete(const KeptTrace& kept, const CutCounts& cut) {
  const auto is_left_out = [&](const Process& process) {
    return process.has_messages &&
           (!kept.locations().has(process.id) || kept.locations().is_halo(process.id));
  };
  if (std::any_of(kept.plan().processes.begin(), kept.plan().processes.end(), is_left_out))
    return false;

  for (std::size_t k = 0; k < event_kinds; ++k)
    if (cut[k] > 0 && is_communication(static_cast<EventKind>(k)))
      return false;
  return true;
}

std::uint64_t find_unused_id(const std::vector<MarkerKind>& kinds) {
  std::unordered_set<std::uint64_t> used;
  for (const auto& kind : kinds)
    used.insert(kind.id);

  std::uint64_t id = 0;
  while (used.contains(id))
    ++id;

  return id;
}

void add_iterations(TraceMetadata& metadata, const IterationSection& section) {
  const auto kind = find_unused_id(metadata.marker_kinds);
  metadata.marker_kinds.push_back({kind, marker_group, "iteration", 0});
  const auto& loops_of_first = section.processes.front().loops.loops;

  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& choice = section.loops[l].choice;
    const auto which_loop = section.loops.size() > 1 ? fmt::format(" of loop {}", l + 1) : "";

    for (std::size_t i = 0; i < choice.kept_of.size(); ++i) {
      const auto representative = choice.kept[choice.kept_of[i]];
      const auto similar = representative == i ? "" : fmt::format(" ≈ #{}", representative);
      const auto [begin, end] = loops_of_first[l].iterations[i];
      metadata.markers.push_back({begin, end - begin, kind, 0, 0,
                                  fmt::format("iteration {}{}{}", i, which_loop, similar)});
    }
  }
}

// The definitions, which name the number of each location's events and the time that is covered.
std::vector<Definition> make_definitions(const ReducedDefinitions& reduced,
                                         const std::vector<CopiedLocation>& copied) {
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  std::vector<WrittenLocation> written;

  for (const auto& location : copied) {
    // Where nothing was recorded, also in a window in time, both are 0.
    if (location.written.records > 0 || location.last_time > 0)
      first = std::min(first, location.first_time);
    last = std::max(last, location.last_time);
    written.push_back(location.written);
  }

  return reduced.definitions(written, std::min(first, last), last);
}

// Gives a marker the new id of its scope. False where the scope does not stay.
bool renumber_scope(Marker& marker, const ReducedDefinitions& reduced) {
  // In the order of OTF2_MarkerScope, of which the first means the whole trace.
  constexpr std::array kinds{Ref::string,           Ref::location, Ref::location_group,
                             Ref::system_tree_node, Ref::group,    Ref::comm};
  if (marker.scope == 0 || marker.scope >= kinds.size())
    return true;
  if (!reduced.stays(kinds[marker.scope], marker.scope_id))
    return false;

  marker.scope_id = reduced.new_id(kinds[marker.scope], marker.scope_id);

  return true;
}

// Whether iterations were looked for and found. Else those that an earlier reduction has folded
// are marked and described as they were.
bool marks_iterations(const Plan& plan) {
  return plan.iterations && !plan.iterations->processes.empty();
}

// Whether the trace that is written has every process and every record that was recorded.
bool keeps_everything(const KeptTrace& kept, const CutCounts& cut) {
  const auto& plan = kept.plan();
  return is_whole(kept.archive().facts()) && kept.keeps_all_records() &&
         kept.locations().keeps_all() &&
         std::all_of(cut.begin(), cut.end(), [](auto count) { return count == 0; }) &&
         plan.write->draws_messages &&
         std::none_of(plan.processes.begin(), plan.processes.end(),
                      [](const Process& process) { return process.damaged; });
}

// The properties of the original that still hold, how many records of each kind and definitions of
// the system tree were left out, how the iterations of each loop were folded, what folding costs,
// and the hash of the plan.
std::vector<std::pair<std::string, std::string>> make_properties(
    const KeptTrace& kept, const CutCounts& cut, const ReducedDefinitions::LeftOutOfTree& left_out,
    const std::string& plan_hash) {
  const auto& original = kept.archive().facts();
  const auto& plan = kept.plan();
  std::vector<std::pair<std::string, std::string>> properties;
  for (const auto& [name, value] : original.properties)
    if (name == loose_clocks_property ||
        (!name.starts_with("TRACEFOLD::") && name != complete_property))
      properties.emplace_back(name, value);

  const auto recorded = original.properties.find(complete_property);
  if (!is_communication_complete(kept, cut))
    properties.emplace_back(complete_property, "false");
  else if (recorded != original.properties.end())
    properties.push_back(*recorded);

  for (std::size_t k = 0; k < event_kinds; ++k)
    if (cut[k])
      properties.emplace_back(name_cut_property(static_cast<EventKind>(k)), std::to_string(cut[k]));

  const auto add_left_out = [&](const char* name, std::uint64_t here) {
    if (const auto all = here + count_cut_definitions(original, name))
      properties.emplace_back(name, std::to_string(all));
  };
  add_left_out("tracefold::cut::SystemTreeNodeProperty", left_out.properties);
  add_left_out("tracefold::cut::SystemTreeNodeDomain", left_out.domains);

  if (!marks_iterations(plan)) {
    for (const auto& [name, value] : original.properties)
      if (name.starts_with(loop_property))
        properties.emplace_back(name, value);
  } else {
    const auto& loops = plan.iterations->loops;
    for (std::size_t l = 0; l < std::min(loops.size(), most_described_loops); ++l)
      properties.emplace_back(
          fmt::format("{}{}", loop_property, l + 1),
          describe(loops[l], plan.errors ? &plan.errors->of_loops[l] : nullptr));
  }
  if (plan.errors) {
    properties.emplace_back("TRACEFOLD::ERROR::PROCESSES", describe(plan.errors->of_processes));
    if (plan.errors->of_iterations)
      properties.emplace_back("TRACEFOLD::ERROR::ITERATIONS",
                              describe(*plan.errors->of_iterations));
  }

  properties.emplace_back(reductions_property, std::to_string(count_reductions(original) + 1));
  if (keeps_everything(kept, cut))
    properties.emplace_back(whole_property, "true");
  if (const auto filtered = count_filtered_reductions(original) + leave_out_anything(plan.filters))
    properties.emplace_back(filtered_property, std::to_string(filtered));
  if (!draws_messages(original) || !plan.write->draws_messages)
    properties.emplace_back(messages_property, messages_are_not_drawn);
  // Where no process was chosen, those of an earlier reduction may stand for others.
  constexpr const char* compared_by = "TRACEFOLD::COMPARED_BY";
  if (plan.representatives)
    properties.emplace_back(compared_by, plan.like ? "run"
                                         : plan.comparison.combine.empty()
                                             ? std::string(to_text(plan.comparison.by))
                                             : "names");
  else if (const auto earlier = original.properties.find(compared_by);
           earlier != original.properties.end())
    properties.push_back(*earlier);
  properties.emplace_back(version_property, plan.write->version);
  properties.emplace_back(plan_hash_property, plan_hash);

  return properties;
}

// Sets the markers: those of the original whose scope stays, and their time, and one for each
// iteration of the first process whose iterations were folded.
void make_markers(TraceMetadata& metadata, const ArchiveFacts& original,
                  const ReducedDefinitions& reduced, const Plan& plan) {
  // Where the original was reduced itself, it may have such markers already.
  std::unordered_set<std::uint64_t> replaced;
  for (const auto& kind : original.marker_kinds) {
    if (kind.group == marker_group && marks_iterations(plan))
      replaced.insert(kind.id);
    else
      metadata.marker_kinds.push_back(kind);
  }

  auto cut = count_cut_markers(original);
  const auto* window = find_window(plan.filters);
  for (auto marker : original.markers) {
    if (replaced.contains(marker.kind) || !is_marker_inside(window, marker))
      continue;

    if (renumber_scope(marker, reduced))
      metadata.markers.push_back(std::move(marker));
    else
      ++cut;
  }

  if (cut)
    metadata.properties.emplace_back("tracefold::cut::Marker", std::to_string(cut));

  if (marks_iterations(plan))
    add_iterations(metadata, *plan.iterations);

  std::stable_sort(metadata.markers.begin(), metadata.markers.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
}

}  // namespace

void use_marker_scopes(const KeptTrace& kept, UsedRefs& used) {
  const auto& definitions = kept.definitions();
  const auto has_kept_member = [&](std::uint64_t id) {
    const auto* group = definitions.find(Ref::group, id);
    if (!group)
      return false;

    const auto members = definitions.members(*group);
    return std::any_of(members.begin(), members.end(),
                       [&](auto location) { return kept.locations().has(location); });
  };

  const auto nodes = Places(definitions).find_nodes_above(kept.locations().groups());
  const auto* window = find_window(kept.plan().filters);
  for (const auto& marker : kept.archive().facts().markers) {
    if (!is_marker_inside(window, marker))
      continue;

    if (marker.scope == marker_scope_tree_node && nodes.contains(marker.scope_id))
      used.add(Ref::system_tree_node, marker.scope_id);
    const auto* comm =
        marker.scope == marker_scope_comm ? definitions.find(Ref::comm, marker.scope_id) : nullptr;
    if (comm && comm->kind == DefinitionKind::Comm &&
        has_kept_member(get_field<"group", DefinitionKind::Comm>(*comm)))
      used.add(Ref::comm, marker.scope_id);
    if (marker.scope == marker_scope_group && has_kept_member(marker.scope_id))
      used.add(Ref::group, marker.scope_id);
  }
}

TraceMetadata make_metadata(const KeptTrace& kept, const ReducedDefinitions& reduced,
                            const std::vector<CopiedLocation>& copied, PlanFiles plan) {
  auto cut = count_cut_records(kept.archive().facts());
  for (const auto& location : copied)
    for (std::size_t k = 0; k < event_kinds; ++k)
      cut[k] += location.cut[k];

  const auto plan_hash = hash_text(plan.plan);

  const auto& original = kept.archive().facts();
  TraceMetadata metadata;
  metadata.machine = original.machine;
  metadata.creator = original.creator;
  metadata.description = original.description;
  metadata.definitions = make_definitions(reduced, copied);
  metadata.properties = make_properties(kept, cut, reduced.count_left_out_of_tree(), plan_hash);
  metadata.trace_id = std::stoull(plan_hash.substr(0, 16), nullptr, 16);
  metadata.plan = std::move(plan);
  make_markers(metadata, original, reduced, kept.plan());

  return metadata;
}

}  // namespace tracefold
