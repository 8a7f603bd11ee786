// What was stored of the processes of a trace when it was reduced, and profiles in which it stands
// in place of what the reduced trace still holds.
//
// The plan beside the trace is not trusted: its hash has to be the one that the anchor names, and
// what it holds is checked as it is read.
//
// Source: dynamics 4.1.5 (exact aggregates of what is folded).
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "otf2/archive.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct FilterSection;
struct Plan;

class StoredAggregates {
 public:
  // Without what the filters drop. None where nothing was left out, or nothing is stored.
  // Throws Error(input) where what is beside the trace is not what was written with it.
  static std::optional<StoredAggregates> read(const Archive& archive,
                                              const std::vector<FilterSection>& filters);

  bool has(std::uint64_t location) const { return places_.contains(location); }
  // The series of a location of the reduced trace, of each folded loop; null where it has none.
  const std::vector<KeptSeries>* find_series(std::uint64_t location) const;
  const Aggregates& aggregates() const { return aggregates_; }

  // Puts what is stored of some processes in place of their profiles, which may be empty.
  // `locations` is by process of the profiles, `processes` ascends. Paths name `functions`; those
  // that are missing there are added. Columns that are not stored are left out. False where nothing
  // is stored of any of them.
  bool replace(CallPathProfiles& profiles, const std::vector<std::uint64_t>& locations,
               const std::vector<std::size_t>& processes, StoredColumns columns,
               std::vector<Function>& functions) const;

 private:
  Aggregates aggregates_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by location of the reduced trace
};

// Where something is stored of the trace that a plan is about, since that was reduced before: puts
// what is stored of the kept processes into the plan, in place of what was made of the trace as it
// is now. Throws Error(input) as above.
void carry_aggregates(const Archive& archive, Plan& plan);

// Says where numbers come from that are not only those of the trace's events.
void note_stored_aggregates(const Archive& archive, bool is_used, Diagnostics& diagnostics);

}  // namespace tracefold
