// The sum and the maximum of each metric over all measured processes of a loop, by iteration; and
// the same for the case that each process did what its kept process did.
//
// All errors on all processes follow from these two (folding_errors.hpp): since all processes keep
// the same iterations, an iteration is represented by the totals of the kept one. So no process has
// to be in memory, and the order of processes does not matter.
//
// Whether every process has the same counts in two iterations is decided by one number for each
// iteration: each count is multiplied by a random-looking number of its process and column, and the
// products are added in a prime field (base/prime_field.hpp). Iterations with different counts have
// equal numbers with a chance of 2^-61.
//
// The iterations of a window, and a few others, are held. Memory: bytes_per_iteration() for each,
// and 8 bytes for each of its sums if one of them exceeds 64 bits.
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

// How a process is added.
class JointProcess {
 public:
  // The process stands only for itself; each process has another `number`.
  JointProcess(const CondensedForm& form, std::size_t number);

  // Lets `other` stand for everything that this process has stood for. Call it at most once.
  void give_to(JointProcess& other);

 private:
  friend class JointTotals;

  // By column of counts: the factor of this process, and the sum of the factors of all processes
  // that it stands for.
  std::vector<std::uint64_t> own_, stood_for_;
  std::uint64_t processes_ = 1;  // number of processes that it stands for, with itself
};

// Choosing iterations needs only sums.
enum class TotalsDetail : std::uint8_t { choosing, measuring };

class JointTotals {
 public:
  // `besides` are other iterations to hold, ascending. The form must outlive this.
  JointTotals(const CondensedForm& form, std::size_t iterations,
              TotalsDetail detail = TotalsDetail::measuring, IterationWindow window = {},
              std::vector<std::uint32_t> besides = {});

  static std::uint64_t bytes_per_iteration(const CondensedForm& form, TotalsDetail detail);

  // Adds an iteration of a process, by the sums of its columns, once; ignored if the iteration is
  // not held. Any thread. Takes O(columns).
  void add(std::size_t iteration, const JointProcess& process, const WideSums& columns);

  // Takes what was added so far as a value that can be packed (base/packed_values.hpp), and adds
  // that of other processes. Both must hold the same iterations in the same detail.
  class PackableTotals;
  PackableTotals take_part();
  void add(const PackableTotals& part);

  // Call the following after everything was added.

  // The totals of an iteration, by metric.
  struct Amounts {
    std::vector<double> sums, maxima;
    std::uint64_t counts = 0;

    bool has_equal_counts(const Amounts& other) const { return counts == other.counts; }
  };
  // The totals of an iteration that is held for measuring.
  Amounts get_original(std::size_t iteration) const { return get(&Stripe::original, iteration); }
  Amounts get_standing(std::size_t iteration) const { return get(&Stripe::standing, iteration); }

  // Sums of the window, by iteration and metric.
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
  // Each stripe has every 64th iteration as a row; one mutex protects it.
  struct Stripe {
    std::mutex mutex;
    Table original, standing;
    std::vector<Wide> metrics;  // of the row that is being added
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

class JointTotals::PackableTotals {
 public:
  void append(const PackableTotals& other);

 private:
  friend class JointTotals;
  friend auto list_members(Like<PackableTotals> auto& part) { return std::tie(part.tables_); }

  std::vector<Table> tables_;  // of each stripe the original, then the standing one
};

}  // namespace tracefold
