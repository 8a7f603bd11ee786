// How simulate_merges plays all ranks of a stage, checks what comes out, and prints what it cost.
// One thread.
#pragma once

#include "base/text.hpp"
#include "tests/simulated_team.hpp"
#include "tests/support/heap_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

// Sums of what was generated and of what came out of it.
class Check {
 public:
  static void expect(const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found == expected)
      return;
    fmt::print("error: {}: {} in place of {}\n", what, found, expected);
    failed_ = true;
  }
  static bool failed() { return failed_; }

 private:
  static inline bool failed_ = false;
};

// Locations of which one in so many is generated.
struct Locations {
  std::uint64_t number = 0, step = 1;

  // Those that a rank has, as numbers among the generated ones.
  std::pair<std::uint64_t, std::uint64_t> find_own(std::uint64_t rank, std::uint64_t ranks) const {
    return {rank * number / ranks, (rank + 1) * number / ranks};
  }
};

// What share_found() takes: values by index, of which a rank has a few. The program has a list of
// all at each rank; here the first rank has it, and others only what they give.
template <class T>
class OwnValues {
 public:
  OwnValues(std::size_t first, std::size_t size, std::size_t step)
      : first_(first), step_(step), values_(size) {}
  T& at(std::size_t index) { return values_.at((index - first_) / step_); }
  const std::vector<T>& values() const { return values_; }

 private:
  std::size_t first_, step_;  // there are values for one index in so many
  std::vector<T> values_;
};

template <class Result>
struct Simulated {
  Result result;  // at the first rank, as at all others
  std::vector<CallCosts> costs;
  std::uint64_t held = 0;  // bytes of the result
};

// Runs make(rank), and join(team, what was made) at each rank.
template <class Make, class Join>
auto simulate(std::size_t ranks, Make&& make, Join&& join,
              SimulatedTeam::Answer answer = SimulatedTeam::give_nothing) {
  using Made = decltype(make(std::size_t{0}));
  using Result = decltype(join(std::declval<SimulatedTeam::Member&>(), std::declval<Made>()));
  std::optional<Result> result;
  const auto before = HeapUse::now();
  std::vector<CallCosts> costs;
  {
    SimulatedTeam team(
        ranks,
        [&](SimulatedTeam::Member& member) {
          auto own = make(member.rank());
          member.begin();
          auto joined = join(member, std::move(own));
          if (member.rank() == 0)
            result = std::move(joined);
        },
        {HeapUse::watch, [=] { return HeapUse::most() - before; }}, std::move(answer));
    costs = team.run();
  }
  const auto held = HeapUse::now() - before;
  return Simulated<Result>{std::move(result.value()), std::move(costs), held};
}

// One row of a table.
struct Row {
  std::uint64_t ranks = 0;
  CallCosts costs;
  std::uint64_t held = 0;
};

class Table {
 public:
  Table(std::string name, std::string way, double factor = 1)
      : name_(std::move(name)), way_(std::move(way)), factor_(factor) {}

  void add(const Row& row) { rows_.push_back(row); }
  void print() const {
    fmt::print("\n{}\n  {}\n", name_, way_);
    if (factor_ != 1)
      fmt::print("  extrapolated: sizes are multiplied by {:.2f}, seconds too\n", factor_);
    fmt::print("  ranks   messages  levels   sent up   largest      down     chain  seconds\n");
    for (const auto& [ranks, costs, held] : rows_) {
      const auto& [up, down, merge, read, most] = costs;
      fmt::print("{:>7} {:>10} {:>7} {:>9} {:>9} {:>9} {:>9} {:>8.3f}\n", ranks,
                 count(up.messages, down.messages), count(up.levels, down.levels), size(up.bytes),
                 size(std::max(up.largest, down.largest)), size(down.bytes),
                 size(up.chain_bytes + down.chain_bytes), factor_ * (merge + read));
    }
    const auto& last = rows_.back();
    if (last.held > 0)
      fmt::print("  {} then holds {}, and rank 0 held {} at most\n",
                 last.costs.down.messages > 0 ? "every rank" : "it", size(last.held),
                 size(last.costs.most_held));
    std::fflush(stdout);
  }

 private:
  static std::string count(std::uint64_t up, std::uint64_t down) {
    return down == 0 ? fmt::format("{}", up) : fmt::format("{}+{}", up, down);
  }
  std::string size(std::uint64_t bytes) const {
    const auto all = static_cast<std::uint64_t>(factor_ * static_cast<double>(bytes));
    return all < 1000 ? fmt::format("{} B", all) : format_bytes(all);
  }

  std::string name_, way_;
  double factor_;
  std::vector<Row> rows_;
};

// What a tree needs: each rank sends once, and is sent to once.
inline void check_tree(const CallCosts& costs, std::uint64_t ranks, bool comes_down = true) {
  const auto levels = static_cast<std::uint64_t>(std::bit_width(ranks - 1));
  Check::expect("messages up", costs.up.messages, ranks - 1);
  Check::expect("levels up", costs.up.levels, levels);
  Check::expect("messages down", costs.down.messages, comes_down ? ranks - 1 : 0);
  Check::expect("levels down", costs.down.levels, comes_down ? levels : 0);
}

// Plays all ranks of a stage in which all send to all, and adds a row for it.
inline void play_exchange(Table& table, std::size_t ranks, SimulatedTeam::Body body) {
  SimulatedTeam team(ranks, std::move(body), {[] {}, [] { return std::uint64_t{0}; }});
  const auto costs = team.run_all();
  Check::expect("messages", costs.at(0).up.messages, ranks * (ranks - 1));
  Check::expect("rounds", costs.at(0).up.levels, ranks - 1);
  table.add({ranks, costs[0], 0});
}

}  // namespace tracefold::testing
