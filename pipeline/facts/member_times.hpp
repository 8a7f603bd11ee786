// How long the processes that a kept one stands for computed and waited, by iteration. These times
// become records of metrics in a reduced trace (model/program/member_metrics.hpp).
//
// An iteration has the values of those members that have it. Thread-safe.
#pragma once

#include "base/packed_values.hpp"
#include "model/program/member_metrics.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace tracefold {

class Team;
struct Plan;

// Adds up the times of members, by iteration.
class MemberSums {
 public:
  explicit MemberSums(std::size_t iterations = 0) : sums_(iterations) {}

  // Adds the ticks of one member by iteration, from iteration `first` on. Iterations that the kept
  // process does not have are ignored.
  void add(std::size_t first, std::span<const std::uint64_t> computation,
           std::span<const std::uint64_t> waiting);
  // Adds the sums of other members.
  void add(const MemberSums& others);
  std::size_t size() const { return sums_.size(); }
  // The times of an iteration that at least one member has.
  MemberTimes find(const Plan& plan, std::size_t iteration) const;

 private:
  struct TicksSpread {
    std::uint64_t minimum = ~std::uint64_t{0}, maximum = 0, total = 0;

    void add(std::uint64_t ticks);
    void add(const TicksSpread& other);
    TimeSpread spread(const Plan& plan, std::uint64_t members) const;
  };
  struct Iteration {
    std::uint64_t members = 0;
    TicksSpread computation, waiting;
  };
  friend auto list_members(Like<TicksSpread> auto& sum) {
    return std::tie(sum.minimum, sum.maximum, sum.total);
  }
  friend auto list_members(Like<Iteration> auto& iteration) {
    return std::tie(iteration.members, iteration.computation, iteration.waiting);
  }
  friend auto list_members(Like<MemberSums> auto& sums) { return std::tie(sums.sums_); }

  std::vector<Iteration> sums_;
};

// Whether all times of waiting that a trace may have are known, and it has some.
bool knows_waiting(const Definitions& definitions, const MetricColumns& columns);

// Whether anything is known of the iterations of a kept process.
bool has_member_times(const ProgramProfiles& program, std::size_t process);

// The records of a kept process, by time. `members` are processes of the plan, which must have its
// program.
std::vector<MemberTimes> list_member_times(const Plan& plan, std::size_t process,
                                           const std::vector<std::size_t>& members);

// Gives all members of a team the records of all kept processes with loops.
void share_member_times(const Plan& plan, Team& team, ProgramProfiles& program);

}  // namespace tracefold
