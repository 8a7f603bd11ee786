// Which locations stay, in which order, and what each stands for.
#pragma once

#include "model/plan.hpp"
#include "otf2/definition.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct KeptLocation {
  std::uint64_t id = 0;  // in the trace that is read
  std::uint64_t new_id = 0;
  std::uint64_t source = 0;  // id in the first original
  std::uint32_t group = 0;
  std::uint64_t count = 1;  // processes it stands for
  std::string members;      // their ids in the first original, as ranges
  std::size_t process = 0;  // index into Plan::processes
};

// Immutable once made; any thread may ask.
class KeptLocations {
 public:
  // Without representatives in the plan every process is kept.
  KeptLocations(const Definitions& definitions, const Plan& plan, bool keep_ids);

  const std::vector<KeptLocation>& all() const { return all_; }  // by new order
  bool has(std::uint64_t id) const { return new_id_.contains(id); }
  std::uint64_t new_id(std::uint64_t id) const { return new_id_.at(id); }
  // The kept location that stands for a location; itself where it is kept.
  std::optional<std::uint64_t> stand_in(std::uint64_t id) const;
  // Location groups that stay, in their new order; the place is the new id.
  const std::vector<std::uint64_t>& groups() const { return groups_; }
  // True where every location of the trace is kept.
  bool everything() const { return everything_; }

 private:
  std::vector<KeptLocation> all_;
  std::vector<std::uint64_t> groups_;
  std::unordered_map<std::uint64_t, std::uint64_t> new_id_, stand_in_;
  bool everything_ = false;
};

}  // namespace tracefold
