// How long the processes computed and waited that a kept one stands for, in each of its iterations:
// what becomes records of metrics in a reduced trace (model/program/member_metrics.hpp).
//
// The values of an iteration are those of the members that have it. Thread-safe.
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

  // Ticks of one member, by iteration, beginning with that one; what the kept process does not have
  // is left out.
  void add(std::size_t first, std::span<const std::uint64_t> computation,
           std::span<const std::uint64_t> waiting);
  // Those of other members.
  void add(const MemberSums& others);
  std::size_t size() const { return sums_.size(); }
  // Of an iteration that some member has.
  MemberTimes find(const Plan& plan, std::size_t iteration) const;

 private:
  struct Sum {
    std::uint64_t minimum = ~std::uint64_t{0}, maximum = 0, total = 0;

    void add(std::uint64_t ticks);
    void add(const Sum& other);
    TimeSpread spread(const Plan& plan, std::uint64_t members) const;
  };
  struct Iteration {
    std::uint64_t members = 0;
    Sum computation, waiting;
  };
  friend auto list_members(Like<Sum> auto& sum) {
    return std::tie(sum.minimum, sum.maximum, sum.total);
  }
  friend auto list_members(Like<Iteration> auto& iteration) {
    return std::tie(iteration.members, iteration.computation, iteration.waiting);
  }
  friend auto list_members(Like<MemberSums> auto& sums) { return std::tie(sums.sums_); }

  std::vector<Iteration> sums_;
};

// Whether the times of waiting of a trace are known: it has some, and all that it may have were
// recorded.
bool knows_waiting(const Definitions& definitions, const MetricColumns& columns);

// Whether anything is known of the iterations of a kept process.
bool has_member_times(const ProgramProfiles& program, std::size_t process);

// The records of a kept process, by time. Members are processes of the plan, whose program is
// known.
std::vector<MemberTimes> list_member_times(const Plan& plan, std::size_t process,
                                           const std::vector<std::size_t>& members);

// Gives the members of a team the records of all kept processes that have loops.
void share_member_times(const Plan& plan, Team& team, ProgramProfiles& program);

}  // namespace tracefold
