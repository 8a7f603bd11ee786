#include "pipeline/rewrite/archive_remarks.hpp"

#include "base/sha256.hpp"
#include "base/version.hpp"
#include "pipeline/iterations/collapse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace tracefold {

namespace {

constexpr const char* marker_group = "tracefold";
constexpr std::size_t most_loops_told =
    16;  // large properties would keep the anchor from being opened

std::string said_of(const FoldedLoop& loop) {
  const auto& c = loop.choice;
  auto text = fmt::format(
      "{} of {} iterations kept, for {} clusters in {} classes of {} call trees", c.kept.size(),
      c.kept_of.size(), c.clusters, c.classes,
      c.equivalence == CallTreeEquivalence::strong ? "strongly equivalent" : "weakly equivalent");

  if (loop.kept)
    text += fmt::format(
        "; mean error {:.4g} % of execution time, {:.4g} % over all metrics; counts {}, {} phantom "
        "call paths",
        100 * loop.kept->time_mean, 100 * loop.kept->mean,
        loop.kept->counts_exact ? "exact" : "not exact", loop.kept->phantoms);

  return text;
}

bool is_communication(EventKind kind) {
  const auto name = row_of(kind).name;
  return name.starts_with("Mpi") || name.starts_with("Rma") ||
         name.starts_with("NonBlockingCollective");
}

// Markers that an earlier reduction has put at the same borders.
bool is_own(const MarkerKind& kind) {
  return kind.group == marker_group;
}

void add_iterations(Markers& out, const Plan& plan) {
  const auto& section = *plan.iterations;
  std::unordered_set<std::uint64_t> taken;
  for (const auto& known : out.kinds)
    taken.insert(known.id);

  std::uint64_t kind = 0;
  while (taken.contains(kind))
    ++kind;

  out.kinds.push_back({kind, marker_group, "iteration", 0});
  const auto& first = section.processes.front().loops;

  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& choice = section.loops[l].choice;
    const auto of_loop = section.loops.size() > 1 ? fmt::format(" of loop {}", l + 1) : "";
    for (std::size_t i = 0; i < choice.kept_of.size(); ++i) {
      const auto stands = choice.kept[choice.kept_of[i]];
      const auto [begin, end] = first.loops[l].iterations[i];
      out.markers.push_back({begin, end - begin, kind, 0, 0,
                             fmt::format("iteration {}{}{}", i, of_loop,
                                         stands == i ? "" : fmt::format(" ≈ #{}", stands))});
    }
  }
}

}  // namespace

void set_properties(OutputArchive& out, const ArchiveFacts& facts, const Plan& plan,
                    const CutCounts& cut, const std::string& plan_text) {
  for (const auto& [name, value] : facts.properties)
    if (!name.starts_with("TRACEFOLD::") && name != "OTF2::MPI_COMMUNICATION_COMPLETE")
      out.set_property(name, value);

  bool complete = true;
  for (std::size_t k = 0; k < event_kinds; ++k)
    complete = complete && (cut[k] == 0 || !is_communication(static_cast<EventKind>(k)));

  auto claimed = facts.properties.find("OTF2::MPI_COMMUNICATION_COMPLETE");
  if (!complete)
    out.set_property("OTF2::MPI_COMMUNICATION_COMPLETE", "false");
  else if (claimed != facts.properties.end())
    out.set_property(claimed->first, claimed->second);

  for (std::size_t k = 0; k < event_kinds; ++k)
    if (cut[k])
      out.set_property(fmt::format("tracefold::cut::{}", event_table[k].name),
                       std::to_string(cut[k]));

  for (std::size_t l = 0;
       plan.iterations && l < std::min(plan.iterations->loops.size(), most_loops_told); ++l)
    out.set_property(fmt::format("TRACEFOLD::LOOP::{}", l + 1), said_of(plan.iterations->loops[l]));

  Sha256 hash;
  hash.add(plan_text);
  out.set_property("TRACEFOLD::VERSION", version);
  out.set_property("TRACEFOLD::PLAN_SHA256", hash.hex());
}

Markers markers_of(const ArchiveFacts& facts, const ReducedDefinitions& reduced, const Plan& plan) {
  Markers out;
  std::unordered_set<std::uint64_t> earlier;

  for (const auto& kind : facts.marker_kinds) {
    if (is_own(kind))
      earlier.insert(kind.id);
    else
      out.kinds.push_back(kind);
  }

  for (auto m : facts.markers) {
    if (earlier.contains(m.kind))
      continue;

    constexpr std::array kinds{Ref::string,           Ref::location, Ref::location_group,
                               Ref::system_tree_node, Ref::group,    Ref::comm};
    if (m.scope > 0 && m.scope < kinds.size()) {
      if (!reduced.stays(kinds[m.scope], m.scope_id))
        continue;
      m.scope_id = reduced.new_id(kinds[m.scope], m.scope_id);
    }

    out.markers.push_back(std::move(m));
  }

  if (plan.iterations && !plan.iterations->processes.empty())
    add_iterations(out, plan);

  std::stable_sort(out.markers.begin(), out.markers.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });

  return out;
}

}  // namespace tracefold
