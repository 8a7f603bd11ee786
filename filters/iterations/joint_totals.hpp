// What all measured processes of a loop did together in each iteration, and what those that stand
// for them did in their place: by metric, the sum and the maximum over processes.
//
// All errors of folding follow from these (folding_errors.hpp): the mean of what kept iterations
// stand for is the sum of the kept ones, since processes keep the same. So no process needs to be
// held, and the result does not depend on the order in which processes are added.
//
// Whether counts are met on every process in every iteration, a sum over all counts tells, each
// multiplied by a number of its process and metric (base/prime_field.hpp): iterations with equal
// sums have equal counts on each process, but for one in 2^61.
//
// Of iterations those of a window are held, and a few besides. Memory: bytes_per_iteration().
// Source: dynamics 4.2.2 (errors of the mean and of the maximum over processes).
#pragma once

#include "filters/iterations/iteration_errors.hpp"
#include "filters/iterations/iteration_features.hpp"
#include "filters/iterations/profile_sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

// The metrics of a form as it takes least to add them up: sums of columns are enough, since a
// metric is the sum of some of them; and metrics that are the sum of the same ones have equal
// maxima.
class JointForm {
 public:
  // The form must stay.
  explicit JointForm(const CondensedForm& form);

  const CondensedForm& form() const { return form_; }
  std::size_t columns() const { return form_.columns(); }
  // Those that counts are the sum of, ascending.
  const std::vector<std::size_t>& count_columns() const { return count_columns_; }

  std::size_t distinct() const { return begins_.size() - 1; }
  std::size_t find_distinct(std::size_t metric) const { return distinct_of_[metric]; }
  // The columns of a metric, by its number among the distinct ones.
  std::span<const std::uint32_t> list_columns(std::size_t distinct) const {
    return {columns_.data() + begins_[distinct], columns_.data() + begins_[distinct + 1]};
  }

  // Values from which all metrics follow with few additions: first the columns, then metrics that
  // are the sum of several columns, each the sum of values that stand before it.
  std::size_t values() const { return columns() + part_ends_.size(); }
  // Adds up those behind the columns, which are there already.
  template <class Number>
  void add_parts(Number* values) const {
    auto* sum = values + columns();
    const auto* part = parts_.data();
    for (auto end : part_ends_) {
      Number all = 0;
      for (; part != parts_.data() + end; ++part)
        all += values[*part];
      *sum++ = all;
    }
  }
  // The value of each distinct metric.
  const std::vector<std::uint32_t>& places() const { return places_; }

 private:
  void find_parts();

  const CondensedForm& form_;
  std::vector<std::size_t> count_columns_;
  std::vector<std::size_t> distinct_of_;  // by metric
  std::vector<std::uint32_t> columns_;    // of the distinct ones, one after the other
  std::vector<std::size_t> begins_{0};    // there, by distinct one; last: where all end
  std::vector<std::uint32_t> parts_;      // of the values behind the columns, one after the other
  std::vector<std::uint32_t> part_ends_;  // there, by such value
  std::vector<std::uint32_t> places_;     // of values, by distinct metric
};

// How a process is added. A value.
class JointProcess {
 public:
  // The process stands for itself alone; numbers of different processes differ.
  JointProcess(const JointForm& form, std::size_t number);

  // Another process, which was not given to any, stands for what this one has stood for.
  void give_to(JointProcess& other);

 private:
  friend class JointTotals;

  // By column of counts: what it is multiplied by on this process, and the sum of
  // that over all processes that it stands for.
  std::vector<std::uint64_t> own_, stood_for_;
  std::uint64_t processes_ = 1;  // that it stands for, itself included
};

// To choose iterations, sums of what processes did are enough.
enum class TotalsUse : std::uint8_t { choosing, measuring };

class JointTotals {
 public:
  // `besides` ascend. The form must stay.
  JointTotals(const JointForm& form, std::size_t iterations, TotalsUse use = TotalsUse::measuring,
              IterationWindow window = {}, std::vector<std::uint32_t> besides = {});

  static std::uint64_t bytes_per_iteration(const JointForm& form, TotalsUse use);

  // What a process did in an iteration, by the sums of its columns; without effect where the
  // iteration is not held. Each once. Any thread. O(columns).
  void add(std::size_t iteration, const JointProcess& process, const WideSums& columns);

 private:
  struct Table {
    std::vector<std::uint64_t> sums;               // by iteration and column: the lower 63 bits
    std::map<std::size_t, std::uint64_t> carries;  // the others, where they are not 0
    std::vector<double> maxima;                    // by iteration and distinct metric
    std::vector<std::uint64_t> counts;             // by iteration

    Wide get_sum(std::size_t place) const;
  };

 public:
  // What follows, after the last was added.

  // An iteration's, by metric.
  class Amounts {
   public:
    Amounts(const JointForm& form, const Table& table, std::size_t place)
        : form_(form), table_(table), place_(place) {}

    double sum(std::size_t metric) const {
      return round_sum(form_, table_, place_, form_.find_distinct(metric));
    }
    double maximum(std::size_t metric) const {
      return table_.maxima[place_ * form_.distinct() + form_.find_distinct(metric)];
    }
    bool has_equal_counts(const Amounts& other) const {
      return table_.counts[place_] == other.table_.counts[other.place_];
    }

   private:
    const JointForm& form_;
    const Table& table_;
    std::size_t place_;
  };
  // Of an iteration that is held for measuring.
  Amounts get_original(std::size_t iteration) const { return get(original_, iteration); }
  Amounts get_standing(std::size_t iteration) const { return get(standing_, iteration); }

  // Sums, iteration by iteration, of the window.
  std::vector<double> list_sums() const;

  IterationWindow window() const { return window_; }

 private:
  static double round_sum(const JointForm& form, const Table& table, std::size_t place,
                          std::size_t distinct);
  std::optional<std::size_t> find_place(std::size_t iteration) const {
    return window_.contains(iteration) ? iteration - window_.first : find_beside(iteration);
  }
  std::optional<std::size_t> find_beside(std::size_t iteration) const;
  Amounts get(const Table& table, std::size_t iteration) const;
  // What is being added, by one thread: values as JointForm has them, of so many bits.
  struct Addend {
    std::mutex mutex;
    std::vector<std::uint64_t> narrow;
    std::vector<Wide> wide;
  };
  template <class Number>
  void add_values(std::size_t place, const JointProcess& process, std::vector<Number>& values);
  void add_sums(Table& table, std::size_t place, const std::vector<std::uint64_t>& values,
                std::uint64_t processes);
  void add_sums(Table& table, std::size_t place, const std::vector<Wide>& values,
                std::uint64_t processes);
  void add_carry(Table& table, std::size_t place, std::uint64_t carry);
  template <class Number>
  void add_counts(Table& table, std::size_t place, const std::vector<Number>& values,
                  const std::vector<std::uint64_t>& factors);
  template <class Number>
  void raise_maxima(Table& table, std::size_t place, const std::vector<Number>& values);

  const JointForm& form_;
  const TotalsUse use_;
  IterationWindow window_;  // ends with the loop
  std::vector<std::uint32_t> besides_;
  Table original_, standing_;
  std::array<Addend, 64> addends_;  // of every 64th iteration
  std::mutex carrying_;
};

}  // namespace tracefold
