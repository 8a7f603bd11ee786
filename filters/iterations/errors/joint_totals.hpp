// What all measured processes of a loop did together in each iteration: the sum of each metric over
// the processes, and its maximum. Beside it stands the same for the case that each process did what
// the kept process did that stands for it.
//
// All errors on all processes follow from these two (folding_errors.hpp). As all processes keep the
// same iterations, what stands for an iteration is what they did in the kept one. So no process
// has to be held in memory, and the order in which processes are added does not matter.
//
// Whether every process has the same counts in two iterations is told by one number for each: every
// count is multiplied by a number that looks random, of its process and column, and the products
// are added up in a prime field (base/prime_field.hpp). Iterations with different counts have
// equal sums by a chance of one in 2^61.
//
// The iterations of a window are held, and a few besides. Memory: bytes_per_iteration() for each,
// and 8 bytes for each of its sums where one of them has more than 64 bits.
//
// Source: dynamics 4.2.2 (errors of the mean and of the maximum over processes).
#pragma once

#include "base/packed_values.hpp"
#include "filters/iterations/errors/iteration_errors.hpp"
#include "filters/iterations/iteration_features.hpp"
#include "filters/iterations/profile_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace tracefold {

// How a process is added. A value.
class JointProcess {
 public:
  // The process stands for itself alone; numbers of different processes differ.
  JointProcess(const CondensedForm& form, std::size_t number);

  // Another process, which was not given to any, stands for what this one has stood for.
  void give_to(JointProcess& other);

 private:
  friend class JointTotals;

  // By column of counts: what it is multiplied by on this process, and the sum of that over all
  // processes that it stands for.
  std::vector<std::uint64_t> own_, stood_for_;
  std::uint64_t processes_ = 1;  // that it stands for, itself included
};

// To choose iterations, sums of what processes did are enough.
enum class TotalsDetail : std::uint8_t { choosing, measuring };

class JointTotals {
 public:
  // `besides` ascend. The form must stay.
  JointTotals(const CondensedForm& form, std::size_t iterations,
              TotalsDetail detail = TotalsDetail::measuring, IterationWindow window = {},
              std::vector<std::uint32_t> besides = {});

  static std::uint64_t bytes_per_iteration(const CondensedForm& form, TotalsDetail detail);

  // What a process did in an iteration, by the sums of its columns; without effect where the
  // iteration is not held. Each once. Any thread. O(columns).
  void add(std::size_t iteration, const JointProcess& process, const WideSums& columns);

  // What was added so far, as a value that can be packed (base/packed_values.hpp), and the same of
  // other processes, which is added. Both are of the same iterations, held in the same detail.
  class Part;
  Part take_part();
  void add(const Part& part);

  // What follows is asked after the last was added.

  // An iteration's, by metric.
  struct Amounts {
    std::vector<double> sums, maxima;
    std::uint64_t counts = 0;

    bool has_equal_counts(const Amounts& other) const { return counts == other.counts; }
  };
  // The amounts of an iteration that is held for measuring.
  Amounts get_original(std::size_t iteration) const { return get(&Stripe::original, iteration); }
  Amounts get_standing(std::size_t iteration) const { return get(&Stripe::standing, iteration); }

  // Sums, iteration by iteration, of the window.
  std::vector<double> list_sums() const;

  IterationWindow window() const { return window_; }

 private:
  struct Table {
    WideSums sums;                      // by row and column
    std::vector<double> maxima;         // by row and metric
    std::vector<std::uint64_t> counts;  // by row

    void add(const Table& other);
  };
  friend auto list_members(Like<Table> auto& table) {
    return std::tie(table.sums, table.maxima, table.counts);
  }
  // Every 64th iteration, a row for each: what is written together.
  struct Stripe {
    std::mutex mutex;
    Table original, standing;
    std::vector<Wide> metrics;  // of what is being added
  };
  struct Place {
    std::size_t stripe, row;
  };

  std::optional<Place> find_place(std::size_t iteration) const;
  void add_row(Table& table, std::size_t row, const WideSums& columns, std::uint64_t processes);
  void measure_row(Table& table, std::size_t row, const WideSums& columns,
                   const std::vector<Wide>& metrics, const std::vector<std::uint64_t>& factors);
  std::vector<double> round_sums(const Table& table, std::size_t row) const;
  Amounts get(Table Stripe::*table, std::size_t iteration) const;

  const CondensedForm& form_;
  const TotalsDetail detail_;
  IterationWindow window_;  // ends with the loop
  std::vector<std::uint32_t> besides_;
  static constexpr std::size_t stripe_count = 64;
  std::array<Stripe, stripe_count> stripes_;
};

class JointTotals::Part {
 public:
  void append(const Part& other);

 private:
  friend class JointTotals;
  friend auto list_members(Like<Part> auto& part) { return std::tie(part.tables_); }

  std::vector<Table> tables_;  // of each stripe the original and the standing one
};

}  // namespace tracefold
