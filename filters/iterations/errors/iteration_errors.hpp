// Measures how close iterations come to those that they stand for: what clustering loses.
//
// An iteration's values are compared with the mean of what stands for it: its cluster, or the kept
// iteration. Exact equality is decided with integers, so that an error of 0 means equal. Errors of
// several processes are added; add them in the same order to get the same result to the last bit.
//
// Source: dynamics 4.2.2 (quality assessment). Details that it leaves open: errors of entire
// iterations are relative to the original value in that iteration (1 if only the original is 0),
// and averaged over all iterations of a metric and all metrics that are not always 0. The sum of
// errors divided by the sum of values is given, too, which iterations with tiny values cannot make
// large. Bytes are counts; counters are neither times nor counts. The error of a call path is the
// mean over its metrics of one kind.
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "filters/iterations/profile_sums.hpp"
#include "model/iterations/iteration_section.hpp"

#include <array>

namespace tracefold {

// Consecutive iterations of a loop.
struct IterationWindow {
  std::size_t first = 0, size = static_cast<std::size_t>(-1);
  bool contains(std::size_t iteration) const { return iteration - first < size; }
};

// Most values fit into 64 bits, for which the conversion to double is faster, with the same result.
inline double to_double(Wide value) {
  const auto low = static_cast<std::uint64_t>(value);
  return value >> 64 == 0 ? static_cast<double>(low) : static_cast<double>(value);
}

// The values of a metric in an iteration, over processes, and those of what stands for it.
struct ComparedValues {
  double original_sum = 0, original_max = 0, rebuilt_sum = 0, rebuilt_max = 0;
};

// Errors of entire iterations (Figures 4.3 and 4.4): of the mean and of the maximum over processes,
// by metric. Windows of iterations follow each other, each with all processes; results do not
// depend on their lengths. Memory: 32 bytes for each metric and iteration of the window.
class IterationErrors {
 public:
  struct Figures {
    std::string name;
    MetricKind kind = MetricKind::count;
    bool present = false;  // non-zero in some iteration
    bool exact = true;     // in every iteration of every process
    double mean = 0;       // average error of the mean, as a share
    double maximum = 0;    // average error of the maximum
    double error = 0;      // sum of the errors of the mean, in the unit of the metric
    double sum = 0;        // sum of the values, likewise
    bool is_averaged = true;
    bool is_waiting = false;

    explicit Figures(const CondensedForm::Entry& entry)
        : name(entry.name),
          kind(entry.kind),
          is_averaged(entry.is_compared),
          is_waiting(entry.is_waiting) {}
    double by_sum() const { return error == 0 ? 0 : sum == 0 ? 1 : error / sum; }
    // Adds one of `iterations` iterations.
    void add(const ComparedValues& values, std::size_t iterations);
  };
  IterationErrors(const CondensedForm& form, std::size_t iterations, IterationWindow first = {});

  static std::uint64_t bytes_per_iteration(const CondensedForm& form) {
    return form.size() * sizeof(Cell);
  }
  void begin(IterationWindow next);
  // Adds an iteration of the window for the next process: what it did, and the sums of what stands
  // for it. Once for each iteration of the process.
  void add(std::size_t iteration, std::span<const Wide> original, std::span<const Wide> sums,
           std::uint64_t summed_iterations);
  std::vector<Figures> figures() const;  // by entry of the form

 private:
  struct Cell : ComparedValues {
    void add(double original, double rebuilt) {
      original_sum += original;
      rebuilt_sum += rebuilt;
      original_max = original_max < original ? original : original_max;
      rebuilt_max = rebuilt_max < rebuilt ? rebuilt : rebuilt_max;
    }
  };
  Cell* find_cells(std::size_t iteration) {
    return cells_.data() + (iteration - window_.first) * metrics_.size();
  }
  void add_cells_to(std::vector<Figures>& metrics) const;

  std::vector<Figures> metrics_;  // of earlier windows
  std::size_t iterations_;
  IterationWindow window_;
  std::vector<Cell> cells_;
};

// Averages over the metrics that are present.
ErrorSummary summarize_errors(const std::vector<IterationErrors::Figures>& figures);

// Errors of single call paths (Figures 4.2, 4.5 to 4.7). The error of a value is divided by the
// metric's largest value of any call path in any iteration; zero values are left out. Phantom call
// paths, which only what stands for an iteration visited, are counted, and their values are errors
// in full.
class CallPathErrors {
 public:
  static constexpr std::array<double, 6> thresholds{0,    1e-5, 1e-4, 1e-3,
                                                    1e-2, 1e-1};  // shares; exceeded means greater

  struct Kind {
    std::uint64_t compared = 0;  // call paths in iterations that have a value of this kind
    std::array<std::uint64_t, thresholds.size()> above{};
    double sum = 0, largest = 0;

    double average() const { return compared == 0 ? 0 : sum / static_cast<double>(compared); }
    double share_above(std::size_t threshold) const {
      return compared == 0 ? 0
                           : static_cast<double>(above[threshold]) / static_cast<double>(compared);
    }
    bool exact() const { return above[0] == 0; }
    void add(double error);
    void add(const Kind& other);
  };

  // `largest` is by column, from ProcessClusters.
  CallPathErrors(const MetricColumns& columns, std::vector<std::uint64_t> largest);

  // Takes O(rows) and O(non-zero values).
  void add(const CallPathProfile& original, const ProfileSums& stand_in);
  void add(const CallPathErrors& other);

  const Kind& times() const { return times_; }
  const Kind& counts() const { return counts_; }
  std::uint64_t call_paths() const {
    return call_paths_;
  }  // of what stands for iterations, summed over all iterations
  std::uint64_t phantoms() const { return phantoms_; }          // of these call paths
  std::uint64_t mpi_phantoms() const { return mpi_phantoms_; }  // of the phantoms: com or mpi
 private:
  // The errors of one call path.
  struct PathErrors {
    double times = 0, counts = 0;                     // sums
    std::size_t time_metrics = 0, count_metrics = 0;  // that these are of
  };
  void compare(std::span<const PathValue> original, const ProfileSums* stand_in, std::size_t row);
  void compare_phantom(const ProfileSums& stand_in, std::size_t row);
  void add_error(PathErrors& errors, std::size_t column, Wide value, Wide sum,
                 std::uint64_t iterations) const;
  void add(const PathErrors& errors);

  // Whether errors of call paths are measured for a column. Columns that are always 0 have none.
  enum class Compared : std::uint8_t { no, time, count };
  std::vector<Compared> compared_;  // by column
  std::vector<std::uint64_t> largest_;
  Kind times_, counts_;
  std::uint64_t call_paths_ = 0, phantoms_ = 0, mpi_phantoms_ = 0;
};

}  // namespace tracefold
