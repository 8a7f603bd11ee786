// The parts of check_rules.hpp that have no file of their own, and what all of them take.
//
// Each function adds verdicts to a RuleBook, in a fixed order. One thread.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/verify/rule_book.hpp"
#include "tests/pipeline/verify/rules/recorded.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

struct Process;

// The properties of each location of a reduced archive, also where it has none.
using PropertiesByLocation = std::map<std::uint64_t, LocationProperties>;
// What each location of an archive records.
using RecordedLocations = std::map<std::uint64_t, Recorded>;

// The first original, from which the original of a reduced archive was made where it was reduced
// itself; otherwise they are the same.
class FirstOriginal {
 public:
  // `wanted` are the locations of `original` that no filter has left out.
  FirstOriginal(const Definitions& original, const std::set<std::uint64_t>& wanted)
      : earlier_(find_earlier_reductions(original)) {
    const auto halo = find_halo_locations(original);
    for (const auto& [id, source] : halo)
      by_source_.emplace(source, id);
    for (auto id : original.locations()) {
      if (halo.contains(id))
        continue;
      const auto at = earlier_.find(id);
      const bool again = at != earlier_.end();
      by_source_.emplace(again ? at->second.source : id, id);
      if (!wanted.contains(id))
        continue;
      if (again)
        locations_.insert(at->second.members.begin(), at->second.members.end());
      else
        locations_.insert(id);
    }
  }
  // Those that wanted locations stand for.
  const std::set<std::uint64_t>& locations() const { return locations_; }
  // The number of its locations that one of the original stands for.
  std::uint64_t count_members(std::uint64_t location) const {
    const auto at = earlier_.find(location);
    return at == earlier_.end() ? 1 : at->second.count;
  }
  // The source that a location of the original has.
  std::uint64_t find_first(std::uint64_t location) const {
    const auto at = earlier_.find(location);
    return at == earlier_.end() ? location : at->second.source;
  }
  // The location of the original that has this source; the source itself where none has.
  std::uint64_t find_location(std::uint64_t source) const {
    const auto at = by_source_.find(source);
    return at == by_source_.end() ? source : at->second;
  }
  // The same; none where no location of the original has this source.
  std::optional<std::uint64_t> find_source(std::uint64_t source) const {
    const auto at = by_source_.find(source);
    return at == by_source_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::unordered_map<std::uint64_t, EarlierReduction> earlier_;
  std::unordered_map<std::uint64_t, std::uint64_t> by_source_;
  std::set<std::uint64_t> locations_;
};

PropertiesByLocation read_stand_ins(const Definitions& definitions);
// The ids in a property tracefold::members. Empty where it is no list, or has more than `most`.
std::vector<std::uint64_t> parse_members(const std::string& members,
                                         std::size_t most = most_members);

// That each location names the rank of its source. Sources in `properties` are ids of the
// original, of which `originals` are the processes.
void check_ranks(RuleBook& rules, const PropertiesByLocation& properties,
                 const std::vector<Process>& originals);
// `kept` are the sources of all locations, also of the halo. Where no messages are drawn, none of
// them has to be there.
void check_records(RuleBook& rules, const Definitions& original, const RecordedLocations& before,
                   const std::set<std::uint64_t>& kept, bool draws_messages);
}  // namespace tracefold
