// What the processes of a reduced trace did in the whole original, from the file beside it, and
// profiles in which it stands in place of what the reduced trace still holds.
//
// Source: dynamics 4.1.5 (aggregates of what is folded).
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

class StoredCalls {
 public:
  // Without the functions that the filters drop. None where nothing was left out, or nothing is
  // stored. A note says how exact it is, or what is missing. Throws Error(input) if the file is
  // damaged.
  static std::optional<StoredCalls> read(const Archive& archive,
                                         const std::vector<FilterSection>& filters,
                                         StoredColumns columns, Diagnostics& diagnostics);

  bool has(std::uint64_t location) const { return places_.contains(location); }
  const MetricColumns& columns() const { return calls_.profiles.columns; }

  // Puts what is stored of some processes in place of their profiles, which may be empty.
  // `locations` is by process of the profiles, `processes` ascends. Paths name `functions`; those
  // that are missing there are added. Columns that are not stored are left out. False where nothing
  // is stored of any of them.
  bool replace(CallPathProfiles& profiles, const std::vector<std::uint64_t>& locations,
               const std::vector<std::size_t>& processes, std::vector<Function>& functions) const;

 private:
  Aggregates calls_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by location of the reduced trace
};

}  // namespace tracefold
